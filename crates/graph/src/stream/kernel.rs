//! The inner loops: programs run on words, in two forms for two kinds of machine.

use super::leaf::{Leaf, Step, Turn};
use super::program::Program;

/// How bits go from word to word on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Bits are gathered and scattered by one instruction each (BMI2); only where
    /// [`Form::is_there`].
    Gather,
    /// Bits are masked and turned: on every machine.
    Turn,
}

impl Form {
    /// Whether this machine can run it.
    #[must_use]
    pub fn is_there(self) -> bool {
        match self {
            Self::Turn => true,
            #[cfg(target_arch = "x86_64")]
            Self::Gather => {
                is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("avx2")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Gather => false,
        }
    }

    /// The faster one on this machine. Some processors have the instructions, but run them bit by
    /// bit; so the clock decides, once.
    #[must_use]
    pub fn best() -> Self {
        static BEST: std::sync::OnceLock<Form> = std::sync::OnceLock::new();
        *BEST.get_or_init(|| {
            if Self::Gather.is_there() && gathers_fast() {
                Self::Gather
            } else {
                Self::Turn
            }
        })
    }
}

/// Whether gathering takes about as long as multiplying, not a hundred times as long.
fn gathers_fast() -> bool {
    let time = |form: Form| {
        let leaf = Leaf {
            steps: vec![
                Step {
                    take: 0x5555_5555_5555_5555,
                    put: 0x3333_3333_3333_3333,
                    source: 0,
                    target: 0,
                };
                64
            ],
            turns: vec![
                Turn {
                    take: 0x5555_5555_5555_5555,
                    source: 0,
                    target: 0,
                    by: 7,
                };
                64
            ],
            step_ends: vec![64],
            turn_ends: vec![64],
            source_words: 1,
        };
        let program = Program {
            copies: Vec::new(),
            leaves: vec![(0, vec![(0, 0); 8])],
        };
        let source = [0x0123_4567_89ab_cdef];
        let mut target = [0];
        (0..5)
            .map(|_| {
                let began = std::time::Instant::now();
                form.run(
                    &program,
                    std::slice::from_ref(&leaf),
                    &source,
                    false,
                    &mut Union(&mut target),
                );
                began.elapsed()
            })
            .min()
            .expect("five runs")
    };
    time(Form::Gather) < 12 * time(Form::Turn)
}

/// Where the bits of an image go.
pub(crate) trait Sink {
    /// Whether what comes from different steps must come apart.
    const APART: bool = false;
    /// Some bits of the target word `at`.
    fn put(&mut self, at: usize, bits: u64);
    /// Sees the bits of each step, before they are joined and put.
    #[inline]
    fn see(&mut self, _at: usize, _bits: u64) {}
    /// Whole words from `at` on, seen and put.
    #[inline]
    fn put_all(&mut self, at: usize, words: &[u64]) {
        for (at, &word) in (at..).zip(words) {
            self.see(at, word);
            self.put(at, word);
        }
    }
}

/// Gathers the image.
pub(crate) struct Union<'a>(pub(crate) &'a mut [u64]);

impl Sink for Union<'_> {
    #[inline]
    fn put(&mut self, at: usize, bits: u64) {
        self.0[at] |= bits;
    }
    #[inline]
    fn put_all(&mut self, at: usize, words: &[u64]) {
        for (target, word) in self.0[at..at + words.len()].iter_mut().zip(words) {
            *target |= word;
        }
    }
}

/// Gathers the image and counts the transitions into it.
pub(crate) struct CountedUnion<'a>(pub(crate) &'a mut [u64], pub(crate) u64);

impl Sink for CountedUnion<'_> {
    #[inline]
    fn put(&mut self, at: usize, bits: u64) {
        self.0[at] |= bits;
    }
    #[inline]
    fn see(&mut self, _: usize, bits: u64) {
        self.1 += u64::from(bits.count_ones());
    }
}

/// Counts transitions.
pub(crate) struct Count(pub(crate) u64);

impl Sink for Count {
    #[inline]
    fn put(&mut self, _: usize, _: u64) {}
    #[inline]
    fn see(&mut self, _: usize, bits: u64) {
        self.0 += u64::from(bits.count_ones());
    }
}

/// Counts transitions into a set.
pub(crate) struct CountInto<'a>(pub(crate) &'a [u64], pub(crate) u64);

impl Sink for CountInto<'_> {
    #[inline]
    fn put(&mut self, _: usize, _: u64) {}
    #[inline]
    fn see(&mut self, at: usize, bits: u64) {
        self.1 += u64::from((bits & self.0[at]).count_ones());
    }
}

