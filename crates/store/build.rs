//! A new migration rebuilds the crate: the migrations are embedded by a macro that reads a folder.

use std::io::Write;

fn main() -> std::io::Result<()> {
    writeln!(std::io::stdout(), "cargo:rerun-if-changed=../../migrations")
}
