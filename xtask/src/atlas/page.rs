//! Pages in Markdown.

use serde_json::Value;

use super::catalogue::Entry;
use super::facts::{ClaimFacts, Facts, KEYS};
use super::pictures::{self, Picture};
use crate::product::plain;

/// The index: a line a puzzle.
pub(crate) fn index(lines: &[String]) -> String {
    format!(
        "# Atlas\n\n\
         Every puzzle that comes with Impasse: its figures, formulas fitted to them, its claims, and pictures. All of it is built by\n\
         `cargo xtask atlas` from the rule files in [data/puzzles](../../data/puzzles); nothing here is written by hand.\n\n\
         In the pictures blue, a round frame and plain bars mean live (a goal can be reached); green and a double frame a goal; orange, a broken frame and\n\
         hatched bars doomed (moves are left, but no goal can be reached); red, cut corners and cross-hatched bars a dead end. Broken arrows are blocking moves.\n\
         [output.md](../output.md) defines every word.\n\n\
         | puzzle | case | states | live | lost | fewest moves |\n\
         |:---|:---|---:|---:|---:|---:|\n{}",
        lines.concat()
    )
}

/// The line of a puzzle in the index: its last case.
pub(crate) fn line(facts: &Facts) -> String {
    let row = &facts.rows[facts.rows.len() - 1];
    format!(
        "| [{}]({}.md) | {} | {} | {} | {} | {} |\n",
        facts.title,
        facts.name,
        case(facts, row),
        states(row),
        figure(row, "live"),
        figure(row, "lost"),
        figure(row, "shortest"),
    )
}

/// The values that tell a row from the others: `n = 3`.
fn case(facts: &Facts, row: &Value) -> String {
    let values: Vec<String> = facts
        .varying
        .iter()
        .map(|name| format!("{name} = {}", plain(&row["params"][name.as_str()])))
        .collect();
    values.join(", ")
}

/// A page.
pub(crate) fn page(entry: &Entry, facts: &Facts) -> String {
    let name = &facts.name;
    let mut text = vec![format!("# {}\n\n", facts.title)];
    if !facts.about.is_empty() {
        text.push(format!("{}\n\n", facts.about));
    }
    text.push(format!(
        "Rules: [{name}.puzzle](../../data/puzzles/{name}.puzzle). [All puzzles](README.md).\n"
    ));
    text.push(table(entry, facts));
    text.push(laws(facts));
    text.push(claims(&facts.claims));
    if let (Some(mined), Some(values)) = (&facts.patterns, entry.patterns) {
        text.push(patterns(name, values, mined));
    }
    for picture in pictures::of(entry, facts) {
        text.push(shown(facts, &picture));
    }
    text.concat()
}

fn shown(facts: &Facts, picture: &Picture) -> String {
    let Picture {
        kind,
        heading,
        words,
    } = picture;
    let file = pictures::file_name(&facts.name, kind);
    format!("\n## {heading}\n\n![{words}]({file})\n\n{words}\n")
}

fn table(entry: &Entry, facts: &Facts) -> String {
    let mut columns: Vec<&str> = facts.varying.iter().map(String::as_str).collect();
    columns.extend(KEYS);
    let rule = "|---:".repeat(columns.len());
    let mut text = vec![format!(
        "\n## Figures\n\n| {} |\n{rule}|\n",
        columns.join(" | ")
    )];
    for row in &facts.rows {
        let params = facts
            .varying
            .iter()
            .map(|name| plain(&row["params"][name.as_str()]));
        let figures = KEYS.iter().map(|key| match *key {
            "states" => states(row),
            key => figure(row, key),
        });
        let cells: Vec<String> = params.chain(figures).collect();
        text.push(format!("| {} |\n", cells.join(" | ")));
    }
    let is_stopped = facts.rows.iter().any(|row| row["scope"] == "stopped");
    let is_windowed = facts.rows.iter().any(|row| row["scope"] == "window");
    if is_stopped {
        text.push(
            "\n≥: the search was stopped; the states of its whole layers are counted.\n".to_owned(),
        );
    }
    if is_windowed {
        text.push("\n\\*: the board is endless and was searched in a window that cut moves off; such a figure holds in this window only.\n".to_owned());
    }
    let commands: Vec<String> = entry
        .tables
        .iter()
        .map(|values| {
            format!("impasse explore {} {values}", entry.name)
                .trim_end()
                .to_owned()
        })
        .collect();
    text.push(format!("\n```text\n{}\n```\n", commands.join("\n")));
    text.concat()
}

