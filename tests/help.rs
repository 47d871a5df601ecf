//! What a user sees who asks for help. `SNAPSHOTS=overwrite cargo test` renews the snapshots.

mod support;

use support::{run, snapshot};

const COMMANDS: [&str; 17] = [
    "list",
    "show",
    "check",
    "explore",
    "solve",
    "stuck",
    "why",
    "verify",
    "seq",
    "trace",
    "export",
    "resume",
    "check-table",
    "new",
    "explain",
    "completions",
    "man",
];

#[test]
fn help_of_the_program() {
    let ran = run("--help").code(0);
    for command in COMMANDS {
        assert!(
            ran.out.contains(&format!("  {command} ")),
            "{command} is missing in {ran}"
        );
    }
    snapshot("help/impasse.txt", &ran.out);
}

#[test]
fn help_of_every_command() {
    for command in COMMANDS {
        let ran = run(&format!("{command} --help")).code(0).calm();
        assert_eq!(ran.err, "");
        snapshot(&format!("help/{command}.txt"), &ran.out);
    }
}

#[test]
fn examples_in_the_help_can_be_run() {
    let folder = tempfile::tempdir().expect("a folder");
    for command in COMMANDS {
        let help = run(&format!("{command} --help")).out;
        let (_, examples) = help.split_once("Examples:\n").expect("examples");
        for line in examples.lines().filter(|line| line.contains("impasse ")) {
            let status = std::process::Command::new("sh")
                .args(["-ec", &line.replace("impasse ", "\"$IMPASSE\" ")])
                .env("IMPASSE", env!("CARGO_BIN_EXE_impasse"))
                .current_dir(folder.path())
                .output()
                .expect("a shell");
            let err = String::from_utf8_lossy(&status.stderr);
            assert_eq!(status.status.code(), Some(0), "{line}\n{err}");
        }
    }
}

#[test]
fn version() {
    let ran = run("--version").code(0);
    assert_eq!(ran.out, format!("impasse {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn no_command_shows_the_help() {
    run("").code(2).warns("Usage: impasse");
}

#[test]
fn completions_and_manual() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        run(&format!("completions {shell}")).code(0).says("impasse");
    }
    run("completions cmd").code(2);
    run("man").code(0).says(".TH impasse");
    run("man explore").code(0).says("impasse-explore");
    run("man nothing").code(2).warns("no command `nothing`");
}
