//! The state graph: a column a depth, a frame a state, a line a transition.

mod layout;

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use kuva::render::color::Color;
use kuva::render::render::{PathData, Primitive, Scene, TextAnchor};

use super::{BOARD_FONT, DEAD_END, DOOMED, GOAL, INK, LIVE};
use layout::{Layers, Spot};

/// Letters of a board, in pixels; one of them is so wide and a line so high.
const SIZE: u32 = 12;
const LETTER: f64 = 7.25;
const LINE: f64 = 14.0;
/// Between the columns, between the frames of a column, and around the picture.
const BETWEEN: f64 = 40.0;
const GAP: f64 = 9.0;
const MARGIN: f64 = 18.0;
/// Above the frames for the depths, below them for the legend.
const HEAD: f64 = 22.0;
const FOOT: f64 = 40.0;

/// How a state stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Live,
    Goal,
    Doomed,
    DeadEnd,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Live, Self::Goal, Self::Doomed, Self::DeadEnd];

    fn word(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Goal => "goal",
            Self::Doomed => "doomed",
            Self::DeadEnd => "dead end",
        }
    }

    fn fill(self) -> &'static str {
        match self {
            Self::Live => LIVE,
            Self::Goal => GOAL,
            Self::Doomed => DOOMED,
            Self::DeadEnd => DEAD_END,
        }
    }
}

/// A state: its board, line by line.
struct State {
    lines: Vec<String>,
    depth: usize,
    kind: Kind,
}

/// A pair of states with a transition between them.
struct Link {
    from: usize,
    to: usize,
    is_blocking: bool,
    /// Whether the other direction is a transition too.
    is_mutual: bool,
}

/// The states and transitions of one case.
pub(crate) struct StateGraph {
    states: Vec<State>,
    links: Vec<Link>,
}

impl StateGraph {
    /// Reads what `impasse export` writes as `csv` and `transitions-csv`.
    pub(crate) fn read(states: &str, transitions: &str) -> Result<Self> {
        let mut graph = Self {
            states: Vec::new(),
            links: Vec::new(),
        };
        for record in csv::Reader::from_reader(states.as_bytes()).records() {
            let record = record?;
            let kind = match (&record[4], &record[3]) {
                ("live", "0") => Kind::Goal,
                ("live", _) => Kind::Live,
                ("doomed", _) => Kind::Doomed,
                ("dead end", _) => Kind::DeadEnd,
                (other, _) => anyhow::bail!("a state with the verdict `{other}`"),
            };
            graph.states.push(State {
                lines: record[1].split('/').map(str::to_owned).collect(),
                depth: record[2].parse().context("a depth")?,
                kind,
            });
        }
        let mut pairs = BTreeSet::new();
        let mut blocking = BTreeSet::new();
        for record in csv::Reader::from_reader(transitions.as_bytes()).records() {
            let record = record?;
            let pair: (usize, usize) = (record[0].parse()?, record[1].parse()?);
            pairs.insert(pair);
            if &record[3] == "1" {
                blocking.insert(pair);
            }
        }
        for &(from, to) in &pairs {
            let is_mutual = pairs.contains(&(to, from));
            if !(is_mutual && to < from) {
                graph.links.push(Link {
                    from,
                    to,
                    is_blocking: blocking.contains(&(from, to)),
                    is_mutual,
                });
            }
        }
        Ok(graph)
    }

    /// How many states are drawn.
    pub(crate) fn state_count(&self) -> usize {
        self.states.len()
    }

    /// Width and height of every frame: those of the largest board.
    fn frame(&self) -> (f64, f64) {
        let lines = self.states.iter().flat_map(|state| &state.lines);
        let letters = lines.map(|line| line.chars().count()).max().unwrap_or(1);
        let height = self.states.iter().map(|state| state.lines.len()).max();
        (
            letters as f64 * LETTER + 14.0,
            height.unwrap_or(1) as f64 * LINE + 7.0,
        )
    }

    fn layers(&self) -> Layers {
        let depths: Vec<usize> = self.states.iter().map(|state| state.depth).collect();
        let links: Vec<(usize, usize)> =
            self.links.iter().map(|link| (link.from, link.to)).collect();
        Layers::of(&depths, &links)
    }
}

