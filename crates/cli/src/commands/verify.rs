//! `impasse verify`: the claims of a file, or a formula, against what is found.

mod blocking;
mod everywhere;
mod strategy;
mod verdicts;

use std::collections::HashMap;

use impasse_analysis::claims::{Evidence, Outcome, formula_claim, keys_used, strategies_used};
use impasse_analysis::domain::{Given, runs};
use impasse_model::fault::Faults;
use impasse_model::params::Params;
use impasse_model::parse::parse_expr;
use impasse_model::syntax::{BlockingClaim, Cond, Span};
use impasse_report::Record;

use crate::args::VerifyArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::refusal::{KNOWN_KEYS, record, refusal};
use crate::runner::{Runner, Wanted};
use crate::session::Session;
use crate::shipped;
use crate::strategies::moves_of;
use crate::sweep::Choice;

use blocking::Judgement;
use verdicts::{Judged, Printer};

/// Checks one puzzle after another; without a puzzle, all shipped ones.
pub(crate) fn run(ui: Ui, args: &VerifyArgs) -> Result<Exit, Failure> {
    let mut names = args.puzzles.clone();
    if names.is_empty() {
        names = shipped::ALL
            .iter()
            .map(|puzzle| puzzle.name.to_owned())
            .collect();
    }
    if let Some(strategy) = &args.strategy {
        return strategy::run(ui, args, &names, strategy);
    }
    let runner = Runner::new(ui, &args.run)?;
    let mut exit = Exit::Done;
    for name in &names {
        exit = exit.and(verify(ui, args, &runner, name)?);
        if exit == Exit::Interrupted {
            break;
        }
    }
    Ok(exit)
}

/// A claim to check, and where its text stands.
struct Claim<'a> {
    subject: Subject<'a>,
    domain: Option<&'a Cond>,
    /// The text that its spans speak of.
    text: &'a str,
    /// What that text is called.
    origin: &'a str,
    /// As people read it.
    shown: String,
    /// For a formula, the key it is about.
    of: Option<&'a str>,
}

impl Claim<'_> {
    /// The keys it reads, in its condition and its domain.
    fn keys(&self) -> Vec<&'static str> {
        let Subject::Figures(condition) = self.subject else {
            return Vec::new();
        };
        let mut keys = keys_used(condition);
        keys.extend(self.domain.map(keys_used).unwrap_or_default());
        keys
    }

    /// What a run must know for it.
    fn wanted(&self) -> Wanted {
        match self.subject {
            Subject::Figures(_) => Wanted::for_keys(&self.keys()),
            Subject::Blocking(_) => Wanted::Verdicts,
        }
    }
}

/// What a claim speaks of.
#[derive(Clone, Copy)]
enum Subject<'a> {
    /// The figures of a run.
    Figures(&'a Cond),
    /// Its states and moves one by one.
    Blocking(&'a BlockingClaim),
}

fn verify(ui: Ui, args: &VerifyArgs, runner: &Runner, name: &str) -> Result<Exit, Failure> {
    let session = Session::open_named(ui, name, &args.values)?;
    let formula = formula(args)?;
    let claims = claims(&session, args, formula.as_ref());
    let mut printer = Printer::new(&session, args.json, args.formula.is_some());
    let mut bench = Bench {
        session: &session,
        runner,
        claims: &claims,
        plan: HashMap::new(),
        done: HashMap::new(),
        refused: HashMap::new(),
        blocking: HashMap::new(),
    };
    let work = plan(&session, &claims, &mut bench)?;
    let mut exit = Exit::Done;
    // A claim without a value does not keep the others from being judged.
    let mut faulty: Option<Box<Faults>> = None;
    'claims: for (number, (claim, values)) in claims.iter().zip(work).enumerate() {
        let mut fits = values.is_empty();
        for params in values {
            let refused = bench.refused(&claim.keys(), &params);
            let record = match &refused {
                Some((_, record)) => record.clone(),
                None => bench.record(&params)?,
            };
            let judged = match claim.subject {
                Subject::Figures(condition) => judge(&session, claim, condition, &params, &record),
                Subject::Blocking(_) => bench.take_blocking(number, &params).map(|judgement| {
                    fits |= judgement.fits;
                    judgement.judged
                }),
            };
            let judged = match judged {
                Err(Failure::Faults(faults)) => {
                    gather(&mut faulty, *faults);
                    continue 'claims;
                }
                judged => judged?.because(refused.as_ref().map(|(words, _)| words)),
            };
            exit = exit.and(judged.exit(&record));
            printer.add(claim, &params, judged)?;
            if exit == Exit::Interrupted {
                break;
            }
        }
        if let Subject::Blocking(blocking) = claim.subject
            && !fits
            && exit != Exit::Interrupted
        {
            gather(&mut faulty, blocking::fits_nowhere(&session, blocking));
            continue;
        }
        printer.end(ui, claim)?;
    }
    if let Some(faults) = faulty {
        return Err(Failure::Faults(faults));
    }
    if claims.is_empty() {
        for choice in &session.choices {
            let instance = session.instance(choice)?;
            let label = session.label(choice);
            if let Some(refusal) = refusal(ui, &label, &instance) {
                output::to(None, |out| {
                    Ok(writeln!(out, "{label}: {}", refusal.words())?)
                })?;
                exit = exit.and(Exit::No);
            }
        }
        ui.note(format_args!("{}: the file makes no claim", session.stem));
    }
    Ok(exit)
}

