//! One file per table or small family of tables; every query is checked at compile time.
