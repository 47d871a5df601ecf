//! The stable codes of faults and what `impasse explain` says of each.

/// The stable code of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(&'static str);

impl Code {
    /// The code as text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $title:literal, $text:literal;)*) => {
        $($(#[$doc])* #[doc = $title] pub const $name: Code = Code($code);)*
        /// Every code with its title and explanation, in order.
        pub const ALL: &[(Code, &str, &str)] = &[$((Code($code), $title, $text)),*];
    };
}

codes! {
    NOT_TEXT = "E01", "the file is not plain UTF-8 text",
        r#"A rule file is UTF-8 text. This one holds bytes that are not, so nobody can say which signs
they are. Most often the file was saved in an older encoding (Latin-1, Windows-1252) or as
UTF-16. Open it in an editor and save it as "UTF-8"; a mark at the beginning (BOM) does no
harm. The sign U+FFFD says that a program lost the true one before: write it anew.

wrong   piece W "wei\xDF"      (the byte 0xDF alone is Latin-1)
right   piece W "weiß"         (saved as UTF-8)"#;
    UNKNOWN_ITEM = "E02", "a line begins with no known item word",
        r#"Every line that begins in the first column begins an item, and its first word says which:
puzzle param piece class board start goal move mirror strategy claim. A line that begins with
a space continues the item above. The shape of a board, too, must be one of line ring grid
torus graph. The words are written in small letters.

wrong   peice W "white"
wrong   Goal  T . F
right   piece W "white"
right   goal  T . F"#;
    SYNTAX = "E03", "an item is not written as it should be",
        r#"The item is known, but it is not written in its form: something is missing, stands in the
wrong order, or is left over. The message says what was expected at this place, and what is
there instead. The name of a move ends with a colon; a move has one arrow; names of pieces and
titles stand in straight quotes; comparisons are = != < <= > >=.

wrong   move step F . -> . F
wrong   piece W white
wrong   where x == T
right   move step: F . -> . F
right   piece W "white"
right   where x = T"#;
    UNDECLARED = "E04", "a symbol or name is not declared",
        r#"A drawing, a class, a condition or an expression uses a symbol or a name that no item of the
file declares. Letters count as written: `f` is not `F`, and a Cyrillic or Greek letter is not
the Latin one it looks like. A parameter's default and range may use only the parameters
above it; everything else may be declared in any order.

wrong   piece F "frog"
        start F . Q
right   piece F "frog"
        piece Q "queen"
        start F . Q"#;
    NAME_TWICE = "E05", "one name has two meanings",
        r#"Parameters, the values of choices, the symbols of pieces, classes and strategies share one
set of names, and one name has one meaning; a capture may not repeat one either. (A word may
be a value of several choices.) Words of conditions and expressions (and or not in for at
none where along contains never count stuck fib binomial min max) can be no names, and step
words (right, knight, ...) no parameters. Within a list - the members of a class, the pairs
of a mirror - each stands once.

wrong   param n = 3
        piece n "night rider"
right   param n = 3
        piece N "night rider""#;
    SIDES_DIFFER = "E06", "the two sides of a move cover different cells",
        "\
The right side of a move covers the same cells as the left side: what is emptied is written
`.`, and what only is looked at is repeated where it stood. A symbol or a capture is written;
every other item (a class, `_`, `#`, a stretch) keeps what is there and must stand at the
place where it stood on the left. To move what is there, remember it.

wrong   move step: F . -> F            (two cells, then one)
wrong   move step: piece . -> . piece  (a class cannot be moved)
right   move step: F . -> . F
right   move step: x:piece . -> . x";
    UNBOUND_CAPTURE = "E07", "a capture is used but not bound on the left",
        "\
The right side or the condition of a move uses a name that no item of the left side remembers.
`x:coin` remembers what stood on its cell, `x:coin+` a whole stretch; then `x` writes it, `~x`
writes a stretch turned round, and `where` compares single cells. Under `<->` the right side
is read as a left side too, so it must say all that is needed to go back.

wrong   move hop: F piece . -> . x F
right   move hop: F x:piece . -> . x F";
    STRETCH_DIFFERS = "E08", "a stretch differs between the sides",
        "\
A stretch (`coin+`, `coin*`, `_*`, `...`) has no fixed length, so the right side must have
the same stretches, each with the same cells before it: a stretch that is not remembered stays
where it is. A remembered stretch may change its place, but as often as it is written so many
cells must be there: it is written exactly once, as it was or turned round.

wrong   move flip: # cake+ -> # cake*
wrong   move turn: # x:cake+ -> # x x
right   move flip: # x:cake+ -> # ~x
right   move hop:  x:coin _* . -> . _* x";
    NEGATIVE_REPEAT = "E09", "a repeat or a size is negative or too large",
        "\
A repeat `W^EXPR`, a size, or a number of a drawing comes out negative, or so large that no
board holds it, for these parameter values. Narrow the range of the parameter to the values
for which the drawing makes sense, or change the expression. (In a move or a strategy line this
is only the warning W03: the line does not exist for that value.)

wrong   param n = 3 in 0..9
        start F^n .^(n-5) T^n
right   param n = 6 in 5..9
        start F^n .^(n-5) T^n";
    RAGGED_GRID = "E10", "the rows of a grid have different lengths",
        "\
A grid drawing has rows of different lengths, so its columns do not line up. Every row has as
many cells as the others: fill up with `#`, which is a hole of the board, or with `.`, which
is an empty cell.

wrong   start
          P P P
          P P
right   start
          P P P
          P P #";
    GOAL_SIZE = "E11", "a goal or start has another size than the board",
        "\
All drawings of whole positions have as many cells as the board: every start, and every goal
that is a drawing; on a grid they have the same rows, columns and holes. A position given with
--start must fit as well. To speak of a part of the board, use `contains`.

wrong   start F F . T T
        goal  T . F
right   start F F . T T
        goal  T T . F F
right   goal  contains T T . F";
    BAD_STEPS = "E12", "the board does not have these steps",
        "\
The words after `along` say in which directions a pattern is laid. Lines and rings have
right, left and both; grids and tori have right left up down both orthogonal diagonal king
knight and vectors (dx,dy) with y growing downward; graphs have edges. Several may be given,
or a choice parameter of such words. On a grid a pattern of one row and several cells must
say its steps; a pattern of several rows is laid as drawn and has none. Graphs have no mirror.

wrong   board line
        move step: F . -> . F along up
right   board grid
        move step: F . -> . F along up";
    BAD_PARAMETER = "E13", "a parameter is unknown or out of range",
        "\
A value was given to a parameter that the puzzle does not have, or a value it may not take: out
of the range after `in`, not an integer, or not among the values of the choice. A default must
lie in its range too, also if it is computed from other parameters.
`impasse show PUZZLE` lists the parameters, their defaults and what they may be.

wrong   impasse explore frogs-and-toads -p n=41     (n is 0..40)
wrong   impasse explore frogs-and-toads -p way=back (way is forward / both)
right   impasse explore frogs-and-toads -p n=4 -p way=both";
    TOO_LARGE = "E14", "the board or the rules are too large",
        "\
The board, a rule or an expression is larger than can be worked with. A board has at most 2^20
cells, and a position must fit into 1024 bits; there are at most 62 kinds of pieces; brackets
nest at most 64 deep; an expression has at most 200 operators.
Choose smaller parameters, use fewer kinds of pieces, bound counts with `cap`, or write the
puzzle in Rust, where a state may be any type.

wrong   board grid 2000 by 2000
right   board grid 8 by 8";
    FOREIGN_SIGN = "E15", "a sign looks like another one (full-width, curly quote, tab)",
        r#"The text holds a sign that looks like one of the language, or like nothing at all, but is
another character: a full-width sign, a curly quote, a mathematical arrow, a no-break space, a
tab, or a sign without width. Word processors and web pages put them there. Indentation is
made with spaces. In quotes, comments and names of moves most signs may stand, and a sign that
is declared as a piece may be used as its symbol.

wrong   piece W “white”
wrong   move step: F ． → ． F
right   piece W "white"
right   move step: F . -> . F"#;
    MISSING_ITEM = "E16", "the file lacks an item it needs",
        r#"A rule file needs a title, a board, at least one start, one goal and one move; the title
stands first. Parameters, pieces, classes, mirrors, strategies and claims are there if wanted.
The smallest file is something like

right   puzzle "One step"
        piece F "frog"
        board line
        start F .
        goal  . F
        move step: F . -> . F"#;
    BAD_POSITION = "E17", "a position does not fit the board",
        "\
A position given on the command line (POSITION, --start, --from) or in a table cannot be one of
this puzzle. It is written as the tool prints it: the cells one after the other, rows of a grid
joined by `/`, counts separated by spaces, on an endless row the stretch from the first piece
to the last and `@` with the number of its first cell.

wrong   impasse why guarini W.W...B.B        (rows are missing)
right   impasse why guarini W.W/.../B.B
right   impasse why coins A..ABAB@-2";
    BAD_EXPRESSION = "E18", "an expression has no value",
        "\
An expression has no value: it divides by zero, takes the factorial or the Fibonacci number of a
negative number, raises to a negative power, grows too large, calls a function that does not
exist, or gives it a wrong number of arguments. There are + - * / ^ !, fib(k),
binomial(a,b), min and max; `/` rounds down; a product is written with `*`.

wrong   start F^(2n)
wrong   claim states = choose(2*n, n)
right   start F^(2*n)
right   claim states = binomial(2*n, n)";
    WRONG_PLACE = "E19", "an item of a pattern stands where it means nothing",
        "\
The item is written well, but means nothing at this place. A start has one content in every
cell: no class, no `_`, no stretch. A goal drawing has one-cell items. Captures are bound on
the left side of a move only, and written on its right side. Numbers stand for cells only on
boards of counts, which in turn have no pieces. Only grids have rows and holes.

wrong   start F^n _ T^n
wrong   goal  F* T
wrong   move a: F . -> . x:F
right   start F^n . T^n
right   goal  contains F T
right   move a: x:F . -> . x";
    GROWS = "E20", "a counted board can grow without end",
        "\
On a board of counts a move adds more than it takes away, and nothing bounds the sum, so a
search might never end. Bound each count with `cap`, or let the row be endless with a window
and moves that keep some weighted sum.

wrong   board line of counts
        move more: +1
right   board line of counts, cap 7
        move more: +1";
    BAD_CLAIM = "E21", "a claim speaks of something that does not exist",
        "\
A claim compares keys of the summary, parameters and strategies of the file. The keys are those
that --json prints: states transitions starts goals live doomed dead_ends lost blocking_moves
points_of_no_return only_moves shortest shortest_solutions max_depth max_remoteness
first_dead_end_depth window_cut_depth graded reversible longest plays. A strategy's name stands
for the number of moves it takes; an absent number is `none`. After `for` stand parameters
only. A claim about blocking names a move of the file, and its patterns fit on at least one of
the boards that it is tested on.

wrong   claim shortst = 15 for n = 3
wrong   claim n = 3 for shortest = 15
wrong   claim stepp in T [F .] T is blocking
right   claim shortest = 15 for n = 3
right   claim step in T [F .] T is blocking";
    BAD_WINDOW = "E22", "the window of an endless row is impossible",
        "\
An endless row is searched in a window, which its item must give: `spare 8` (so many cells on
each side of the start), `spare 2 left, 4 right`, or `span 13` (positions up to shift, at most
so many cells from the first piece to the last). The window must hold the start, and only a
line can be endless.

wrong   board line endless
wrong   board ring, spare 8
right   board line endless, spare 8
right   board line endless, span 13";
    MIXED_KINDS = "E23", "things of different kinds are compared",
        "\
A comparison is always false, or means nothing, because its two sides are of different kinds:
numbers go with numbers, pieces and captures with pieces and captures, a choice with one of
its own values. Choices have no order, and only numbers are computed with.

wrong   where x = 3             (x remembers a piece)
wrong   where over = both       (both is a value of way, not of over)
wrong   where over < any
right   where x = T
right   where way = both
right   where over != any";
    ITEM_TWICE = "E24", "an item that may stand once stands twice",
        "\
A file has one title and one board, and each option of a board is given once. (Several starts
are several roots, and several goals mean any of them.)