/// Draws a state graph.
pub(crate) fn draw(graph: &StateGraph) -> Scene {
    let (width, height) = graph.frame();
    let layers = graph.layers();
    let spots = layers.spots(height + GAP);
    let place = |spot: &Spot| Frame {
        x: MARGIN + spot.column as f64 * (width + BETWEEN),
        y: MARGIN + HEAD + spot.y,
        width,
        height,
    };
    let frames: Vec<Frame> = spots.iter().map(place).collect();
    // Lines within a column bulge to its right.
    let beside = |link: &&Link| graph.states[link.from].depth == graph.states[link.to].depth;
    let bulge = graph
        .links
        .iter()
        .find(beside)
        .map_or(0.0, |_| BETWEEN - 12.0);
    let right = frames.iter().map(|f| f.x + width).fold(0.0, f64::max) + bulge;
    let bottom = frames.iter().map(|f| f.y + height).fold(0.0, f64::max);
    let legend = Legend::of(graph);
    let mut scene = Scene::new(
        (right + MARGIN).max(legend.width() + 2.0 * MARGIN).ceil(),
        (bottom + FOOT + MARGIN).ceil(),
    );
    scene.font_family = Some(BOARD_FONT.to_owned());
    for depth in 0..layers.count() {
        let x = MARGIN + depth as f64 * (width + BETWEEN) + width / 2.0;
        text(
            &mut scene,
            x,
            MARGIN + 8.0,
            &depth.to_string(),
            11,
            "#777777",
        );
    }
    for link in &graph.links {
        draw_link(&mut scene, link, &frames);
    }
    for (state, frame) in graph.states.iter().zip(&frames) {
        draw_frame(&mut scene, state.kind, frame);
        let lines = state.lines.len() as f64;
        for (i, line) in state.lines.iter().enumerate() {
            let middle = frame.y + height / 2.0 + (i as f64 - (lines - 1.0) / 2.0) * LINE;
            text(
                &mut scene,
                frame.x + width / 2.0,
                middle + 4.2,
                line,
                SIZE,
                INK,
            );
        }
    }
    legend.draw(&mut scene, MARGIN, bottom + FOOT - 6.0);
    scene
}

/// A rectangle.
#[derive(Clone, Copy)]
struct Frame {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn middle(self) -> f64 {
        self.y + self.height / 2.0
    }

    fn right(self) -> f64 {
        self.x + self.width
    }

    /// With corners rounded by `r`.
    fn rounded(self, r: f64) -> String {
        let Self {
            x,
            y,
            width,
            height,
        } = self;
        let (w, h) = (width - 2.0 * r, height - 2.0 * r);
        format!(
            "M{} {}h{w}a{r} {r} 0 0 1 {r} {r}v{h}a{r} {r} 0 0 1 -{r} {r}h-{w}a{r} {r} 0 0 1 -{r} -{r}v-{h}a{r} {r} 0 0 1 {r} -{r}Z",
            two(x + r),
            two(y)
        )
    }

    /// With corners cut off.
    fn octagon(self) -> String {
        let Self {
            x,
            y,
            width,
            height,
        } = self;
        let c = 6.0;
        format!(
            "M{} {}h{}l{c} {c}v{}l-{c} {c}h-{}l-{c} -{c}v-{}Z",
            two(x + c),
            two(y),
            width - 2.0 * c,
            height - 2.0 * c,
            width - 2.0 * c,
            height - 2.0 * c
        )
    }

    fn shrunk(self, by: f64) -> Self {
        Self {
            x: self.x + by,
            y: self.y + by,
            width: self.width - 2.0 * by,
            height: self.height - 2.0 * by,
        }
    }
}

