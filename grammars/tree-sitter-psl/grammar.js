/// The grammar of PSL, the Production System Language.
///
/// Each kind of word has its own node, independent of its place. As in psl-syntax, a word is a keyword only where it can be one.
/// Elsewhere it is a name. The text after the word decides: scanner.c looks ahead.

const anyCase = (word) => new RegExp(word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`));

// Names that are keywords elsewhere. They need no lookahead.
const LOCAL = ["n", "N", "in", "NO_CHANGE"];

// A name. `keyword` is the scanner's token for a keyword that is a name here.
const name = ($, node, ...keyword) =>
  choice(...[$._name, ...LOCAL, $._true, $._false, $._reverse, ...keyword].map((word) => alias(word, node)));

const list = (entry) => seq(entry, repeat(seq(",", entry)), optional(","));
const declaration = (keyword, open, entry, close) => seq(keyword, optional(":"), open, optional(list(entry)), close);

module.exports = grammar({
  name: "psl",

  externals: ($) => [
    "registers",
    "constants",
    "system",
    "watch",
    "where",
    "where_lm",
    "where_rm",
    "repeat",
    "until",
    "and",
    "not",
    $._causal_attn,
    $._until_no_change,
    $._keyword_read,
    $._keyword_written,
    $._keyword_declared,
    $._keyword_named,
    $._listed_register,
    $.comment,
    $.label,
    $._test,
    $._law,
    $._stop,
    $._max_new,
    $._allow,
    $._input,
    $._answer,
    $.test_name,
    $.text,
    $.variable,
    $.code,
    $.reason,
    $._line_end,
    // Only in errors, not in a rule.
    $.open_string,
  ],

  extras: ($) => [/[ \t\r\n\v\f]/, $.comment, $.label, $.directive],

  word: ($) => $._name,

  rules: {
    program: ($) => repeat($._item),

    _item: ($) => choice($.registers, $.constants, $.system, $.watch, $.causal_attn, $.production, $.repeat),

    registers: ($) => declaration("registers", "{", $.register_entry, "}"),
    register_entry: ($) => seq($._declared_register, ":", $._short_name),
    _declared_register: ($) =>
      choice(name($, $.declared_register, $._keyword_declared), alias($._quoted_name, $.declared_register)),
    _short_name: ($) => choice(name($, $.short_name, $._keyword_named), alias($.string, $.short_name)),

    constants: ($) => declaration("constants", "{", $.constant_entry, "}"),
    constant_entry: ($) => seq($._declared_constant, optional(seq(":", choice($.string, $.number)))),
    _declared_constant: ($) =>
      choice(
        name($, $.declared_constant, $._keyword_declared),
        alias($.string, $.declared_constant),
        alias($.number, $.declared_constant),
      ),

    system: ($) => declaration("system", "{", $.role_entry, "}"),
    role_entry: ($) => seq(name($, $.role, $._keyword_declared), ":", $._mentioned_register),

    watch: ($) => declaration("watch", "[", $._mentioned_register, "]"),
    _mentioned_register: ($) => name($, $.register, $._keyword_named),

    causal_attn: ($) =>
      seq(
        alias($._causal_attn, "causal_attn"),
        ":",
        choice(alias($._true, "true"), alias($._false, "false"), alias($._reverse, "reverse")),
      ),

    production: ($) =>
      seq(
        choice("where", "where_lm", "where_rm"),
        $._conditions,
        ":",
        optional(
          seq(
            choice($.assignment, alias($._mapped_assignment, $.assignment), $.hole),
            repeat(choice($.assignment, $.hole)),
          ),
        ),
      ),

    repeat: ($) => seq("repeat", optional(":"), repeat($._item), $.until),
    until: ($) =>
      choice(
        alias($._until_no_change, "until NO_CHANGE"),
        // With a comment between the two words.
        seq("until", choice("NO_CHANGE", $._conditions)),
      ),

    _conditions: ($) => seq($._condition, repeat(seq("and", $._condition))),
    _condition: ($) => choice($.comparison, seq("(", $._conditions, ")"), $.hole),
    comparison: ($) =>
      seq(
        field("left", $.place),
        choice(
          seq(choice("==", "!=", $.hole), field("right", choice($.place, $._constant))),
          seq(optional("not"), "in", "[", list(choice($._constant, alias($._listed_place, $.place))), "]"),
        ),
      ),

    assignment: ($) => seq(field("target", $.target), "=", field("source", choice($.place, $._constant))),
    target: ($) => seq(choice($._written_register, alias($._keyword_written, $.written_register)), $._cell),
    // A function on the left is an error, but not a syntax error directly after the conditions.
    _mapped_assignment: ($) =>
      seq(field("target", alias($._mapped_target, $.target)), "=", field("source", choice($.place, $._constant))),
    _mapped_target: ($) => seq($._written_register, $._cell, $._mapped),
    _written_register: ($) => choice(name($, $.written_register), $.hole),

    place: ($) => seq(choice($._register, alias($._keyword_read, $.register)), $._cell, optional($._mapped)),
    // A register in a list is an error, but not a syntax error. If the list is not closed after it, the register is outside
    // of the list.
    _listed_place: ($) => seq(choice(alias($._listed_register, $.register), $.hole), $._cell, optional($._mapped)),
    _register: ($) => choice(name($, $.register), $.hole),

    _cell: ($) => seq("[", choice(alias("n", $.attended_cell), alias("N", $.updated_cell), $.hole), "]"),
    _mapped: ($) => seq("@", choice(name($, $.function, $._keyword_named), $.hole)),

    _constant: ($) =>
      choice(
        name($, $.constant, $._keyword_named),
        alias($.string, $.constant),
        alias($.number, $.constant),
        $.hole,
      ),

    // A part that is not written yet.
    hole: () => "?",

    directive: ($) =>
      seq(
        choice(
          seq(
            alias($._test, $.directive_name),
            optional($.test_name),
            optional("row"),
            optional("json"),
            field("prompt", $.string),
            "=>",
            field("gold", $.string),
          ),
          seq(
            alias($._law, $.directive_name),
            optional($.test_name),
            optional("any"),
            optional("row"),
            field("prompt", $.pattern),
            "=>",
            field("gold", $.pattern),
          ),
          seq(alias($._stop, $.directive_name), $.string),
          seq(alias($._max_new, $.directive_name), alias($.number, $.count)),
          seq(alias($._allow, $.directive_name), $.code, optional($.reason)),
          seq(alias($._input, $.directive_name), list(alias($._name, $.register))),
          seq(alias($._answer, $.directive_name), alias($._name, $.register)),
        ),
        $._line_end,
      ),

    // A string of a law: its variables, and the text between them with the quotes.
    pattern: ($) => repeat1(choice($.text, $.variable)),

    string: () => choice(/"([^"\\\r\n]|\\[^\r\n])*"/, /'([^'\\\r\n]|\\[^\r\n])*'/),
    _quoted_name: () => choice(/"[A-Za-z_][A-Za-z0-9_]*"/, /'[A-Za-z_][A-Za-z0-9_]*'/),
    number: () => /-?[0-9]+(\.[0-9]+)?/,

    _causal_attn: () => anyCase("causal_attn"),
    _true: () => anyCase("true"),
    _false: () => anyCase("false"),
    _reverse: () => anyCase("reverse"),
    _name: () => /[A-Za-z_][A-Za-z0-9_]*/,
  },
});