wrong   board line
        board ring
right   board ring";
    NEVER_APPLIES = "W01", "a move can never apply",
        "\
No placement of this move can ever apply on this board, for these parameters: the pattern is
longer than the board, asks for a piece that never stands there, or has a condition that is
never true. Perhaps a step, a piece or a size is mistyped. The rest of the puzzle is
searched all the same.

doubtful  board line            (of 5 cells)
          move far: F . . . . . -> . . . . . F
better    move far: F . . . .   -> . . . . F";
    CHANGES_NOTHING = "W02", "a move changes nothing",
        "\
Both sides of the move say the same, so every placement leaves the board as it was. Such a
placement is no move: it makes no transition, and a position that has nothing else is a dead
end.

doubtful  move wait: F . -> F .
better    move step: F . -> . F";
    DOES_NOT_EXIST = "W03", "a move does not exist for these parameters",
        "\
For these parameter values a repeat in this move or strategy line is negative, so the line
does not exist and is left out. That is often meant (a move that needs three coins does not
exist for n = 1); if not, correct the expression or narrow the range of the parameter.

doubtful  param n = 0 in 0..9
          move slide: F .^(n-1) . -> . .^(n-1) F     (does not exist for n = 0)
better    param n = 1 in 1..9";
    FOREIGN_PIECES = "W04", "a goal has pieces that the moves cannot produce from the start",
        "\
The goal asks for more or other pieces than the moves can ever make from the start, so it
cannot be reached: the moves keep some numbers of pieces, and start and goal differ in them.
Compare the drawings piece by piece.

doubtful  start F F . T T
          goal  T . . F F       (one T less; no move takes a T away)
better    goal  T T . F F";
}

/// The title and text of a code such as `E04` (upper or lower case).
#[must_use]
pub fn explain(code: &str) -> Option<(Code, &'static str, &'static str)> {
    let wanted = code.to_ascii_uppercase();
    ALL.iter().find(|(c, ..)| c.0 == wanted).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained() {
        let mut codes: Vec<&str> = ALL.iter().map(|(code, ..)| code.as_str()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), ALL.len(), "codes are unique");
        for (code, title, text) in ALL {
            let lines = text.lines().count();
            assert!(
                (5..=14).contains(&lines),
                "{}: {lines} lines",
                code.as_str()
            );
            assert!(
                text.lines().all(|l| l.chars().count() <= 100),
                "{}",
                code.as_str()
            );
            assert!(!title.ends_with('.'), "{title}");
        }
        assert_eq!(explain("e04").map(|(code, ..)| code), Some(UNDECLARED));
        assert_eq!(explain("E99"), None);
    }
}
