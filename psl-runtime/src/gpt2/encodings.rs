//! The representation of values in the residual stream: parts that are one-hot each.
//!
//! A value of a small domain is one part. A value of a large one is its number modulo some coprime lengths, so that 15
//! components hold 56 values: a copy and a shift of a position by one are linear on each part, and two values are equal
//! if all parts are. What is not linear on the parts, such as `!=` and lists, needs one part with a component for each
//! value.

use psl_syntax::index::{at, at_mut};

use super::tables::{ConditionTable, Domains, LayerTable, WriteTable};
use crate::vocabulary::{ValueId, Vocabulary};

/// The representation of a register's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueEncoding {
    /// The number of components of each part, without null.
    pub parts: Vec<usize>,
    /// The component of each part, by the index of a value in the domain.
    pub of: Vec<Vec<usize>>,
}

impl ValueEncoding {
    fn one_hot(values: usize) -> Self {
        Self { parts: vec![values], of: (0..values).map(|value| vec![value]).collect() }
    }

    /// Whether each value has a component of its own.
    pub fn is_one_hot(&self) -> bool {
        self.parts.len() == 1
    }

    /// The number of components, with a null for each part.
    pub fn width(&self) -> usize {
        self.parts.iter().sum::<usize>() + self.parts.len()
    }
}

/// The shift that a condition or a write applies, if it is one: the value on the other side is that of this number plus
/// the shift.
pub fn shift(pairs: impl Iterator<Item = (usize, Option<usize>)>) -> Option<isize> {
    let mut found = None;
    for (from, to) in pairs {
        let Some(to) = to else { continue };
        let by = to.cast_signed() - from.cast_signed();
        if *found.get_or_insert(by) != by {
            return None;
        }
    }
    Some(found.unwrap_or_default())
}

/// The shift from the values of a register to what a write makes of them.
pub fn write_shift(domain: &[ValueId], to: &[Option<ValueId>], numbers: &Numbers) -> isize {
    let from = domain.iter().map(|value| numbers.of(*value));
    shift(from.zip(to.iter().map(|value| value.map(|value| numbers.of(value))))).unwrap_or_default()
}

/// The numbers of values, which shifts of positions change by one: a position is its own number, and other values
/// follow.
pub struct Numbers {
    of: Vec<usize>,
    /// The number after that of the last position.
    beyond: usize,
}

impl Numbers {
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let mut numbers = vec![usize::MAX; vocabulary.len()];
        let positions = vocabulary.positions();
        for (number, value) in positions.iter().enumerate() {
            *at_mut(&mut numbers, value.0 as usize) = number;
        }
        // Room for values beyond the positions, which must not be taken for others.
        let others = numbers.iter_mut().filter(|number| **number == usize::MAX);
        others.zip(positions.len() + 2..).for_each(|(slot, number)| *slot = number);
        Self { of: numbers, beyond: positions.len() }
    }

    /// The number after that of the last position, which no value has.
    pub const fn beyond(&self) -> usize {
        self.beyond
    }

    pub fn of(&self, value: ValueId) -> usize {
        *at(&self.of, value.0 as usize)
    }
}

/// Chooses the representation of each register.
pub fn value_encodings(
    domains: &Domains,
    layers: &[&LayerTable],
    reversed: Option<usize>,
    numbers: &Numbers,
) -> Vec<ValueEncoding> {
    let mut hard = vec![false; domains.len()];
    let groups = groups(domains.len(), layers);
    let domain = |register: usize| at(domains, register).as_slice();
    let moduli: Vec<Vec<usize>> = (0..domains.len())
        .map(|register| {
            let group = groups.get(register);
            let members = (0..domains.len()).filter(|other| groups.get(*other) == group);
            let highest = members.flat_map(domain).map(|value| numbers.of(*value)).max().unwrap_or_default();
            // One more at each end: what a shift makes of the first and the last position.
            moduli(highest + 3)
        })
        .collect();
    let is_short = |register: usize| {
        let coded = moduli.get(register).map_or(0, |moduli| moduli.iter().sum::<usize>() + moduli.len());
        domain(register).len() < coded
    };
    for register in 0..domains.len() {
        mark(&mut hard, register, is_short(register) || reversed == Some(register));
    }
    loop {
        let before = hard.clone();
        for layer in layers {
            for condition in &layer.conditions {
                for register in needed(condition, &hard, domains, numbers) {
                    mark(&mut hard, register, true);
                }
            }
            for WriteTable { target, source, to } in &layer.writes {
                let Some(source) = source else { continue };
                // A value that is not shifted is kept, unless it leaves the positions at their end, which ends the
                // continuation.
                let by = write_shift(domain(*source), to, numbers);
                let stays = |value: &ValueId| numbers.of(*value).cast_signed() + by != numbers.beyond().cast_signed();
                let stays = domain(*source).iter().zip(to).any(|(value, to)| to.is_none() && stays(value));
                if stays || hard.get(*target) == Some(&true) {
                    mark(&mut hard, *source, true);
                }
            }
        }
        if hard == before {
            break;
        }
    }
    let encoding = |(register, hard): (usize, &bool)| {
        let values = domain(register);
        if *hard {
            return ValueEncoding::one_hot(values.len());
        }
        let parts = moduli.get(register).cloned().unwrap_or_default();
        let of = values.iter().map(|value| parts.iter().map(|part| numbers.of(*value) % part).collect()).collect();
        ValueEncoding { parts, of }
    };
    hard.iter().enumerate().map(encoding).collect()
}

