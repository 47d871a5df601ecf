//! Figures over a parameter: a line a figure.

use kuva::plot::legend::LegendPosition;
use kuva::plot::scatter::MarkerShape;
use kuva::plot::{LinePlot, LineStyle, ScatterPlot};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::{Scene, render_multiple};
use serde_json::Value;

use super::{DEAD_END, DOOMED, FONT, GOAL, INK, LIVE};
use crate::atlas::facts::Facts;

/// A figure that is drawn, with colour, dash and marker.
type Kind = (&'static str, &'static str, LineStyle, MarkerShape);

fn kinds() -> [Kind; 5] {
    [
        ("states", INK, LineStyle::Solid, MarkerShape::Circle),
        ("live", LIVE, LineStyle::Dashed, MarkerShape::Square),
        ("doomed", DOOMED, LineStyle::DashDot, MarkerShape::Triangle),
        (
            "dead_ends",
            DEAD_END,
            LineStyle::Dotted,
            MarkerShape::Diamond,
        ),
        (
            "shortest",
            GOAL,
            LineStyle::Solid,
            MarkerShape::TriangleDown,
        ),
    ]
}

/// The points of a figure; a logarithmic scale has no 0.
fn points(facts: &Facts, index: &str, key: &str) -> Vec<(f64, f64)> {
    let point = |row: &Value| {
        let n = row["params"][index].as_i64()?;
        let figure = row[key].as_u64().filter(|&figure| figure > 0)?;
        Some((n as f64, figure as f64))
    };
    facts.rows.iter().filter_map(point).collect()
}

/// The figures worth a line: not one that is the number of states all along.
fn drawn(facts: &Facts, index: &str) -> Vec<(Kind, Vec<(f64, f64)>)> {
    let states = points(facts, index, "states");
    kinds()
        .into_iter()
        .map(|kind| (kind.0, points(facts, index, kind.0), kind))
        .filter(|(key, points, _)| points.len() > 1 && (*key == "states" || *points != states))
        .map(|(_, points, kind)| (kind, points))
        .collect()
}

/// Whether there is anything to see.
pub(crate) fn is_worth_it(facts: &Facts, index: &str) -> bool {
    points(facts, index, "states").len() > 2
}

/// Draws the figures over the parameter.
pub(crate) fn draw(facts: &Facts, index: &str) -> Scene {
    let mut plots = Vec::new();
    for ((key, colour, style, marker), points) in drawn(facts, index) {
        let line = LinePlot::new()
            .with_data(points.clone())
            .with_color(colour)
            .with_stroke_width(1.8)
            .with_line_style(style);
        let markers = ScatterPlot::new()
            .with_data(points)
            .with_color(colour)
            .with_marker(marker)
            .with_size(4.5)
            .with_legend(key.replace('_', " "));
        plots.push(Plot::Line(line));
        plots.push(Plot::Scatter(markers));
    }
    let first = points(facts, index, "states")
        .first()
        .map_or(0.0, |point| point.0);
    let layout = Layout::auto_from_plots(&plots)
        .with_x_axis_min(first - 1.0)
        .with_width(820.0)
        .with_height(360.0)
        .with_log_y()
        .with_x_tick_step(1.0)
        .with_x_label(index)
        .with_legend_position(LegendPosition::OutsideRightTop)
        .with_legend_box(false)
        .with_font_family(FONT);
    render_multiple(plots, layout)
}