fn gather(faulty: &mut Option<Box<Faults>>, faults: Faults) {
    match faulty {
        Some(all) => all.faults.extend(faults.faults),
        None => *faulty = Some(Box::new(faults)),
    }
}

/// The condition of `--formula` and `--of`.
fn formula(args: &VerifyArgs) -> Result<Option<Cond>, Failure> {
    let (Some(formula), Some(of)) = (&args.formula, &args.of) else {
        return Ok(None);
    };
    let key = super::seq::key(of)?;
    let expr =
        parse_expr(formula).map_err(|fault| Faults::new("--formula", formula, vec![fault]))?;
    Ok(Some(formula_claim(key, expr)))
}

fn claims<'a>(
    session: &'a Session,
    args: &'a VerifyArgs,
    formula: Option<&'a Cond>,
) -> Vec<Claim<'a>> {
    if let (Some(condition), Some(text), Some(of)) = (formula, &args.formula, &args.of) {
        let shown = format!("{of} = {text}");
        return vec![Claim {
            subject: Subject::Figures(condition),
            domain: None,
            text,
            origin: "--formula",
            shown,
            of: Some(of),
        }];
    }
    let text = &session.file.text;
    let claim = |subject, domain: &'a Option<Cond>, span: Span| {
        let whole = text.get(span.start..span.end).unwrap_or("claim");
        let whole = whole.trim().trim_start_matches("claim").trim();
        let claim = Claim {
            subject,
            domain: domain.as_ref(),
            text,
            origin: &session.file.origin,
            shown: whole.split_whitespace().collect::<Vec<_>>().join(" "),
            of: None,
        };
        (span.start, claim)
    };
    let file = &session.file;
    let figures = file.claims.iter();
    let figures = figures.map(|c| claim(Subject::Figures(&c.condition), &c.domain, c.span));
    let blocking = file.blocking_claims.iter();
    let blocking = blocking.map(|c| claim(Subject::Blocking(c), &c.domain, c.span));
    let mut all: Vec<(usize, Claim)> = figures.chain(blocking).collect();
    all.sort_by_key(|&(place, _)| place);
    all.into_iter().map(|(_, claim)| claim).collect()
}

/// Finds for each claim the values it is tested for, and for each value what its run must know.
fn plan(
    session: &Session,
    claims: &[Claim],
    bench: &mut Bench,
) -> Result<Vec<Vec<Params>>, Failure> {
    let mut work = Vec::new();
    for (number, claim) in claims.iter().enumerate() {
        let (keys, wanted) = (claim.keys(), claim.wanted());
        let mut values: Vec<Params> = Vec::new();
        for choice in &session.choices {
            let given: Given = choice.given.clone();
            let found = runs(claim.domain, &session.file, &given)
                .map_err(|fault| Faults::new(claim.origin, claim.text, vec![fault]))?;
            for note in found.notes {
                session.ui.note(note);
            }
            for params in found.values {
                if !values.contains(&params) {
                    if bench.refused(&keys, &params).is_none() {
                        bench.want(&params, wanted);
                    }
                    if matches!(claim.subject, Subject::Blocking(_)) {
                        bench.blocking.insert((number, params.clone()), None);
                    }
                    values.push(params);
                }
            }
        }
        work.push(values);
    }
    Ok(work)
}

