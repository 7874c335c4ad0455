//! A turn that is asked for from one process and runs in another.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::serve::{Served, stream};

/// A model that answers whoever asks first with `delta`, and then says nothing for as long as it is
/// listened to.
fn endless(delta: &Value) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let piece = json!({ "choices": [{ "index": 0, "delta": delta }] });
    std::thread::spawn(move || serve(&listener, &format!("data: {piece}\n\n")));
    base_url
}

/// A model that answers once with `delta`, and ends for `reason`.
fn answering(delta: &Value, reason: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let piece = json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }] });
    std::thread::spawn(move || serve(&listener, &format!("data: {piece}\n\ndata: [DONE]\n\n")));
    base_url
}

/// A model that hangs up in the middle of its answer.
fn cut_off() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let piece = json!({ "choices": [{ "index": 0, "delta": { "content": "Once" } }] });
    std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        head_of(&socket);
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
        socket.write_all(format!("{head}data: {piece}\n\n").as_bytes()).unwrap();
    });
    base_url
}

/// A model that wants to call a tool, and ends there.
fn calling(tool: &str, arguments: &Value) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let call = json!({
        "index": 0, "id": "c1", "type": "function",
        "function": { "name": tool, "arguments": arguments.to_string() },
    });
    let piece = json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [call] } }] });
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] });
    std::thread::spawn(move || {
        serve(&listener, &format!("data: {piece}\n\ndata: {end}\n\ndata: [DONE]\n\n"))
    });
    base_url
}

/// Answers one request with `events`, and holds the line until the other side hangs up.
fn serve(listener: &TcpListener, events: &str) {
    let (mut socket, _) = listener.accept().unwrap();
    let mut request = head_of(&socket);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    socket.write_all(format!("{head}{events}").as_bytes()).unwrap();
    request.read_to_end(&mut Vec::new()).ok();
}

/// Reads the head of a request.
fn head_of(socket: &TcpStream) -> BufReader<TcpStream> {
    let mut request = BufReader::new(socket.try_clone().unwrap());
    let mut line = String::new();
    while request.read_line(&mut line).unwrap() > 2 {
        line.clear();
    }
    request
}

fn model(name: &str, base_url: &str) -> Value {
    json!({ "name": name, "baseUrl": base_url, "model": "m", "contextTokens": 8000, "tools": true })
}

#[test]
fn an_interrupt_stops_the_turn_that_another_process_runs() {
    let bench = Bench::new();
    let served = Served::start(&bench);
    let cookie = served.cookie();
    let model = model("Endless", &endless(&json!({ "content": "Once" })));
    assert_eq!(served.rpc(&cookie, "model.save", &model).status, 200);
    let events = served.connect("GET", "/events?since=0", &[("Cookie", &cookie)], "");
    // Longer than anything here takes, so that a turn that goes on fails the test.
    events.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut ask = bench
        .command()
        .args(["ask", "Tell me", "--model", "Endless"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut heard = [0; 4];
    ask.stdout.take().unwrap().read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"Once");
    assert!(Command::new("kill").args(["-INT", &ask.id().to_string()]).status().unwrap().success());
    assert_eq!(ask.wait().unwrap().code(), Some(130));
    let ended = stream(events).find(|event| event["event"]["type"] == "turnEnded");
    assert!(ended.is_some(), "the turn goes on");
    assert_eq!(served.rpc(&cookie, "session.list", &json!({})).json()[0]["running"], json!(null));
}

#[test]
fn a_turn_without_an_answer_is_a_failure() {
    let bench = Bench::with(&[("a.md", b"one\n")]);
    let served = Served::start(&bench);
    let cookie = served.cookie();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let away = format!("http://{closed}/v1");
    for (name, base_url, notice) in [
        ("Away", away, "modelNotListening"),
        ("Half", cut_off(), "modelBrokeOff"),
        ("Silent", answering(&json!({ "content": "" }), "stop"), "answerEmpty"),
        ("Short", answering(&json!({ "content": "One day" }), "length"), "answerCutShort"),
    ] {
        assert_eq!(served.rpc(&cookie, "model.save", &model(name, &base_url)).status, 200);
        let asked = bench.ends(5, ["ask", "Tell me", "--model", name, "--kb", "notes"]);
        assert_eq!(asked["notices"], json!([notice]), "{asked}");
    }
}

#[test]
fn a_turn_that_needs_an_approval_stops_there_and_shows_the_card() {
    let bench = Bench::with(&[("a.md", b"one\n")]);
    let outside = bench.top().join("outside.md");
    std::fs::write(&outside, "words outside\n").unwrap();
    let served = Served::start(&bench);
    let model = model("Reader", &calling("read", &json!({ "path": outside })));
    assert_eq!(served.rpc(&served.cookie(), "model.save", &model).status, 200);
    let asked = bench.ends(4, ["ask", "Read it", "--model", "Reader", "--level", "L3", "--kb", "notes"]);
    assert_eq!(asked["asked"]["question"], "outsideRead", "{asked}");
    assert!(!asked.to_string().contains("words outside"), "{asked}");
}
