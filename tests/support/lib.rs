//! What tests across rooms share.
