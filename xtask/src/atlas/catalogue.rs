//! Which values of each shipped puzzle the atlas shows: small ones, so that it is built in a minute.

/// What is shown of one puzzle. Arguments are split at blanks; list parameters are joined by `,`.
pub(crate) struct Entry {
    /// The shipped name.
    pub(crate) name: &'static str,
    /// Arguments of the table; each set adds rows.
    pub(crate) tables: &'static [&'static str],
    /// The parameter that laws are fitted over, if the table has one row a value of it.
    pub(crate) index: Option<&'static str>,
    /// The value whose state graph is drawn.
    pub(crate) graph: Option<&'static str>,
    /// The value whose layers are drawn as bars.
    pub(crate) bars: Option<&'static str>,
    /// The value for which blocking patterns are mined.
    pub(crate) patterns: Option<&'static str>,
}

/// One row for the value a file has unless told otherwise.
const DEFAULT: &[&str] = &[""];

const fn entry(name: &'static str, tables: &'static [&'static str]) -> Entry {
    Entry {
        name,
        tables,
        index: None,
        graph: None,
        bars: None,
        patterns: None,
    }
}

impl Entry {
    const fn over(mut self, index: &'static str) -> Self {
        self.index = Some(index);
        self
    }

    const fn graph(mut self, arguments: &'static str) -> Self {
        self.graph = Some(arguments);
        self
    }

    const fn bars(mut self, arguments: &'static str) -> Self {
        self.bars = Some(arguments);
        self
    }

    const fn patterns(mut self, arguments: &'static str) -> Self {
        self.patterns = Some(arguments);
        self
    }

    /// The entry of a puzzle.
    pub(crate) fn of(name: &str) -> Option<&'static Self> {
        ENTRIES.iter().find(|entry| entry.name == name)
    }
}

/// All entries, by name.
pub(crate) const ENTRIES: &[Entry] = &[
    entry("bergman", &["-p n=1..10"])
        .over("n")
        .graph("-p n=5")
        .bars("-p n=9"),
    entry(
        "bishops-exchange",
        &["-p rows=3 -p cols=3..4", "-p rows=4 -p cols=3"],
    )
    .bars("-p rows=3 -p cols=4"),
    entry("chips", DEFAULT).bars(""),
    entry("chips-classic", &["--max-depth 12"]),
    entry("coins", &["-p n=1..2"]).bars("-p n=2"),
    entry("coins-any-pair", &["-p n=1..2 -p room=6"]).bars("-p n=2 -p room=4"),
    entry("coins-land-anywhere", &["-p n=1..2"]).bars("-p n=2"),
    entry("coins-land-touching", &["-p n=1..2"]).bars("-p n=2"),
    entry("coins-little-room", &["-p west=0 -p east=4..8"])
        .over("east")
        .graph("-p west=0 -p east=6")
        .bars("-p west=0 -p east=8"),
    entry("cycle-of-five", DEFAULT).graph(""),
    entry("die-hard-jugs", DEFAULT).bars(""),
    entry("fore-and-aft", &["-p n=1..2"])
        .graph("-p n=1")
        .bars("-p n=2")
        .patterns("-p n=2 --cells 3"),
    entry("frogs-and-toads", &["-p n=1..12"])
        .over("n")
        .graph("-p n=3")
        .bars("-p n=4")
        .patterns("-p n=5"),
    entry("frogs-and-toads-both-ways", &["-p n=1..7"])
        .over("n")
        .graph("-p n=2")
        .bars("-p n=5"),
    entry("frogs-square", DEFAULT).bars("").patterns(""),
    entry("guarini", DEFAULT).bars(""),
    entry("guarini-graph", DEFAULT).bars(""),
    entry("hanoi3", &["-p n=1..8"])
        .over("n")
        .graph("-p n=3")
        .bars("-p n=6"),
    entry("hanoi4", &["-p n=1..7"])
        .over("n")
        .graph("-p n=2")
        .bars("-p n=6"),
    entry("klotski", DEFAULT).bars(""),
    entry(
        "knights-exchange",
        &["-p rows=3 -p cols=3..4", "-p rows=4 -p cols=3"],
    )
    .graph("-p rows=3 -p cols=3")
    .bars("-p rows=4 -p cols=3"),
    entry("pancakes", &["-p n=1..7"])
        .over("n")
        .graph("-p n=4")
        .bars("-p n=7"),
    entry(
        "peg-rectangle",
        &["-p rows=3 -p cols=4..5", "-p rows=4 -p cols=4"],
    )
    .bars("-p rows=4 -p cols=4")
    .patterns("-p rows=3 -p cols=4"),
    entry("peg-solitaire", &["--max-depth 9"]),
    entry("peg-triangle", DEFAULT).bars("").patterns(""),
    entry(
        "pieces-exchange",
        &[
            "-p step=knight",
            "-p step=king",
            "-p step=orthogonal",
            "-p step=diagonal",
        ],
    )
    .bars("-p step=orthogonal"),
    entry("rooks-exchange", &["-p rows=3 -p cols=3..4"]).bars("-p rows=3 -p cols=3"),
    entry("sokoban", DEFAULT).bars("").patterns(""),
    entry("tait", &["-p n=3..6"]).over("n").bars("-p n=5"),
    entry("tiles", &["-p rows=2..3 -p cols=2..3"])
        .graph("-p rows=2 -p cols=2")
        .bars("-p rows=3 -p cols=3"),
    entry("topspin", &["-p n=5..7"]).over("n").bars("-p n=7"),
    entry("topspin-ring", &["-p n=5..8"])
        .over("n")
        .bars("-p n=8"),
    entry("twickenham", DEFAULT).bars(""),
    entry("zeckendorf", &["-p n=1..20"])
        .over("n")
        .graph("-p n=10")
        .bars("-p n=20"),
];
