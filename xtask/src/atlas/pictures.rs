//! Pictures in SVG, drawn with kuva: the same bytes everywhere.
//!
//! Colours are those of Okabe and Ito, as in `graph.dot`; beside each stands a second mark: the
//! frame of a state, the hatching of a bar, the dash and the marker of a line.

pub(crate) mod bars;
pub(crate) mod graph;
pub(crate) mod growth;

use kuva::backend::svg::SvgBackend;
use kuva::render::render::Scene;

use super::catalogue::Entry;
use super::facts::Facts;

/// A state from which a goal can be reached.
const LIVE: &str = "#56B4E9";
/// A goal.
const GOAL: &str = "#009E73";
/// A state with moves, but without a way to a goal.
const DOOMED: &str = "#E69F00";
/// A state without a move that is no goal.
const DEAD_END: &str = "#D55E00";
/// Lines and letters.
const INK: &str = "#222222";

/// Letters of headings and axes.
const FONT: &str = "DejaVu Sans, Verdana, Arial, sans-serif";
/// Letters of boards, all of one width.
const BOARD_FONT: &str = "DejaVu Sans Mono, Menlo, Consolas, monospace";

/// A picture on a page.
pub(crate) struct Picture {
    /// What ends its file's name.
    pub(crate) kind: &'static str,
    /// Its heading.
    pub(crate) heading: &'static str,
    /// What it shows, in words.
    pub(crate) words: String,
}

/// The pictures of a page, in order.
pub(crate) fn of(entry: &Entry, facts: &Facts) -> Vec<Picture> {
    let mut pictures = Vec::new();
    let of_case = |values: Option<&str>| match values.unwrap_or_default().replace("-p ", "") {
        case if case.is_empty() => String::new(),
        case => format!(", {}", case.replace(' ', ", ").replace('=', " = ")),
    };
    if let Some(graph) = &facts.graph {
        pictures.push(Picture {
            kind: "graph",
            heading: "The state graph",
            words: format!(
                "All {} positions of {}{}, by depth from left to right.",
                graph.state_count(),
                facts.title,
                of_case(entry.graph)
            ),
        });
    }
    if facts.layers.is_some() {
        pictures.push(Picture {
            kind: "depths",
            heading: "Positions by depth",
            words: format!(
                "How many positions of {}{} are so many moves from the start, by verdict.",
                facts.title,
                of_case(entry.bars)
            ),
        });
    }
    if let Some(index) = entry
        .index
        .filter(|index| growth::is_worth_it(facts, index))
    {
        pictures.push(Picture {
            kind: "growth",
            heading: "Growth",
            words: format!(
                "Figures of {} over {index}, on a logarithmic scale.",
                facts.title
            ),
        });
    }
    pictures
}

/// All pictures of a page, by file name.
pub(crate) fn all(entry: &Entry, facts: &Facts) -> Vec<(String, String)> {
    let draw = |picture: Picture| {
        let scene = match picture.kind {
            "graph" => graph::draw(facts.graph.as_ref().expect("it has one")),
            "depths" => bars::draw(facts.layers.as_ref().expect("it has them")),
            _ => growth::draw(facts, entry.index.expect("it has one")),
        };
        (file_name(&facts.name, picture.kind), svg(&scene))
    };
    of(entry, facts).into_iter().map(draw).collect()
}

/// Where a picture stands, seen from the page.
pub(crate) fn file_name(puzzle: &str, kind: &str) -> String {
    format!("pictures/{puzzle}-{kind}.svg")
}

/// The bytes of a picture.
///
/// kuva numbers clip paths through the whole run; here every picture is a file of its own, and its
/// bytes must not depend on those drawn before it.
fn svg(scene: &Scene) -> String {
    let text = SvgBackend::new().with_pretty(true).render_scene(scene);
    let mut numbers: Vec<&str> = Vec::new();
    let mut parts = text.split("kuva-clip-");
    let mut result: Vec<String> = parts.next().map(str::to_owned).into_iter().collect();
    for part in parts {
        let end = part
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(part.len());
        let (number, rest) = part.split_at(end);
        if !numbers.contains(&number) {
            numbers.push(number);
        }
        let place = numbers.iter().position(|other| *other == number);
        result.push(format!("clip-{}{rest}", place.unwrap_or_default()));
    }
    let mut text = result.concat();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
