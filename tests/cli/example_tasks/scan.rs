//! SCAN: all commands of the grammar with their actions.

/// A part of a command and its actions, each followed by a space.
type Phrase = (String, String);

/// Returns a verb alone and with each direction. `turn` has no action and needs a direction.
fn verb_phrases(verb: &str, action: &str) -> Vec<Phrase> {
    let alone = (!action.is_empty()).then(|| (verb.to_owned(), action.to_owned()));
    let directed = [("left", "I_TURN_LEFT "), ("right", "I_TURN_RIGHT ")].into_iter().flat_map(|(side, turn)| {
        [
            (format!("{verb} {side}"), format!("{turn}{action}")),
            (format!("{verb} opposite {side}"), format!("{turn}{turn}{action}")),
            (format!("{verb} around {side}"), format!("{turn}{action}").repeat(4)),
        ]
    });
    alone.into_iter().chain(directed).collect()
}

fn clauses() -> Vec<Phrase> {
    [("walk", "I_WALK "), ("look", "I_LOOK "), ("run", "I_RUN "), ("jump", "I_JUMP "), ("turn", "")]
        .into_iter()
        .flat_map(|(verb, action)| verb_phrases(verb, action))
        .flat_map(|(words, actions)| {
            [
                (format!("{words} twice"), actions.repeat(2)),
                (format!("{words} thrice"), actions.repeat(3)),
                (words, actions),
            ]
        })
        .collect()
}

/// Returns every command with its actions and the stop symbol.
pub fn lines() -> impl Iterator<Item = Phrase> {
    let clauses = clauses();
    let pairs: Vec<Phrase> = clauses
        .iter()
        .flat_map(|(left, first)| {
            clauses.iter().flat_map(move |(right, second)| {
                [
                    (format!("{left} and {right}"), format!("{first}{second}")),
                    (format!("{left} after {right}"), format!("{second}{first}")),
                ]
            })
        })
        .collect();
    clauses.into_iter().chain(pairs).map(|(words, actions)| (words, actions + "."))
}