/// The runs, each done once, when it is first asked for.
struct Bench<'a> {
    session: &'a Session,
    runner: &'a Runner,
    claims: &'a [Claim<'a>],
    plan: HashMap<Params, Wanted>,
    done: HashMap<Params, Record>,
    /// Goals that are excluded without a search: why, and what is known then.
    refused: HashMap<Params, Option<(String, Record)>>,
    /// Claims about blocking, by number, and the values they are tested for; what became of them is
    /// known as soon as the run is done, and the run is not kept.
    blocking: HashMap<(usize, Params), Option<Result<Judgement, Failure>>>,
}

impl Bench<'_> {
    fn want(&mut self, params: &Params, wanted: Wanted) {
        let known = self.plan.entry(params.clone()).or_insert(wanted);
        *known = wanted.max(*known);
    }

    /// Why no goal can be reached, and what is known then, if that is known without a search and
    /// decides all these keys.
    fn refused(&mut self, keys: &[&str], params: &Params) -> Option<(String, Record)> {
        if keys.is_empty() || !keys.iter().all(|key| KNOWN_KEYS.contains(key)) {
            return None;
        }
        if let Some(known) = self.refused.get(params) {
            return known.clone();
        }
        let choice = choice_of(params);
        // Faults show when the value is run.
        let instance = self.session.instance(&choice).ok()?;
        let label = self.session.label(&choice);
        let found = refusal(self.session.ui, &label, &instance)
            .map(|refusal| (refusal.words(), record(&instance)));
        self.refused.insert(params.clone(), found.clone());
        found
    }

    fn record(&mut self, params: &Params) -> Result<Record, Failure> {
        if let Some(record) = self.done.get(params) {
            return Ok(record.clone());
        }
        let choice = choice_of(params);
        let instance = self.session.instance(&choice)?;
        let wanted = self.plan.get(params).copied().unwrap_or(Wanted::Figures);
        let label = self.session.label(&choice);
        let one_by_one = self.blocking.keys().any(|(_, judged)| judged == params);
        let finished = if one_by_one {
            self.runner.run(&label, &instance, wanted)?
        } else {
            self.runner.figures(&label, &instance, wanted)?
        };
        for (number, claim) in self.claims.iter().enumerate() {
            if let Subject::Blocking(blocking) = claim.subject
                && let Some(judgement) = self.blocking.get_mut(&(number, params.clone()))
            {
                let file = &self.session.file;
                *judgement = Some(blocking::judge(
                    self.session.ui,
                    file,
                    blocking,
                    &instance,
                    &finished,
                ));
            }
        }
        self.done.insert(params.clone(), finished.record.clone());
        Ok(finished.record)
    }

    /// What became of a claim about blocking for values whose run is done.
    fn take_blocking(&mut self, number: usize, params: &Params) -> Result<Judgement, Failure> {
        let planned = self.blocking.get_mut(&(number, params.clone()));
        planned
            .and_then(Option::take)
            .unwrap_or_else(|| Ok(Judgement::open("this run was not judged".to_owned())))
    }
}

/// A choice that gives all parameters.
fn choice_of(params: &Params) -> Choice {
    let given = params
        .0
        .iter()
        .map(|(name, value)| (name.clone(), value.to_string()));
    Choice {
        given: given.collect(),
        params: params.clone(),
    }
}

fn judge(
    session: &Session,
    claim: &Claim,
    condition: &Cond,
    params: &Params,
    record: &Record,
) -> Result<Judged, Failure> {
    let mut moves: HashMap<&str, Option<u64>> = HashMap::new();
    for name in strategies_used(condition, &session.file) {
        match moves_of(&session.file, &session.instance(&choice_of(params))?, name)? {
            Ok(number) => drop(moves.insert(name, number)),
            Err(why) => return Ok(Judged::unknown(why)),
        }
    }
    let evidence = Evidence {
        file: &session.file,
        text: claim.text,
        params,
        summary: &record.summary,
        strategy: &|name| moves.get(name).copied().flatten(),
    };
    match evidence.check(condition, claim.domain) {
        Outcome::Fault(fault) => Err(Faults::new(claim.origin, claim.text, vec![*fault]).into()),
        outcome => Ok(Judged::new(outcome, claim.of, &record.summary)),
    }
}
