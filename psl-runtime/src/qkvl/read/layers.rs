//! Layers and repeat blocks, with their queries, keys and values.

use psl_syntax::program::CausalAttn;
use serde_json::{Map, Value};

use super::{
    error::{Read, error},
    json::{APP_J, kind, object, string, strings},
    names::Resolver,
};
use crate::qkvl::{
    program::{Attributes, Block, Entries, Layer, Program, Repeat, Slots, Source, Until},
    words::{BOTH_SIDES, NO_HEADS, TOO_DEEP, nesting_help},
};

impl Resolver {
    fn source(&self, place: &str, json: &Value) -> Read<Source> {
        if let Value::String(text) = json {
            return self.term(place, text).map(Source::Is);
        }
        match strings(json, place)?.as_slice() {
            ["==", text] => self.term(place, text).map(Source::Is),
            ["!=", text] => self.term(place, text).map(Source::Not),
            ["in", list @ ..] => self.constants(place, list).map(Source::In),
            ["not_in" | "not in", list @ ..] => self.constants(place, list).map(Source::NotIn),
            _ => error(
                place,
                "unknown operation",
                "use a value, [\"!=\", value], [\"in\", constants…] or [\"not_in\", constants…]",
            ),
        }
    }

    fn slots(&mut self, place: &str, json: Option<&Value>) -> Read<Slots> {
        let mut slots = Slots::default();
        let Some(json) = json else { return Ok(slots) };
        for (name, source) in object(json, place)? {
            let place = format!("{place}.{name}");
            let slot = self.slot(&place, name)?;
            if slots.insert(slot, self.source(&place, source)?).is_some() {
                return error(&place, "duplicate slot", "add a backquote to one of the names");
            }
        }
        Ok(slots)
    }

    fn query_and_key(&mut self, place: &str, json: &Map<String, Value>) -> Read<(Slots, Slots)> {
        let q = self.slots(&format!("{place}.q"), json.get("q"))?;
        let k = self.slots(&format!("{place}.k"), json.get("k"))?;
        if let Some(slot) = q.keys().find(|slot| !k.contains_key(*slot)) {
            return error(place, format!("`{slot}` is in q but not in k"), BOTH_SIDES);
        }
        for (slot, source) in &k {
            match q.get(slot) {
                None => return error(place, format!("`{slot}` is in k but not in q"), BOTH_SIDES),
                Some(Source::Is(_)) => {}
                Some(_) if matches!(source, Source::Is(_)) => {}
                Some(_) => {
                    return error(
                        place,
                        format!("`{slot}` is an operation in both q and k"),
                        "make one of them a register or a constant",
                    );
                }
            }
        }
        Ok((q, k))
    }

    fn layer(&mut self, place: &str, json: &Map<String, Value>) -> Read<Layer> {
        let attributes = match json.get("weights") {
            Some(weights) => object(weights, &format!("{place}.weights"))?,
            None => return error(place, "`weights` is missing", APP_J),
        };
        let inside = format!("{place}.weights");
        let (q, k) = self.query_and_key(&inside, attributes)?;
        let mut v = Entries::default();
        if let Some(values) = attributes.get("v") {
            for (name, source) in object(values, &format!("{inside}.v"))? {
                let place = format!("{inside}.v.{name}");
                let register = self.register(&place, name)?;
                v.insert(register, self.term(&place, string(source, &place)?)?);
            }
        }
        Ok(Layer {
            layer_comment: comment(place, json)?,
            weights: Attributes { q, k, v },
            causal_attn: json.get("causal_attn").map_or(Ok(None), |json| causal_attn(json, place))?,
            right_match: match json.get("right_match") {
                None | Some(Value::Null) => false,
                Some(Value::Bool(setting)) => *setting,
                Some(other) => {
                    return error(place, format!("`right_match` cannot be {}", kind(other)), "use true or false");
                }
            },
            shares_layer: false,
        })
    }

