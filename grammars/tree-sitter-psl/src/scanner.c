// Scans keywords and comments. The text after a word decides whether it is a keyword or a name. A keyword is also recognized where
// none is expected, because a missing token before it is more likely than a name. The comment directly above a production or a repeat
// block is its label. An invalid directive is a comment.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

enum Token {
    REGISTERS,
    CONSTANTS,
    SYSTEM,
    WATCH,
    WHERE,
    WHERE_LM,
    WHERE_RM,
    REPEAT,
    UNTIL,
    AND,
    NOT,
    CAUSAL_ATTN,
    UNTIL_NO_CHANGE,
    KEYWORD_READ,
    KEYWORD_WRITTEN,
    KEYWORD_DECLARED,
    KEYWORD_NAMED,
    LISTED_REGISTER,
    COMMENT,
    LABEL,
    TEST,
    LAW,
    STOP,
    MAX_NEW,
    ALLOW,
    INPUT,
    ANSWER,
    TEST_NAME,
    TEXT,
    VARIABLE,
    CODE,
    REASON,
    LINE_END,
    OPEN_STRING,
};

// Where the scanner is. Any other state is the quote of the law's string that it is in.
enum { OUTSIDE, IN_DIRECTIVE };

// In the order of the tokens above.
static const char *const KEYWORDS[] = {
    "registers", "constants", "system", "watch", "where", "where_lm",
    "where_rm",  "repeat",    "until",  "and",   "not",   "causal_attn",
};

static bool ends_line(TSLexer *lexer) {
    return lexer->lookahead == '\n' || lexer->lookahead == '\r' || lexer->eof(lexer);
}

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

static bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static bool is_name(int32_t c) { return is_letter(c) || is_digit(c); }

static bool is_quote(int32_t c) { return c == '"' || c == '\''; }

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static void skip_blanks(TSLexer *lexer) {
    while (is_blank(lexer->lookahead)) advance(lexer);
}

static void skip_line(TSLexer *lexer) {
    while (!ends_line(lexer)) advance(lexer);
}

// Skips a line end. Returns whether there was one.
static bool line_break(TSLexer *lexer, bool skip) {
    if (lexer->lookahead == '\n') {
        lexer->advance(lexer, skip);
        return true;
    }
    if (lexer->lookahead != '\r') return false;
    lexer->advance(lexer, skip);
    if (lexer->lookahead == '\n') lexer->advance(lexer, skip);
    return true;
}

// Skips white space. Returns its number of line ends, and sets `blanks` to the number of blanks after the last one.
static unsigned white_space(TSLexer *lexer, bool skip, unsigned *blanks) {
    unsigned breaks = 0;
    *blanks = 0;
    for (;;) {
        if (is_blank(lexer->lookahead)) {
            lexer->advance(lexer, skip);
            ++*blanks;
        } else if (line_break(lexer, skip)) {
            breaks++;
            *blanks = 0;
        } else {
            return breaks;
        }
    }
}

// Skips `#` or `//`. Returns whether there was one.
static bool starts_comment(TSLexer *lexer) {
    if (lexer->lookahead == '/') {
        advance(lexer);
        if (lexer->lookahead != '/') return false;
    } else if (lexer->lookahead != '#') {
        return false;
    }
    advance(lexer);
    return true;
}

// Reads letters, digits, `_` and, with `hyphens`, `-`. Returns false if there are none or too many.
static bool word(TSLexer *lexer, bool hyphens, char *into, unsigned size) {
    unsigned length = 0;
    while (is_name(lexer->lookahead) || (hyphens && lexer->lookahead == '-')) {
        if (length + 1 == size) return false;
        into[length++] = (char)lexer->lookahead;
        advance(lexer);
    }
    into[length] = 0;
    return length > 0;
}

// Skips a string with its quotes. Returns whether there was one, and sets `empty`.
static bool string(TSLexer *lexer, bool *empty) {
    if (!is_quote(lexer->lookahead)) return false;
    int32_t quote = lexer->lookahead;
    advance(lexer);
    *empty = lexer->lookahead == quote;
    while (lexer->lookahead != quote) {
        if (ends_line(lexer)) return false;
        if (lexer->lookahead == '\\') {
            advance(lexer);
            if (ends_line(lexer)) return false;
        }
        advance(lexer);
    }
    advance(lexer);
    return true;
}

// Reads the start of a word before the strings of a test or a law, and skips the word.
static void test_word(TSLexer *lexer, char into[6]) {
    memset(into, 0, 6);
    for (unsigned length = 0; !is_blank(lexer->lookahead) && !is_quote(lexer->lookahead) && !ends_line(lexer); length++) {
        if (length < 5) into[length] = (char)lexer->lookahead;
        advance(lexer);
    }
}

