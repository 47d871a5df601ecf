//! The lines of a rule file that a fault is about, fit for a terminal.

use std::ops::Range;

use impasse_model::fault::line_column;
use impasse_model::syntax::Span;

/// Longer lines are cut to a window around the mark.
const LONGEST_LINE: usize = 120;

/// A text with as many line ends as `text`, so that line numbers stay right, but with nothing in it
/// except the lines around the spans; and where in it each span lies.
///
/// Lines are cut to a window, control characters become blanks, and a span of several lines ends
/// with its first.
pub(crate) fn excerpt(text: &str, spans: &[Span]) -> (String, Vec<Range<usize>>) {
    let homes: Vec<usize> = spans.iter().map(|span| line_of(text, span.start)).collect();
    let last = homes.iter().max().map_or(0, |line| line + 1);
    let mut out = String::new();
    let mut marks = vec![0..0; spans.len()];
    let mut start = 0;
    for (number, line) in text.split('\n').enumerate().take(last + 1) {
        let wanted = homes.iter().any(|home| home.abs_diff(number) <= 1);
        if wanted {
            let here: Vec<usize> = (0..spans.len()).filter(|&i| homes[i] == number).collect();
            let mut ranges: Vec<Range<usize>> = here
                .iter()
                .map(|&i| within(line, start, spans[i]))
                .collect();
            push_window(&mut out, line, &mut ranges);
            for (i, range) in here.into_iter().zip(ranges) {
                marks[i] = range;
            }
        }
        out.push('\n');
        start += line.len() + 1;
    }
    (out, marks)
}

/// The number from 0 of the line of a byte.
fn line_of(text: &str, offset: usize) -> usize {
    line_column(text, offset).0 - 1
}

/// The part of a line that a span covers, on character boundaries.
fn within(line: &str, line_start: usize, span: Span) -> Range<usize> {
    let floor = |mut at: usize| {
        at = at.min(line.len());
        while !line.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let from = floor(span.start.saturating_sub(line_start));
    let to = floor(span.end.saturating_sub(line_start));
    from..to.max(from)
}

/// Appends a window of `line` around the first range, and moves the ranges to where they lie now.
fn push_window(out: &mut String, line: &str, ranges: &mut [Range<usize>]) {
    let focus = ranges.first().map_or(0, |range| range.start);
    let skipped = line[..focus]
        .chars()
        .count()
        .saturating_sub(LONGEST_LINE / 2);
    let window = if line.len() <= LONGEST_LINE {
        0
    } else {
        skipped
    };
    let mut places = Vec::new();
    for (offset, letter) in line.char_indices().skip(window).take(LONGEST_LINE) {
        places.push((offset, out.len()));
        out.push(if letter.is_control() { ' ' } else { letter });
    }
    let end = out.len();
    let new = |old: usize| {
        places
            .iter()
            .find(|(offset, _)| *offset >= old)
            .map_or(end, |&(_, place)| place)
    };
    let mut needs_blank = false;
    for range in ranges {
        *range = new(range.start)..new(range.end);
        if range.start >= range.end {
            needs_blank |= range.start == end;
            let next = out[range.start..].chars().next().map_or(1, char::len_utf8);
            range.end = range.start + next;
        }
    }
    if needs_blank {
        out.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, span: (usize, usize), shown: &str, marked: &str) {
        let (out, marks) = excerpt(
            text,
            &[Span {
                start: span.0,
                end: span.1,
            }],
        );
        assert_eq!(out, shown);
        assert_eq!(&out[marks[0].clone()], marked);
    }

    #[test]
    fn lines_around_a_span() {
        check("a\nbc\nd\ne\n", (3, 4), "a\nbc\nd\n", "c");
        check("a\nb\nc\nd\n", (6, 7), "\n\nc\nd\n\n", "d");
        check("a\n", (1, 1), "a \n\n", " ");
        check("", (0, 0), " \n", " ");
        check("a\tb", (1, 2), "a b\n", " ");
    }

    #[test]
    fn a_span_of_several_lines_ends_with_its_first() {
        check("ab\ncd\n", (1, 5), "ab\ncd\n", "b");
    }

    #[test]
    fn a_long_line_is_cut() {
        let text = format!("{}Ω{}", "x".repeat(5000), "y".repeat(5000));
        let (out, marks) = excerpt(
            &text,
            &[Span {
                start: 5000,
                end: 5002,
            }],
        );
        assert!(out.len() < 200, "{out}");
        assert_eq!(&out[marks[0].clone()], "Ω");
    }
}
