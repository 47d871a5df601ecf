//! The command `impasse`.

fn main() -> std::process::ExitCode {
    impasse_cli::run()
}
