//! The characters that look like those of PSL.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The kind of the characters of PSL that a character looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A letter, a digit or `_`.
    Letter,
    /// A bracket, an operator or another sign.
    Sign,
    /// The quote of a string.
    Quote,
    /// A space.
    Blank,
    /// A line end.
    LineEnd,
    /// None: it is invisible.
    Invisible,
}

/// A character that looks like others, or like none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookAlike {
    pub kind: Kind,
    /// The name of the character, or of its script.
    pub name: &'static str,
    /// The characters of PSL.
    pub plain: &'static str,
}

/// The visible characters of ASCII, from `!` on.
const ASCII: &str =
    concat!("!\"#$%&'()*+,-./0123456789:;<=>?@", "ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~");

/// Letters of a script, each before the letter that it looks like.
const LETTERS: [(&str, &str); 4] = [
    ("Cyrillic", "АAВBСCЕEНHІIЈJКKМMОOРPЅSТTХXҮYѴVԚQԜWЗ3ӀIаaсcԁdеeһhіiјjкkӏlпnоoрpԛqгrѕsуyѵvхxԝw"),
    ("Greek", "ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXαaεeηnιiϳjκkνvοoρpτtυuχxγyωwϲc"),
    ("mathematical", "ℂCℊgℋHℌHℍHℎhℐIℑIℒLℓlℕNℙPℚQℛRℜRℝRℤZℨZℬBℭCℯeℰEℱFℳMℴoℹi"),
    ("Latin", "ıiſsɑaɡgɩiKK"),
];

/// Signs with their names.
const SIGNS: [(char, &str, &str); 35] = [
    ('∈', "element of", "in"),
    ('∉', "not an element of", "not in"),
    ('≠', "not equal to", "!="),
    ('⩵', "two equals signs", "=="),
    ('≡', "identical to", "=="),
    ('−', "minus sign", "-"),
    ('‐', "hyphen", "-"),
    ('‑', "no-break hyphen", "-"),
    ('‒', "figure dash", "-"),
    ('–', "en dash", "-"),
    ('—', "em dash", "-"),
    ('―', "horizontal bar", "-"),
    ('⁻', "superscript minus", "-"),
    ('﹣', "small hyphen-minus", "-"),
    ('∶', "ratio", ":"),
    ('ː', "length mark", ":"),
    ('˸', "raised colon", ":"),
    ('꞉', "letter colon", ":"),
    ('׃', "sof pasuq", ":"),
    ('︰', "two dot leader", ":"),
    ('﹕', "small colon", ":"),
    ('、', "ideographic comma", ","),
    ('،', "Arabic comma", ","),
    ('﹐', "small comma", ","),
    ('˗', "modifier minus", "-"),
    ('꞊', "short equals sign", "="),
    ('᐀', "Canadian syllabics hyphen", "="),
    ('﹦', "small equals sign", "="),
    ('ǃ', "click", "!"),
    ('﹫', "small at sign", "@"),
    ('【', "lenticular bracket", "["),
    ('】', "lenticular bracket", "]"),
    ('〔', "tortoise shell bracket", "["),
    ('〕', "tortoise shell bracket", "]"),
    ('⁄', "fraction slash", "/"),
];

const LIGATURES: [(char, &str); 7] =
    [('ﬀ', "ff"), ('ﬁ', "fi"), ('ﬂ', "fl"), ('ﬃ', "ffi"), ('ﬄ', "ffl"), ('ﬅ', "st"), ('ﬆ', "st")];

const DOUBLE_QUOTES: &str = "“”„‟«»〝〞＂";
const SINGLE_QUOTES: &str = "‘’‚‛‹›＇`´";

const BLANKS: [(char, &str); 17] = [
    ('\u{a0}', "no-break space"),
    ('\u{1680}', "ogham space"),
    ('\u{2000}', "en quad"),
    ('\u{2001}', "em quad"),
    ('\u{2002}', "en space"),
    ('\u{2003}', "em space"),
    ('\u{2004}', "three-per-em space"),
    ('\u{2005}', "four-per-em space"),
    ('\u{2006}', "six-per-em space"),
    ('\u{2007}', "figure space"),
    ('\u{2008}', "punctuation space"),
    ('\u{2009}', "thin space"),
    ('\u{200a}', "hair space"),
    ('\u{202f}', "narrow no-break space"),
    ('\u{205f}', "mathematical space"),
    ('\u{2800}', "braille blank"),
    ('\u{3000}', "ideographic space"),
];

const LINE_ENDS: [(char, &str); 3] =
    [('\u{85}', "next line"), ('\u{2028}', "line separator"), ('\u{2029}', "paragraph separator")];

