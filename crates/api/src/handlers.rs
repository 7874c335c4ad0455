//! One file per noun of the command list, one function per verb.

pub(crate) mod agent;
pub(crate) mod change;
pub(crate) mod document;
pub(crate) mod file;
pub(crate) mod folder;
pub(crate) mod history;
pub(crate) mod host;
pub(crate) mod job;
pub(crate) mod kb;
pub(crate) mod link;
pub(crate) mod model;
pub(crate) mod note;
pub(crate) mod search;
pub(crate) mod secret;
pub(crate) mod session;
pub(crate) mod setting;
pub(crate) mod tag;
pub(crate) mod tool;
