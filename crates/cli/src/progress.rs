//! The watcher of a run: draws the bar, tells the layers, hears Ctrl-C.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use impasse_graph::observe::{Observer, Progress, Stage};
use impasse_report::numbers::grouped;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::Ui;
use crate::{interrupt, measure, size};

/// Watches one run.
pub(crate) struct Watch {
    ui: Ui,
    label: String,
    started: Instant,
    bar: Option<ProgressBar>,
    /// What would have been resident with the step that was refused last; 0 if none was.
    refused: AtomicU64,
}

impl Watch {
    /// Begins to watch a run called `label`, with a bar where there is a terminal to see it.
    pub(crate) fn new(ui: Ui, label: &str) -> Self {
        let bar = (ui.watched && !ui.quiet).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let template = "{spinner} {prefix} {wide_msg} {elapsed}";
            bar.set_style(
                ProgressStyle::with_template(template)
                    .unwrap_or_else(|_| ProgressStyle::default_spinner()),
            );
            bar.set_prefix(label.to_owned());
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Self {
            ui,
            label: label.to_owned(),
            started: Instant::now(),
            bar,
            refused: AtomicU64::new(0),
        }
    }

    /// Bytes that would have been resident with the step that was refused last.
    pub(crate) fn refused_bytes(&self) -> Option<u64> {
        Some(self.refused.load(Ordering::Relaxed)).filter(|&bytes| bytes > 0)
    }

    /// What a layer says: `layer 3: 1,200 states, 6,000,000/s, 12.0 MiB`.
    fn words(&self, progress: &Progress) -> String {
        let stage = match progress.stage {
            Stage::Search => "",
            Stage::Retrograde => "backwards, ",
            Stage::Tally => "counting, ",
        };
        let seconds = self.started.elapsed().as_secs_f64().max(1e-3);
        let memory =
            measure::memory_bytes().map_or_else(String::new, |b| format!(", {}", size::words(b)));
        format!(
            "{stage}layer {}: {} states, {}/s{memory}",
            progress.layer,
            grouped(&progress.states),
            grouped(&((progress.states as f64 / seconds) as u64)),
        )
    }
}

impl Observer for Watch {
    fn layer(&self, progress: &Progress) -> ControlFlow<()> {
        if let Some(bar) = &self.bar {
            bar.set_message(self.words(progress));
        }
        if self.ui.verbose {
            let line = format!("{}: {}", self.label, self.words(progress));
            match &self.bar {
                Some(bar) => bar.println(line),
                None => self.ui.detail(line),
            }
        }
        if interrupt::asked() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn note(&self, text: &str) {
        if self.ui.verbose {
            let seconds = self.started.elapsed().as_secs_f64();
            let line = format!("{}: {text} ({seconds:.3} s)", self.label);
            match &self.bar {
                Some(bar) => bar.println(line),
                None => self.ui.detail(line),
            }
        }
    }

    fn refused(&self, bytes: u64) {
        self.refused.store(bytes, Ordering::Relaxed);
    }

    fn interrupted(&self) -> bool {
        interrupt::asked()
    }

    fn resident_bytes(&self) -> Option<u64> {
        measure::memory_bytes()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