    /// The heads of one layer.
    fn heads(&mut self, place: &str, json: &Value) -> Read<Vec<Block>> {
        let Some(list) = json.as_array() else {
            return error(place, format!("expected a list, found {}", kind(json)), HEADS_HELP);
        };
        if list.is_empty() {
            return error(place, "the layer has no heads", NO_HEADS);
        }
        let head = |(index, json): (usize, &Value)| {
            let place = format!("{place}[{index}]");
            let head = object(json, &place)?;
            if head.contains_key("heads") || head.get("weights").is_some_and(Value::is_array) {
                let found = if head.contains_key("heads") { "a layer" } else { "a repeat block" };
                return error(&place, format!("expected a head, found {found}"), HEADS_HELP);
            }
            Ok(Block::Layer(Layer { shares_layer: index > 0, ..self.layer(&place, head)? }))
        };
        list.iter().enumerate().map(head).collect()
    }

    pub(super) fn blocks(&mut self, place: &str, json: &Value, depth: usize) -> Read<Vec<Block>> {
        if depth > Program::MAX_NESTING {
            return error(place, TOO_DEEP, nesting_help());
        }
        let Some(list) = json.as_array() else {
            return error(place, format!("expected a list, found {}", kind(json)), APP_J);
        };
        let mut blocks = Vec::with_capacity(list.len());
        for (index, json) in list.iter().enumerate() {
            let place = format!("{place}[{index}]");
            let block = object(json, &place)?;
            match (block.get("heads"), block.get("weights")) {
                (Some(_), Some(_)) => {
                    return error(
                        &place,
                        "both `heads` and `weights`",
                        "put `weights` into the heads, or remove `heads`",
                    );
                }
                (Some(heads), None) => blocks.extend(self.heads(&format!("{place}.heads"), heads)?),
                (None, Some(inner @ Value::Array(_))) => blocks.push(Block::Repeat(Repeat {
                    layer_comment: comment(&place, block)?,
                    until: self.until(&format!("{place}.until"), block.get("until"))?,
                    weights: self.blocks(&format!("{place}.weights"), inner, depth + 1)?,
                })),
                (None, _) => blocks.push(Block::Layer(self.layer(&place, block)?)),
            }
        }
        Ok(blocks)
    }

    fn until(&mut self, place: &str, json: Option<&Value>) -> Read<Until> {
        match json {
            None | Some(Value::Null) => Ok(Until::NoChange {}),
            Some(Value::String(text)) if text == "NO_CHANGE" => Ok(Until::NoChange {}),
            Some(Value::Object(conditions)) if conditions.is_empty() => Ok(Until::NoChange {}),
            Some(Value::Object(conditions)) => {
                let (q, k) = self.query_and_key(place, conditions)?;
                if q.is_empty() {
                    return error(place, "q and k are empty", UNTIL_HELP);
                }
                Ok(Until::Conditions { q, k })
            }
            Some(other) => error(place, format!("`until` cannot be {}", kind(other)), UNTIL_HELP),
        }
    }
}

fn comment(place: &str, json: &Map<String, Value>) -> Read<Option<String>> {
    match json.get("layer_comment") {
        None | Some(Value::Null) => Ok(None),
        Some(text) => string(text, &format!("{place}.layer_comment")).map(|text| Some(text.to_owned())),
    }
}

fn causal_attn(json: &Value, place: &str) -> Read<Option<CausalAttn>> {
    match json {
        Value::Null => Ok(None),
        Value::Bool(true) => Ok(Some(CausalAttn::True)),
        Value::Bool(false) => Ok(Some(CausalAttn::False)),
        Value::String(text) => [CausalAttn::True, CausalAttn::False, CausalAttn::Reverse]
            .into_iter()
            .find(|setting| setting.as_str().eq_ignore_ascii_case(text))
            .map_or_else(
                || error(place, format!("`causal_attn` cannot be `{text}`"), CAUSAL_HELP),
                |setting| Ok(Some(setting)),
            ),
        other => error(place, format!("`causal_attn` cannot be {}", kind(other)), CAUSAL_HELP),
    }
}

const HEADS_HELP: &str = "list the layer's productions, each with q, k and v in `weights`";

const UNTIL_HELP: &str = "give q and k, or {} for NO_CHANGE";

const CAUSAL_HELP: &str = "use \"true\", \"false\", \"reverse\" or null";
