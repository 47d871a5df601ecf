//! The checksum of files: FNV-1a, 64 bits, our own fixed function.

use std::io::{self, Write};

/// The checksum of bytes, as `fnv1a64:` and sixteen hexadecimal digits.
///
/// # Source
/// G. Fowler, L. C. Noll, P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm",
/// draft-eastlake-fnv: offset basis and prime for 64 bits.
#[must_use]
pub fn of(bytes: &[u8]) -> String {
    words(extend(OFFSET_BASIS, bytes))
}

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

fn extend(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}

fn words(hash: u64) -> String {
    format!("fnv1a64:{hash:016x}")
}

/// Passes bytes on, counts them and keeps their checksum.
#[derive(Debug)]
pub(crate) struct Checked<W> {
    out: W,
    hash: u64,
    bytes: u64,
}

impl<W: Write> Checked<W> {
    pub(crate) fn new(out: W) -> Self {
        Self {
            out,
            hash: OFFSET_BASIS,
            bytes: 0,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn checksum(&self) -> String {
        words(self.hash)
    }
}

impl<W: Write> Write for Checked<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let count = self.out.write(buf)?;
        self.hash = extend(self.hash, &buf[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        let check = |text: &str, sum: &str| assert_eq!(of(text.as_bytes()), sum);
        check("", "fnv1a64:cbf29ce484222325");
        check("a", "fnv1a64:af63dc4c8601ec8c");
        check("foobar", "fnv1a64:85944171f73967e8");
    }

    #[test]
    fn pieces_give_the_same_checksum() {
        let mut out = Checked::new(Vec::new());
        out.write_all(b"foo").expect("memory takes every byte");
        out.write_all(b"bar").expect("memory takes every byte");
        assert_eq!((out.bytes(), out.checksum()), (6, of(b"foobar")));
    }
}
