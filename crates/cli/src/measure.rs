//! What the system says of this process and this machine.

use std::fs;

/// The most memory that was resident since [`forget_peak`], in bytes; `None` where the system does
/// not tell.
pub(crate) fn peak_memory_bytes() -> Option<u64> {
    status("VmHWM:")
}

/// The memory resident now, in bytes.
pub(crate) fn memory_bytes() -> Option<u64> {
    status("VmRSS:")
}

/// Begins a new measurement of the peak, where the system can; else the peak stays that of the
/// whole process.
pub(crate) fn forget_peak() {
    // Linux: `5` resets the peak resident set size (proc(5), clear_refs).
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The budget of a run without `--memory`: most of what the machine has left, so that a large
/// space ends with an answer and not with the system's axe.
pub(crate) fn default_budget() -> Option<u64> {
    let free = kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    let free = container_limit().map_or(free, |limit| limit.min(free));
    Some(free / 10 * 9)
}

/// The limit that a container puts on this process (cgroup version 2), if any.
fn container_limit() -> Option<u64> {
    fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()?
        .trim()
        .parse()
        .ok()
}

fn status(key: &str) -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, key)
}

/// The value of a line `key 123 kB`, in bytes.
fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace()
        .next()?
        .parse::<u64>()
        .ok()?
        .checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_kilobytes() {
        assert_eq!(
            kilobytes("VmPeak:\t 9 kB\nVmHWM:\t    12 kB\n", "VmHWM:"),
            Some(12288)
        );
        assert_eq!(kilobytes("VmPeak:\t 9 kB\n", "VmHWM:"), None);
    }
}
