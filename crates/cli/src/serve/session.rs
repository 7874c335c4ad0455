//! Who may call: whoever came with the one-time link, from then on by cookie.

use std::sync::{Mutex, PoisonError};

use rand::distr::{Alphanumeric, SampleString};

/// 256 bits and more of the alphabet.
const LENGTH: usize = 43;

/// The browsers of this run.
pub struct Sessions {
    state: Mutex<State>,
}

struct State {
    /// Gone once it was used.
    token: Option<String>,
    keys: Vec<String>,
}

impl Sessions {
    /// None yet, and the token that lets the first one in.
    pub fn new() -> (Self, String) {
        let token = random();
        let state = State { token: Some(token.clone()), keys: Vec::new() };
        (Self { state: Mutex::new(state) }, token)
    }

    /// The key of a new session for the token of the link, which then is spent.
    pub fn exchange(&self, token: &str) -> Option<String> {
        let mut state = self.state();
        if !state.token.as_deref().is_some_and(|known| same(known, token)) {
            return None;
        }
        state.token = None;
        let key = random();
        state.keys.push(key.clone());
        Some(key)
    }

    pub fn knows(&self, key: &str) -> bool {
        self.state().keys.iter().any(|known| same(known, key))
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A value that nobody guesses. `rand::rng` is cryptographically secure.
pub fn random() -> String {
    Alphanumeric.sample_string(&mut rand::rng(), LENGTH)
}

/// Takes as long for a near miss as for any other.
fn same(known: &str, given: &str) -> bool {
    known.len() == given.len()
        && known.bytes().zip(given.bytes()).fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_works_once() {
        let (sessions, token) = Sessions::new();
        assert_eq!(sessions.exchange("guess"), None);
        let key = sessions.exchange(&token).unwrap();
        assert_eq!(sessions.exchange(&token), None);
        assert!(sessions.knows(&key) && !sessions.knows(&token) && !sessions.knows(""));
    }
}
