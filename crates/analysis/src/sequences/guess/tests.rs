use num_traits::One as _;

use super::*;

fn integers(values: &[i64]) -> Vec<BigInt> {
    values.iter().map(|&v| v.into()).collect()
}

fn said(guess: &Guess) -> String {
    let law = match &guess.law {
        Law::Closed(form) => form.text("n"),
        Law::Recurrence(recurrence) => format!("a(n) = {}", recurrence.text("n")),
    };
    let Guess {
        from, to, spare, ..
    } = guess;
    format!("{law}; {from}..{to}, {spare} spare")
}

#[track_caller]
fn check(first: i64, values: &[i64], expected: Option<&str>) {
    let found = guess("n", first, &integers(values));
    assert_eq!(found.as_ref().map(said).as_deref(), expected, "{values:?}");
}

/// Fibonacci numbers, slowly.
fn fib(n: i64) -> i64 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}

fn terms(range: std::ops::RangeInclusive<i64>, term: impl Fn(i64) -> i64) -> Vec<i64> {
    range.map(term).collect()
}

/// `data/golden/frogs.csv` has the first ten of these; all n are proved.
fn frog_states(n: i64) -> i64 {
    24 * (1 << n) - 6 * fib(n + 4) - 2 * n * n - 7 * n - 3
}

fn frog_dead_ends(n: i64) -> i64 {
    match n {
        1 => 0,
        n => 6 * (1 << n) - 2 * fib(n + 4) - n * n,
    }
}

#[test]
fn one_way_frogs() {
    check(
        1,
        &terms(1..=16, frog_states),
        Some("24*2^n - 6 fib(n+4) - 2n^2 - 7n - 3; 1..16, 10 spare"),
    );
    check(
        1,
        &terms(1..=16, frog_dead_ends),
        Some("6*2^n - 2 fib(n+4) - n^2; 2..16, 9 spare"),
    );
    let dead_ends = guess("n", 1, &integers(&terms(1..=16, frog_dead_ends))).expect("a law");
    assert_eq!(dead_ends.exceptions, [(1, BigInt::ZERO)]);
    check(
        1,
        &terms(1..=9, |n| if n == 1 { 0 } else { 2 * (n * n - 1) }),
        Some("2n^2 - 2; 1..9, 6 spare"),
    );
}

#[test]
fn recurrences_whose_roots_are_no_formula_stay_recurrences() {
    let pell = [0, 1, 2, 5, 12, 29, 70, 169, 408, 985];
    check(0, &pell, Some("a(n) = 2*a(n-1) + a(n-2); 0..9, 6 spare"));
    let tribonacci = [1, 1, 2, 4, 7, 13, 24, 44, 81, 149];
    check(
        1,
        &tribonacci,
        Some("a(n) = a(n-1) + a(n-2) + a(n-3); 1..10, 4 spare"),
    );
}

#[test]
fn recurrences_with_known_roots_become_formulas() {
    check(0, &terms(0..=8, |n| n << n), Some("n*2^n; 0..8, 5 spare"));
    check(
        1,
        &terms(1..=9, |n| 5_i64.pow(n as u32) - 2 * 7_i64.pow(n as u32)),
        Some("-2*7^n + 5^n; 1..9, 5 spare"),
    );
    check(
        1,
        &terms(1..=9, |n| fib(2 * n + 3)),
        Some("fib(2n+3); 1..9, 5 spare"),
    );
    check(
        0,
        &terms(0..=12, |n| n * fib(n + 2)),
        Some("n fib(n+2); 0..12, 5 spare"),
    );
    check(
        3,
        &terms(3..=10, |n| fib(n - 1)),
        Some("fib(n-1); 3..10, 6 spare"),
    );
}

#[test]
fn as_few_first_terms_as_possible_are_left_out() {
    check(1, &[7, 2, 4, 8, 16, 32], None);
    check(1, &[7, 2, 4, 8, 16, 32, 64], Some("2^n/2; 2..7, 5 spare"));
    check(1, &[9, 9, 9, 1, 1, 1, 1, 1, 1, 1], None);
    check(
        1,
        &[9, 9, 9, 1, 1, 1, 1, 1, 1, 1, 1],
        Some("1; 4..11, 7 spare"),
    );
    check(1, &[9, 9, 9, 8, 1, 1, 1, 1, 1, 1, 1, 1], None);
}

#[test]
fn too_few_terms_say_nothing() {
    check(1, &[], None);
    check(1, &[5], None);
    check(1, &[5, 5, 5, 5], None);
    check(1, &[1, 2, 3, 4, 5], None);
    check(1, &[1, 2, 3, 4, 5, 6], Some("n; 1..6, 4 spare"));
}

#[test]
fn terms_far_from_zero_do_no_harm() {
    let first = i64::MAX - 10;
    let found = guess("n", first, &integers(&[1, 1, 2, 3, 5, 8, 13, 21])).expect("a law");
    assert_eq!(found.method, Method::Recurrence(2));
    assert!(matches!(found.law, Law::Recurrence(_)));
}

/// Numbers of partitions of 0, 1, 2, ..., by Euler's table of parts.
fn partitions(count: usize) -> Vec<BigInt> {
    let mut ways = vec![BigInt::ZERO; count];
    ways[0] = BigInt::one();
    for part in 1..count {
        for total in part..count {
            let more = ways[total - part].clone();
            ways[total] += more;
        }
    }
    ways
}

#[test]
fn the_partition_numbers_have_no_law() {
    let all = partitions(61);
    assert_eq!(all[60], BigInt::from(966_467));
    for count in 1..=all.len() {
        assert_eq!(guess("n", 0, &all[..count]), None, "{count} terms");
    }
    for count in (4..all.len()).step_by(7) {
        assert_eq!(
            guess("n", 1, &all[1..=count]),
            None,
            "{count} terms from n = 1"
        );
    }
}

#[test]
fn other_famous_sequences_have_no_law() {
    let mut primes: Vec<i64> = Vec::new();
    for n in 2.. {
        if primes.len() == 60 {
            break;
        }
        if primes.iter().all(|p| n % p != 0) {
            primes.push(n);
        }
    }
    for count in 1..=primes.len() {
        check(1, &primes[..count], None);
    }
    let factorials = terms(0..=18, |n| (1..=n).product());
    let catalan = [
        1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862, 16796, 58786, 208_012, 742_900,
    ];
    for values in [factorials.as_slice(), &catalan] {
        for count in 1..=values.len() {
            check(0, &values[..count], None);
        }
    }
}
