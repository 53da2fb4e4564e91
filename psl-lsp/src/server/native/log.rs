//! `psl lsp --log FILE`: every message of a session as it was read or written, and the time that work took. One JSON
//! object per line.

use std::{
    fmt::{Debug, Display},
    fs::File,
    io::{self, Write},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use serde_json::{Map, Value};
use tracing::{
    Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id},
};
use tracing_subscriber::{
    layer::{Context, Layer, SubscriberExt as _},
    registry::LookupSpan,
};

/// The log of a session, if there is one.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Open>>);

struct Open {
    file: Mutex<File>,
    start: Instant,
}

/// The sender of a message.
#[derive(Clone, Copy, Debug)]
pub enum Peer {
    /// The editor.
    Client,
    /// The server, whose process writes the log.
    Server,
}

impl Log {
    /// Writes to a new file, or truncates an existing one.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = Mutex::new(File::create(path)?);
        Ok(Self(Some(Arc::new(Open { file, start: Instant::now() }))))
    }

    /// Writes the spans of this process from now on.
    pub fn write_spans(&self) {
        if self.0.is_some() {
            // Only a test has a subscriber already.
            tracing::subscriber::set_global_default(tracing_subscriber::registry().with(self.clone())).ok();
        }
    }

    /// Writes a message as JSON, or the reason why it is malformed: `{"seconds", "from", "message" | "malformed"}`.
    pub fn write_message(&self, from: Peer, message: Result<&dyn Display, &str>) {
        match message {
            Ok(message) => self.write(from, &format!(r#""message":{message}"#)),
            Err(why) => self.write(from, &format!(r#""malformed":{}"#, Value::from(why))),
        }
    }

    /// Writes a line with these fields.
    fn write(&self, from: Peer, fields: &str) {
        let Some(Open { file, start }) = self.0.as_deref() else { return };
        let from = match from {
            Peer::Client => "client",
            Peer::Server => "server",
        };
        let seconds = start.elapsed().as_secs_f64();
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        // A full disk must not end the session.
        writeln!(file, r#"{{"seconds":{seconds},"from":"{from}",{fields}}}"#).ok();
    }
}

/// A span that has not ended.
struct Timed {
    fields: Fields,
    created: Instant,
    entered: Option<Instant>,
}

/// The fields of a span.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}

/// Writes the times of work when it ends: `{"seconds", "from", "work", "id" | "document", "waited", "took"}`.
impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Log {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(Timed { fields, created: Instant::now(), entered: None });
        }
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(timed) = span.extensions_mut().get_mut::<Timed>()
        {
            timed.entered = Some(Instant::now());
        }
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(Timed { mut fields, created, entered: Some(entered) }) = span.extensions_mut().remove()
        {
            fields.0.insert("waited".to_owned(), (entered - created).as_secs_f64().into());
            fields.0.insert("took".to_owned(), entered.elapsed().as_secs_f64().into());
            let fields = Value::Object(fields.0).to_string();
            self.write(Peer::Server, fields.trim_matches(['{', '}']));
        }
    }
}
