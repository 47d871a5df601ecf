//! What is wanted of a figure, and whether it is reached.

/// A goal and a stretch.
#[derive(Clone, Copy)]
pub(crate) struct Want {
    goal: f64,
    stretch: f64,
    /// Whether more is better.
    more: bool,
}

impl Want {
    /// At least so much.
    pub(crate) fn least(goal: f64, stretch: f64) -> Self {
        Self {
            goal,
            stretch,
            more: true,
        }
    }

    /// At most so much.
    pub(crate) fn most(goal: f64, stretch: f64) -> Self {
        Self {
            goal,
            stretch,
            more: false,
        }
    }

    /// Nothing is wanted.
    pub(crate) fn none() -> Self {
        Self::most(f64::INFINITY, f64::INFINITY)
    }

    fn verdict(self, value: f64) -> String {
        if self.goal.is_infinite() && self.stretch.is_infinite() {
            return String::new();
        }
        let reaches = |wanted: f64| {
            if self.more {
                value >= wanted
            } else {
                value <= wanted
            }
        };
        let word = match (reaches(self.stretch), reaches(self.goal)) {
            (true, _) => "stretch met",
            (_, true) => "met",
            _ => "MISSED",
        };
        let bound = if self.more { "at least" } else { "at most" };
        format!(" ({bound} {}, stretch {}: {word})", self.goal, self.stretch)
    }
}

/// Prints a figure and how it stands to what is wanted.
pub(crate) fn told(what: &str, value: f64, want: Want) {
    println!("  {what}: {value:.2}{}", want.verdict(value));
}

#[cfg(test)]
mod tests {
    use super::Want;

    #[test]
    fn three_verdicts() {
        let want = Want::least(60.0, 150.0);
        assert!(want.verdict(59.0).contains("MISSED"));
        assert!(want.verdict(60.0).contains(": met"));
        assert!(want.verdict(150.0).contains("stretch met"));
        let want = Want::most(2.6, 1.3);
        assert!(want.verdict(2.7).contains("MISSED"));
        assert!(want.verdict(2.6).contains(": met"));
        assert!(want.verdict(1.3).contains("stretch met"));
        assert_eq!(Want::none().verdict(1.0), "");
    }
}
