//! A puzzle as single positions ask it: no word in sight.

use impasse_model::compiled::Compiled;
use impasse_model::instance::Position;
use impasse_model::puzzle::{Draw, Move, Puzzle, Reversible, Style};
use impasse_model::word::Word;

/// The rules and the faces of a puzzle, position by position.
pub(crate) trait Play: Send + Sync {
    fn one_line(&self, position: &Position) -> String;
    fn picture(&self, position: &Position, style: Style) -> Vec<String>;
    fn move_name(&self, mv: Move) -> String;
    fn rule_name(&self, mv: Move) -> String;
    fn is_goal(&self, position: &Position) -> bool;
    /// In board order, each once, with the first move in rule order that leads there.
    fn successors(&self, position: &Position) -> Vec<(Position, Move)>;
    /// In board order, each once, reached or not.
    fn predecessors(&self, position: &Position) -> Vec<Position>;
}

fn packed<W: Word>(puzzle: &Compiled<W>, position: &Position) -> W {
    puzzle.pack(position).expect("a position of this board")
}

impl<W: Word> Play for Compiled<W> {
    fn one_line(&self, position: &Position) -> String {
        Draw::one_line(self, packed(self, position))
    }
    fn picture(&self, position: &Position, style: Style) -> Vec<String> {
        Draw::picture(self, packed(self, position), style)
    }
    fn move_name(&self, mv: Move) -> String {
        Draw::move_name(self, mv)
    }
    fn rule_name(&self, mv: Move) -> String {
        Draw::rule_name(self, mv)
    }
    fn is_goal(&self, position: &Position) -> bool {
        Puzzle::is_goal(self, packed(self, position))
    }
    fn successors(&self, position: &Position) -> Vec<(Position, Move)> {
        let mut found = Vec::new();
        self.moves(packed(self, position), |mv, next| found.push((next, mv)));
        found.sort_unstable();
        found.dedup_by_key(|(next, _)| *next);
        let found = found.into_iter();
        found.map(|(next, mv)| (self.unpack(next), mv)).collect()
    }
    fn predecessors(&self, position: &Position) -> Vec<Position> {
        let mut found = Vec::new();
        self.unmoves(packed(self, position), |_, before| found.push(before));
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|state| self.unpack(state)).collect()
    }
}
