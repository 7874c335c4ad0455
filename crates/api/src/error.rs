//! Placeholder until the handlers arrive.
