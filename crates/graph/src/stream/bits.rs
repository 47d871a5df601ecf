//! Bit vectors on large pages.

use memmap2::MmapMut;

/// Words in one stretch of memory, zero at first. Pages that are never written take no memory.
pub(crate) struct Words {
    map: MmapMut,
    len: usize,
}

impl Words {
    /// So many words.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub(crate) fn new(len: usize) -> std::io::Result<Self> {
        let map = MmapMut::map_anon(len.max(1) * 8)?;
        // Large pages are a wish: without them the engine is slower, nothing else.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map, len })
    }

    pub(crate) fn get(&self) -> &[u64] {
        &bytemuck::cast_slice(&self.map)[..self.len]
    }

    pub(crate) fn get_mut(&mut self) -> &mut [u64] {
        &mut bytemuck::cast_slice_mut(&mut self.map)[..self.len]
    }
}

impl std::fmt::Debug for Words {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} words", self.len)
    }
}