const INVISIBLE: [(char, &str); 14] = [
    ('\u{ad}', "soft hyphen"),
    ('\u{61c}', "Arabic letter mark"),
    ('\u{180e}', "Mongolian vowel separator"),
    ('\u{200b}', "zero-width space"),
    ('\u{200c}', "zero-width non-joiner"),
    ('\u{200d}', "zero-width joiner"),
    ('\u{200e}', "left-to-right mark"),
    ('\u{200f}', "right-to-left mark"),
    ('\u{2060}', "word joiner"),
    ('\u{2061}', "function application"),
    ('\u{2062}', "invisible times"),
    ('\u{fe0e}', "variation selector"),
    ('\u{fe0f}', "variation selector"),
    ('\u{feff}', "byte order mark"),
];

/// The characters of PSL that a character looks like, or `None` for those of PSL and for those that look different.
pub fn look_alike(char: char) -> Option<LookAlike> {
    let found = |kind, name, plain| Some(LookAlike { kind, name, plain });
    if let Some(straight) = quote(char) {
        return found(Kind::Quote, quote_name(char), ascii(straight as u32 - FIRST));
    }
    let code = char as u32;
    match char {
        // `?` is a hole, not part of a finished text.
        '\0'..='\u{7f}' | '？' => return None,
        '！'..='～' => {
            let plain = ascii(code - '！' as u32);
            return found(if plain.chars().all(is_letter) { Kind::Letter } else { Kind::Sign }, "fullwidth", plain);
        }
        // Alphabets of 26 capital and 26 small letters.
        '\u{1d400}'..='\u{1d6a3}' => {
            let letter = (code - 0x1d400) % 52;
            let from = if letter < 26 { 'A' as u32 } else { 'a' as u32 - 26 };
            return found(Kind::Letter, "mathematical", ascii(from + letter - FIRST));
        }
        '\u{1d7ce}'..='\u{1d7ff}' => {
            return found(Kind::Letter, "mathematical", ascii('0' as u32 + (code - 0x1d7ce) % 10 - FIRST));
        }
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => return found(Kind::Invisible, "direction mark", ""),
        _ => {}
    }
    TABLE.get(&char).copied()
}

/// The characters that are not in a range.
static TABLE: LazyLock<FxHashMap<char, LookAlike>> = LazyLock::new(|| {
    let letters = LETTERS.iter().flat_map(|(script, pairs)| {
        let places: Vec<(usize, char)> = pairs.char_indices().collect();
        let pair = |pair: &[(usize, char)]| match pair {
            [(_, letter), (at, _)] => pairs.get(*at..=*at).map(|plain| (*letter, Kind::Letter, *script, plain)),
            _ => None,
        };
        places.chunks(2).filter_map(pair).collect::<Vec<_>>()
    });
    let signs = SIGNS.iter().map(|&(sign, name, plain)| (sign, Kind::Sign, name, plain));
    let ligatures = LIGATURES.iter().map(|&(sign, plain)| (sign, Kind::Letter, "ligature", plain));
    let blanks = BLANKS.iter().map(|&(blank, name)| (blank, Kind::Blank, name, " "));
    let line_ends = LINE_ENDS.iter().map(|&(end, name)| (end, Kind::LineEnd, name, "\n"));
    let invisible = INVISIBLE.iter().map(|&(char, name)| (char, Kind::Invisible, name, ""));
    let all = letters.chain(signs).chain(ligatures).chain(blanks).chain(line_ends).chain(invisible);
    all.map(|(char, kind, name, plain)| (char, LookAlike { kind, name, plain })).collect()
});

/// The straight quote that a character looks like, if it looks like one.
pub fn quote(char: char) -> Option<char> {
    if DOUBLE_QUOTES.contains(char) { Some('"') } else { SINGLE_QUOTES.contains(char).then_some('\'') }
}

/// Whether a quote that looks straight starts a string, rather than ending one.
pub const fn is_opening(quote: char) -> bool {
    matches!(quote, '“' | '„' | '‟' | '«' | '〝' | '‘' | '‚' | '‛' | '‹' | '`')
}

pub const fn quote_name(char: char) -> &'static str {
    match char {
        '«' | '»' | '‹' | '›' => "guillemet",
        '＂' | '＇' => "fullwidth",
        '`' => "backquote",
        '´' => "acute accent",
        _ => "curly quote",
    }
}

/// Whether a character of ASCII can be part of a name.
pub const fn is_letter(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

const FIRST: u32 = '!' as u32;

/// The visible character of ASCII with this index.
fn ascii(index: u32) -> &'static str {
    let at = index as usize;
    ASCII.get(at..=at).unwrap_or_default()
}
