//! Memory sizes on the command line: `512M`, `4G`, `6GiB`, `1000000`.

/// Reads a size in bytes; units count in steps of 1024, a fraction is allowed before a unit.
///
/// # Errors
/// Says what a size looks like.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no size; write for example 512M, 4G or 6GiB");
    let text = text.trim();
    let split = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let power = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return Err(wrong()),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let bytes = number * 1024f64.powi(power);
    if bytes.fract() != 0.0 && power == 0 || bytes < 1.0 || bytes > 2f64.powi(62) {
        return Err(wrong());
    }
    Ok(bytes as u64)
}

/// A size for people: `1.5 GiB`.
pub(crate) fn words(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{bytes} B")
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

/// A size of at least so many bytes, as `--memory` takes it: `1.5GiB`.
pub(crate) fn at_least(bytes: u64) -> String {
    const UNITS: [(&str, u64); 4] = [
        ("TiB", 1 << 40),
        ("GiB", 1 << 30),
        ("MiB", 1 << 20),
        ("KiB", 1 << 10),
    ];
    let unit = UNITS.into_iter().find(|&(_, unit)| bytes >= unit);
    let (name, unit) = unit.unwrap_or(("KiB", 1 << 10));
    let tenths = (u128::from(bytes) * 10).div_ceil(u128::from(unit));
    format!("{}.{}{name}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, bytes: Option<u64>) {
        assert_eq!(parse(text).ok(), bytes, "{text}");
    }

    #[test]
    fn sizes() {
        check("1000000", Some(1_000_000));
        check("512M", Some(512 << 20));
        check("4G", Some(4 << 30));
        check("6GiB", Some(6 << 30));
        check("1.5k", Some(1536));
        check("2 gb", Some(2 << 30));
        check("0", None);
        check("-1", None);
        check("1e9", None);
        check("9999999999T", None);
        check("many", None);
        check("", None);
    }

    #[test]
    fn sizes_that_are_enough() {
        for bytes in [
            1,
            1023,
            1024,
            1025,
            99_999_999,
            3 << 30,
            (3 << 30) + 1,
            1 << 45,
        ] {
            let text = at_least(bytes);
            let back = parse(&text).expect("a size");
            assert!(back >= bytes && back <= bytes + bytes / 8 + 1024, "{text}");
        }
        assert_eq!(at_least(3 << 30), "3.0GiB");
    }

    #[test]
    fn sizes_in_words() {
        assert_eq!(words(900), "900 B");
        assert_eq!(words(4 << 20), "4.0 MiB");
    }
}
