//! Figures as text: plain in files, grouped in tables.

use impasse_analysis::summary::Figure;

/// Groups the digits of a decimal number by threes: `1234567` becomes `1,234,567`.
#[must_use]
pub fn grouped(number: &impl ToString) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A figure for people: grouped, `yes` or `no`, `-` if absent.
#[must_use]
pub fn for_people(figure: &Figure) -> String {
    match figure {
        Figure::Number(n) => grouped(n),
        Figure::Big(n) => grouped(n),
        Figure::Flag(true) => "yes".to_owned(),
        Figure::Flag(false) => "no".to_owned(),
        Figure::Absent => "-".to_owned(),
    }
}

/// A figure for files: plain digits, `true` or `false`, empty if absent.
#[must_use]
pub fn for_files(figure: &Figure) -> String {
    match figure {
        Figure::Number(n) => n.to_string(),
        Figure::Big(n) => n.to_string(),
        Figure::Flag(b) => b.to_string(),
        Figure::Absent => String::new(),
    }
}

/// A count that may be unknown, for people.
#[must_use]
pub fn count_for_people(count: Option<u64>) -> String {
    count.map_or_else(|| "-".to_owned(), |n| grouped(&n))
}

/// A count that may be unknown, for files.
#[must_use]
pub fn count_for_files(count: Option<impl ToString>) -> String {
    count.map_or_else(String::new, |n| n.to_string())
}

/// `1 state`, `2 states`.
#[must_use]
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        grouped(&number),
        if number == 1 { one } else { many }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_threes() {
        let check = |number: u64, text: &str| assert_eq!(grouped(&number), text);
        check(0, "0");
        check(999, "999");
        check(1000, "1,000");
        check(123_456, "123,456");
        check(1_234_567, "1,234,567");
    }

    #[test]
    fn figures_have_two_faces() {
        let check = |figure: Figure, people: &str, files: &str| {
            assert_eq!(
                (for_people(&figure).as_str(), for_files(&figure).as_str()),
                (people, files)
            );
        };
        check(Figure::Number(1200), "1,200", "1200");
        check(Figure::Big(4_726_784_u32.into()), "4,726,784", "4726784");
        check(Figure::Flag(true), "yes", "true");
        check(Figure::Absent, "-", "");
    }
}
