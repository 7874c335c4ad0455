//! The built binary on real folders: what it prints, what it writes, how it ends.

mod bench;
mod change;
mod command;
mod find;
mod serve;