/// The number of states, with the mark of a stopped run.
fn states(row: &Value) -> String {
    let figure = figure(row, "states");
    if row["scope"] == "stopped" {
        format!("≥ {figure}")
    } else {
        figure
    }
}

/// A figure with grouped digits; `-` if it is absent, `*` behind it if it holds only in the window.
fn figure(row: &Value, key: &str) -> String {
    let text = plain(&row[key]);
    if text.is_empty() {
        return "-".to_owned();
    }
    let mark = if holds_only_in_window(row, key) {
        "\\*"
    } else {
        ""
    };
    grouped(&text) + mark
}

/// Distances up to the depth at which moves were cut off are exact, a shortest length one more.
fn holds_only_in_window(row: &Value, key: &str) -> bool {
    let Some(cut) = row["window_cut_depth"].as_u64() else {
        return false;
    };
    key != "shortest"
        || row["shortest"]
            .as_u64()
            .is_none_or(|length| length > cut + 1)
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn laws(facts: &Facts) -> String {
    if facts.laws.is_empty() {
        return String::new();
    }
    let mut text = vec!["\n## Formulas\n\nFitted to the figures above by `impasse seq --guess`; none is proved by that.\n\n\
                    | figure | law | fitted on | spare terms |\n|:---|:---|:---|---:|\n".to_owned()];
    for law in &facts.laws {
        let name = plain(&law["name"]);
        let (from, to) = (plain(&law["from"]), plain(&law["to"]));
        text.push(format!(
            "| {} | {} | {name} = {from}..{to} | {} |\n",
            plain(&law["key"]),
            formula(law),
            plain(&law["spare"]),
        ));
    }
    text.concat()
}

/// The formula, or the recurrence with its first terms, and the terms outside.
fn formula(law: &Value) -> String {
    let name = plain(&law["name"]);
    let text = match law["formula"].as_str() {
        Some(formula) => format!("`{formula}`"),
        None => recurrence(law, &name),
    };
    let exceptions: Vec<String> = law["exceptions"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|pair| format!("{name} = {} gives {}", plain(&pair[0]), plain(&pair[1])))
        .collect();
    if exceptions.is_empty() {
        return text;
    }
    format!("{text} ({})", exceptions.join(", "))
}

fn recurrence(law: &Value, name: &str) -> String {
    let numbers = |key: &str| -> Vec<String> {
        let list = law["recurrence"][key].as_array().into_iter().flatten();
        list.map(plain).collect()
    };
    let products = (1..).zip(numbers("coefficients"));
    let sum: Vec<String> = products
        .filter(|(_, c)| c != "0")
        .map(|(back, c)| format!("{c}\\*a({name}-{back})"))
        .collect();
    format!(
        "a({name}) = {}, first terms {}",
        sum.join(" + ").replace("+ -", "- "),
        numbers("initial").join(", ")
    )
}

fn claims(claims: &[ClaimFacts]) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let mut text = vec!["\n## Claims\n\nWhat the rule file claims, checked for up to 200,000 states a value (`impasse verify` checks the rest).\n\n\
                    | claim | result |\n|:---|:---|\n".to_owned()];
    for claim in claims {
        text.push(format!(
            "| `{}` | {} |\n",
            claim.claim.replace('|', "\\|"),
            result(claim)
        ));
    }
    text.concat()
}

