//! The loopback host: who gets in, what it answers, and that other processes go through it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::bench::Bench;

pub struct Served {
    child: Child,
    port: u16,
    token: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        // Ended already where a test looked at how.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct Answer {
    pub status: u16,
    head: String,
    pub body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

impl Served {
    pub fn start(bench: &Bench) -> Self {
        let mut child = bench
            .command()
            .args(["serve", "--port", "0", "--kb", "notes"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut link = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut link).unwrap();
        let (address, token) = link.trim_end().split_once("/#token=").unwrap();
        let port = address.rsplit(':').next().unwrap().parse().unwrap();
        Self { child, port, token: token.to_owned() }
    }

    pub fn connect(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut socket = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let mut request = format!("{method} {path} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: 127.0.0.1:{}\r\n", self.port));
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("Connection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len()));
        socket.write_all(request.as_bytes()).unwrap();
        socket
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut bytes = Vec::new();
        self.connect(method, path, headers, body).read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Trades the token for the cookie.
    fn sign_in(&self) -> Answer {
        let body = json!({ "token": self.token }).to_string();
        let headers = [("Origin", self.origin()), ("Content-Type", "application/json".into())];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        self.send("POST", "/session", &headers, &body)
    }

    pub fn cookie(&self) -> String {
        let answer = self.sign_in();
        assert_eq!(answer.status, 204);
        answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
    }

    pub fn rpc(&self, cookie: &str, method: &str, params: &Value) -> Answer {
        let path = format!("/rpc/{method}");
        self.send("POST", &path, &[("Origin", &self.origin()), ("Cookie", cookie)], &params.to_string())
    }
}

#[test]
fn only_the_link_lets_a_browser_in_and_only_once() {
    let served = Served::start(&Bench::new());
    let origin = served.origin();
    let answer = served.rpc("", "kb.list", &json!({}));
    assert_eq!((answer.status, &answer.json()["code"]), (401, &json!("notSignedIn")));
    assert_eq!(served.rpc("orangery-1=x", "kb.list", &json!({})).status, 401);
    assert_eq!(served.send("GET", "/events", &[], "").status, 401);
    assert_eq!(served.send("GET", "/blob/file/1/a.png", &[], "").status, 401);

    let signed = served.sign_in();
    let set = signed.header("set-cookie").unwrap().to_owned();
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict"), "{set}");
    assert_eq!(served.sign_in().status, 401, "the link is spent");
    let cookie = set.split(';').next().unwrap();
    let answer = served.rpc(cookie, "kb.list", &json!({}));
    assert_eq!((answer.status, answer.json().as_array().unwrap().len()), (200, 1));

    // The cookie does not help a page of elsewhere, nor a name that was made to lead here.
    let port = served.port;
    for headers in [
        vec![("Cookie", cookie), ("Origin", "http://evil.example")],
        vec![("Cookie", cookie), ("Origin", "null")],
        vec![("Cookie", cookie)],
        vec![("Cookie", cookie), ("Origin", &origin), ("Host", "evil.example")],
        vec![("Cookie", cookie), ("Origin", &origin), ("Sec-Fetch-Site", "cross-site")],
    ] {
        let answer = served.send("POST", "/rpc/kb.list", &headers, "{}");
        assert_eq!(answer.status, 403, "{headers:?} {}", answer.body);
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    let rebound = [("Host", format!("evil.example:{port}"))];
    let rebound = rebound.each_ref().map(|(name, value)| (*name, value.as_str()));
    assert_eq!(served.send("GET", "/", &rebound, "").status, 403);
}

#[test]
fn answers_carry_what_keeps_them_harmless() {
    let bench = Bench::new();
    bench.write("图 1.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
    bench.write("page.html", "<script>alert(1)</script>");
    let served = Served::start(&bench);
    let cookie = served.cookie();
    let get = |path: &str| served.send("GET", path, &[("Cookie", &cookie)], "");

    let svg = get("/blob/file/1/%E5%9B%BE%201.svg");
    assert_eq!((svg.status, svg.header("content-type")), (200, Some("image/svg+xml")), "{}", svg.body);
    assert!(svg.header("content-security-policy").unwrap().contains("sandbox"));
    let page = get("/blob/file/1/page.html");
    assert_eq!(page.header("content-type"), Some("application/octet-stream"));
    assert_eq!(page.header("content-disposition"), Some("attachment"));
    assert_eq!(get("/blob/file/1/none.png").status, 404);
    assert_eq!(get("/blob/file/1/..%2F..%2Fdata%2Forangery.db").status, 403);

    let reply = served.rpc(&cookie, "setting.get", &json!({}));
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(reply.header(name), Some(value), "{}", reply.head);
    }
    let error = served.rpc(&cookie, "kb.rename", &json!({ "kbId": 99, "name": "x" }));
    assert_eq!((error.status, &error.json()["code"]), (404, &json!("noKnowledgeBase")));
    let error = served.rpc(&cookie, "kb.rename", &json!({ "kbId": "x" }));
    assert_eq!((error.status, &error.json()["code"]), (400, &json!("badParameters")));
}

/// The events on a stream, each as its data.
pub fn stream(socket: TcpStream) -> impl Iterator<Item = Value> {
    BufReader::new(socket)
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
}

#[test]
fn events_stream_and_go_on_where_a_client_was() {
    let served = Served::start(&Bench::new());
    let cookie = served.cookie();
    let mut events = stream(served.connect("GET", "/events?since=0", &[("Cookie", &cookie)], ""));
    assert_eq!(events.next().unwrap()["event"]["type"], "resync");
    let settings = served.rpc(&cookie, "setting.get", &json!({})).json();
    served.rpc(&cookie, "setting.set", &json!({ "settings": settings }));
    let stale = json!({ "type": "stale", "tags": ["settings"] });
    let seq = events.find(|event| event["event"] == stale).unwrap()["seq"].as_u64().unwrap();

    let before = (seq - 1).to_string();
    let headers = [("Cookie", cookie.as_str()), ("Last-Event-ID", before.as_str())];
    let mut again = stream(served.connect("GET", "/events?since=0", &headers, ""));
    let first = again.next().unwrap();
    assert_eq!((first["seq"].as_u64(), &first["event"]), (Some(seq), &stale));
}

#[test]
fn another_process_goes_through_the_host_and_outlives_it() {
    let bench = Bench::new();
    bench.write("a.md", "# 玻璃\n");
    let mut served = Served::start(&bench);
    let cookie = served.cookie();
    bench.json(["settings", "set", "theme", "dark"]);
    assert_eq!(served.rpc(&cookie, "setting.get", &json!({})).json()["theme"], "dark");
    bench.json(["index", "notes"]);
    let page = bench.json(["search", "玻璃"]);
    assert_eq!(page["groups"][0]["place"]["path"], "a.md");

    // SIGKILL: no lock stays, nothing is lost.
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    assert_eq!(bench.json(["settings", "get", "theme"]), "dark");
    assert_eq!(bench.json(["search", "玻璃"])["groups"][0]["place"]["path"], "a.md");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_in_good_order() {
    let bench = Bench::new();
    let mut served = Served::start(&bench);
    let cookie = served.cookie();
    let mut events = stream(served.connect("GET", "/events?since=0", &[("Cookie", &cookie)], ""));
    events.next().unwrap();
    let pid = served.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(served.child.wait().unwrap().code(), Some(130));
    assert_eq!(events.find(|event| event["event"]["type"] == "resync"), None);
    let left: Vec<_> = std::fs::read_dir(bench.top().join("data"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert!(!left.iter().any(|name| name == "owner.sock" || name == "owner.address"), "{left:?}");
}
