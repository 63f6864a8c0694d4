//! Pages in Chromium, on a phone and on a desk, in both colour schemes: nothing sticks out of the page, text has enough contrast, links lead
//! where they say, and all can be reached by keys. Scripts are off.
//!
//! `FARKAS_CHROMIUM` names the browser where it is not in the path as `chromium`. `FARKAS_SCREENSHOTS=DIR` keeps pictures of what was
//! looked at. The browser is spoken to by its remote debugging protocol, in JSON with zero bytes between messages.

use crate::pages;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use farkas_test::scratch;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Seconds for a browser in all: one that does not answer is ended.
const SECONDS: u32 = 240;

/// The browser, where there is one.
fn chromium() -> Option<PathBuf> {
    let named = env::var_os("FARKAS_CHROMIUM").map(PathBuf::from);
    named.or_else(|| {
        let folders = env::var_os("PATH")?;
        let files = env::split_paths(&folders).map(|folder| folder.join("chromium"));
        files.into_iter().find(|file| file.exists())
    })
}

/// A browser with one page.
struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    events: VecDeque<Value>,
    session: Option<String>,
    calls: u64,
}

impl Browser {
    fn start(browser: &Path, name: &str) -> Browser {
        // The browser reads from descriptor 3 and writes to 4.
        let script = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut process = Command::new("timeout")
            .args([&SECONDS.to_string(), "sh", "-c", script])
            .arg(browser)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--remote-debugging-pipe",
            ])
            .arg(format!("--user-data-dir={}", scratch().join(name).display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let mut browser = Browser {
            to: process.stdin.take().expect("a pipe"),
            from: BufReader::new(process.stdout.take().expect("a pipe")),
            process,
            events: VecDeque::new(),
            session: None,
            calls: 0,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        browser.call("Page.enable", json!({}));
        browser.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
        browser
    }

    fn receive(&mut self) -> Value {
        let mut message = Vec::new();
        self.from.read_until(0, &mut message).expect("the browser speaks");
        message.pop();
        serde_json::from_slice(&message).expect("the browser answers")
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        write!(self.to, "{message}\0").expect("the browser reads");
        loop {
            let answer = self.receive();
            if answer["id"] == json!(self.calls) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.events.push_back(answer);
        }
    }

    /// Waits for an event.
    fn wait_for(&mut self, event: &str) {
        while let Some(known) = self.events.pop_front() {
            if known["method"] == json!(event) {
                return;
            }
        }
        while self.receive()["method"] != json!(event) {}
    }

    fn open(&mut self, page: &Path) {
        self.events.clear();
        let url = format!("file://{}", page.display());
        self.call("Page.navigate", json!({ "url": url }));
        self.wait_for("Page.loadEventFired");
    }

    /// Sees the page on a screen of this width.
    fn resize(&mut self, width: u32, scheme: &str) {
        let screen = json!({ "width": width, "height": 740, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", screen);
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// The value of an expression in the page.
    fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", asked);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    fn press(&mut self, key: &str, code: u32, text: &str) {
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    fn tab(&mut self) {
        self.press("Tab", 9, "");
    }

    fn enter(&mut self) {
        self.press("Enter", 13, "\r");
    }

    /// Keeps a picture of the page, as far down as this.
    fn shoot(&mut self, file: &Path, most: f64) {
        let size = self.value("({ width: innerWidth, height: document.documentElement.scrollHeight })");
        let height = size["height"].as_f64().unwrap_or(most).min(most);
        let clip = json!({ "x": 0, "y": 0, "width": size["width"], "height": height, "scale": 1 });
        let asked = json!({ "format": "png", "clip": clip, "captureBeyondViewport": true });
        let picture = self.call("Page.captureScreenshot", asked);
        let picture = BASE64_STANDARD.decode(picture["data"].as_str().expect("a picture"));
        fs::write(file, picture.expect("base 64")).expect("a file");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // One that is gone already is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What sticks out of the page, outside of parts that scroll by themselves.
const STICKING_OUT: &str = r#"
(() => {
  const width = document.documentElement.clientWidth;
  const wrong = [];
  if (document.documentElement.scrollWidth > width || innerWidth > width + 20)
    wrong.push(`the page is ${document.documentElement.scrollWidth} wide on a screen of ${width}`);
  for (const element of document.body.querySelectorAll('*:not(.skip)')) {
    if (element.parentElement.closest('pre, .scroll, svg')) continue;
    const box = element.getBoundingClientRect();
    if (box.width && (box.right > width + 1 || box.left < -1)) wrong.push(`${element.tagName} ${element.className}`);
  }
  return wrong.slice(0, 5);
})()"#;

/// Text that is hard to read: its contrast is below 4.5, as WCAG has it.
const FAINT: &str = r#"
(() => {
  const channels = text => (text.match(/[\d.]+/g) || []).map(Number);
  const light = text => {
    const [r, g, b] = channels(text).map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const seen = new Set(), wrong = [];
  for (const element of document.body.querySelectorAll('*')) {
    if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
    if (element.tagName === 'title') continue;
    const style = getComputedStyle(element);
    const isPicture = element.tagName === 'text';
    const front = isPicture ? style.fill : style.color;
    const shape = isPicture && element.parentElement.querySelector(':scope > rect, :scope > circle');
    let behind = element, back = shape ? getComputedStyle(shape).fill : '';
    while (!shape && (!back || channels(back)[3] === 0)) {
      back = getComputedStyle(behind).backgroundColor;
      behind = behind.parentElement;
    }
    const key = front + back;
    if (seen.has(key)) continue;
    seen.add(key);
    const [low, high] = [light(front), light(back)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (!(contrast >= 4.5)) wrong.push(`${element.tagName} ${element.className.baseVal ?? element.className}: ${contrast}`);
  }
  return seen.size > 3 ? wrong : [`only ${seen.size} pairs of colours`];
})()"#;

/// What is wrong with a page in any of four looks.
fn look_at(browser: &mut Browser, name: &str, page: &Path, pictures: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    for width in [360, 1280] {
        for scheme in ["light", "dark"] {
            browser.resize(width, scheme);
            browser.open(page);
            browser.shoot(&pictures.join(format!("{name}-{width}-{scheme}.png")), 4000.0);
            let mut complain = |what: Value, state: &str| {
                let found = what.as_array().expect("a list").iter();
                wrong.extend(found.map(|what| format!("{name}, {width} wide, {scheme}, {state}: {what}")));
            };
            complain(browser.value(STICKING_OUT), "as it opens");
            browser.value("document.querySelectorAll('details').forEach(own => own.open = true)");
            complain(browser.value(STICKING_OUT), "all open");
            complain(browser.value(FAINT), "all open");
            let back = browser.value("getComputedStyle(document.body).backgroundColor");
            let expected = if scheme == "dark" {
                "rgb(13, 17, 23)"
            } else {
                "rgb(255, 255, 255)"
            };
            assert_eq!(back, json!(expected), "{name}: the page follows the colour scheme");
        }
    }
    wrong
}

/// Walks through a page by keys.
fn walk(browser: &mut Browser, page: &Path) {
    browser.resize(360, "light");
    browser.open(page);
    let at = "(() => { const own = document.activeElement, box = own.getBoundingClientRect(); \
              return [own.className || own.tagName, box.left >= 0 && box.top < innerHeight, getComputedStyle(own).outlineStyle]; })()";
    browser.tab();
    assert_eq!(
        browser.value(at),
        json!(["skip", true, "solid"]),
        "the first stop is seen once it is reached"
    );
    browser.enter();
    assert_eq!(browser.value("location.hash"), json!("#main"));

    browser.open(page);
    browser.tab();
    browser.tab();
    assert_eq!(
        browser.value(at),
        json!(["A", true, "solid"]),
        "the first link of the table"
    );
    browser.tab();
    browser.enter();
    assert_eq!(browser.value("location.hash"), json!("#r2"));
    let top = browser.value("document.getElementById('r2').getBoundingClientRect().top");
    let top = top.as_f64().expect("a number");
    assert!((-1.0..200.0).contains(&top), "the nest is at {top}");

    let closed = "document.querySelectorAll('#r2 details:not([open])').length";
    let before = browser.value(closed).as_u64().expect("a number");
    let mut stops = 0;
    while browser.value("document.activeElement.tagName") != json!("SUMMARY") {
        browser.tab();
        stops += 1;
        assert!(stops < 20, "no part to open");
    }
    browser.enter();
    assert_eq!(browser.value(closed), json!(before - 1), "a part opens by a key");
    let text = browser.value("document.querySelector('#r2 details[open] pre').getBoundingClientRect().height > 20");
    assert_eq!(text, json!(true), "what is in the part is seen");
    browser.tab();
    assert_eq!(
        browser.value(at),
        json!(["PRE", true, "solid"]),
        "what scrolls can be scrolled by keys"
    );
}

#[test]
fn pages_can_be_read_on_all_screens() {
    let Some(chromium) = chromium() else {
        eprintln!("chromium is missing: pages are not looked at (FARKAS_CHROMIUM names it)");
        return;
    };
    let pictures = env::var_os("FARKAS_SCREENSHOTS").map_or_else(|| scratch().join("screenshots"), PathBuf::from);
    fs::create_dir_all(&pictures).expect("a folder for pictures");
    let mut pages = pages::of_kernels().to_vec();
    pages.push(("many".to_owned(), pages::of_many()));
    let mut browser = Browser::start(&chromium, "chromium");
    let mut wrong = Vec::new();
    for (name, text) in &pages {
        let file = scratch().join(format!("{name}.html"));
        fs::write(&file, text).expect("a file");
        wrong.extend(look_at(&mut browser, name, &file, &pictures));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (name, _) in &pages {
        walk(&mut browser, &scratch().join(format!("{name}.html")));
    }
}
