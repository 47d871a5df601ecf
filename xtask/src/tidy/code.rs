//! Rust source with everything blanked that is not code: comments, strings, tests.

/// The code of a source file, line for line: comments and the insides of string literals become
/// blanks, and all that follows the first `#[cfg(test)]` is left out (tests stand at the foot).
pub(crate) fn code_only(text: &str) -> String {
    let code = blank_comments_and_strings(text);
    match code.find("#[cfg(test)]") {
        Some(end) => code[..end].to_owned(),
        None => code,
    }
}

fn blank_comments_and_strings(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = skipped(rest);
        if length == 0 {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            out.extend(
                rest[..length]
                    .chars()
                    .map(|c| if c == '\n' { '\n' } else { ' ' }),
            );
            rest = &rest[length..];
        }
    }
    out
}

/// How many bytes at the head of `rest` are one comment or literal; 0 if it begins with code.
fn skipped(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return rest.find("*/").map_or(rest.len(), |end| end + 2);
    }
    if rest.starts_with('"') {
        return end_of_string(rest);
    }
    if let Some(hashes) = raw_string(rest) {
        let close = format!("\"{}", "#".repeat(hashes));
        let open = hashes + 2;
        return rest[open..]
            .find(&close)
            .map_or(rest.len(), |end| open + end + close.len());
    }
    // Only the literals that would start a string or a comment by mistake; lifetimes stay.
    ["'\"'", "'\\\"'", "'/'"]
        .iter()
        .find(|c| rest.starts_with(**c))
        .map_or(0, |c| c.len())
}

fn end_of_string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The number of `#` of a raw string that begins here.
fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some(hashes)
}

#[cfg(test)]
mod tests {
    use super::code_only;

    fn check(text: &str, code: &str) {
        assert_eq!(code_only(text), code, "of {text}");
    }

    #[test]
    fn blanks_what_is_no_code() {
        check("let a = 1; // frog\nb", "let a = 1;        \nb");
        check("a /* frog */ b", "a            b");
        check("f(\"fr\\\"og\", c)", "f(        , c)");
        check("f(r#\"a\"b\"#)", "f(        )");
        check("if c == '\"' { frog }", "if c ==     { frog }");
        check("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}");
        check("code\n#[cfg(test)]\nmod tests {}", "code\n");
    }
}
