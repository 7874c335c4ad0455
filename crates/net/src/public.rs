//! Addresses that anybody may ask: those of the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use futures::FutureExt;
use futures::future::BoxFuture;
use url::{Host, Url};

use crate::Error;
use crate::policy::without_secrets;

/// The address of a page: http or https, a host, and nobody's password in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PageUrl(Url);

impl PageUrl {
    /// Errors: [`Error::Address`] with what is wrong.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let url = Url::parse(text.trim()).map_err(|error| Error::Address(text.into(), error.to_string()))?;
        Self::of(url)
    }

    fn of(mut url: Url) -> Result<Self, Error> {
        let refuse = |why: &str| Err(Error::Address(without_secrets(&url), why.into()));
        if !matches!(url.scheme(), "http" | "https") {
            return refuse("only http and https are fetched");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return refuse("it carries a user name or password");
        }
        if url.host_str().is_none_or(str::is_empty) {
            return refuse("it has no host");
        }
        // A server never sees it.
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// Where `place`, as this page names it, leads.
    pub(crate) fn join(&self, place: &str) -> Result<Self, Error> {
        let url = self.0.join(place).map_err(|error| Error::Address(place.into(), error.to_string()))?;
        Self::of(url)
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// In lower case, as names are looked up.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    /// The address that stands in place of a name.
    pub(crate) fn literal(&self) -> Option<IpAddr> {
        match self.0.host()? {
            Host::Domain(_) => None,
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
        }
    }

    /// Whether both are of one scheme, host and port.
    pub fn same_origin(&self, other: &Self) -> bool {
        self.0.origin() == other.0.origin()
    }
}

/// Which addresses a name has, and which addresses may be asked. A seam: there is no public internet in a
/// test.
pub trait Addresses: Send + Sync + 'static {
    fn look_up<'a>(&'a self, host: &'a str) -> BoxFuture<'a, std::io::Result<Vec<SocketAddr>>>;
    fn is_public(&self, address: IpAddr) -> bool;
}

/// The resolver of the system and the registries of IANA.
#[derive(Debug, Clone, Copy)]
pub struct Internet;

impl Addresses for Internet {
    fn look_up<'a>(&'a self, host: &'a str) -> BoxFuture<'a, std::io::Result<Vec<SocketAddr>>> {
        // The port is the one of the URL; zero stands for that.
        async move { Ok(tokio::net::lookup_host((host, 0)).await?.collect()) }.boxed()
    }

    fn is_public(&self, address: IpAddr) -> bool {
        is_public(address)
    }
}

/// Whether `address` is of the public internet: reachable from anywhere and meant for one host, by IANA's
/// registries of special-purpose addresses (RFC 6890 and what was registered since). What carries an IPv4
/// address in it (mapped, NAT64) is as public as that one; tunnels of the past (6to4, Teredo) are not.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let special = match address.octets() {
        [0 | 10 | 127, ..] => true,
        [100, second, ..] => second & 0xc0 == 64,
        [169, 254, ..] => true,
        [172, second, ..] => second & 0xf0 == 16,
        [192, 0, 0 | 2, _] | [192, 88, 99, _] | [192, 168, ..] => true,
        [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        // Multicast, reserved, broadcast.
        [first, ..] => first >= 224,
    };
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    let segments = address.segments();
    if let [0x64, 0xff9b, 0, 0, 0, 0, high, low] = segments {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    let [first, second, ..] = segments;
    // Of all there is, 2000::/3 is given out for single hosts.
    let unicast = first & 0xe000 == 0x2000;
    let special = match first {
        0x2001 => second < 0x200 || second == 0xdb8,
        0x2002 => true,
        0x3fff => second < 0x1000,
        _ => false,
    };
    unicast && !special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_internet_is_public() {
        for public in [
            "1.1.1.1",
            "172.15.0.1",
            "172.32.0.1",
            "100.63.0.1",
            "100.128.0.1",
            "192.0.1.1",
            "223.255.255.254",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for public in ["2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101", "2001:200::1", "2a00:1450::1"]
        {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for private in [
            "0.0.0.0",
            "10.1.2.3",
            "127.0.0.1",
            "127.9.9.9",
            "100.64.0.1",
            "100.127.255.255",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
        for private in [
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "5f00::1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
    }

    #[test]
    fn a_page_has_a_host_and_no_password() {
        let page = PageUrl::parse(" https://Bücher.example:8443/a?b#c ").unwrap();
        assert_eq!(
            (page.as_str(), page.host()),
            ("https://xn--bcher-kva.example:8443/a?b", "xn--bcher-kva.example")
        );
        assert_eq!(PageUrl::parse("http://0x7f.1/").unwrap().literal(), Some(Ipv4Addr::LOCALHOST.into()));
        for wrong in
            ["file:///etc/passwd", "ftp://a.example/", "data:text/plain,a", "javascript:1", "a.example", ""]
        {
            assert!(PageUrl::parse(wrong).is_err(), "{wrong}");
        }
        let error = PageUrl::parse("https://me:secret@a.example/").unwrap_err();
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
