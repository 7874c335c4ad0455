use orangery_domain::ErrorKind;
use orangery_net::Obstacle;

use crate::Key;

/// Why a model gave no answer, or not all of it. Messages never hold the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("the model's server refused the key: {0}")]
    Unauthorised(String),
    #[error("the model's server does not know {model}: {message}")]
    NotFound { model: String, message: String },
    /// After the last try, or where a try makes no sense.
    #[error("the model's server takes no more requests for now: {0}")]
    RateLimited(String),
    #[error("the model's server is out of order ({status}): {message}")]
    Overloaded { status: u16, message: String },
    #[error("the conversation is longer than the model can read: {0}")]
    TooLong(String),
    /// Any other refusal.
    #[error("the model's server refused the request: {0}")]
    Refused(String),
    #[error(transparent)]
    Network(#[from] orangery_net::Error),
    #[error("stopped")]
    Cancelled,
    /// What came is not what the protocol says.
    #[error("the model's server answered with something else than a chat completion: {0}")]
    Malformed(String),
    /// The stream ended before the model did.
    #[error("the model's answer broke off")]
    BrokenOff,
}

impl Error {
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Unauthorised(_) => ErrorKind::Denied,
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::TooLong(_) | Self::Refused(_) => ErrorKind::Invalid,
            Self::Network(error) => error.kind(),
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Malformed(_) => ErrorKind::Corrupt,
            Self::RateLimited(_) | Self::Overloaded { .. } | Self::BrokenOff => ErrorKind::Unavailable,
        }
    }

    /// Stable, for sentences in the user's language.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unauthorised(_) => "modelRefusedKey",
            Self::NotFound { .. } => "modelNotServed",
            Self::RateLimited(_) => "modelBusy",
            Self::Overloaded { .. } => "modelOutOfOrder",
            Self::TooLong(_) => "modelTooLong",
            Self::Refused(_) => "modelRefused",
            Self::Network(error) => match error {
                orangery_net::Error::Unreachable { obstacle, .. } => match obstacle {
                    Obstacle::Unknown => "modelHostUnknown",
                    Obstacle::Refused => "modelNotListening",
                    Obstacle::Untrusted => "modelUntrusted",
                    Obstacle::Other => "modelUnreachable",
                },
                orangery_net::Error::Silent { .. } => "modelSilent",
                orangery_net::Error::Broken { .. } => "modelBrokeOff",
                orangery_net::Error::Redirected { .. } => "modelElsewhere",
                _ => "modelUnreachable",
            },
            Self::Malformed(_) => "modelMalformed",
            Self::BrokenOff | Self::Cancelled => "modelBrokeOff",
        }
    }

    /// What the server or the way to it said, for the sentence that `code` stands for.
    pub fn detail(&self) -> String {
        match self {
            Self::Unauthorised(message)
            | Self::NotFound { message, .. }
            | Self::RateLimited(message)
            | Self::Overloaded { message, .. }
            | Self::TooLong(message)
            | Self::Refused(message)
            | Self::Malformed(message) => message.clone(),
            Self::Network(error) => match error {
                orangery_net::Error::Unreachable { host, .. } | orangery_net::Error::Silent { host, .. } => {
                    host.clone()
                }
                orangery_net::Error::Redirected { to, .. } => to.clone(),
                error => error.to_string(),
            },
            Self::Cancelled | Self::BrokenOff => String::new(),
        }
    }

    /// Takes the key out of what the server said: some repeat it when they refuse it.
    pub(crate) fn without(mut self, key: Option<&Key>) -> Self {
        let Some(secret) = key.map(Key::expose).filter(|secret| !secret.is_empty()) else {
            return self;
        };
        match &mut self {
            Self::Unauthorised(message)
            | Self::NotFound { message, .. }
            | Self::RateLimited(message)
            | Self::Overloaded { message, .. }
            | Self::TooLong(message)
            | Self::Refused(message)
            | Self::Malformed(message) => *message = masked(message, secret),
            Self::Network(_) | Self::Cancelled | Self::BrokenOff => {}
        }
        self
    }
}

/// A part of a key that is too short to be worth anything.
const PART: usize = 6;

fn masked(message: &str, secret: &str) -> String {
    let mut masked = message.replace(secret, "…");
    // What a server says is cut at some length, perhaps in the middle of the key.
    let mut parts = (PART..secret.len()).rev().filter_map(|end| secret.get(..end));
    if let Some(part) = parts.find(|part| masked.ends_with(part)) {
        masked.truncate(masked.len() - part.len());
        masked.push('…');
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_the_key_nor_half_of_it_is_repeated() {
        for (said, shown) in [
            ("wrong key sk-secret-4711, try sk-secret-4711", "wrong key …, try …"),
            ("wrong key sk-secret-47", "wrong key …"),
            ("wrong key sk-", "wrong key sk-"),
            ("no key", "no key"),
        ] {
            let error = Error::Unauthorised(said.into()).without(Some(&Key::new("sk-secret-4711")));
            assert_eq!(error.detail(), shown);
        }
    }
}
