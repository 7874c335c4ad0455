//! One file per table or small family of tables; every query is checked at compile time.

pub mod approval;
pub mod blob;
pub mod change_set;
pub mod chunk;
pub mod comment;
pub mod extraction;
pub mod file;
pub mod fork;
pub mod journal;
pub mod knowledge_base;
pub mod link;
pub mod message;
pub mod model;
pub mod operation;
pub mod read;
pub mod sent_request;
pub mod session;
pub mod setting;
pub mod shape;
pub mod version;

mod wire;
