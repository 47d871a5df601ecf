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
    NOT_TEXT = "E01", "the file is not plain UTF-8 text", "";
    UNKNOWN_ITEM = "E02", "a line begins with no known item word", "";
    SYNTAX = "E03", "an item is not written as it should be", "";
    UNDECLARED = "E04", "a symbol or name is not declared", "";
    NAME_TWICE = "E05", "one name has two meanings", "";
    SIDES_DIFFER = "E06", "the two sides of a move cover different cells", "";
    UNBOUND_CAPTURE = "E07", "a capture is used but not bound on the left", "";
    STRETCH_DIFFERS = "E08", "a stretch differs between the sides", "";
    NEGATIVE_REPEAT = "E09", "a repeat or a size is negative or too large", "";
    RAGGED_GRID = "E10", "the rows of a grid have different lengths", "";
    GOAL_SIZE = "E11", "a goal or start has another size than the board", "";
    BAD_STEPS = "E12", "the board does not have these steps", "";
    BAD_PARAMETER = "E13", "a parameter is unknown or out of range", "";
    TOO_LARGE = "E14", "the board or the rules are too large", "";
    FOREIGN_SIGN = "E15", "a sign looks like another one (full-width, curly quote, tab)", "";
    MISSING_ITEM = "E16", "the file lacks an item it needs", "";
    BAD_POSITION = "E17", "a position does not fit the board", "";
    BAD_EXPRESSION = "E18", "an expression has no value", "";
    WRONG_PLACE = "E19", "an item of a pattern stands where it means nothing", "";
    GROWS = "E20", "a counted board can grow without end", "";
    BAD_CLAIM = "E21", "a claim speaks of something that does not exist", "";
    BAD_WINDOW = "E22", "the window of an endless row is impossible", "";
    MIXED_KINDS = "E23", "things of different kinds are compared", "";
    ITEM_TWICE = "E24", "an item that may stand once stands twice", "";
    NEVER_APPLIES = "W01", "a move can never apply", "";
    CHANGES_NOTHING = "W02", "a move changes nothing", "";
    DOES_NOT_EXIST = "W03", "a move does not exist for these parameters", "";
    FOREIGN_PIECES = "W04", "a goal has pieces that the moves cannot produce from the start", "";
}

/// The title and text of a code such as `E04` (upper or lower case).
#[must_use]
pub fn explain(code: &str) -> Option<(Code, &'static str, &'static str)> {
    let wanted = code.to_ascii_uppercase();
    ALL.iter().find(|(c, ..)| c.0 == wanted).copied()
}
