//! The server of the explorer's pages, as browsers and other programs on the machine can reach it.

use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    sync::{Arc, mpsc::channel},
};

use psl_explorer::{PageData, explorer_page};
use psl_host::page_server::{ExplorerServer, ServedPage, Template};
use psl_program::File;
use serde_json::Value;

use crate::http::{Address, Events};

const POLICY: &str = "default-src 'none'; connect-src 'none'; base-uri 'none'";

fn template() -> Template {
    let meta = format!(r#"<meta http-equiv="Content-Security-Policy" content="{POLICY}">"#);
    Template::new(&format!("<!doctype html>{meta}<!--psl-data--><p>é</p>"), explorer_page).expect("a template")
}

fn data(text: &str, reveal: bool) -> String {
    let file = File::new(text, Arc::default());
    PageData::new("a.psl", &file, &[]).served(reveal).to_json().expect("JSON")
}

fn add(server: &ExplorerServer, text: &str, reveal: Option<Box<dyn Fn(usize) + Send + Sync>>) -> ServedPage {
    server.add(data(text, reveal.is_some()), reveal).expect("a page")
}

fn update(page: &ServedPage, text: &str) {
    page.update(data(text, false));
}

/// A server with a page that reports no lines.
fn serve() -> (ExplorerServer, ServedPage, Address) {
    let server = ExplorerServer::start(0, template()).expect("a server");
    let page = add(&server, "</script>\r\n<b>", None);
    let address = Address::new(&page.address());
    (server, page, address)
}

/// The number of the next event, and the text of its program.
fn next(events: &mut Events) -> Option<(u64, String)> {
    let (id, data) = events.next()?;
    let data: Value = serde_json::from_str(&data).expect("JSON");
    Some((id, data["text"].as_str().expect("a text").to_owned()))
}

#[test]
fn the_page_is_served_whole_with_its_data() {
    let (_server, _page, address) = serve();
    let answer = address.get("");
    let policy = "default-src 'none'; connect-src 'self'; base-uri 'none'";
    assert_eq!(answer.status, 200);
    let data =
        r#"{"name":"a.psl","text":"\u003c/script>\r\n\u003cb>","prompts":{},"examples":[],"serve":{"reveal":false}}"#;
    let meta = format!(r#"<meta http-equiv="Content-Security-Policy" content="{policy}">"#);
    let script = format!(r#"<script type="application/json" id="psl-data">{data}</script>"#);
    assert_eq!(answer.content, format!("<!doctype html>{meta}{script}<p>é</p>"));
    let expected = [
        &format!("content-security-policy: {policy}; frame-ancestors 'none'"),
        "content-type: text/html; charset=utf-8",
        "cache-control: no-store",
        "referrer-policy: no-referrer",
        "x-content-type-options: nosniff",
    ];
    for line in expected {
        assert!(answer.head.lines().any(|found| found == line), "{line} is missing in {}", answer.head);
    }
    // The page reads the query of its address, not the server.
    assert_eq!(address.get("?cell=3").status, 200);
}

#[test]
fn a_refusal_has_the_headers_too() {
    let (_server, _page, address) = serve();
    let answer = address.request("GET", "/", "", "");
    assert_eq!((answer.status, answer.content.as_str()), (404, ""));
    for line in ["content-security-policy: default-src 'none'; frame-ancestors 'none'", "cache-control: no-store"] {
        assert!(answer.head.lines().any(|found| found == line), "{line} is missing in {}", answer.head);
    }
}

#[test]
fn only_the_secret_leads_to_the_page() {
    let (server, _page, address) = serve();
    let secret = address.path.trim_matches('/');
    assert!(secret.len() == 32 && secret.chars().all(|digit| digit.is_ascii_hexdigit()), "{secret}");
    let other = add(&server, "", None);
    assert_ne!(other.address(), format!("http://{}{}", address.host, address.path));
    let paths = [
        "/".to_owned(),
        "//".to_owned(),
        "/index.html".to_owned(),
        "/events".to_owned(),
        format!("/{secret}"),
        format!("//{secret}/"),
        format!("/{}/", secret.to_uppercase() + "0"),
        format!("/{}/", "0".repeat(32)),
        format!("/{}/events", "0".repeat(32)),
        format!("/{}/", &secret[1..]),
        format!("/?{secret}/"),
    ];
    for path in paths {
        assert_eq!(address.request("GET", &path, "", "").status, 404, "{path}");
    }
}

#[test]
fn no_path_leads_to_a_file() {
    let (_server, _page, address) = serve();
    let names = [
        "Cargo.toml",
        "../Cargo.toml",
        "../../../../../../etc/passwd",
        "..%2f..%2f..%2fetc%2fpasswd",
        "%2e%2e/Cargo.toml",
        "/etc/passwd",
        "./",
        "events/",
        "events/../",
        "%00",
        r"..\Cargo.toml",
    ];
    for name in names {
        assert_eq!(address.get(name).status, 404, "{name}");
    }
    assert_eq!(address.request("GET", "/etc/passwd", "", "").status, 404);
    assert_eq!(address.request("GET", "file:///etc/passwd", "", "").status, 400);
}

#[test]
fn other_websites_are_refused() {
    let (_server, _page, address) = serve();
    let port = address.host.split_once(':').expect("a port").1;
    let answer = |host: &str, lines: &str, name: &str| {
        let request = format!("GET {}{name} HTTP/1.1\r\n{host}{lines}\r\n", address.path);
        address.send(&request).status
    };
    let own = format!("Host: {}\r\n", address.host);
    for host in ["evil.example".to_owned(), format!("evil.example:{port}"), format!("127.0.0.1.evil.example:{port}")] {
        assert_eq!(answer(&format!("Host: {host}\r\n"), "", ""), 403, "{host}");
        assert_eq!(answer(&format!("Host: {host}\r\n"), "", "events"), 403, "{host}");
        assert_eq!(answer(&format!("{own}Host: {host}\r\n"), "", ""), 403, "{host} after the server's");
    }
    for host in ["", "Host:\r\n", "Host: 127.0.0.1\r\n", "Host: 127.0.0.1:1\r\n", "Host: [::1]:1\r\n"] {
        assert_eq!(answer(host, "", ""), 403, "{host}");
    }
    let absolute = format!("GET http://{}{} HTTP/1.1\r\nHost: evil.example\r\n\r\n", address.host, address.path);
    assert_eq!(address.send(&absolute).status, 403);
    let origins =
        ["http://evil.example", "null", "", "http://127.0.0.1", "http://127.0.0.1:1", "file://", "vscode-webview://a"];
    for origin in origins.map(str::to_owned).into_iter().chain([format!("https://127.0.0.1:{port}")]) {
        for name in ["", "events", "reveal", "unknown"] {
            assert_eq!(answer(&own, &format!("Origin: {origin}\r\n"), name), 403, "{origin} {name}");
        }
    }
    assert_eq!(answer(&own, &format!("Origin: http://{}\r\n", address.host), ""), 200);
    assert_eq!(
        answer(&format!("Host: localhost:{port}\r\n"), &format!("Origin: http://localhost:{port}\r\n"), ""),
        200
    );
}

#[test]
fn each_place_has_one_method() {
    let (server, _page, address) = serve();
    let connected = add(&server, "", Some(Box::new(|_| {})));
    let connected = Address::new(&connected.address());
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"] {
        for name in ["", "events"] {
            let answer = address.request(method, &format!("{}{name}", address.path), "Content-Length: 0\r\n", "");
            assert_eq!(answer.status, 405, "{method} {name}");
            assert!(answer.head.contains("allow: get"), "{}", answer.head);
        }
    }
    let answer = connected.get("reveal");
    assert_eq!(answer.status, 405);
    assert!(answer.head.contains("allow: post"), "{}", answer.head);
    assert_eq!(address.request("CONNECT", "evil.example:80", "", "").status, 404);
    assert_eq!(address.send("hello\r\n\r\n").status, 400);
}

#[test]
fn a_click_is_reported_to_its_page() {
    let (server, _page, unconnected) = serve();
    let (sender, lines) = channel();
    let connected = |name: &'static str| {
        let sender = sender.clone();
        add(&server, "", Some(Box::new(move |line| sender.send((name, line)).expect("the test waits"))))
    };
    let pages = [connected("first"), connected("second")];
    assert!(Address::new(&pages[0].address()).get("").content.contains(r#""serve":{"reveal":true}"#));
    let [first, second] = pages.each_ref().map(|page| Address::new(&page.address()));
    assert_eq!(second.post("reveal", r#"{"line": 7}"#).status, 204);
    assert_eq!(first.post("reveal", r#"{"line": 1, "column": 2}"#).status, 204);
    for content in ["", "7", "{}", r#"{"line": 0}"#, r#"{"line": -1}"#, r#"{"line": "7"}"#, r#"{"line": 7"#] {
        assert_eq!(first.post("reveal", content).status, 400, "{content}");
    }
    assert_eq!(unconnected.post("reveal", r#"{"line": 7}"#).status, 404);
    assert_eq!(lines.try_iter().collect::<Vec<_>>(), [("second", 7), ("first", 1)]);
}

#[test]
fn a_content_that_is_too_large_is_refused() {
    let (server, _page, _) = serve();
    let page = add(&server, "", Some(Box::new(|line| panic!("line {line} is reported"))));
    let address = Address::new(&page.address());
    let place = format!("{}reveal", address.path);
    // The server refuses the content before it is sent.
    assert_eq!(address.request("POST", &place, "Content-Length: 1000000000000\r\n", "").status, 413);
    let content = format!("{{\"line\": 1, \"more\": \"{}\"}}", "a".repeat(2000));
    let chunk = format!("{:x}\r\n{content}\r\n0\r\n\r\n", content.len());
    assert_eq!(address.request("POST", &place, "Transfer-Encoding: chunked\r\n", &chunk).status, 413);
}

#[test]
fn a_head_without_an_end_is_refused() {
    let (_server, _page, address) = serve();
    let mut stream = address.connect();
    stream.write_all(b"GET / HTTP/1.1\r\nCookie: ").expect("it is sent");
    let megabyte = "a".repeat(1 << 20);
    assert!((0..64).any(|_| stream.write_all(megabyte.as_bytes()).is_err()), "64 MB are read");
}

#[test]
fn a_head_that_is_too_long_is_refused() {
    let (_server, _page, address) = serve();
    let answer = |length: usize| {
        let mut stream = address.connect();
        let cookie = "a".repeat(length);
        let head = format!("GET {} HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\n\r\n", address.path, address.host);
        let mut answer = Vec::new();
        // A server that refuses a head does not read all of it, so the connection may be reset.
        let ended = stream.write_all(head.as_bytes()).and_then(|()| stream.read_to_end(&mut answer));
        (ended.is_ok(), String::from_utf8_lossy(&answer).chars().take("HTTP/1.1 200".len()).collect::<String>())
    };
    assert_eq!(answer(60_000), (true, "HTTP/1.1 200".to_owned()));
    for length in [66_000, 70_000, 100_000, 130_000] {
        let (ended, status) = answer(length);
        assert!(status == "HTTP/1.1 431" || (!ended && status.is_empty()), "{length}: {status}");
    }
}

#[test]
fn idle_clients_give_way() {
    let (_server, _page, address) = serve();
    let idle: Vec<TcpStream> = (0..250).map(|_| address.connect()).collect();
    assert_eq!(address.get("").status, 200);
    let is_closed = |mut stream: &TcpStream| {
        stream.set_nonblocking(true).expect("a mode");
        !matches!(stream.read(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock)
    };
    // 128 connections are served at a time.
    let closed: Vec<bool> = idle.iter().map(is_closed).collect();
    assert_eq!(closed, (0..250).map(|client| client < 123).collect::<Vec<_>>());
}

#[test]
fn slow_clients_do_not_keep_others_waiting() {
    let (_server, _page, address) = serve();
    let slow: Vec<TcpStream> = (0..200)
        .map(|client| {
            let mut stream = address.connect();
            // Some clients send nothing, others a part of the head.
            let part = "GET / HTTP/1.1\r\nHost: ".get(..client % 20).expect("a part");
            stream.write_all(part.as_bytes()).expect("it is sent");
            stream
        })
        .collect();
    assert_eq!(address.get("").status, 200);
    drop(slow);
}

#[test]
fn changes_are_events() {
    let (server, page, address) = serve();
    let other = add(&server, "other", None);
    address.get("");
    let mut events = address.events("");
    update(&other, "another");
    update(&page, "b\n\ndata: x\u{2028}");
    assert_eq!(next(&mut events), Some((2, "b\n\ndata: x\u{2028}".to_owned())));
    // The same data is not a change.
    update(&page, "b\n\ndata: x\u{2028}");
    update(&page, "c");
    assert_eq!(next(&mut events), Some((3, "c".to_owned())));
    assert!(address.get("").content.contains(r#""text":"c""#));
}

#[test]
fn a_browser_that_connects_again_gets_what_it_missed() {
    let (_server, page, address) = serve();
    update(&page, "b");
    assert_eq!(next(&mut address.events("Last-Event-ID: 1\r\n")), Some((2, "b".to_owned())));
    let mut current = address.events("Last-Event-ID: 2\r\n");
    update(&page, "c");
    assert_eq!(next(&mut current), Some((3, "c".to_owned())));
}

#[test]
fn a_browser_gets_a_change_between_the_page_and_its_events() {
    let (_server, page, address) = serve();
    address.get("");
    update(&page, "b");
    assert_eq!(next(&mut address.events("")), Some((2, "b".to_owned())));
}

#[test]
fn a_removed_page_ends_its_events() {
    let (server, page, address) = serve();
    let other = add(&server, "", None);
    let mut events = address.events("");
    assert!(events.next().is_some());
    drop(page);
    assert_eq!(events.next(), None);
    assert_eq!(address.get("").status, 404);
    assert_eq!(Address::new(&other.address()).get("").status, 200);
}

#[test]
fn a_server_that_stops_frees_its_port() {
    let (server, page, address) = serve();
    let port = address.host.split_once(':').expect("a port").1.parse().expect("a number");
    assert!(ExplorerServer::start(port, template()).is_err(), "two servers on a port");
    let mut events = address.events("");
    assert!(events.next().is_some());
    drop(server);
    assert_eq!(events.next(), None);
    assert!(TcpStream::connect(&address.host).is_err());
    // A page without its server is harmless.
    update(&page, "b");
    drop(page);
}

#[test]
fn a_template_has_its_markers() {
    let page = |policy: &str, data: &str| {
        Template::new(&format!(r#"<meta content="{policy}">{data}"#), explorer_page).is_some()
    };
    assert!(page(POLICY, "<!--psl-data-->"));
    assert!(!page(POLICY, ""));
    assert!(!page("default-src 'none'", "<!--psl-data-->"));
    assert!(!page(POLICY, "<!--psl-data-->connect-src 'none'"));
}
