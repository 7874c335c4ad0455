use orangery_domain::ErrorKind;

/// Why a request came to nothing. Messages name hosts, never whole URLs, headers or bodies.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("the address {0:?} is not an http or https URL: {1}")]
    Address(String, String),
    #[error("plain http is only for this machine; {0} needs https")]
    Insecure(String),
    #[error("the request is for another place than the configured {0}")]
    OtherOrigin(String),
    #[error("{from} sends on to {to}, which is not the configured address")]
    Redirected { from: String, to: String },
    /// A page of this machine or of the network around it.
    #[error("{0} is on this machine or a private network; only public addresses are fetched")]
    Private(String),
    #[error("{0} sent on too often")]
    RedirectLoop(String),
    #[error("{host} was silent for {seconds} seconds")]
    Silent { host: String, seconds: u64 },
    #[error("the answer of {host} is over {limit} bytes")]
    TooLarge { host: String, limit: usize },
    #[error("cannot reach {host}: {reason}")]
    Unreachable { host: String, obstacle: Obstacle, reason: String },
    /// The connection broke after the answer had begun.
    #[error("the answer of {host} broke off: {reason}")]
    Broken { host: String, reason: String },
    #[error("a header holds a character that HTTP cannot carry: {0}")]
    Header(String),
    #[error("cannot set up HTTP: {0}")]
    Setup(String),
}

impl Error {
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Address(..) | Self::Header(_) => ErrorKind::Invalid,
            Self::Insecure(_) | Self::OtherOrigin(_) | Self::Redirected { .. } | Self::Private(_) => {
                ErrorKind::Denied
            }
            Self::RedirectLoop(_)
            | Self::Silent { .. }
            | Self::TooLarge { .. }
            | Self::Unreachable { .. }
            | Self::Broken { .. } => ErrorKind::Unavailable,
            Self::Setup(_) => ErrorKind::Internal,
        }
    }
}

/// What stands between this machine and a host, as far as it can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// No address is known for its name.
    Unknown,
    /// It is there, and nothing listens at the port.
    Refused,
    /// Its certificate is not to be trusted.
    Untrusted,
    Other,
}

impl Obstacle {
    /// What `error`, or what led to it, is about.
    pub(crate) fn of(error: &(dyn std::error::Error + 'static)) -> Self {
        let mut cause = Some(error);
        while let Some(error) = cause {
            let io = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
            // The other two come from crates whose errors are not ours to name.
            let said = error.to_string();
            if io == Some(std::io::ErrorKind::ConnectionRefused) {
                return Self::Refused;
            } else if said.starts_with("dns error") {
                return Self::Unknown;
            } else if said.contains("certificate") {
                return Self::Untrusted;
            }
            cause = error.source();
        }
        Self::Other
    }
}

/// The innermost reason of `error`, which says more than "error sending request".
pub(crate) fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut reason = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        reason = inner.to_string();
        source = inner.source();
    }
    reason
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{said}")]
    struct Said {
        said: &'static str,
        #[source]
        cause: io::Error,
    }

    #[test]
    fn what_stands_in_the_way_is_found_below_what_was_said_of_it() {
        let of = |said, cause: io::Error| Obstacle::of(&Said { said, cause } as &(dyn Error + 'static));
        assert_eq!(of("client error", io::ErrorKind::ConnectionRefused.into()), Obstacle::Refused);
        assert_eq!(of("dns error", io::Error::other("failed to look up")), Obstacle::Unknown);
        let untrusted = io::Error::other("invalid peer certificate: UnknownIssuer");
        assert_eq!(of("client error", untrusted), Obstacle::Untrusted);
        assert_eq!(of("client error", io::ErrorKind::HostUnreachable.into()), Obstacle::Other);
    }
}
