//! Outbound HTTP.
//!
//! Nothing here fetches an address that the user did not set: a [`Client`] talks to a configured
//! [`Origin`] only, never follows a redirect to another one, and never speaks plain HTTP to anything
//! but this machine. It keeps no cookies, unpacks no compression and logs no URL, header or body.
//! Fetching pages from the public web is another kind of request, with rules of its own.

mod client;
mod error;
mod policy;

pub use client::{Client, Configured, Limits, Request, Response};
pub use error::{Error, Obstacle};
pub use policy::Origin;
