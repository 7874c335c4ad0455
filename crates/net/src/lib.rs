//! Outbound HTTP.
//!
//! There are two kinds of it. A [`Client`] talks to a configured [`Origin`] only, which the user set, never
//! follows a redirect to another one, and never speaks plain HTTP to anything but this machine. [`Content`]
//! fetches pages from the public internet, never from this machine or the network around it, and follows no
//! redirect by itself. Neither keeps cookies, unpacks compression, or logs a URL, header or body.

mod client;
mod content;
mod error;
mod policy;
mod public;
pub mod search;

pub use client::{Client, Configured, Limits, Request, Response};
pub use content::{Arrived, Content};
pub use error::{Error, Obstacle};
pub use policy::Origin;
pub use public::{Addresses, Internet, PageUrl, is_public};
