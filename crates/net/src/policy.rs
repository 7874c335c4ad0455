//! Where a request may go.

use url::{Host, Url};

use crate::Error;

/// Scheme, host and port of an address that the user configured. Holding one is the permission to
/// talk to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    origin: url::Origin,
    name: String,
    loopback: bool,
}

impl Origin {
    /// The origin of `address`: https, or http where the host is this machine (`localhost`, `127.…`,
    /// `[::1]`). An address that carries a user name or password is refused: a URL is no place for a
    /// secret.
    pub fn of(address: &Url) -> Result<Self, Error> {
        let refuse = |why: &str| Error::Address(without_secrets(address), why.into());
        let host = address.host().ok_or_else(|| refuse("it has no host"))?;
        if !address.username().is_empty() || address.password().is_some() {
            return Err(refuse("it carries a user name or password"));
        }
        let loopback = is_loopback(&host);
        let name = match address.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_string(),
        };
        match address.scheme() {
            "https" => {}
            "http" if loopback => {}
            "http" => return Err(Error::Insecure(name)),
            scheme => return Err(refuse(&format!("{scheme} is another protocol"))),
        }
        Ok(Self { origin: address.origin(), name, loopback })
    }

    /// The origin of the address in `text`.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let address = Url::parse(text).map_err(|error| Error::Address(text.into(), error.to_string()))?;
        Self::of(&address)
    }

    /// Host and port, for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether this is the machine itself.
    pub fn is_loopback(&self) -> bool {
        self.loopback
    }

    pub(crate) fn holds(&self, address: &Url) -> bool {
        address.origin() == self.origin
    }
}

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => name.trim_end_matches('.').eq_ignore_ascii_case("localhost"),
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => {
            address.is_loopback() || address.to_ipv4_mapped().is_some_and(|address| address.is_loopback())
        }
    }
}

pub(crate) fn without_secrets(address: &Url) -> String {
    let mut address = address.clone();
    // Only an address that cannot have a user name refuses to drop it.
    let _ = address.set_username("");
    let _ = address.set_password(None);
    address.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<(&str, bool), &str>) {
        let got = Origin::parse(text);
        match (&got, expected) {
            (Ok(origin), Ok(expected)) => assert_eq!((origin.name(), origin.is_loopback()), expected),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{text}: {error}"),
            _ => panic!("{text}: {got:?}"),
        }
    }

    #[test]
    fn https_anywhere_and_http_at_home() {
        check("https://api.example.org/v1", Ok(("api.example.org", false)));
        check("https://api.example.org:8443", Ok(("api.example.org:8443", false)));
        check("http://localhost:11434/v1", Ok(("localhost:11434", true)));
        check("http://127.1:80/", Ok(("127.0.0.1", true)));
        check("http://[::1]:9/", Ok(("[::1]:9", true)));
        check("http://2130706433/", Ok(("127.0.0.1", true)));
        check("http://example.org", Err("needs https"));
        check("http://192.168.1.2:11434", Err("needs https"));
        check("http://localhost.example.org", Err("needs https"));
        check("file:///etc/passwd", Err("no host"));
        check("ftp://example.org", Err("another protocol"));
        check("https://me:secret@example.org", Err("user name or password"));
        check("example.org", Err("relative URL"));
    }

    #[test]
    fn secrets_stay_out_of_messages() {
        let error = Origin::parse("https://me:secret@example.org/").unwrap_err();
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
