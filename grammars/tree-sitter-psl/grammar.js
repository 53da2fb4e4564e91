/// The grammar of PSL, the Production System Language.
///
/// A word is a keyword only where it can be read as one, as in psl-syntax; elsewhere it is a name. What follows it decides, so each
/// kind of place below lists the words that are names there. The name of a node says what the word is; its place need not be looked
/// at.

const anyCase = (word) => new RegExp(word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`));

// Those that start a declaration, a statement, a clause.
const KEYWORDS = ["registers", "constants", "system", "watch", "where", "where_lm", "where_rm", "repeat", "until", "and"];
// Those that are keywords in one kind of place only.
const LOCAL = ["n", "N", "in", "NO_CHANGE"];

const plain = ($, node) =>
  choice(
    ...[$._name, ...LOCAL, $._true, $._false, $._reverse].map((word) => alias(word, node)),
    // Where a word is nowhere a keyword, tree-sitter takes it for a name.
    seq("not", $._never),
  );
const reserved = ($, node) => choice(...[...KEYWORDS, $._causal_attn].map((word) => alias(word, node)));

const list = (entry) => seq(entry, repeat(seq(",", entry)), optional(","));
const declaration = (keyword, open, entry, close) => seq(keyword, optional(":"), open, optional(list(entry)), close);

module.exports = grammar({
  name: "psl",

  // What a look ahead tells: see scanner.c.
  externals: ($) => [
    $.comment,
    $.label,
    $._test,
    $._stop,
    $._max_new,
    $._allow,
    $._input,
    $._line_end,
    $._keyword_written,
    $.open_string,
    $._never,
  ],

  extras: ($) => [/[ \t\r\n\v\f]/, $.comment, $.label, $.directive],

  word: ($) => $._name,

  rules: {
    program: ($) => repeat($._item),

    _item: ($) => choice($.registers, $.constants, $.system, $.watch, $.causal_attn, $.production, $.repeat),

    registers: ($) => declaration("registers", "{", $.register_entry, "}"),
    register_entry: ($) => seq($._declared_register, ":", $._short_name),
    _declared_register: ($) =>
      choice(
        plain($, $.declared_register),
        reserved($, $.declared_register),
        alias($._quoted_name, $.declared_register),
      ),
    _short_name: ($) =>
      choice(plain($, $.short_name), reserved($, $.short_name), alias($.string, $.short_name)),

    constants: ($) => declaration("constants", "{", $.constant_entry, "}"),
    constant_entry: ($) => seq($._declared_constant, optional(seq(":", choice($.string, $.number)))),
    _declared_constant: ($) =>
      choice(
        plain($, $.declared_constant),
        reserved($, $.declared_constant),
        alias($.string, $.declared_constant),
        alias($.number, $.declared_constant),
      ),

    system: ($) => declaration("system", "{", $.role_entry, "}"),
    role_entry: ($) => seq($._role, ":", $._mentioned_register),
    _role: ($) => choice(plain($, $.role), reserved($, $.role)),

    watch: ($) => declaration("watch", "[", $._mentioned_register, "]"),
    _mentioned_register: ($) => choice(plain($, $.register), reserved($, $.register)),

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
        optional(seq(choice($.assignment, alias($._mapped_assignment, $.assignment)), repeat($.assignment))),
      ),

    repeat: ($) => seq("repeat", optional(":"), repeat($._item), $.until),
    until: ($) => seq("until", choice("NO_CHANGE", $._conditions)),

    _conditions: ($) => seq($._condition, repeat(seq("and", $._condition))),
    _condition: ($) => choice($.comparison, seq("(", $._conditions, ")")),
    comparison: ($) =>
      seq(
        field("left", $.place),
        choice(
          seq(choice("==", "!="), field("right", choice($.place, $._constant))),
          seq(optional("not"), "in", "[", list($._listed), "]"),
        ),
      ),
    _listed: ($) => choice($._constant, $._listed_constant, alias($._listed_place, $.place)),

    assignment: ($) => seq(field("target", $.target), "=", field("source", choice($.place, $._constant))),
    // A function on the left is a mistake, though none of syntax where it stands right behind the conditions.
    _mapped_assignment: ($) =>
      seq(field("target", alias($._mapped_target, $.target)), "=", field("source", choice($.place, $._constant))),
    target: ($) => seq(choice($._written_register, alias($._keyword_written, $.written_register)), $._cell),
    _mapped_target: ($) => seq($._written_register, $._cell, $._mapped),
    _written_register: ($) =>
      choice(plain($, $.written_register), alias("not", $.written_register), seq("and", $._never)),

    place: ($) => seq(choice($._register, $._reserved_register), $._cell, optional($._mapped)),
    _listed_place: ($) => seq($._register, $._cell, optional($._mapped)),
    _register: ($) => choice(plain($, $.register), alias("not", $.register)),
    _reserved_register: ($) => reserved($, $.register),

    _cell: ($) => seq("[", choice(alias("n", $.attended_cell), alias("N", $.updated_cell)), "]"),
    _mapped: ($) => seq("@", choice(plain($, $.function), seq(reserved($, $.function), $._never))),

    _constant: ($) =>
      choice(plain($, $.constant), alias($.string, $.constant), alias($.number, $.constant)),
    _listed_constant: ($) => reserved($, $.constant),

    directive: ($) =>
      seq(
        choice(
          seq(
            alias($._test, $.directive_name),
            optional($.test_name),
            optional("json"),
            field("prompt", $.string),
            "=>",
            field("gold", $.string),
          ),
          seq(alias($._stop, $.directive_name), $.string),
          seq(alias($._max_new, $.directive_name), $.number),
          seq(alias($._allow, $.directive_name), $.code, optional($.reason)),
          seq(alias($._input, $.directive_name), list(alias($._name, $.register))),
        ),
        $._line_end,
      ),
    test_name: () => /[^\s"']+/,
    code: () => /[^\s:]+/,
    reason: () => token(prec(-1, /[^\s][^\r\n]*/)),

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
