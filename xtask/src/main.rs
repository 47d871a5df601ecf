//! Tasks of this workspace: `cargo xtask ci | tidy | golden | bench | atlas`.

mod atlas;
mod bench;
mod golden;
mod product;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};

/// Tasks of the Impasse workspace.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every step that must pass before a change lands (the file .ci/run).
    Ci,
    /// Compare the papers with the manifests and the sources: dependencies, names, paths, prints.
    Tidy,
    /// Compare the program with the expected tables in data/golden.
    Golden {
        /// Also run the spaces above two million states (minutes, up to a gigabyte).
        #[arg(long)]
        large: bool,
    },
    /// Measure speed and memory, with the limits of the machine and with other programs beside it.
    Bench {
        /// How often each case of the product runs; medians are printed.
        #[arg(long, default_value_t = 3)]
        runs: usize,
        /// Also the largest spaces and the slowest peers (half an hour, up to seven gigabytes).
        #[arg(long)]
        full: bool,
    },
    /// Build docs/atlas: a page a shipped puzzle, with tables, formulas, claims and pictures.
    Atlas {
        /// Only compare it with the one that is there.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Ci => ci(),
        Task::Tidy => tidy::run(&root()),
        Task::Golden { large } => golden::run(&root(), large),
        Task::Bench { runs, full } => bench::run(&root(), runs, full),
        Task::Atlas { check } => atlas::run(&root(), check),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn ci() -> Result<()> {
    let status = Command::new("bash")
        .arg(root().join(".ci/run"))
        .status()
        .context("could not start bash, which .ci/run is written for")?;
    ensure!(status.success(), ".ci/run failed");
    Ok(())
}

/// The top of the workspace: the folder above this package's.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent()
        .expect("xtask stands inside the workspace")
        .to_path_buf()
}
