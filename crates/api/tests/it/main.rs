//! The API on a real data directory and real folders.

mod house;
mod owner;
mod secret;
mod typescript;