fn mark(flags: &mut [bool], register: usize, to: bool) {
    if let Some(flag) = flags.get_mut(register) {
        *flag |= to;
    }
}

/// The registers that a condition needs one-hot.
fn needed(condition: &ConditionTable, hard: &[bool], domains: &Domains, numbers: &Numbers) -> Vec<usize> {
    let is_hard = |register: usize| hard.get(register) == Some(&true);
    let is_single = |holds: &mut dyn Iterator<Item = bool>, values: usize| {
        let found: Vec<usize> = holds.enumerate().filter(|(_, holds)| *holds).map(|(index, _)| index).collect();
        found.len() <= 1 && found.first() != Some(&values)
    };
    let length = |register: usize| domains.get(register).map_or(0, Vec::len);
    match (condition.query, condition.key) {
        (Some(query), None) => {
            let mut holds = condition.holds.iter().map(|row| row.first() == Some(&true));
            if is_single(&mut holds, length(query)) { Vec::new() } else { vec![query] }
        }
        (None, Some(key)) => {
            let mut holds = condition.holds.first().into_iter().flatten().copied();
            if is_single(&mut holds, length(key)) { Vec::new() } else { vec![key] }
        }
        (Some(query), Some(key)) => {
            let of_query = condition.holds.iter().all(|row| is_single(&mut row.iter().copied(), length(key)));
            let column = |key: usize| condition.holds.iter().map(move |row| row.get(key) == Some(&true));
            let of_key = (0..=length(key)).all(|key| is_single(&mut column(key), length(query)));
            match (is_hard(query), is_hard(key)) {
                (true, true) => Vec::new(),
                (true, false) if of_query => Vec::new(),
                (false, true) if of_key => Vec::new(),
                (false, false)
                    if of_query && of_key && pair_shift(condition, query, key, domains, numbers).is_some() =>
                {
                    Vec::new()
                }
                _ => vec![query, key],
            }
        }
        (None, None) => Vec::new(),
    }
}

/// The shift from the query's value to the key's, if the condition compares them.
pub fn pair_shift(
    condition: &ConditionTable,
    query: usize,
    key: usize,
    domains: &Domains,
    numbers: &Numbers,
) -> Option<isize> {
    let number = |register: usize, index: usize| domains.get(register)?.get(index).map(|value| numbers.of(*value));
    let pairs = condition.holds.iter().enumerate().filter_map(|(index, row)| {
        let other = row.iter().position(|holds| *holds);
        Some((number(query, index)?, other.and_then(|other| number(key, other))))
    });
    let by = shift(pairs)?;
    // Values that the shift makes equal must be equal for the condition too.
    let agrees = condition.holds.iter().enumerate().all(|(index, row)| {
        let Some(from) = number(query, index) else { return true };
        row.iter().enumerate().all(|(other, holds)| {
            number(key, other).is_none_or(|to| *holds == (to.cast_signed() == from.cast_signed() + by))
        })
    });
    agrees.then_some(by)
}

/// The registers whose values are copied or compared, directly or not, have the same group.
fn groups(registers: usize, layers: &[&LayerTable]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..registers).collect();
    let mut join = |one: usize, other: usize| {
        let (Some(&one), Some(&other)) = (groups.get(one), groups.get(other)) else { return };
        groups.iter_mut().filter(|group| **group == one).for_each(|group| *group = other);
    };
    for layer in layers {
        for write in &layer.writes {
            write.source.into_iter().for_each(|source| join(source, write.target));
        }
        for condition in &layer.conditions {
            if let (Some(query), Some(key)) = (condition.query, condition.key) {
                join(query, key);
            }
        }
    }
    groups
}

/// The coprime lengths with the least sum whose product is at least a number of values.
pub fn moduli(values: usize) -> Vec<usize> {
    let mut best = vec![values];
    let cost = |parts: &[usize]| parts.iter().sum::<usize>() + parts.len();
    let limit = 64;
    for first in 2..limit {
        for second in first + 1..limit {
            if gcd(first, second) > 1 {
                continue;
            }
            if first * second >= values && cost(&[first, second]) < cost(&best) {
                best = vec![first, second];
            }
            for third in second + 1..limit {
                let parts = [first, second, third];
                if gcd(first, third) == 1
                    && gcd(second, third) == 1
                    && first * second * third >= values
                    && cost(&parts) < cost(&best)
                {
                    best = parts.to_vec();
                }
            }
        }
    }
    best
}

fn gcd(one: usize, other: usize) -> usize {
    if other == 0 { one } else { gcd(other, one % other) }
}
