//! Searches of frogs and toads (both ways) and of knights that change places, as people write them
//! today: each prints one line of JSON with its count of states and the seconds of its search.
//!
//! `impasse-peers fx|map|stateright frogs N`, `impasse-peers fx|map knights ROWS COLS MEN`,
//! `impasse-peers probe` for two limits of the machine.

mod board;
mod fx;
mod map;
mod probe;
mod threads;

use std::time::Instant;

use board::Board;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<usize>().expect("a number");
    if words == ["probe"] {
        return probe::print();
    }
    let (how, board) = match words[..] {
        [how, "frogs", n] => (how, Board::frogs(number(n))),
        [how, "knights", rows, cols, men] => {
            (how, Board::knights(number(rows), number(cols), number(men)))
        }
        _ => {
            eprintln!(
                "usage: impasse-peers fx|map|stateright frogs N | fx|map knights R C MEN | probe"
            );
            std::process::exit(2);
        }
    };
    let began = Instant::now();
    let states = match how {
        "fx" => fx::count(&board),
        "map" => map::count(&board),
        "stateright" => threads::count(board),
        other => panic!("no peer is called {other}"),
    };
    let seconds = began.elapsed().as_secs_f64();
    println!("{{\"states\":{states},\"seconds\":{seconds:.6}}}");
}
