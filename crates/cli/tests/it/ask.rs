//! A turn that is asked for from one process and runs in another.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::bench::Bench;
use crate::serve::{Served, stream};

/// A model that says one word to whoever asks first, and then nothing for as long as it is listened to.
fn endless() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let mut request = BufReader::new(socket.try_clone().unwrap());
        let mut line = String::new();
        while request.read_line(&mut line).unwrap() > 2 {
            line.clear();
        }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
        let once = json!({ "choices": [{ "index": 0, "delta": { "content": "Once" } }] });
        socket.write_all(format!("{head}data: {once}\n\n").as_bytes()).unwrap();
        // Until the other side hangs up.
        request.read_to_end(&mut Vec::new()).ok();
    });
    base_url
}

#[test]
fn an_interrupt_stops_the_turn_that_another_process_runs() {
    let bench = Bench::new();
    let served = Served::start(&bench);
    let cookie = served.cookie();
    let model = json!({
        "name": "Endless", "baseUrl": endless(), "model": "m", "contextTokens": 8000, "tools": true,
    });
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
