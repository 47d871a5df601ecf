//! The example program of a puzzle written in Rust gives the known figures.

#[path = "../examples/lights_out.rs"]
mod lights_out;

#[test]
fn one_to_four_a_side() {
    for (size, figures) in [(1, (2, 1)), (2, (16, 4)), (3, (512, 9)), (4, (4096, 7))] {
        assert_eq!(
            lights_out::figures(size).expect("few states"),
            figures,
            "size {size}"
        );
    }
}
