//! Errors of the JSON reader, reworded for people who do not know it.

/// Phrases of the reader, each with its rewording.
const PHRASES: [(&str, &str); 8] = [
    ("EOF while parsing a list", "the JSON ends in the middle of a list"),
    ("EOF while parsing an object", "the JSON ends in the middle of an object"),
    ("EOF while parsing a string", "the JSON ends in the middle of a string"),
    ("EOF while parsing a value", "the JSON ends where a value is expected"),
    ("invalid type: map,", "found an object,"),
    ("invalid type: sequence,", "found a list,"),
    ("key must be a string", "expected a name in double quotes"),
    ("trailing characters", "expected the end of the JSON, found more text"),
];

/// An error with its place, such as `the JSON ends in the middle of an object at line 1 column 20`.
pub fn in_words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let found = PHRASES.into_iter().find(|(phrase, _)| text.contains(phrase));
    found.map_or_else(|| text.clone(), |(phrase, words)| text.replacen(phrase, words, 1))
}

/// An error in a text of one line, with only the column as its place.
pub fn of_line(error: &serde_json::Error) -> String {
    let text = in_words(error);
    match text.rsplit_once(" at line 1 column ") {
        Some((cause, column)) => format!("{cause} at column {column}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn check(json: &str, expected: &str) {
        let error = serde_json::from_str::<BTreeMap<String, Vec<String>>>(json).map_err(|error| in_words(&error));
        assert_eq!(error, Err(expected.to_owned()), "{json}");
    }

    #[test]
    fn errors_have_words_and_a_place() {
        check("", "the JSON ends where a value is expected at line 1 column 0");
        check("{\"a\": [", "the JSON ends in the middle of a list at line 1 column 7");
        check("{\"a\": []", "the JSON ends in the middle of an object at line 1 column 8");
        check("{\"a\": [\"b", "the JSON ends in the middle of a string at line 1 column 9");
        check("{\"a\": {}}", "found an object, expected a sequence at line 1 column 6");
        check("{a: []}", "expected a name in double quotes at line 1 column 2");
        check("{} {}", "expected the end of the JSON, found more text at line 1 column 4");
    }

    #[test]
    fn the_place_in_a_line_is_a_column() {
        let error = serde_json::from_str::<String>("\"a").expect_err("an error");
        assert_eq!(of_line(&error), "the JSON ends in the middle of a string at column 2");
    }
}
