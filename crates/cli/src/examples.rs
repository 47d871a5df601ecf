//! Two runnable examples for the help of every command.

macro_rules! examples {
    ($($name:ident: $($line:literal)+;)*) => {
        $(
            /// Examples of the command of that name.
            pub(crate) const $name: &str = concat!("Examples:", $("\n  ", $line),+);
        )*
    };
}

examples! {
    IMPASSE:
        "impasse explore frogs-and-toads -p n=1..7"
        "impasse solve coins";
    LIST:
        "impasse list"
        "impasse list --json";
    SHOW:
        "impasse show frogs-and-toads"
        "impasse show frogs-and-toads -p n=2 FFT.T";
    CHECK:
        "impasse check guarini"
        "impasse check tiles -p rows=3 -p cols=4"
        "impasse check coins --json";
    EXPLORE:
        "impasse explore frogs-and-toads -p n=1..7 -o report"
        "impasse explore hanoi3 -p n=1..6 --only depths --json";
    SOLVE:
        "impasse solve coins"
        "impasse solve frogs-and-toads -p n=2 --all";
    STUCK:
        "impasse stuck frogs-and-toads -p n=2"
        "impasse stuck fore-and-aft --limit 5"
        "impasse stuck frogs-and-toads -p n=3 --list boundary --format csv"
        "impasse stuck frogs-and-toads -p n=2..7 --patterns"
        "impasse stuck frogs-and-toads -p n=2..5 -p m=2..5 --rules";
    WHY:
        "impasse why frogs-and-toads -p n=2 FTFT."
        "impasse why frogs-and-toads -p n=2 .FTFT"
        "impasse why frogs-and-toads FFT.FTT";
    VERIFY:
        "impasse verify guarini"
        "impasse verify frogs-and-toads --formula 'n*(n+2)' --of shortest -p n=1..10"
        "impasse verify frogs-and-toads --strategy textbook -p n=1..8";
    SEQ:
        "impasse seq frogs-and-toads --of states -p n=1..10"
        "impasse seq frogs-and-toads --of dead_ends -p n=1..10 --format bfile -o b.txt"
        "impasse seq frogs-and-toads --of dead_ends -p n=1..10 --compare b.txt"
        "impasse seq frogs-and-toads --of dead_ends -p n=1..12 --guess"
        "impasse seq frogs-and-toads --of states -p n=1..5 -p m=1..5 --triangle";
    TRACE:
        "impasse trace frogs-and-toads --strategy textbook -p n=2"
        "impasse trace chips-classic --start '2 3 5'"
        "impasse trace chips-classic --start '5^10000' -o steps.txt"
        "impasse trace chips-classic --start '1000000^10000' --final";
    EXPORT:
        "impasse export frogs-and-toads -p n=2 --format dot"
        "impasse export guarini --format csv -o guarini.csv";
    RESUME:
        "impasse explore tiles --only depths --run kept && impasse resume kept"
        "impasse resume kept";
    CHECK_TABLE:
        "impasse explore frogs-and-toads -p n=1..4 -o report && impasse check-table report"
        "impasse check-table report";
    NEW:
        "impasse new my-puzzle"
        "impasse new frogs-on-a-ring";
    EXPLAIN:
        "impasse explain E04"
        "impasse explain";
    COMPLETIONS:
        "impasse completions bash > impasse.bash"
        "impasse completions fish";
    MAN:
        "impasse man > impasse.1"
        "impasse man explore";
}