// The place of a word among those that are allowed between the name of a test or a law and its strings. 0 for another word.
static unsigned place_of(const char *word, bool law) {
    static const char *const WORDS[2][2] = {{"row", "json"}, {"any", "row"}};
    for (unsigned at = 0; at < 2; at++) {
        if (strcmp(word, WORDS[law][at]) == 0) return at + 1;
    }
    return 0;
}

// Skips the rest of a test or a law. Returns whether it is valid.
static bool test(TSLexer *lexer, bool law) {
    char text[6];
    bool empty;
    unsigned last = 0;
    for (unsigned words = 0; !is_quote(lexer->lookahead); words++) {
        if (ends_line(lexer)) return false;
        test_word(lexer, text);
        unsigned place = place_of(text, law);
        if (place == 0 && (words > 0 || strcmp(text, "json") == 0)) return false;
        if (place > 0 && place <= last) return false;
        last = place;
        skip_blanks(lexer);
    }
    if (!string(lexer, &empty)) return false;
    skip_blanks(lexer);
    if (lexer->lookahead != '=') return false;
    advance(lexer);
    if (lexer->lookahead != '>') return false;
    advance(lexer);
    skip_blanks(lexer);
    return string(lexer, &empty);
}

static bool count(TSLexer *lexer) {
    bool positive = false;
    while (is_digit(lexer->lookahead)) {
        positive = positive || lexer->lookahead != '0';
        advance(lexer);
    }
    return positive;
}

static bool names(TSLexer *lexer) {
    bool some = false;
    while (is_letter(lexer->lookahead)) {
        some = true;
        while (is_name(lexer->lookahead)) advance(lexer);
        skip_blanks(lexer);
        if (lexer->lookahead != ',') break;
        advance(lexer);
        skip_blanks(lexer);
    }
    return some;
}

// After `//@` or `#@`: marks the end of the directive's word. Returns whether the rest of the line is valid.
static bool directive(TSLexer *lexer, TSSymbol *found) {
    static const struct {
        const char *word;
        TSSymbol token;
    } WORDS[] = {
        {"test", TEST},   {"law", LAW},          {"stop", STOP},   {"max-new", MAX_NEW},
        {"allow", ALLOW}, {"allow-file", ALLOW}, {"input", INPUT}, {"answer", ANSWER},
    };
    char text[12];
    bool empty = false, valid = false;
    skip_blanks(lexer);
    if (!word(lexer, true, text, sizeof text) || !is_blank(lexer->lookahead)) return false;
    lexer->mark_end(lexer);
    *found = COMMENT;
    for (unsigned at = 0; at < sizeof WORDS / sizeof *WORDS; at++) {
        if (strcmp(text, WORDS[at].word) == 0) *found = WORDS[at].token;
    }
    skip_blanks(lexer);
    switch (*found) {
        case TEST: valid = test(lexer, false); break;
        case LAW: valid = test(lexer, true); break;
        case STOP: valid = string(lexer, &empty) && !empty; break;
        case MAX_NEW: valid = count(lexer); break;
        case ALLOW: return !ends_line(lexer) && lexer->lookahead != ':';
        case INPUT: valid = names(lexer); break;
        case ANSWER:
            valid = is_letter(lexer->lookahead);
            while (is_name(lexer->lookahead)) advance(lexer);
            break;
        default: return false;
    }
    skip_blanks(lexer);
    return valid && ends_line(lexer);
}

// At the end of a comment: returns whether a production or a repeat block starts on the next line, apart from directives.
static bool above_statement(TSLexer *lexer) {
    unsigned blanks;
    for (;;) {
        if (white_space(lexer, false, &blanks) != 1) return false;
        if (lexer->lookahead != '#' && lexer->lookahead != '/') break;
        if (!starts_comment(lexer) || lexer->lookahead != '@') return false;
        skip_line(lexer);
    }
    char text[9];
    if (!word(lexer, false, text, sizeof text)) return false;
    bool starts = strcmp(text, "where") == 0 || strcmp(text, "where_lm") == 0 || strcmp(text, "where_rm") == 0;
    bool repeats = strcmp(text, "repeat") == 0;
    white_space(lexer, false, &blanks);
    // Before these characters, the word is a name.
    return (repeats || (starts && lexer->lookahead != ':')) && lexer->lookahead != '[' && lexer->lookahead != ',' &&
           lexer->lookahead != '}' && lexer->lookahead != ']';
}

