//! The rule files that come with the program, so that their names work anywhere.

/// A shipped puzzle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shipped {
    /// Its name: the stem of its file.
    pub(crate) name: &'static str,
    /// The text of its file.
    pub(crate) text: &'static str,
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        /// All of them, by name.
        pub(crate) const ALL: &[Shipped] = &[$(Shipped {
            name: $name,
            text: include_str!(concat!("../../../data/puzzles/", $name, ".puzzle")),
        }),*];
    };
}

shipped![
    "bergman",
    "bishops-exchange",
    "chips",
    "chips-classic",
    "coins",
    "coins-any-pair",
    "coins-land-anywhere",
    "coins-land-touching",
    "coins-little-room",
    "cycle-of-five",
    "die-hard-jugs",
    "fore-and-aft",
    "frogs-and-toads",
    "frogs-and-toads-both-ways",
    "frogs-square",
    "guarini",
    "guarini-graph",
    "hanoi3",
    "hanoi4",
    "klotski",
    "knights-exchange",
    "pancakes",
    "peg-rectangle",
    "peg-solitaire",
    "peg-triangle",
    "pieces-exchange",
    "rooks-exchange",
    "sokoban",
    "tait",
    "tiles",
    "topspin",
    "topspin-ring",
    "twickenham",
    "zeckendorf",
];

/// The shipped puzzle of that name.
pub(crate) fn find(name: &str) -> Option<Shipped> {
    ALL.iter().copied().find(|puzzle| puzzle.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_file_of_the_repository_is_shipped() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/puzzles");
        let mut stems: Vec<String> = std::fs::read_dir(folder)
            .expect("data/puzzles is part of the repository")
            .map(|entry| entry.expect("a readable entry").path())
            .filter(|path| path.extension().is_some_and(|e| e == "puzzle"))
            .map(|path| {
                path.file_stem()
                    .expect("a stem")
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        stems.sort();
        let names: Vec<&str> = ALL.iter().map(|puzzle| puzzle.name).collect();
        assert_eq!(names, stems);
    }
}