/// Gathers what is reached once, and what is reached at least twice.
pub(crate) struct Twice<'a>(pub(crate) &'a mut [u64], pub(crate) &'a mut [u64]);

impl Sink for Twice<'_> {
    const APART: bool = true;
    #[inline]
    fn put(&mut self, at: usize, bits: u64) {
        self.1[at] |= self.0[at] & bits;
        self.0[at] |= bits;
    }
}

/// The loops of one form. A transition goes through exactly one copied word or step, so sinks may
/// count.
macro_rules! loops {
    ($name:ident, $steps:ident, $ends:ident, $step:ident, $apply:expr, $(#[$feature:meta])*) => {
        mod $name {
            use super::*;

            $(#[$feature])*
            pub(super) fn run<S: Sink>(
                program: &Program,
                leaves: &[Leaf],
                source: &[u64],
                sparse: bool,
                sink: &mut S,
            ) {
                for (length, pairs) in &program.copies {
                    let mut copy = |length: usize| {
                        for &(from, to) in pairs {
                            let words = &source[from as usize..from as usize + length];
                            sink.put_all(to as usize, words);
                        }
                    };
                    // Most copies are short: these are unrolled.
                    match *length as usize {
                        1 => copy(1),
                        2 => copy(2),
                        3 => copy(3),
                        4 => copy(4),
                        length => copy(length),
                    }
                }
                for (leaf, pairs) in &program.leaves {
                    let leaf = &leaves[*leaf as usize];
                    if sparse {
                        let length = usize::from(leaf.source_words);
                        for &(from, to) in pairs {
                            let words = &source[from as usize..from as usize + length];
                            if words.iter().fold(0, |all, word| all | word) == 0 {
                                continue;
                            }
                            if S::APART {
                                for step in &leaf.$steps {
                                    let bits = $apply(words[usize::from(step.source)], step);
                                    sink.put(to as usize + usize::from(step.target), bits);
                                }
                                continue;
                            }
                            let mut first = 0;
                            for &end in &leaf.$ends {
                                let steps = &leaf.$steps[first..end as usize];
                                first = end as usize;
                                let at = to as usize + usize::from(steps[0].target);
                                let mut all = 0;
                                for step in steps {
                                    let bits = $apply(words[usize::from(step.source)], step);
                                    sink.see(at, bits);
                                    all |= bits;
                                }
                                sink.put(at, all);
                            }
                        }
                    } else if S::APART {
                        for step in &leaf.$steps {
                            let (s, t) = (usize::from(step.source), usize::from(step.target));
                            for &(from, to) in pairs {
                                let bits = $apply(source[from as usize + s], step);
                                sink.put(to as usize + t, bits);
                            }
                        }
                    } else {
                        let mut first = 0;
                        for &end in &leaf.$ends {
                            let steps = &leaf.$steps[first..end as usize];
                            first = end as usize;
                            match steps.len() {
                                1 => few::<1, S>(steps, pairs, source, sink),
                                2 => few::<2, S>(steps, pairs, source, sink),
                                3 => few::<3, S>(steps, pairs, source, sink),
                                4 => few::<4, S>(steps, pairs, source, sink),
                                5 => few::<5, S>(steps, pairs, source, sink),
                                6 => few::<6, S>(steps, pairs, source, sink),
                                7 => few::<7, S>(steps, pairs, source, sink),
                                8 => few::<8, S>(steps, pairs, source, sink),
                                _ => many(steps, pairs, source, sink),
                            }
                        }
                    }
                }
            }

            /// So many steps into one word of each pair: unrolled.
            $(#[$feature])*
            fn few<const N: usize, S: Sink>(
                steps: &[$step],
                pairs: &[(u32, u32)],
                source: &[u64],
                sink: &mut S,
            ) {
                let steps: [$step; N] = std::array::from_fn(|i| steps[i]);
                let target = usize::from(steps[0].target);
                for &(from, to) in pairs {
                    let words = &source[from as usize..];
                    let mut all = 0;
                    for step in &steps {
                        let bits = $apply(words[usize::from(step.source)], step);
                        sink.see(to as usize + target, bits);
                        all |= bits;
                    }
                    sink.put(to as usize + target, all);
                }
            }

            /// Any number of steps into one word of each pair.
            $(#[$feature])*
            fn many<S: Sink>(
                steps: &[$step],
                pairs: &[(u32, u32)],
                source: &[u64],
                sink: &mut S,
            ) {
                let target = usize::from(steps[0].target);
                for &(from, to) in pairs {
                    let words = &source[from as usize..];
                    let mut all = 0;
                    for step in steps {
                        let bits = $apply(words[usize::from(step.source)], step);
                        sink.see(to as usize + target, bits);
                        all |= bits;
                    }
                    sink.put(to as usize + target, all);
                }
            }

            $(#[$feature])*
            pub(super) fn keep_new(buffer: &[u64], frontier: &[u64], previous: &mut [u64]) -> u32 {
                let mut count = 0;
                for ((&found, &now), before) in buffer.iter().zip(frontier).zip(previous) {
                    let new = found & !now & !*before;
                    *before = new;
                    count += new.count_ones();
                }
                count
            }

            $(#[$feature])*
            pub(super) fn visit_new(
                buffer: &[u64],
                visited: &mut [u64],
                next: &mut [u64],
            ) -> (u32, bool) {
                let (mut count, mut again) = (0, 0);
                for ((&found, seen), next) in buffer.iter().zip(visited).zip(next) {
                    let new = found & !*seen;
                    again |= found & *seen;
                    *seen |= new;
                    *next = new;
                    count += new.count_ones();
                }
                (count, again != 0)
            }

            $(#[$feature])*
            pub(super) fn visit_new_within(
                buffer: &[u64],
                within: &[u64],
                visited: &mut [u64],
                next: &mut [u64],
            ) -> u32 {
                let mut count = 0;
                for (((&found, &within), seen), next) in
                    buffer.iter().zip(within).zip(visited).zip(next)
                {
                    let new = found & within & !*seen;
                    *seen |= new;
                    *next = new;
                    count += new.count_ones();
                }
                count
            }

            $(#[$feature])*
            pub(super) fn count(words: &[u64]) -> u32 {
                words.iter().map(|word| word.count_ones()).sum()
            }

            $(#[$feature])*
            pub(super) fn count_common(a: &[u64], b: &[u64]) -> u32 {
                a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
loops!(
    gather,
    steps,
    step_ends,
    Step,
    |word: u64, step: &Step| std::arch::x86_64::_pdep_u64(
        std::arch::x86_64::_pext_u64(word, step.take),
        step.put
    ),
    #[target_feature(enable = "bmi1,bmi2,popcnt,avx2")]
);
loops!(turn, turns, turn_ends, Turn, |word: u64, turn: &Turn| (word
    & turn.take)
    .rotate_left(u32::from(turn.by)),);

macro_rules! dispatch {
    ($form:expr, $call:ident($($argument:expr),*)) => {
        match $form {
            Form::Turn => turn::$call($($argument),*),
            #[cfg(target_arch = "x86_64")]
            Form::Gather => {
                assert!(Form::Gather.is_there(), "the machine gathers bits");
                // SAFETY: the features that the function was compiled for were just found on this
                // machine; everything else in it is safe code.
                #[allow(unsafe_code)]
                unsafe {
                    gather::$call($($argument),*)
                }
            }
            #[cfg(not(target_arch = "x86_64"))]
            Form::Gather => unreachable!("no such machine"),
        }
    };
}

impl Form {
    /// Runs a program from a source block into a sink; `sparse`: most source leaves are empty.
    pub(crate) fn run<S: Sink>(
        self,
        program: &Program,
        leaves: &[Leaf],
        source: &[u64],
        sparse: bool,
        sink: &mut S,
    ) {
        dispatch!(self, run(program, leaves, source, sparse, sink));
    }

    /// Puts what is in neither of the last two layers over the older one; returns how many.
    pub(crate) fn keep_new(self, buffer: &[u64], frontier: &[u64], previous: &mut [u64]) -> u32 {
        dispatch!(self, keep_new(buffer, frontier, previous))
    }

    /// Puts what was not visited into `next` and marks it; returns how many, and whether anything
    /// was found again.
    pub(crate) fn visit_new(
        self,
        buffer: &[u64],
        visited: &mut [u64],
        next: &mut [u64],
    ) -> (u32, bool) {
        dispatch!(self, visit_new(buffer, visited, next))
    }

    /// As `visit_new`, but only states of a set.
    pub(crate) fn visit_new_within(
        self,
        buffer: &[u64],
        within: &[u64],
        visited: &mut [u64],
        next: &mut [u64],
    ) -> u32 {
        dispatch!(self, visit_new_within(buffer, within, visited, next))
    }

    /// Bits that are set.
    pub(crate) fn count(self, words: &[u64]) -> u32 {
        dispatch!(self, count(words))
    }

    /// Bits that are set in both.
    pub(crate) fn count_common(self, a: &[u64], b: &[u64]) -> u32 {
        dispatch!(self, count_common(a, b))
    }
}