// Returns whether a word is a keyword, ignoring case.
static bool is_in_any_case(const char *word, const char *keyword) {
    for (; *keyword; word++, keyword++) {
        bool upper = *word >= 'A' && *word <= 'Z';
        if ((upper ? *word - 'A' + 'a' : *word) != *keyword) return false;
    }
    return !*word;
}

// Returns the keyword with this spelling, or CAUSAL_ATTN + 1.
static TSSymbol keyword_named(const char *word) {
    for (TSSymbol keyword = 0; keyword < CAUSAL_ATTN; keyword++) {
        if (strcmp(word, KEYWORDS[keyword]) == 0) return keyword;
    }
    return is_in_any_case(word, KEYWORDS[CAUSAL_ATTN]) ? CAUSAL_ATTN : CAUSAL_ATTN + 1;
}

// Skips white space and comments.
static void skip_gap(TSLexer *lexer) {
    unsigned blanks;
    do white_space(lexer, false, &blanks);
    while (starts_comment(lexer) && (skip_line(lexer), true));
}

// Skips a cell in brackets. Returns whether there was one.
static bool skip_cell(TSLexer *lexer) {
    if (lexer->lookahead != '[') return false;
    advance(lexer);
    skip_gap(lexer);
    while (is_name(lexer->lookahead) || lexer->lookahead == '?') advance(lexer);
    skip_gap(lexer);
    if (lexer->lookahead != ']') return false;
    advance(lexer);
    skip_gap(lexer);
    return true;
}

// At a bracket: returns whether it contains a cell with `=` after it.
static bool is_assigned(TSLexer *lexer) {
    if (!skip_cell(lexer) || lexer->lookahead != '=') return false;
    advance(lexer);
    return lexer->lookahead != '=';
}

// At a word: skips `NO_CHANGE` and marks its end, unless it is the name of a register. As one token with `until`, dropping it
// costs tree-sitter more than inserting a missing token before it.
static bool no_change(TSLexer *lexer) {
    char text[10];
    if (!word(lexer, false, text, sizeof text) || strcmp(text, "NO_CHANGE") != 0 || lexer->lookahead == '[') return false;
    lexer->mark_end(lexer);
    return true;
}

// Returns the token for a keyword by the text after it: the keyword itself or one of the valid names.
static TSSymbol keyword(TSLexer *lexer, TSSymbol keyword, const bool *valid) {
    unsigned blanks;
    white_space(lexer, false, &blanks);
    if (is_letter(lexer->lookahead)) return keyword == UNTIL && no_change(lexer) ? UNTIL_NO_CHANGE : keyword;
    skip_gap(lexer);
    bool broken = valid[OPEN_STRING];
    switch (lexer->lookahead) {
        case '[':
            if (valid[KEYWORD_READ] && !broken) return KEYWORD_READ;
            if (valid[KEYWORD_WRITTEN] && keyword == NOT) return KEYWORD_WRITTEN;
            return valid[KEYWORD_WRITTEN] && is_assigned(lexer) ? KEYWORD_WRITTEN : keyword;
        case ':':
            if (keyword == NOT || !valid[KEYWORD_DECLARED] || broken) return keyword;
            advance(lexer);
            skip_gap(lexer);
            bool word = is_name(lexer->lookahead) || is_quote(lexer->lookahead) || lexer->lookahead == '-';
            return word ? KEYWORD_DECLARED : keyword;
        case ')': case '=': case '!': case '@':
            if (keyword == NOT) return keyword;
            // Fall through.
        case ',': case ']': case '}':
            return valid[KEYWORD_NAMED] ? KEYWORD_NAMED : valid[KEYWORD_DECLARED] ? KEYWORD_DECLARED : keyword;
        default:
            return keyword;
    }
}

// Inside a word: marks its end. Returns whether a cell follows, and then a comma or the end of the list.
static bool listed_register(TSLexer *lexer) {
    while (is_name(lexer->lookahead)) advance(lexer);
    lexer->mark_end(lexer);
    skip_gap(lexer);
    if (!skip_cell(lexer)) return false;
    if (lexer->lookahead == '@') {
        advance(lexer);
        skip_gap(lexer);
        while (is_name(lexer->lookahead) || lexer->lookahead == '?') advance(lexer);
        skip_gap(lexer);
    }
    return lexer->lookahead == ',' || lexer->lookahead == ']';
}

// At `$` in a string of a law: skips the name, and marks its end. Returns whether the word is a variable.
static bool variable(TSLexer *lexer, int32_t quote, bool mark) {
    advance(lexer);
    if (!is_letter(lexer->lookahead)) return false;
    while (is_name(lexer->lookahead)) advance(lexer);
    if (mark) lexer->mark_end(lexer);
    if (lexer->lookahead == '.') {
        advance(lexer);
        if (lexer->lookahead != '.') return false;
        advance(lexer);
        while (is_digit(lexer->lookahead)) advance(lexer);
    }
    return is_blank(lexer->lookahead) || lexer->lookahead == quote;
}

