//! Aligned tables of text, as wide as a terminal or as Markdown.

use std::io::{self, Write};
use std::slice;

use unicode_width::UnicodeWidthStr;

/// How a table is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Columns aligned by spaces.
    #[default]
    Text,
    /// A Markdown table.
    Markdown,
}

/// On which side a column is flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table of text: a head, and rows as long as the head.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    head: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Grid {
    /// A table without rows.
    #[must_use]
    pub fn new(head: impl IntoIterator<Item = (String, Align)>) -> Self {
        Self {
            head: head.into_iter().collect(),
            rows: Vec::new(),
        }
    }

    /// A table of numbers behind some columns of words.
    #[must_use]
    pub fn with_columns(words: &[&str], numbers: &[&str]) -> Self {
        let left = words.iter().map(|name| ((*name).to_owned(), Align::Left));
        let right = numbers
            .iter()
            .map(|name| ((*name).to_owned(), Align::Right));
        Self::new(left.chain(right))
    }

    /// Adds a column of words on the right, before there are rows.
    pub fn words(&mut self, name: &str) {
        assert!(self.rows.is_empty(), "columns come before rows");
        self.head.push((name.to_owned(), Align::Left));
    }

    /// Adds a column of numbers on the right, before there are rows.
    pub fn numbers(&mut self, name: &str) {
        assert!(self.rows.is_empty(), "columns come before rows");
        self.head.push((name.to_owned(), Align::Right));
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.head.len(), "a row is as long as the head");
        self.rows.push(cells);
    }

    /// Writes the table; in a text wider than `width`, column names are broken at `_`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(
        &self,
        out: &mut dyn Write,
        layout: Layout,
        width: Option<usize>,
    ) -> io::Result<()> {
        match layout {
            Layout::Text => self.write_text(out, width),
            Layout::Markdown => self.write_markdown(out),
        }
    }

    fn write_text(&self, out: &mut dyn Write, width: Option<usize>) -> io::Result<()> {
        let whole = self.names();
        let fits =
            width.is_none_or(|width| line_width(&self.widths(slice::from_ref(&whole))) <= width);
        let head = if fits {
            vec![whole]
        } else {
            self.broken_names()
        };
        let widths = self.widths(&head);
        for line in head.iter().chain(&self.rows) {
            writeln!(out, "{}", self.padded(line, &widths).join("  ").trim_end())?;
        }
        Ok(())
    }

    fn write_markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        let escape =
            |line: &Vec<String>| line.iter().map(|cell| cell.replace('|', "\\|")).collect();
        let head: Vec<String> = escape(&self.names());
        let rows: Vec<Vec<String>> = self.rows.iter().map(escape).collect();
        let escaped = Self {
            head: self.head.clone(),
            rows,
        };
        let widths: Vec<usize> = escaped
            .widths(slice::from_ref(&head))
            .into_iter()
            .map(|w| w.max(2))
            .collect();
        let rules = self
            .head
            .iter()
            .zip(&widths)
            .map(|((_, align), &width)| match align {
                Align::Left => format!(":{}", "-".repeat(width - 1)),
                Align::Right => format!("{}:", "-".repeat(width - 1)),
            });
        writeln!(out, "| {} |", self.padded(&head, &widths).join(" | "))?;
        writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "))?;
        for row in &escaped.rows {
            writeln!(out, "| {} |", self.padded(row, &widths).join(" | "))?;
        }
        Ok(())
    }

    fn names(&self) -> Vec<String> {
        self.head.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The head on several lines: names broken at `_`, flush with the rows below.
    fn broken_names(&self) -> Vec<Vec<String>> {
        let words: Vec<Vec<&str>> = self
            .head
            .iter()
            .map(|(name, _)| name.split('_').collect())
            .collect();
        let height = words.iter().map(Vec::len).max().unwrap_or(1);
        let line = |i: usize| {
            let cell = |words: &Vec<&str>| {
                let above = height - words.len();
                i.checked_sub(above)
                    .map_or_else(String::new, |i| words[i].to_owned())
            };
            words.iter().map(cell).collect()
        };
        (0..height).map(line).collect()
    }

    fn widths(&self, head: &[Vec<String>]) -> Vec<usize> {
        let width = |column: usize| {
            head.iter()
                .chain(&self.rows)
                .map(|line| line[column].width())
                .max()
                .unwrap_or(0)
        };
        (0..self.head.len()).map(width).collect()
    }

    fn padded(&self, line: &[String], widths: &[usize]) -> Vec<String> {
        let cell = |((text, (_, align)), &width): ((&String, &(String, Align)), &usize)| {
            let space = " ".repeat(width - text.width());
            match align {
                Align::Left => format!("{text}{space}"),
                Align::Right => format!("{space}{text}"),
            }
        };
        line.iter().zip(&self.head).zip(widths).map(cell).collect()
    }
}

/// Width of a line of columns with two spaces between.
fn line_width(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(layout: Layout, width: Option<usize>, expected: &str) {
        let mut grid = Grid::with_columns(&["move"], &["dead_ends", "n"]);
        grid.row(["○|●".to_owned(), "1,234".to_owned(), "7".to_owned()]);
        grid.row(["漢字".to_owned(), "-".to_owned(), "12".to_owned()]);
        let mut out = Vec::new();
        grid.write(&mut out, layout, width)
            .expect("memory takes every byte");
        assert_eq!(String::from_utf8(out).expect("text"), expected);
    }

    #[test]
    fn text_is_aligned_by_width_on_the_screen() {
        check(
            Layout::Text,
            None,
            "move  dead_ends   n\n○|●       1,234   7\n漢字          -  12\n",
        );
    }

    #[test]
    fn names_are_broken_where_space_is_short() {
        check(
            Layout::Text,
            Some(16),
            "       dead\nmove   ends   n\n○|●   1,234   7\n漢字      -  12\n",
        );
    }

    #[test]
    fn markdown_escapes_bars() {
        check(
            Layout::Markdown,
            None,
            "| move | dead_ends |  n |\n| :--- | --------: | -: |\n| ○\\|● |     1,234 |  7 |\n| 漢字 |         - | 12 |\n",
        );
    }
}
