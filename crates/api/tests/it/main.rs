//! The API on a real data directory and real folders.

mod code;
mod every;
mod house;
mod owner;
mod secret;
mod typescript;
