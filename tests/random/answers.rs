//! The answers of the product and of the slow checker, in the words of the interpreter.

use std::collections::BTreeMap;

use impasse_analysis::blocking_claims::{BlockingTest, Cases};
use impasse_analysis::explore::{Engine, Options, RunError, Symmetric, explore};
use impasse_analysis::run::{Run, Table, Verdict};
use impasse_analysis::solutions::ShortestSolutions;
use impasse_analysis::summary::{Figure, KEYS};
use impasse_analysis::surroundings::{MoveLaw, Surroundings};
use impasse_graph::observe::{Limits, Silent};
use impasse_model::instance::Instance;
use impasse_model::parse::parse;
use impasse_model::place::place;
use impasse_model::symmetry::symmetries;
use impasse_model::syntax::{BlockingEffect, PuzzleFile};
use impasse_verify::blocking::{Wrong, tally};
use impasse_verify::drawing::one_line;
use impasse_verify::figures::Figures;
use impasse_verify::slow::{State, search};

use crate::random::generate::MOST_STATES;
use crate::random::interpret::Answer;

/// Every state by its text.
type Answers = BTreeMap<String, Answer>;

fn file(text: &str) -> Result<PuzzleFile, String> {
    let parsed = parse("random.puzzle", text.as_bytes()).map_err(|f| format!("{f:#?}"))?;
    Ok(parsed.file)
}

/// The instance of a rule file without parameters.
pub(crate) fn instance(text: &str) -> Result<Instance, String> {
    let file = file(text)?;
    let params = file.parameters(&[]).map_err(|f| format!("{f:#?}"))?;
    let (instance, _) = file
        .instance("random", params, None)
        .map_err(|f| format!("{f:#?}"))?;
    Ok(instance)
}

/// The interpreter writes no `/` between rows.
fn plain(text: &str) -> String {
    text.replace('/', "")
}

/// Compares two sets of answers; names the first state that differs.
fn compare(found: &Answers, expected: &Answers) -> Result<(), String> {
    for (state, answer) in expected {
        match found.get(state) {
            None => return Err(format!("`{state}` is missing, expected {answer:#?}")),
            Some(found) if found != answer => {
                return Err(format!("`{state}` is {found:#?}, expected {answer:#?}"));
            }
            Some(_) => {}
        }
    }
    match found.keys().find(|state| !expected.contains_key(*state)) {
        Some(state) => Err(format!("`{state}` cannot be reached")),
        None => Ok(()),
    }
}

/// The answers of `crates/verify`.
pub(crate) struct Slow {
    instance: Instance,
    states: Vec<State>,
}

impl Slow {
    pub(crate) fn of(text: &str) -> Result<Self, String> {
        let instance = instance(text)?;
        let states = search(&instance, MOST_STATES).map_err(|e| e.to_string())?;
        Ok(Self { instance, states })
    }

    pub(crate) fn agrees_with(&self, expected: &Answers) -> Result<(), String> {
        compare(&self.answers(), expected)
    }

    fn text(&self, id: usize) -> String {
        plain(&one_line(&self.instance, &self.states[id].position))
    }

    fn answers(&self) -> Answers {
        let answer = |state: &State| Answer {
            depth: state.depth,
            remoteness: state.remoteness,
            is_goal: state.is_goal,
            verdict: match (state.is_live(), state.is_dead_end()) {
                (true, _) => "live",
                (_, true) => "dead end",
                _ => "doomed",
            },
            successors: state
                .successors
                .iter()
                .map(|&(to, _)| self.text(to))
                .collect(),
        };
        (0..)
            .zip(&self.states)
            .map(|(id, state)| (self.text(id), answer(state)))
            .collect()
    }
}

/// The answers of the product.
pub(crate) struct Product {
    run: Box<dyn Run>,
}

impl Product {
    pub(crate) fn of(text: &str) -> Result<Self, String> {
        let options = Options::default();
        let run = explore(&instance(text)?, &options, &Silent).map_err(|e| e.to_string())?;
        Ok(Self { run })
    }

