//! The vocabulary of Orangery: plain values and their invariants, the text codec and line arithmetic.
//!
//! This crate does no I/O and knows no runtime, no database and no window. Everything here can be
//! built in a test with a literal.

pub mod change;
pub mod citation;
pub mod command;
pub mod day;
pub mod document;
pub mod event;
pub mod history;
pub mod id;
pub mod kind;
pub mod level;
pub mod lines;
pub mod path;
pub mod percent;
pub mod position;
pub mod session;
pub mod setting;
pub mod spot;
pub mod text;
pub mod view;

pub use change::*;
pub use citation::*;
pub use command::*;
pub use document::*;
pub use event::*;
pub use history::*;
pub use id::*;
pub use kind::*;
pub use level::*;
pub use lines::*;
pub use path::*;
pub use position::*;
pub use session::*;
pub use setting::*;
pub use spot::*;
pub use view::*;
