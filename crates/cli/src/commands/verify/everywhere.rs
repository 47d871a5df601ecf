//! A strategy from every live state of an enumerated space.

use impasse_analysis::run::{Table, Verdict};
use impasse_model::instance::{Instance, Position};
use impasse_model::strategy::{Next, Program, Row};

use crate::exit::Failure;
use crate::interrupt;
use crate::session::Session;
use crate::strategies::{self, Ending, ending_words, in_file, one_line, position_of};

/// A sweeping strategy remembers where it was, so that every state is played to the end: no longer
/// than this.
const MOST_MOVES_A_STATE: u64 = 1_000_000;

/// What a strategy makes of the live states.
pub(super) struct Everywhere {
    /// Live states.
    pub(super) live: u64,
    /// Those where its move leads to a live state; goals, where it makes none, count.
    pub(super) kept: u64,
    /// Those from which it reaches a goal.
    pub(super) reached: u64,
    /// The first live state where it does not keep the position live, or else from which it reaches no
    /// goal; and why.
    pub(super) first: Option<(String, String)>,
}

/// Where the strategy goes from a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Nowhere: it is a goal.
    Goal,
    /// To a state of this number.
    To(u32),
    /// Beyond the window; whether it reaches a goal from there.
    Beyond(bool),
    /// No move, or none that is allowed.
    Ends,
}

/// Whether a state leads to a goal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    No,
    Yes,
    /// On the path that is followed now.
    Open,
    Nothing,
}

/// Asks the strategy in every live state.
///
/// # Errors
/// A condition or number of the strategy that has no value.
pub(super) fn everywhere(
    session: &Session,
    instance: &Instance,
    program: &Program<'_>,
    lines: &[String],
    table: &dyn Table,
) -> Result<Everywhere, Failure> {
    let walk = Walk {
        session,
        instance,
        program,
        lines,
        table,
    };
    let mut known = vec![Known::Nothing; table.state_count() as usize];
    let mut found = Everywhere {
        live: 0,
        kept: 0,
        reached: 0,
        first: None,
    };
    let (mut not_kept, mut not_reached) = (None, None);
    for id in (0..table.state_count()).filter(|&id| table.verdict(id) == Verdict::Live) {
        if interrupt::asked() {
            break;
        }
        let step = walk.step(id)?;
        let (keeps, reaches) = (walk.keeps(step), walk.reaches(id, step, &mut known)?);
        found.live += 1;
        found.kept += u64::from(keeps);
        found.reached += u64::from(reaches);
        if !keeps {
            not_kept.get_or_insert(id);
        }
        if !reaches {
            not_reached.get_or_insert(id);
        }
    }
    if let Some(id) = not_kept.or(not_reached) {
        found.first = Some((table.one_line(id), walk.why(id)?));
    }
    Ok(found)
}

struct Walk<'a> {
    session: &'a Session,
    instance: &'a Instance,
    program: &'a Program<'a>,
    lines: &'a [String],
    table: &'a dyn Table,
}

impl Walk<'_> {
    fn position(&self, id: u32) -> Result<Position, Failure> {
        self.session
            .position(self.instance, &self.table.one_line(id))
    }

    fn find(&self, row: &Row) -> Option<u32> {
        self.table.find(&position_of(&self.instance.board, row)?)
    }

    fn step(&self, id: u32) -> Result<Step, Failure> {
        let mut player = self.program.play(&self.position(id)?);
        match player.advance() {
            Next::Arrived => Ok(Step::Goal),
            Next::Moved(_) => match self.find(player.row()) {
                Some(to) => Ok(Step::To(to)),
                None => Ok(Step::Beyond(self.plays_to_goal(id)?)),
            },
            Next::Fault(fault) => Err(in_file(&self.session.file, *fault)),
            Next::NoLine | Next::Illegal { .. } | Next::Cycle => Ok(Step::Ends),
        }
    }

    fn is_live(&self, id: u32) -> bool {
        self.table.verdict(id) == Verdict::Live
    }

    fn keeps(&self, step: Step) -> bool {
        match step {
            Step::Goal => true,
            Step::To(to) => self.is_live(to),
            Step::Beyond(reaches) => reaches,
            Step::Ends => false,
        }
    }

    /// Follows the strategy until a state is met from which that is known.
    fn reaches(&self, id: u32, step: Step, known: &mut [Known]) -> Result<bool, Failure> {
        if self.program.remembers() {
            return self.plays_to_goal(id);
        }
        let (mut path, mut id, mut step) = (Vec::new(), id, step);
        let reaches = loop {
            match known[id as usize] {
                Known::Yes => break true,
                Known::No | Known::Open => break false,
                Known::Nothing => {}
            }
            known[id as usize] = Known::Open;
            path.push(id);
            match step {
                Step::Goal => break true,
                Step::Beyond(reaches) => break reaches,
                Step::To(to) if self.is_live(to) => id = to,
                Step::To(_) | Step::Ends => break false,
            }
            if known[id as usize] == Known::Nothing {
                step = self.step(id)?;
            }
        };
        for id in path {
            known[id as usize] = if reaches { Known::Yes } else { Known::No };
        }
        Ok(reaches)
    }

    fn plays_to_goal(&self, id: u32) -> Result<bool, Failure> {
        let mut player = self.program.play(&self.position(id)?);
        let ending =
            strategies::play(
                &mut player,
                MOST_MOVES_A_STATE,
                |_, _| Ok::<(), Failure>(()),
            )?;
        Ok(matches!(ending, Ending::Told(Next::Arrived)))
    }

    /// What goes wrong from a state: the move that loses, or how play ends.
    fn why(&self, id: u32) -> Result<String, Failure> {
        let mut player = self.program.play(&self.position(id)?);
        let mut lost = None;
        let ending = strategies::play(&mut player, MOST_MOVES_A_STATE, |player, step| {
            let is_lost = self.find(player.row()).is_some_and(|to| !self.is_live(to));
            if lost.is_none() && is_lost {
                let state = one_line(&self.instance.board, &self.instance.alphabet, player.row());
                let rule = &self.instance.rules[step.rule].name;
                let line = step.line + 1;
                let when = match player.moves() {
                    1 => String::new(),
                    moves => format!("after {} moves ", moves - 1),
                };
                lost = Some(format!(
                    "{when}line {line} ({rule}) leads to {state}, which is lost"
                ));
            }
            Ok::<(), Failure>(())
        })?;
        Ok(lost.unwrap_or_else(|| ending_words(self.instance, self.lines, &ending, &player)))
    }
}
