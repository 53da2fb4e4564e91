//! The splits of Tables 1 and 10.

use super::symbols::{Lexicon, Words};

/// A split: the form of its prompts.
#[derive(Debug, PartialEq, Eq)]
pub struct Split {
    /// The name in the paper.
    pub name: &'static str,
    /// The possible numbers of constituents in a question.
    pub counts: &'static [usize],
    pub examples: Constituents,
    pub cue: Constituents,
    /// Whether some of the prompts are echo prompts.
    pub echo: bool,
    /// The third of all prompts that belongs to the split, for splits that share a distribution.
    third: Option<u64>,
}

/// The constituents of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constituents {
    /// The possible numbers of symbols.
    pub lengths: &'static [usize],
    /// Whether the constituents are upper-case words, which training prompts only contain as echo prompts.
    pub upper_case: bool,
}

const TRAINED: &[usize] = &[1, 2, 4];

const LOWER: Constituents = Constituents { lengths: TRAINED, upper_case: false };
const UPPER: Constituents = Constituents { upper_case: true, ..LOWER };
const LONG: Constituents = long(&[7]);

const BASE: Split = all("", LOWER);

const SPLITS: [Split; 15] = [
    Split { name: "train", echo: true, third: Some(0), ..BASE },
    Split { name: "dev", third: Some(1), ..BASE },
    Split { name: "test", third: Some(2), ..BASE },
    all("ood_lexical", UPPER),
    all("ood_cons_len_3", long(&[3])),
    all("ood_cons_len_5", long(&[5])),
    all("ood_cons_len_7", LONG),
    all("ood_cons_len_10", long(&[10])),
    Split { name: "ood_cons_count_3", counts: &[3], ..BASE },
    Split { name: "ood_cons_count_5", counts: &[5], ..BASE },
    Split { name: "ood_cons_count_7", counts: &[7], ..BASE },
    Split { name: "ood_cons_count_10", counts: &[10], ..BASE },
    Split { name: "dyn_ood_lexical", cue: UPPER, ..BASE },
    Split { name: "dyn_ood_cons_len", cue: LONG, ..BASE },
    Split { name: "dyn_rev_cons_len", examples: LONG, ..BASE },
];

const fn long(lengths: &'static [usize]) -> Constituents {
    Constituents { lengths, ..LOWER }
}

/// A split with such constituents in the examples and the cue.
const fn all(name: &'static str, constituents: Constituents) -> Split {
    Split { name, counts: TRAINED, examples: constituents, cue: constituents, echo: false, third: None }
}

impl Split {
    /// The names of all splits.
    pub fn names() -> [&'static str; 15] {
        SPLITS.each_ref().map(|split| split.name)
    }

    /// The split with a name, or `None` if it is unknown.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        SPLITS.iter().find(|split| split.name == name)
    }

    /// The number of the split's stream of random numbers.
    pub fn stream(&self) -> u64 {
        fnv_1a(self.name)
    }

    /// Whether a prompt belongs to the split. A hash of the text assigns each prompt to one of train, dev and test, so
    /// no prompt is in two of them, whatever the seed.
    pub fn takes(&self, prompt: &str) -> bool {
        self.third.is_none_or(|third| fnv_1a(prompt) % 3 == third)
    }
}

impl Constituents {
    pub fn lexicon(&self, words: Words) -> Lexicon {
        match words {
            _ if self.upper_case => Lexicon::UpperCase,
            Words::Rlw => Lexicon::LowerCase,
            Words::Eng => Lexicon::English,
        }
    }
}

/// The hash is part of the data's definition, so it must never change.
fn fnv_1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::{SPLITS, fnv_1a};

    #[test]
    fn a_prompt_belongs_to_one_of_train_dev_and_test() {
        assert_eq!(fnv_1a("foobar"), 0x8594_4171_f739_67e8, "a published value of the hash");
        for prompt in ["Q ab A ab . Q cd A", "Q ab A ab . Q ce A", "Q ab A ab . Q cf A", "Q ab ? A ab . Q cd ? A"] {
            assert_eq!(SPLITS.iter().take(3).filter(|split| split.takes(prompt)).count(), 1, "{prompt}");
        }
    }
}
