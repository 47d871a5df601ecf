//! Characters that look like others, or like nothing.

/// What to write instead of a character that may stand nowhere outside quotes and comments.
pub(super) fn always(c: char) -> Option<String> {
    let write = |text: &str| Some(text.to_owned());
    match c {
        '\u{FF01}'..='\u{FF5E}' => {
            let plain = char::from_u32(u32::from(c) - 0xFEE0)?;
            Some(format!("`{plain}`"))
        }
        '“' | '”' | '„' | '‟' | '«' | '»' => write("a straight quote `\"`"),
        '‘' | '’' | '‚' | '‛' => {
            write("a straight quote `\"` round names, nothing elsewhere")
        }
        '\t' | '\u{3000}' | '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' => {
            write("spaces")
        }
        '\r' | '\u{0B}' | '\u{0C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
            write("an ordinary line end")
        }
        '。' | '｡' => write("`.`"),
        '、' | '､' => write("`,`"),
        _ if invisible(c) => write("nothing: it cannot be seen"),
        _ => None,
    }
}

/// What to write instead of a character that is good only as a declared symbol.
pub(super) fn unless_declared(c: char) -> Option<&'static str> {
    Some(match c {
        '→' | '⇒' | '⟶' | '➔' | '➜' => "`->`",
        '↔' | '⇔' | '⟷' => "`<->`",
        '≠' => "`!=`",
        '≤' | '⩽' => "`<=`",
        '≥' | '⩾' => "`>=`",
        '−' | '–' | '—' | '‐' | '‑' => "`-`",
        '×' | '∗' => "`*`",
        '÷' | '∕' | '⁄' => "`/`",
        '…' => "`...`",
        '‥' => "`..`",
        '¬' => "`not`",
        '∧' => "`and`",
        '∨' => "`or`",
        '∈' => "`in`",
        _ => return None,
    })
}

/// How a character is named in a fault.
pub(super) fn name(c: char) -> String {
    match c {
        '\t' => "a tab".to_owned(),
        '\r' => "a carriage return without a line feed".to_owned(),
        '\u{A0}' => "a no-break space (U+00A0)".to_owned(),
        '\u{3000}' => "a full-width space (U+3000)".to_owned(),
        '\u{FF01}'..='\u{FF5E}' => format!("the full-width sign `{c}` (U+{:04X})", u32::from(c)),
        _ if invisible(c) || c.is_control() || c.is_whitespace() => {
            format!("the character U+{:04X}", u32::from(c))
        }
        _ => format!("the sign `{c}` (U+{:04X})", u32::from(c)),
    }
}

/// The Latin letter that a Greek or Cyrillic one looks like.
pub(super) fn latin_twin(c: char) -> Option<char> {
    const TWINS: [(&str, &str); 3] = [
        ("АВЕКМНОРСТХІЈЅасеорхуіјѕ", "ABEKMHOPCTXIJSaceopxyijs"),
        ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo"),
        ("ℂℕℙℚℝℤ", "CNPQRZ"),
    ];
    TWINS.iter().find_map(|(there, here)| {
        there
            .chars()
            .zip(here.chars())
            .find(|&(t, _)| t == c)
            .map(|(_, latin)| latin)
    })
}

/// Control characters and those without width.
fn invisible(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{2064}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}')
}
