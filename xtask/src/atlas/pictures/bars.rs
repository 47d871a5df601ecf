//! States by depth, split by verdict: a bar a depth.

use kuva::plot::BarPlot;
use kuva::plot::legend::LegendPosition;
use kuva::render::color::Color;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Primitive, Scene, render_multiple};

use super::{DEAD_END, DOOMED, FONT, INK, LIVE};
use crate::atlas::facts::Layer;

/// More labels than this do not fit below the bars.
const MOST_LABELS: usize = 22;

/// A verdict, its colour, and the number of its states in a layer.
type Kind = (&'static str, &'static str, fn(&Layer) -> u64);

/// Draws the layers.
pub(crate) fn draw(layers: &[Layer]) -> Scene {
    let has = |count: fn(&Layer) -> u64| layers.iter().any(|layer| count(layer) > 0);
    let kinds: [Kind; 3] = [
        ("live", LIVE, |layer| layer.live),
        ("doomed", DOOMED, |layer| layer.doomed),
        ("dead end", DEAD_END, |layer| layer.dead_ends),
    ];
    let kinds: Vec<_> = kinds.into_iter().filter(|kind| has(kind.2)).collect();
    let step = layers.len().div_ceil(MOST_LABELS).max(1);
    let mut plot = BarPlot::new().with_stacked().with_width(0.86);
    for (i, layer) in layers.iter().enumerate() {
        let label = if i.is_multiple_of(step) {
            layer.depth.to_string()
        } else {
            String::new()
        };
        let bars = kinds
            .iter()
            .map(|(_, colour, count)| (count(layer) as f64, *colour));
        plot = plot.with_group(label, bars);
    }
    let plot = plot.with_legend(kinds.iter().map(|(word, _, _)| *word).collect());
    let plots = vec![Plot::Bar(plot)];
    let layout = Layout::auto_from_plots(&plots)
        .with_width(820.0)
        .with_height(320.0)
        .with_x_label("depth")
        .with_y_label("positions")
        .with_y_tick_format(TickFormat::Integer)
        .with_y_tick_step(tick_step(layers) as f64)
        .with_legend_position(LegendPosition::OutsideRightTop)
        .with_legend_box(false)
        .with_font_family(FONT);
    let mut scene = render_multiple(plots, layout);
    hatch(&mut scene, DOOMED, "hatched", "M-2 2l4-4M0 8l8-8M6 10l4-4");
    hatch(
        &mut scene,
        DEAD_END,
        "crossed",
        "M-2 2l4-4M0 8l8-8M6 10l4-4M-2 6l4 4M0 0l8 8M6-2l4 4",
    );
    scene
}

/// A whole step of 1, 2 or 5 times a power of ten, for about five ticks.
fn tick_step(layers: &[Layer]) -> u64 {
    let count = |layer: &Layer| layer.live + layer.doomed + layer.dead_ends;
    let most = layers.iter().map(count).max().unwrap_or(1);
    let powers = (0..18).map(|exponent| 10_u64.pow(exponent));
    powers
        .flat_map(|power| [power, 2 * power, 5 * power])
        .find(|step| most <= 6 * step)
        .unwrap_or(most)
}

/// Lays a pattern of lines over every rectangle of one colour, the one in the legend too; the lines
/// are drawn in a tile of 8 by 8 pixels.
fn hatch(scene: &mut Scene, colour: &str, name: &str, lines: &str) {
    let colour = Color::from(colour);
    let url = format!("url(#{name})");
    let mut elements = Vec::with_capacity(scene.elements.len());
    let mut is_used = false;
    for element in scene.elements.drain(..) {
        let over = match &element {
            Primitive::Rect {
                x,
                y,
                width,
                height,
                fill,
                ..
            } if *fill == colour && *height > 0.0 => Some(Primitive::Rect {
                x: *x,
                y: *y,
                width: *width,
                height: *height,
                fill: Color::from(url.as_str()),
                stroke: None,
                stroke_width: None,
                opacity: None,
            }),
            _ => None,
        };
        is_used |= over.is_some();
        elements.push(element);
        elements.extend(over);
    }
    scene.elements = elements;
    if is_used {
        scene.defs.push(format!(
            "<pattern id=\"{name}\" patternUnits=\"userSpaceOnUse\" width=\"8\" height=\"8\">\
             <path d=\"{lines}\" stroke=\"{INK}\" stroke-width=\"0.8\" stroke-opacity=\"0.7\" fill=\"none\"/></pattern>"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_whole_and_few() {
        let check = |live: u64, step: u64| {
            let layer = Layer {
                depth: 0,
                live,
                doomed: 0,
                dead_ends: 0,
            };
            assert_eq!(tick_step(&[layer]), step, "{live}");
        };
        check(1, 1);
        check(6, 1);
        check(14, 5);
        check(755, 200);
        check(13_000, 5_000);
    }
}
