//! The nearest of several words.

/// The candidate nearest to `word`, if any is near enough to be meant.
///
/// A one-letter word is only near its other case. Ties go to the earlier candidate.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().take(LONGEST + 1).collect();
    if letters.len() > LONGEST {
        return None;
    }
    let allowed = if letters.len() < 2 {
        0
    } else {
        1 + letters.len() / 4
    };
    candidates
        .into_iter()
        .filter_map(|c| {
            if c == word {
                return None;
            }
            if c.to_lowercase() == word.to_lowercase() {
                return Some((0, c));
            }
            let there: Vec<char> = c.chars().take(LONGEST + 1).collect();
            if there.len() < 2 || there.len().abs_diff(letters.len()) > allowed {
                return None;
            }
            let distance = distance(&letters, &there);
            (distance <= allowed && distance < letters.len()).then_some((distance, c))
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, c)| c)
}

/// Longer words are not compared.
const LONGEST: usize = 40;

/// Fewest insertions, deletions, replacements and exchanges of neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_words() {
        let words = ["piece", "puzzle", "param", "move", "W"];
        let check = |word: &str, expected: Option<&str>| {
            assert_eq!(nearest(word, words), expected, "{word}");
        };
        check("peice", Some("piece"));
        check("mvoe", Some("move"));
        check("Move", Some("move"));
        check("parameter", None);
        check("w", Some("W"));
        check("x", None);
        check("", None);
        check(&"x".repeat(1000), None);
    }
}