    /// A run of the engine that keeps only a few layers; `None` for puzzles that it cannot take.
    pub(crate) fn of_layers(text: &str) -> Result<Option<Self>, String> {
        let options = Options {
            engine: Engine::Layers,
            ..Options::default()
        };
        match explore(&instance(text)?, &options, &Silent) {
            Ok(run) => Ok(Some(Self { run })),
            Err(RunError::NotThin { .. }) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Whether all figures and counts by depth are those of another run.
    pub(crate) fn has_figures_of(&self, other: &Self) -> Result<(), String> {
        for key in KEYS {
            let (found, expected) = (
                self.run.summary().figure(key),
                other.run.summary().figure(key),
            );
            if found != expected {
                return Err(format!("{key} is {found:?}, expected {expected:?}"));
            }
        }
        let (found, expected) = (self.run.depths(), other.run.depths());
        (found == expected)
            .then_some(())
            .ok_or_else(|| format!("counts by depth are {found:?}, expected {expected:?}"))
    }

    pub(crate) fn agrees_with(&self, expected: &Answers) -> Result<(), String> {
        compare(&self.answers(), expected)
    }

    /// The same puzzle streamed: figures, depths, and the first shortest solutions, which come from
    /// sets alone. `false` where it cannot be streamed.
    pub(crate) fn agrees_with_stream(&self, text: &str) -> Result<bool, String> {
        const SHOWN: u64 = 3;
        let instance = instance(text)?;
        let options = |solutions| Options {
            engine: Engine::Stream,
            solutions,
            no_counting: solutions.is_some(),
            ..Options::default()
        };
        let streamed = match explore(&instance, &options(None), &Silent) {
            Ok(run) => run,
            Err(RunError::NotStreamed(_)) => return Ok(false),
            Err(error) => return Err(error.to_string()),
        };
        if streamed.summary() != self.run.summary() {
            return Err(format!("{:?}", streamed.summary()));
        }
        if streamed.depths() != self.run.depths() {
            return Err(format!("{:?}", streamed.depths()));
        }
        let walks = |table: &dyn Table| -> Vec<Vec<String>> {
            ShortestSolutions::new(table)
                .take(SHOWN as usize)
                .map(|path| {
                    let steps = path.into_iter();
                    steps
                        .map(|(id, by)| {
                            let name = by.map_or_else(String::new, |mv| table.move_name(mv));
                            format!("{name} {}", table.one_line(id))
                        })
                        .collect()
                })
                .collect()
        };
        let solved = explore(&instance, &options(Some(SHOWN)), &Silent);
        let solved = solved.map_err(|error| error.to_string())?;
        let found = solved.partial_table().map(walks).unwrap_or_default();
        let expected = walks(self.table());
        if found != expected {
            return Err(format!("solutions {found:?}, expected {expected:?}"));
        }
        Ok(true)
    }

    /// The same puzzle up to symmetry: figures and depths are those of the whole space. Gives the
    /// number of symmetries.
    pub(crate) fn agrees_with_reduced(&self, text: &str) -> Result<usize, String> {
        let instance = instance(text)?;
        let placed = place(&instance).map_err(|error| error.to_string())?;
        let options = Options {
            symmetry: Symmetric::On,
            ..Options::default()
        };
        let reduced = explore(&instance, &options, &Silent).map_err(|error| error.to_string())?;
        let mut expected = self.run.summary().clone();
        for (key, _) in reduced.absent() {
            match key.as_str() {
                "longest" => expected.longest = None,
                "plays" => expected.plays = None,
                other => return Err(format!("{other} is absent")),
            }
        }
        if reduced.summary() != &expected {
            return Err(format!("{:?}, expected {expected:?}", reduced.summary()));
        }
        if reduced.depths() != self.run.depths() {
            return Err(format!("{:?}", reduced.depths()));
        }
        // Depths alone forget what they need not know; whole, and broken off half-way.
        let half = self.run.depths().len() as u32 / 2;
        for max_depth in [None, Some(half)] {
            let [plain, reduced] = [Symmetric::Off, Symmetric::On].map(|symmetry| {
                let limits = Limits {
                    max_depth,
                    ..Limits::default()
                };
                let options = Options {
                    symmetry,
                    limits,
                    only_depths: true,
                    ..Options::default()
                };
                explore(&instance, &options, &Silent).map_err(|error| error.to_string())
            });
            let (plain, reduced) = (plain?, reduced?);
            if (plain.summary(), plain.depths()) != (reduced.summary(), reduced.depths()) {
                return Err(format!(
                    "depths to {max_depth:?}: {:?} {:?}, expected {:?} {:?}",
                    reduced.summary(),
                    reduced.depths(),
                    plain.summary(),
                    plain.depths()
                ));
            }
        }
        Ok(symmetries(&instance, &placed).len())
    }

    /// Order of states, names of moves, and every figure: what the interpreter does not know.
    pub(crate) fn agrees_with_slow(&self, slow: &Slow) -> Result<(), String> {
        let table = self.table();
        for (id, state) in (0..).zip(&slow.states) {
            let (text, expected) = (plain(&table.one_line(id)), slow.text(id as usize));
            if text != expected {
                return Err(format!("state {id} is `{text}`, expected `{expected}`"));
            }
            let mut transitions = Vec::new();
            table.transitions(id, &mut transitions);
            let found: Vec<(usize, String)> = transitions
                .iter()
                .map(|t| (t.to as usize, table.rule_name(t.by)))
                .collect();
            let expected: Vec<(usize, String)> = state
                .successors
                .iter()
                .map(|&(to, rule)| (to, slow.instance.rules[rule].name.clone()))
                .collect();
            if found != expected {
                return Err(format!(
                    "transitions of `{text}` are {found:?}, expected {expected:?}"
                ));
            }
        }
        self.figures_agree(&Figures::of(&slow.states))
    }

    /// Every claim about blocking, compared with all states twice.
    pub(crate) fn claims_agree(&self, slow: &Slow, text: &str) -> Result<(), String> {
        let file = file(text)?;
        for claim in &file.blocking_claims {
            let of =
                |what: &str| format!("{what} of `{}`", &text[claim.span.start..claim.span.end]);
            let instance = &slow.instance;
            let sought = file.sought(claim, instance).map_err(|f| of(&f.message))?;
            let test = BlockingTest::new(instance, &sought).map_err(|e| of(&e.to_string()))?;
            let found = test.compare(self.table());
            let expected = tally(instance, &sought, &slow.states).map_err(|f| of(&f.message))?;
            let counts = [found.flagged.count, found.actual.count, found.hits.count];
            let wanted = [expected.flagged, expected.actual, expected.hits];
            if counts != wanted {
                return Err(of(&format!(
                    "flagged, actual, hits {counts:?}, not {wanted:?},"
                )));
            }
            for (cases, wrong) in [
                (found.false_alarms, &expected.false_alarms),
                (found.misses, &expected.misses),
            ] {
                if first(cases) != (wrong.len() as u64, wrong.first().copied()) {
                    return Err(of(&format!("{cases:?}, not {wrong:?},")));
                }
            }
        }
        Ok(())
    }

    /// What is said of the cells around moves: as claims it holds. Contexts on circles may be laid from
    /// either side of a move, so only boards with ends are asked.
    pub(crate) fn laws_hold(&self, slow: &Slow, text: &str) -> Result<(), String> {
        for radius in [0, 2] {
            let Ok(mut around) = Surroundings::new(&slow.instance, Some(radius)) else {
                return Ok(());
            };
            let added = around.add(&slow.instance, self.table());
            added.map_err(|error| error.to_string())?;
            let law = around.law();
            let mut text = text.to_owned();
            for claim in law.moves.iter().filter_map(MoveLaw::claim) {
                text.push_str(&["claim ", &claim, "\n"].concat());
            }
            let file = file(&text)?;
            for claim in &file.blocking_claims {
                let sought = file.sought(claim, &slow.instance);
                let sought = sought.map_err(|f| f.message)?;
                let tally = tally(&slow.instance, &sought, &slow.states).map_err(|f| f.message)?;
                let (effect, of) = (sought.effect(), &text[claim.span.start..claim.span.end]);
                let holds = match effect {
                    BlockingEffect::Always => tally.false_alarms.is_empty(),
                    BlockingEffect::Exactly => {
                        tally.false_alarms.is_empty() && tally.misses.is_empty()
                    }
                    BlockingEffect::Never => tally.hits == 0,
                };
                if !holds {
                    return Err(format!("radius {radius}: `{of}` does not hold: {tally:?}"));
                }
            }
        }
        Ok(())
    }

    fn figures_agree(&self, expected: &Figures) -> Result<(), String> {
        for key in KEYS {
            let found = match self.run.summary().figure(key).expect("a key") {
                Figure::Number(n) => n.to_string(),
                Figure::Big(n) => n.to_string(),
                Figure::Flag(flag) => flag.to_string(),
                Figure::Absent => String::new(),
            };
            let expected = expected.text(key).expect("a key");
            if found != expected {
                return Err(format!("{key} is `{found}`, expected `{expected}`"));
            }
        }
        Ok(())
    }

    fn table(&self) -> &dyn Table {
        self.run.table().expect("a table was asked for")
    }

    fn answers(&self) -> Answers {
        let table = self.table();
        let mut transitions = Vec::new();
        let mut answer = |id: u32| {
            table.transitions(id, &mut transitions);
            Answer {
                depth: table.depth(id),
                remoteness: table.remoteness(id),
                is_goal: table.is_goal(id),
                verdict: match table.verdict(id) {
                    Verdict::Live => "live",
                    Verdict::Doomed => "doomed",
                    Verdict::DeadEnd => "dead end",
                },
                successors: transitions
                    .iter()
                    .map(|t| plain(&table.one_line(t.to)))
                    .collect(),
            }
        };
        (0..table.state_count())
            .map(|id| (plain(&table.one_line(id)), answer(id)))
            .collect()
    }
}

/// How many cases there are, and the first.
fn first(cases: Cases) -> (u64, Option<Wrong>) {
    let case = cases.first.map(|case| Wrong {
        state: case.state as usize,
        to: case.transition.map(|t| t.to as usize),
    });
    (cases.count, case)
}
