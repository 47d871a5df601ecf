//! Two limits of the machine: memory read and written in order, and single bits tested and set at
//! random, with prefetch by batches.

use std::time::Instant;

/// Words of the probed memory: half a gigabyte, beyond any cache.
const WORDS: usize = 1 << 26;
/// Bits that are asked for before they are touched.
const BATCH: usize = 64;

/// Prints bytes a second in order, and random bits tested and set a second, on one thread.
pub fn print() {
    let mut memory = memmap2::MmapMut::map_anon(8 * WORDS).expect("half a gigabyte");
    // Large pages, as every program that cares would ask for.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    let words: &mut [u64] = bytemuck::cast_slice_mut(&mut memory);
    let mut order = 0.0_f64;
    for round in 1..5 {
        let began = Instant::now();
        for word in std::hint::black_box(&mut *words) {
            *word ^= round;
        }
        // Read and written.
        order = order.max(16.0 * WORDS as f64 / began.elapsed().as_secs_f64());
    }
    let mut random = 0.0_f64;
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut fresh = 0_u64;
    for _ in 0..3 {
        let count = 20_000_000 / BATCH;
        let began = Instant::now();
        let mut places = [0_usize; BATCH];
        for _ in 0..count {
            for place in &mut places {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                *place = (seed >> 26) as usize % (64 * WORDS);
                prefetch(words, *place / 64);
            }
            for &place in &places {
                let (word, mask) = (&mut words[place / 64], 1 << (place % 64));
                fresh += u64::from(*word & mask == 0);
                *word |= mask;
            }
        }
        let rate = (count * BATCH) as f64 / began.elapsed().as_secs_f64();
        random = random.max(rate);
    }
    println!("{{\"bytes_in_order\":{order:.0},\"random_bits\":{random:.0},\"fresh\":{fresh}}}");
}

#[cfg(target_arch = "x86_64")]
fn prefetch(words: &[u64], at: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch reads nothing, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(&words[at]).cast()) }
}

#[cfg(not(target_arch = "x86_64"))]
fn prefetch(_: &[u64], _: usize) {}
