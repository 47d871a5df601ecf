//! Which engines can run an instance, what each would take, and what `auto` will do.

use impasse_graph::stream::NotStreamed;
use impasse_model::board::Shape;
use impasse_model::compiled::is_undirected;
use impasse_model::instance::Instance;
use impasse_model::placed::PlacedRules;
use impasse_model::potential::is_graded;
use num_bigint::BigUint;

use crate::choice::Plan;
use crate::explore::Options;
use crate::streamed::{FIXED_BYTES, need};
use crate::thin::why_not;

/// What is known of one engine before a search.
#[derive(Clone, Debug)]
pub struct EngineFact {
    /// Its name for `--engine`.
    pub name: &'static str,
    /// Why it cannot run; `None` if it can.
    pub cannot: Option<String>,
    /// Bytes of a full analysis: for `stream` what it takes, for others the most; `None` if no bound
    /// is known.
    pub bytes: Option<BigUint>,
    /// The same of `--only depths`.
    pub bytes_depths: Option<BigUint>,
}

/// Bytes a state of the engine that packs states: of a full analysis, and of `--only depths`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed {
    pub(crate) full: usize,
    pub(crate) depths: usize,
}

/// How much the engine `layers` takes is known only when the widest layers are.
fn layers(instance: &Instance, placed: &PlacedRules) -> EngineFact {
    let cannot = if instance.board.counted {
        Some("its cells hold counts")
    } else if instance.board.shape == Shape::Span {
        Some("positions are taken up to shift")
    } else {
        let symbols = instance.alphabet.symbols.len();
        let graded = is_graded(&placed.rules, placed.cells, symbols, &instance.starts);
        why_not(graded, is_undirected(&placed.rules), instance, false)
    };
    EngineFact {
        name: "layers",
        cannot: cannot.map(str::to_owned),
        bytes: None,
        bytes_depths: None,
    }
}

/// The engines, and what `auto` will do without limits.
pub(crate) fn engines(
    instance: &Instance,
    placed: &PlacedRules,
    bound: Option<&BigUint>,
    packed: Packed,
) -> (Vec<EngineFact>, String) {
    let hash = EngineFact {
        name: "hash",
        cannot: None,
        bytes: bound.map(|bound| bound * packed.full),
        bytes_depths: bound.map(|bound| bound * packed.depths),
    };
    let streamed = |only_depths| -> Result<BigUint, NotStreamed> {
        if instance.board.counted {
            return Err(NotStreamed::NoRanks);
        }
        let options = Options {
            only_depths,
            ..Options::default()
        };
        let need = need(instance, placed, &options)?;
        Ok(BigUint::from(need.bytes() + FIXED_BYTES))
    };
    let stream = match (streamed(false), streamed(true)) {
        (Ok(full), Ok(depths)) => EngineFact {
            name: "stream",
            cannot: None,
            bytes: Some(full),
            bytes_depths: Some(depths),
        },
        (Err(error), _) | (_, Err(error)) => EngineFact {
            name: "stream",
            cannot: Some(error.to_string()),
            bytes: None,
            bytes_depths: None,
        },
    };
    let plan = (!instance.board.counted)
        .then(|| Plan::new(instance, placed, &Options::default()))
        .flatten();
    let layers = layers(instance, placed);
    let streams = plan.map_or_else(String::new, |plan| {
        format!(
            ", and stream if more than {} states are reached and its memory is there",
            plan.probe
        )
    });
    let thins = if layers.cannot.is_none() {
        "; layers where memory runs short and figures alone are asked for"
    } else {
        ""
    };
    let choice = format!("hash{streams}{thins}");
    (vec![hash, stream, layers], choice)
}
