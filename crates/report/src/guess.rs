//! A guessed law in words, in JSON, and as a command that checks it.

use impasse_analysis::sequences::{Guess, Law, Method};
use serde_json::{Value, json};

use crate::sequence::number;

/// The law in one line: `dead_ends = 6*2^n - 2 fib(n+4) - n^2 for n >= 2 (n = 1 gives 0)`.
#[must_use]
pub fn law(key: &str, name: &str, guess: &Guess) -> String {
    let law = match &guess.law {
        Law::Closed(form) => format!("{key} = {}", form.text(name)),
        Law::Recurrence(recurrence) => {
            let terms = (guess.from..).zip(&recurrence.initial);
            let terms: Vec<String> = terms
                .map(|(n, value)| format!("a({n}) = {value}"))
                .collect();
            format!(
                "{key}: a({name}) = {} with {}",
                recurrence.text(name),
                terms.join(", ")
            )
        }
    };
    format!("{law}{}", domain(name, guess))
}

/// ` for n >= 2 (n = 1 gives 0)`, or nothing.
pub(crate) fn domain(name: &str, guess: &Guess) -> String {
    if guess.exceptions.is_empty() {
        return String::new();
    }
    let exceptions: Vec<String> = guess
        .exceptions
        .iter()
        .map(|(n, value)| format!("{name} = {n} gives {value}"))
        .collect();
    format!(" for {name} >= {} ({})", guess.from, exceptions.join(", "))
}

/// What the law rests on: `fitted on n = 1..16, 10 spare terms, not proved`.
#[must_use]
pub fn evidence(name: &str, guess: &Guess) -> String {
    let Guess {
        from, to, spare, ..
    } = guess;
    format!("fitted on {name} = {from}..{to}, {spare} spare terms, not proved")
}

/// The formula in the language of claims; recurrences have none.
#[must_use]
pub fn formula(name: &str, guess: &Guess) -> Option<String> {
    match &guess.law {
        Law::Closed(form) => Some(form.formula(name)),
        Law::Recurrence(_) => None,
    }
}

/// The object that follows the terms with `--guess --json`; without a law all but the first keys are
/// null.
#[must_use]
pub fn object(puzzle: &str, key: &str, name: &str, guess: Option<&Guess>) -> Value {
    let method = guess.map(|guess| match guess.method {
        Method::Polynomial => "polynomial",
        Method::Ansatz => "ansatz",
        Method::Recurrence(_) => "recurrence",
    });
    let recurrence = guess.and_then(|guess| match &guess.law {
        Law::Closed(_) => None,
        Law::Recurrence(recurrence) => Some(json!({
            "coefficients": recurrence.coefficients.iter().map(number).collect::<Vec<_>>(),
            "initial": recurrence.initial.iter().map(number).collect::<Vec<_>>(),
        })),
    });
    let exceptions = guess.map(|guess| {
        let exceptions = guess.exceptions.iter();
        exceptions
            .map(|(n, value)| json!([n, number(value)]))
            .collect::<Vec<_>>()
    });
    json!({
        "schema": "impasse.guess/1",
        "puzzle": puzzle,
        "key": key,
        "name": name,
        "method": method,
        "formula": guess.and_then(|guess| formula(name, guess)),
        "recurrence": recurrence,
        "from": guess.map(|guess| guess.from),
        "to": guess.map(|guess| guess.to),
        "spare": guess.map(|guess| guess.spare),
        "exceptions": exceptions,
        "proved": guess.map(|_| false),
    })
}

#[cfg(test)]
mod tests {
    use impasse_analysis::sequences::guess;
    use num_bigint::BigInt;

    use super::*;

    fn check(first: i64, values: &[i64], lines: [&str; 2]) -> Guess {
        let values: Vec<BigInt> = values.iter().map(|&v| v.into()).collect();
        let guess = guess("n", first, &values).expect("a law");
        assert_eq!([law("states", "n", &guess), evidence("n", &guess)], lines);
        guess
    }

    #[test]
    fn laws_in_words() {
        let squares = check(
            0,
            &[0, 1, 4, 9, 16, 25, 36, 49],
            [
                "states = n^2",
                "fitted on n = 0..7, 5 spare terms, not proved",
            ],
        );
        assert_eq!(formula("n", &squares).as_deref(), Some("n^2"));
        check(
            1,
            &[0, 4, 8, 16, 32, 64, 128, 256],
            [
                "states = 2^n for n >= 2 (n = 1 gives 0)",
                "fitted on n = 2..8, 6 spare terms, not proved",
            ],
        );
        let pell = check(
            0,
            &[0, 1, 2, 5, 12, 29, 70, 169],
            [
                "states: a(n) = 2*a(n-1) + a(n-2) with a(0) = 0, a(1) = 1",
                "fitted on n = 0..7, 4 spare terms, not proved",
            ],
        );
        assert_eq!(formula("n", &pell), None);
    }

    #[test]
    fn laws_in_json() {
        let pell = check(
            0,
            &[0, 1, 2, 5, 12, 29, 70, 169],
            [
                "states: a(n) = 2*a(n-1) + a(n-2) with a(0) = 0, a(1) = 1",
                "fitted on n = 0..7, 4 spare terms, not proved",
            ],
        );
        assert_eq!(
            object("pell", "states", "n", Some(&pell)).to_string(),
            r#"{"schema":"impasse.guess/1","puzzle":"pell","key":"states","name":"n","method":"recurrence","formula":null,"recurrence":{"coefficients":[2,1],"initial":[0,1]},"from":0,"to":7,"spare":4,"exceptions":[],"proved":false}"#
        );
        assert_eq!(
            object("pell", "states", "n", None).to_string(),
            r#"{"schema":"impasse.guess/1","puzzle":"pell","key":"states","name":"n","method":null,"formula":null,"recurrence":null,"from":null,"to":null,"spare":null,"exceptions":null,"proved":null}"#
        );
    }
}
