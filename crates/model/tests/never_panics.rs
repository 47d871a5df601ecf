//! Whatever stands in a file, the parser answers, and soon.

use std::path::Path;
use std::time::{Duration, Instant};

use impasse_model::parse::{parse, parse_condition, parse_drawing, parse_expr};

/// A small generator of pseudo-random numbers, the same on every machine (xorshift64*).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

fn shipped() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/puzzles");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of puzzles")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "puzzle"))
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).expect("a readable file"))
        .collect()
}

/// Reads a text as everything it might be; spans must lie in the text.
fn read(bytes: &[u8]) {
    if let Err(faults) = parse("f", bytes) {
        assert!(!faults.faults.is_empty());
        assert!(faults.faults.len() <= 21, "{} faults", faults.faults.len());
        for fault in &faults.faults {
            let Some(span) = fault.span else { continue };
            let text = faults.text.get(span.start..span.end);
            assert!(text.is_some(), "{} at {span:?}", fault.message);
            if let Some((span, _)) = fault.related {
                assert!(faults.text.get(span.start..span.end).is_some(), "{span:?}");
            }
        }
    }
}

/// One edit: a byte changed, dropped, doubled; a stretch moved; a line repeated.
fn edit(bytes: &mut Vec<u8>, dice: &mut Dice) {
    const SIGNS: &[u8] = b" \n\t.#_!^()[]+-*/:~=<>\"{}@,|0123456789FTxyn\xC3\xA9\xFF\0";
    if bytes.is_empty() {
        return;
    }
    let at = dice.below(bytes.len());
    match dice.below(6) {
        0 => bytes[at] = SIGNS[dice.below(SIGNS.len())],
        1 => {
            bytes.remove(at);
        }
        2 => bytes.insert(at, SIGNS[dice.below(SIGNS.len())]),
        3 => {
            let length = dice.below(12).min(bytes.len() - at);
            let stretch: Vec<u8> = bytes.drain(at..at + length).collect();
            let to = dice.below(bytes.len() + 1);
            bytes.splice(to..to, stretch);
        }
        4 => {
            let line: Vec<u8> = bytes[at..]
                .iter()
                .copied()
                .take_while(|&b| b != b'\n')
                .collect();
            let to = dice.below(bytes.len() + 1);
            bytes.splice(to..to, line);
        }
        _ => bytes.swap(at, 0),
    }
}

#[test]
fn edited_files() {
    let files = shipped();
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for round in 0..6000 {
        let mut bytes = files[round % files.len()].clone();
        for _ in 0..=dice.below(4) {
            edit(&mut bytes, &mut dice);
        }
        read(&bytes);
    }
}

#[test]
fn edited_lines_as_positions_and_conditions() {
    let files = shipped();
    let parsed: Vec<_> = files
        .iter()
        .map(|bytes| parse("f", bytes).expect("a good file").file)
        .collect();
    let mut dice = Dice(7);
    for round in 0..6000 {
        let file = &parsed[round % parsed.len()];
        let lines: Vec<&str> = file.text.lines().filter(|l| !l.is_empty()).collect();
        let mut bytes = lines[dice.below(lines.len())].as_bytes().to_vec();
        bytes.drain(..dice.below(bytes.len()));
        edit(&mut bytes, &mut dice);
        let text = String::from_utf8_lossy(&bytes);
        let ends = [
            parse_expr(&text).err().and_then(|f| f.span),
            parse_condition(&text).err().and_then(|f| f.span),
            parse_drawing(file, &text).err().and_then(|f| f[0].span),
        ];
        for span in ends.into_iter().flatten() {
            assert!(
                text.get(span.start..span.end).is_some(),
                "{span:?} in {text:?}"
            );
        }
    }
}

#[test]
fn noise() {
    const LARGE: usize = 10_000_000;
    const SIZE: usize = 1_000_000;
    let mut dice = Dice(1);
    let repeated = |text: &str| text.bytes().cycle().take(SIZE).collect::<Vec<u8>>();
    let head = "puzzle \"T\"\npiece F \"f\"\nboard line\ngoal stuck\nmove a: F . -> . F\n";
    let with_head = |line: &str, text: &str| [head, line, &text.repeat(SIZE / text.len())].concat();
    let noise: Vec<Vec<u8>> = vec![
        (0..LARGE).map(|_| dice.below(256) as u8).collect(),
        (0..SIZE).map(|_| 32 + dice.below(95) as u8).collect(),
        vec![0; SIZE],
        vec![b'\n'; SIZE],
        vec![b' '; SIZE],
        vec![b'\t'; SIZE],
        vec![b'"'; SIZE],
        vec![0xFF; LARGE],
        "x\n".repeat(LARGE / 2).into_bytes(),
        repeated("param n = 3\n"),
        repeated("piece F \"f\"\n"),
        repeated("strategy a\n"),
        repeated("puzzle \"T\"\n"),
        repeated("é"),
        [head, "start ", &"F".repeat(LARGE)].concat().into_bytes(),
        with_head("start ", "F ").into_bytes(),
        with_head("start ", "(").into_bytes(),
        with_head("start ", "F^").into_bytes(),
        with_head("start ", "Qq").into_bytes(),
        with_head("start ", ".").into_bytes(),
        with_head("start F\nclaim n = ", "1+").into_bytes(),
        with_head("start F\nclaim n = ", "9").into_bytes(),
        with_head("start F\nclaim ", "not ").into_bytes(),
        with_head("start F\nclaim n = 1", " and n = 1").into_bytes(),
        with_head("start F\nclaim x = 1", " or (y = 1)").into_bytes(),
        with_head("start F\ngoal ", "not ").into_bytes(),
        with_head("start F\nmove b: ", "F -> ").into_bytes(),
        with_head("start F\nmove b: ", "x:F ").into_bytes(),
        with_head("start F\nmirror ", "F <-> F ").into_bytes(),
        with_head("start F\nclass c = ", "A..Z ").into_bytes(),
        with_head("start F\nparam p = ", "a / ").into_bytes(),
        with_head("start F\nparam p = ", "1 ").into_bytes(),
        with_head("start F\nstrategy s\n", "  F . -> . F\n").into_bytes(),
        with_head("start F\nclaim a-", "a-").into_bytes(),
        with_head("start F\n", "move b: F . -> . F\n").into_bytes(),
        with_head("start F\n", "strategy a-b\n").into_bytes(),
    ];
    for bytes in noise {
        let started = Instant::now();
        read(&bytes);
        let took = started.elapsed();
        let start = String::from_utf8_lossy(&bytes[..80]).into_owned();
        assert!(took < Duration::from_secs(20), "{took:?} for {start:?}...");
        if std::env::var_os("IMPASSE_TIMES").is_some() {
            eprintln!("{took:?} for {start:?}");
        }
    }
}