fn result(claim: &ClaimFacts) -> String {
    let ClaimFacts {
        held,
        in_window,
        unknown,
        refuted,
        ..
    } = claim;
    let values = |count: usize| match count {
        1 => "1 value".to_owned(),
        count => format!("{count} values"),
    };
    let mut parts = Vec::new();
    if *refuted > 0 {
        parts.push(format!("**refuted** for {}", values(*refuted)));
    }
    if *held > 0 {
        let window = match in_window {
            0 => "",
            count if count == held => ", in a window",
            _ => ", for some in a window",
        };
        parts.push(format!("holds for {}{window}", values(*held)));
    }
    if *unknown > 0 {
        parts.push(format!("{} too large for this page", values(*unknown)));
    }
    parts.join("; ")
}

/// Patterns of one kind that are listed.
const MOST_PATTERNS: usize = 8;

/// What lost positions show, and no live one.
fn patterns(name: &str, values: &str, mined: &Value) -> String {
    let lost = grouped(&plain(&mined["lost"]));
    let command = format!("impasse stuck {name} {values}");
    let mut text = vec![format!(
        "\n## Blocking patterns\n\n\
         Minimal contents that some lost position shows and no live one; `_` is any cell, `_*` any stretch, `|` the edge. Each is sound for this case alone.\n\n\
         ```text\n{} --patterns\n```\n",
        command.trim_end()
    )];
    for kind in mined["kinds"].as_array().into_iter().flatten() {
        text.push(patterns_of(kind, &lost));
    }
    text.concat()
}

fn patterns_of(kind: &Value, lost: &str) -> String {
    let list = |key: &str| kind[key].as_array().map_or(&[][..], Vec::as_slice);
    let (cover, all) = (list("cover"), list("patterns").len());
    let what = match kind["kind"].as_str() {
        Some("stretch") => "two segments with any stretch between them",
        Some("window") => "neighbouring cells of a row",
        _ => "cells of the board",
    };
    let covered = grouped(&plain(&kind["covered"]));
    let mut text = vec![format!(
        "\n{} minimal patterns of {what}; {} of them cover {covered} of {lost} lost positions:\n\n\
         | pattern | lost positions that show it | new |\n|:---|---:|---:|\n",
        grouped(&all.to_string()),
        cover.len()
    )];
    for found in &cover[..cover.len().min(MOST_PATTERNS)] {
        text.push(format!(
            "| `{}` | {} | {} |\n",
            plain(&found["pattern"]).replace('|', "\\|"),
            grouped(&plain(&found["support"])),
            grouped(&plain(&found["new"]))
        ));
    }
    if cover.len() > MOST_PATTERNS {
        text.push(format!("\nand {} more.\n", cover.len() - MOST_PATTERNS));
    }
    text.concat()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn figures_and_their_marks() {
        let row = json!({"states": 1234, "shortest": 5, "live": null, "plays": "12345678901",
                         "scope": "window", "window_cut_depth": 4});
        let check = |key: &str, expected: &str| assert_eq!(figure(&row, key), expected);
        check("states", "1,234\\*");
        check("shortest", "5");
        check("live", "-");
        check("plays", "12,345,678,901\\*");
    }

    #[test]
    fn patterns_and_what_they_cover() {
        let mined = json!({"lost": 1406, "kinds": [{
            "kind": "stretch", "covered": 1400,
            "cover": [{"pattern": "|FTT_*.", "support": 1236, "new": 163}],
            "patterns": [{}, {}],
        }]});
        let text = patterns("frogs", "-p n=5", &mined);
        assert!(
            text.contains("impasse stuck frogs -p n=5 --patterns\n"),
            "{text}"
        );
        let expected = "\n2 minimal patterns of two segments with any stretch between them; \
                        1 of them cover 1,400 of 1,406 lost positions:\n\n";
        assert!(text.contains(expected), "{text}");
        assert!(text.ends_with("| `\\|FTT_*.` | 1,236 | 163 |\n"), "{text}");
    }

    #[test]
    fn recurrences_in_words() {
        let law = json!({"name": "n", "formula": null, "exceptions": [[1, 7]],
                         "recurrence": {"coefficients": [2, 0, -1], "initial": [0, 1, 4]}});
        assert_eq!(
            formula(&law),
            "a(n) = 2\\*a(n-1) - 1\\*a(n-3), first terms 0, 1, 4 (n = 1 gives 7)"
        );
    }
}
