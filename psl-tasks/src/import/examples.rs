//! The examples of the reference implementation: a YAML map of prompts and golds by name.
//!
//! Invariants: reading takes memory linear in the text, and nothing recurses, whatever the nesting.

use std::{collections::HashMap, fmt, rc::Rc};

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, StrInput};

/// The examples in the order of the text.
#[derive(Debug, Default)]
pub struct Examples {
    /// The examples.
    pub list: Vec<Example>,
    /// One note for each key that has no meaning here, starting with its place.
    pub notes: Vec<String>,
}

#[derive(Debug)]
pub struct Example {
    /// The line and column of its name.
    pub place: LineColumn,
    pub name: String,
    /// The prompt, or `None` if it is missing or null.
    pub prompt: Option<Rc<str>>,
    /// The gold, or `None` if it is missing or null.
    pub gold: Option<Rc<str>>,
}

/// A 1-based line and column.
#[derive(Clone, Copy, Debug)]
pub struct LineColumn {
    line: usize,
    column: usize,
}

/// The first error of a text.
#[derive(Debug)]
pub struct YamlError {
    place: LineColumn,
    message: String,
}

/// The form of the whole file.
const FORM: &str = "write `examples: {NAME: {prompt: \"…\", gold: \"…\"}}`";

impl Examples {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// The text is not YAML, or it does not have the form of examples.
    pub fn parse(text: &str) -> Result<Self, YamlError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader { events: Parser::new_from_str(text), anchored: HashMap::new(), aliased: 0 };
        let mut examples = None;
        let mut notes = Vec::new();
        reader.document(|reader, key, place| {
            if key == "examples" {
                examples = Some(reader.examples(&mut notes)?);
                Ok(())
            } else {
                notes.push(ignored(&key, place));
                reader.skip()
            }
        })?;
        match examples {
            Some(list) => Ok(Self { list, notes }),
            None => Err(YamlError::new(LineColumn::START, format!("`examples` is missing: {FORM}"))),
        }
    }
}

fn ignored(key: &str, place: LineColumn) -> String {
    format!("{place}: ignored the key `{key}`")
}

/// The events of a text, read in order.
struct Reader<'t> {
    events: Parser<'t, StrInput<'t>>,
    /// The texts that aliases stand for.
    anchored: HashMap<usize, Option<Rc<str>>>,
    /// The length of all aliased texts, in bytes.
    aliased: usize,
}

