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
    #[error("{0} sent on too often")]
    RedirectLoop(String),
    #[error("{host} was silent for {seconds} seconds")]
    Silent { host: String, seconds: u64 },
    #[error("the answer of {host} is over {limit} bytes")]
    TooLarge { host: String, limit: usize },
    #[error("cannot reach {host}: {reason}")]
    Unreachable { host: String, reason: String },
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
            Self::Insecure(_) | Self::OtherOrigin(_) | Self::Redirected { .. } => ErrorKind::Denied,
            Self::RedirectLoop(_)
            | Self::Silent { .. }
            | Self::TooLarge { .. }
            | Self::Unreachable { .. }
            | Self::Broken { .. } => ErrorKind::Unavailable,
            Self::Setup(_) => ErrorKind::Internal,
        }
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