/// Two decimals: what is written, and no platform's last digit.
fn two(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn text(scene: &mut Scene, x: f64, y: f64, content: &str, size: u32, colour: &str) {
    scene.add(Primitive::Text {
        x,
        y,
        content: content.to_owned(),
        size,
        anchor: TextAnchor::Middle,
        rotate: None,
        bold: false,
        color: Some(Color::from(colour)),
    });
}

fn path(
    scene: &mut Scene,
    d: String,
    fill: Option<&str>,
    stroke: &str,
    width: f64,
    dash: Option<&str>,
) {
    scene.add(Primitive::Path(Box::new(PathData {
        d,
        fill: fill.map(Color::from),
        stroke: Color::from(stroke),
        stroke_width: width,
        opacity: None,
        stroke_dasharray: dash.map(str::to_owned),
    })));
}

/// A state's frame: round, double, broken, or with its corners cut off.
fn draw_frame(scene: &mut Scene, kind: Kind, frame: &Frame) {
    let fill = Some(kind.fill());
    match kind {
        Kind::Live => path(scene, frame.rounded(6.0), fill, INK, 1.0, None),
        Kind::Goal => {
            path(scene, frame.rounded(2.0), fill, INK, 1.4, None);
            path(scene, frame.shrunk(3.0).rounded(1.0), None, INK, 1.0, None);
        }
        Kind::Doomed => path(scene, frame.rounded(2.0), fill, INK, 1.3, Some("4 2.5")),
        Kind::DeadEnd => path(scene, frame.octagon(), fill, INK, 1.4, None),
    }
}

fn draw_link(scene: &mut Scene, link: &Link, frames: &[Frame]) {
    let (from, to) = (frames[link.from], frames[link.to]);
    let (colour, width, dash) = if link.is_blocking {
        (DEAD_END, 1.5, Some("5 3"))
    } else {
        ("#555555", 1.1, None)
    };
    // An arrow ends a little before the frame, so that its head is seen.
    let head = if link.is_mutual { 0.0 } else { 6.0 };
    if (from.x - to.x).abs() < 1.0 {
        let bulge = 10.0 + (from.middle() - to.middle()).abs() / 6.0;
        let x = two(from.right());
        let out = two(x + bulge.min(BETWEEN - 8.0));
        let (y1, y2) = (two(from.middle()), two(to.middle()));
        path(
            scene,
            format!("M{x} {y1}C{out} {y1} {out} {y2} {} {y2}", x + head),
            None,
            colour,
            width,
            dash,
        );
        if !link.is_mutual {
            arrow(scene, x, y2, -1.0, colour);
        }
        return;
    }
    let forward = from.x < to.x;
    let sign = if forward { 1.0 } else { -1.0 };
    let (x1, x2) = if forward {
        (two(from.right()), two(to.x))
    } else {
        (two(from.x), two(to.right()))
    };
    let (y1, y2) = (two(from.middle()), two(to.middle()));
    let bend = two((x2 - x1) / 2.0);
    let end = x2 - sign * head;
    path(
        scene,
        format!(
            "M{x1} {y1}C{} {y1} {} {y2} {end} {y2}",
            two(x1 + bend),
            two(x2 - bend)
        ),
        None,
        colour,
        width,
        dash,
    );
    if !link.is_mutual {
        arrow(scene, x2, y2, sign, colour);
    }
}

/// A head with its tip at a place; `sign` is 1 rightwards.
fn arrow(scene: &mut Scene, x: f64, y: f64, sign: f64, colour: &str) {
    let back = -7.0 * sign;
    let d = format!("M{x} {y}l{back} -3.5v7Z");
    path(scene, d, Some(colour), colour, 0.5, None);
}

/// What the marks mean; only those that occur.
struct Legend {
    kinds: Vec<Kind>,
    has_blocking: bool,
    has_mutual: bool,
}

impl Legend {
    /// Room for one entry: its sample and its word.
    const STEP: f64 = 118.0;

    fn of(graph: &StateGraph) -> Self {
        let has = |kind: &Kind| graph.states.iter().any(|state| state.kind == *kind);
        Self {
            kinds: Kind::ALL.into_iter().filter(has).collect(),
            has_blocking: graph.links.iter().any(|link| link.is_blocking),
            has_mutual: graph.links.iter().any(|link| link.is_mutual),
        }
    }

    fn width(&self) -> f64 {
        let lines = f64::from(u8::from(self.has_blocking)) * 1.4
            + f64::from(u8::from(self.has_mutual)) * 1.4;
        (self.kinds.len() as f64 + lines) * Self::STEP
    }

    fn draw(&self, scene: &mut Scene, left: f64, y: f64) {
        let mut x = left;
        for &kind in &self.kinds {
            let frame = Frame {
                x,
                y: y - 9.0,
                width: 26.0,
                height: 17.0,
            };
            draw_frame(scene, kind, &frame);
            word(scene, x + 34.0, y, kind.word());
            x += Self::STEP;
        }
        if self.has_blocking {
            path(
                scene,
                format!("M{x} {y}h24"),
                None,
                DEAD_END,
                1.5,
                Some("5 3"),
            );
            arrow(scene, x + 30.0, y, 1.0, DEAD_END);
            word(scene, x + 38.0, y, "blocking move");
            x += 1.4 * Self::STEP;
        }
        if self.has_mutual {
            path(scene, format!("M{x} {y}h30"), None, "#555555", 1.1, None);
            word(scene, x + 38.0, y, "both ways");
        }
    }
}

fn word(scene: &mut Scene, x: f64, y: f64, content: &str) {
    scene.add(Primitive::Text {
        x,
        y: y + 4.0,
        content: content.to_owned(),
        size: SIZE,
        anchor: TextAnchor::Start,
        rotate: None,
        bold: false,
        color: Some(Color::from(INK)),
    });
}