// In a string of a law, or at its start: scans a variable, or the text before the next one, with the quotes.
static bool pattern(TSLexer *lexer, char *state) {
    bool text = *state == IN_DIRECTIVE;
    int32_t quote = text ? lexer->lookahead : *state;
    if (text) advance(lexer);
    lexer->mark_end(lexer);
    for (;;) {
        skip_blanks(lexer);
        if (lexer->lookahead == '$' && variable(lexer, quote, !text)) {
            lexer->result_symbol = text ? TEXT : VARIABLE;
            *state = (char)quote;
            return true;
        }
        text = true;
        while (!is_blank(lexer->lookahead) && lexer->lookahead != quote && !ends_line(lexer)) {
            bool escape = lexer->lookahead == '\\';
            advance(lexer);
            if (escape && !is_blank(lexer->lookahead)) advance(lexer);
        }
        bool ends = lexer->lookahead == quote;
        if (ends) advance(lexer);
        lexer->mark_end(lexer);
        if (ends) {
            lexer->result_symbol = TEXT;
            *state = IN_DIRECTIVE;
            return true;
        }
        if (ends_line(lexer)) return false;
    }
}

// Scans a word or the rest of a directive, or the end of its line.
static bool in_line(TSLexer *lexer, const bool *valid, char *state) {
    if (ends_line(lexer)) {
        lexer->result_symbol = LINE_END;
        return valid[LINE_END];
    }
    if (valid[OPEN_STRING]) return false;
    if (valid[CODE]) {
        lexer->result_symbol = CODE;
        while (lexer->lookahead != ':' && !is_blank(lexer->lookahead) && !ends_line(lexer)) advance(lexer);
        return true;
    }
    if (valid[REASON]) {
        lexer->result_symbol = REASON;
        skip_line(lexer);
        return true;
    }
    if (valid[TEXT] && (*state != IN_DIRECTIVE || is_quote(lexer->lookahead))) return pattern(lexer, state);
    if (valid[TEST_NAME] && !is_quote(lexer->lookahead)) {
        char text[6];
        lexer->result_symbol = TEST_NAME;
        test_word(lexer, text);
        return place_of(text, valid[TEXT]) == 0;
    }
    return false;
}

void *tree_sitter_psl_external_scanner_create(void) { return ts_calloc(1, sizeof(char)); }

void tree_sitter_psl_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_psl_external_scanner_serialize(void *payload, char *buffer) {
    *buffer = *(char *)payload;
    return 1;
}

void tree_sitter_psl_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
    *(char *)payload = length > 0 ? *buffer : OUTSIDE;
}

bool tree_sitter_psl_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
    char *state = payload;
    if (*state != OUTSIDE) {
        while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
        if (ends_line(lexer)) *state = OUTSIDE;
        if (*state != OUTSIDE || valid[LINE_END]) return in_line(lexer, valid, state);
    }
    unsigned blanks, breaks = white_space(lexer, true, &blanks);
    if (valid[OPEN_STRING] && is_quote(lexer->lookahead)) {
        bool empty;
        lexer->result_symbol = OPEN_STRING;
        return !string(lexer, &empty);
    }
    if (is_letter(lexer->lookahead)) {
        char text[12];
        bool is_short = word(lexer, false, text, sizeof text);
        TSSymbol found = is_short ? keyword_named(text) : CAUSAL_ATTN + 1;
        if (found > CAUSAL_ATTN) {
            lexer->result_symbol = LISTED_REGISTER;
            return valid[LISTED_REGISTER] && !valid[OPEN_STRING] && listed_register(lexer);
        }
        lexer->mark_end(lexer);
        lexer->result_symbol = keyword(lexer, found, valid);
        return true;
    }
    if (lexer->lookahead != '#' && lexer->lookahead != '/') return false;
    bool own_line = breaks > 0 || lexer->get_column(lexer) == blanks;
    if (!starts_comment(lexer)) return false;
    lexer->result_symbol = COMMENT;
    if (lexer->lookahead == '@') {
        advance(lexer);
        TSSymbol found = COMMENT;
        if (directive(lexer, &found)) {
            *state = IN_DIRECTIVE;
            lexer->result_symbol = found;
            return true;
        }
        skip_line(lexer);
        lexer->mark_end(lexer);
        return true;
    }
    skip_line(lexer);
    lexer->mark_end(lexer);
    if (own_line && above_statement(lexer)) lexer->result_symbol = LABEL;
    return true;
}
