//! Bytes to text and back, without touching what nobody changed.
