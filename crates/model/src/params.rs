//! Parameters and their values.

use crate::fault::Fault;
use crate::syntax::PuzzleFile;

/// The value of one parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ParamValue {
    /// An integer.
    Int(i64),
    /// A list of integers.
    List(Vec<i64>),
    /// A choice.
    Choice(String),
}

impl std::fmt::Display for ParamValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(v) => write!(f, "{v}"),
            Self::List(v) => {
                let words: Vec<String> = v.iter().map(ToString::to_string).collect();
                write!(f, "{}", words.join(" "))
            }
            Self::Choice(v) => write!(f, "{v}"),
        }
    }
}

/// The values of all parameters, in order of declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Params(pub Vec<(String, ParamValue)>);

impl Params {
    /// The value of a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ParamValue> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }
}

impl PuzzleFile {
    /// Fixes all parameters: those given as text (`("n", "3")`; a list as `2 3 5` or `2,3,5`), the
    /// others by their defaults, which may use earlier ones.
    ///
    /// # Errors
    /// A fault each for an unknown name (with the nearest), text that is no value, a value out of
    /// range.
    pub fn parameters(&self, given: &[(String, String)]) -> Result<Params, Vec<Fault>> {
        let _ = given;
        todo!()
    }
}