/// Maximum length of all aliased texts, in bytes. More would exceed the maximum size of a program.
const MAX_ALIASED: usize = 16 << 20;

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<(Event<'t>, LineColumn), YamlError> {
        match self.events.next_event() {
            Some(Ok((event, span))) => Ok((event, LineColumn::of(span.start))),
            Some(Err(error)) => Err(YamlError::new(LineColumn::of(*error.marker()), error.info().to_owned())),
            None => Ok((Event::StreamEnd, LineColumn::START)),
        }
    }

    /// Reads the only document, a map. `value` reads the value of each key.
    fn document(
        &mut self,
        value: impl FnMut(&mut Self, String, LineColumn) -> Result<(), YamlError>,
    ) -> Result<(), YamlError> {
        loop {
            let (event, place) = self.next()?;
            match event {
                Event::StreamStart | Event::DocumentStart(_) => {}
                Event::MappingStart(..) => break,
                _ => return Err(unexpected("a map with the key `examples`", &event, place, FORM)),
            }
        }
        self.entries(value)?;
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(()),
                (Event::DocumentEnd, _) => {}
                (_, place) => {
                    let message = "expected one document, found a second one: move its examples to the first one";
                    return Err(YamlError::new(place, message.to_owned()));
                }
            }
        }
    }

    /// Reads the rest of a map. `value` reads the value of each key.
    fn entries(
        &mut self,
        mut value: impl FnMut(&mut Self, String, LineColumn) -> Result<(), YamlError>,
    ) -> Result<(), YamlError> {
        let mut seen: HashMap<String, LineColumn> = HashMap::new();
        loop {
            let (event, place) = self.next()?;
            let key = match event {
                Event::MappingEnd => return Ok(()),
                Event::Scalar(key, ..) => key.into_owned(),
                event => return Err(unexpected("a key", &event, place, "write it as text")),
            };
            if let Some(first) = seen.insert(key.clone(), place) {
                let line = first.line;
                let message = format!("duplicate key `{key}`: rename or remove this one or the one on line {line}");
                return Err(YamlError::new(place, message));
            }
            value(self, key, place)?;
        }
    }

    fn examples(&mut self, notes: &mut Vec<String>) -> Result<Vec<Example>, YamlError> {
        let (event, place) = self.next()?;
        if !matches!(event, Event::MappingStart(..)) {
            return Err(unexpected("a map of examples", &event, place, FORM));
        }
        let mut list = Vec::new();
        self.entries(|reader, name, place| {
            list.push(reader.example(name, place, notes)?);
            Ok(())
        })?;
        Ok(list)
    }

    fn example(&mut self, name: String, place: LineColumn, notes: &mut Vec<String>) -> Result<Example, YamlError> {
        let (event, start) = self.next()?;
        if !matches!(event, Event::MappingStart(..)) {
            return Err(unexpected("a prompt and a gold", &event, start, "write `{prompt: \"…\", gold: \"…\"}`"));
        }
        let mut example = Example { place, name, prompt: None, gold: None };
        self.entries(|reader, key, place| {
            match key.as_str() {
                "prompt" => example.prompt = reader.text()?,
                "gold" => example.gold = reader.text()?,
                _ => {
                    notes.push(ignored(&key, place));
                    reader.skip()?;
                }
            }
            Ok(())
        })?;
        Ok(example)
    }

    /// Reads a text, as it is written: `101` and `yes` are texts too. Returns `None` for null.
    fn text(&mut self) -> Result<Option<Rc<str>>, YamlError> {
        let (event, place) = self.next()?;
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let text = (!is_null(&text, style)).then(|| Rc::from(text));
                if anchor > 0 {
                    self.anchored.insert(anchor, text.clone());
                }
                Ok(text)
            }
            Event::Alias(anchor) => match self.anchored.get(&anchor) {
                Some(text) => {
                    self.aliased += text.as_ref().map_or(0, |text| text.len());
                    if self.aliased > MAX_ALIASED {
                        let message = format!("the aliases stand for more than {MAX_ALIASED} bytes: use fewer");
                        return Err(YamlError::new(place, message));
                    }
                    Ok(text.clone())
                }
                None => Err(unexpected(TEXT, &event, place, "write the text of the prompt or gold here")),
            },
            event => Err(unexpected(TEXT, &event, place, "separate symbols by spaces, as in `\"Q a b A\"`")),
        }
    }

    /// Reads a value that has no meaning here.
    fn skip(&mut self) -> Result<(), YamlError> {
        let mut depth = 0_usize;
        loop {
            match self.next()?.0 {
                Event::MappingStart(..) | Event::SequenceStart(..) => depth += 1,
                Event::MappingEnd | Event::SequenceEnd => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

const TEXT: &str = "text";

fn is_null(text: &str, style: ScalarStyle) -> bool {
    style == ScalarStyle::Plain && ["", "~", "null", "Null", "NULL"].contains(&text)
}

fn unexpected(expected: &str, found: &Event<'_>, place: LineColumn, help: &str) -> YamlError {
    let found = match found {
        Event::Scalar(text, style, ..) if is_null(text, *style) => "nothing",
        Event::Scalar(..) => TEXT,
        Event::SequenceStart(..) => "a list",
        Event::MappingStart(..) => "a map",
        Event::Alias(_) => "an alias",
        _ => "the end",
    };
    YamlError::new(place, format!("expected {expected}, found {found}: {help}"))
}

impl YamlError {
    fn new(place: LineColumn, message: String) -> Self {
        Self { place, message }
    }
}

impl fmt::Display for YamlError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.message)
    }
}

impl LineColumn {
    const START: Self = Self { line: 1, column: 1 };

    fn of(marker: Marker) -> Self {
        Self { line: marker.line(), column: marker.col() + 1 }
    }
}

impl fmt::Display for LineColumn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.line, self.column)
    }
}
