//! The desktop host.
fn main() {}
