// Comments. What they are depends on the lines around them: the one directly above a production or a repeat block is its label.
// A directive that cannot be read is a comment.
#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

enum Token { COMMENT, LABEL, TEST, STOP, MAX_NEW, ALLOW, INPUT, LINE_END, KEYWORD_WRITTEN, OPEN_STRING, NEVER };

static bool ends_line(TSLexer *lexer) {
    return lexer->lookahead == '\n' || lexer->lookahead == '\r' || lexer->eof(lexer);
}

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

static bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_name(int32_t c) { return is_letter(c) || (c >= '0' && c <= '9'); }

static bool is_quote(int32_t c) { return c == '"' || c == '\''; }

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static void skip_blanks(TSLexer *lexer) {
    while (is_blank(lexer->lookahead)) advance(lexer);
}

static void skip_line(TSLexer *lexer) {
    while (!ends_line(lexer)) advance(lexer);
}

// Passes one line end, if one is here.
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

// Passes white space and says how many lines end in it, and how many blanks stand behind the last of them.
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

// Passes `#` or `//`, and says whether it was there.
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

// Passes letters, digits, `_` and `-`; false where there are none, or too many.
static bool word(TSLexer *lexer, char *into, unsigned size) {
    unsigned length = 0;
    while (is_name(lexer->lookahead) || lexer->lookahead == '-') {
        if (length + 1 == size) return false;
        into[length++] = (char)lexer->lookahead;
        advance(lexer);
    }
    into[length] = 0;
    return length > 0;
}

// Passes a string with its quotes, and says whether it was one; `empty` is whether nothing is in it.
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

static bool test(TSLexer *lexer) {
    bool json = false, empty;
    for (unsigned words = 0; !is_quote(lexer->lookahead); words++) {
        if (words > 0 && json) return false;
        if (words > 1 || ends_line(lexer)) return false;
        char text[5] = {0};
        unsigned length = 0;
        while (!is_blank(lexer->lookahead) && !is_quote(lexer->lookahead) && !ends_line(lexer)) {
            if (length < 5) text[length < 4 ? length : 4] = (char)lexer->lookahead;
            length++;
            advance(lexer);
        }
        json = length == 4 && memcmp(text, "json", 4) == 0;
        if (words == 1 && !json) return false;
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
    while (lexer->lookahead >= '0' && lexer->lookahead <= '9') {
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

// Behind `//@` or `#@`: marks the end of the directive's word, and says whether the rest of the line can be read.
static bool directive(TSLexer *lexer, TSSymbol *found) {
    static const struct {
        const char *word;
        TSSymbol token;
    } WORDS[] = {
        {"test", TEST}, {"stop", STOP}, {"max-new", MAX_NEW}, {"allow", ALLOW}, {"allow-file", ALLOW}, {"input", INPUT},
    };
    char text[12];
    bool empty = false, sound = false;
    skip_blanks(lexer);
    if (!word(lexer, text, sizeof text) || !is_blank(lexer->lookahead)) return false;
    lexer->mark_end(lexer);
    *found = COMMENT;
    for (unsigned at = 0; at < sizeof WORDS / sizeof *WORDS; at++) {
        if (strcmp(text, WORDS[at].word) == 0) *found = WORDS[at].token;
    }
    skip_blanks(lexer);
    switch (*found) {
        case TEST: sound = test(lexer); break;
        case STOP: sound = string(lexer, &empty) && !empty; break;
        case MAX_NEW: sound = count(lexer); break;
        case ALLOW: return !ends_line(lexer) && lexer->lookahead != ':';
        case INPUT: sound = names(lexer); break;
        default: return false;
    }
    skip_blanks(lexer);
    return sound && ends_line(lexer);
}

// At the end of a comment's line: whether a production or a repeat block starts on the next one, directives skipped.
static bool above_statement(TSLexer *lexer) {
    unsigned blanks;
    for (;;) {
        if (white_space(lexer, false, &blanks) != 1) return false;
        if (lexer->lookahead != '#' && lexer->lookahead != '/') break;
        if (!starts_comment(lexer) || lexer->lookahead != '@') return false;
        skip_line(lexer);
    }
    char text[9];
    if (!word(lexer, text, sizeof text)) return false;
    bool starts = strcmp(text, "where") == 0 || strcmp(text, "where_lm") == 0 || strcmp(text, "where_rm") == 0;
    bool repeats = strcmp(text, "repeat") == 0;
    white_space(lexer, false, &blanks);
    // Before these it is a name.
    return (repeats || (starts && lexer->lookahead != ':')) && lexer->lookahead != '[' && lexer->lookahead != ',' &&
           lexer->lookahead != '}' && lexer->lookahead != ']';
}

static bool is_causal_attn(const char *text) {
    const char *expected = "causal_attn";
    while (*expected && (*text == *expected || (*text | 0x20) == *expected)) text++, expected++;
    return !*text && !*expected;
}

// Passes white space and comments.
static void skip_gap(TSLexer *lexer) {
    unsigned blanks;
    do white_space(lexer, false, &blanks);
    while (starts_comment(lexer) && (skip_line(lexer), true));
}

// Whether a register that is called like a keyword is written here, `where[N] = …`; marks the end of its name.
static bool keyword_written(TSLexer *lexer) {
    static const char *const KEYWORDS[] = {
        "registers", "constants", "system", "watch", "where", "where_lm", "where_rm", "repeat", "until", "and",
    };
    char text[12];
    if (!word(lexer, text, sizeof text)) return false;
    lexer->mark_end(lexer);
    bool keyword = is_causal_attn(text);
    for (unsigned at = 0; at < sizeof KEYWORDS / sizeof *KEYWORDS; at++) {
        keyword = keyword || strcmp(text, KEYWORDS[at]) == 0;
    }
    skip_gap(lexer);
    if (!keyword || lexer->lookahead != '[') return false;
    advance(lexer);
    skip_gap(lexer);
    while (is_name(lexer->lookahead)) advance(lexer);
    skip_gap(lexer);
    if (lexer->lookahead != ']') return false;
    advance(lexer);
    skip_gap(lexer);
    if (lexer->lookahead != '=') return false;
    advance(lexer);
    return lexer->lookahead != '=';
}

void *tree_sitter_psl_external_scanner_create(void) { return ts_calloc(1, sizeof(bool)); }

void tree_sitter_psl_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_psl_external_scanner_serialize(void *payload, char *buffer) {
    *buffer = *(bool *)payload;
    return 1;
}

void tree_sitter_psl_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
    *(bool *)payload = length > 0 && *buffer;
}

bool tree_sitter_psl_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
    bool *in_directive = payload;
    if (*in_directive) {
        while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
        if (!ends_line(lexer)) return false;
        *in_directive = false;
        if (valid[LINE_END]) {
            lexer->result_symbol = LINE_END;
            return true;
        }
    }
    unsigned blanks, breaks = white_space(lexer, true, &blanks);
    if (valid[OPEN_STRING] && is_quote(lexer->lookahead)) {
        bool empty;
        lexer->result_symbol = OPEN_STRING;
        return !string(lexer, &empty);
    }
    if (valid[KEYWORD_WRITTEN] && is_letter(lexer->lookahead)) {
        lexer->result_symbol = KEYWORD_WRITTEN;
        return keyword_written(lexer);
    }
    if (lexer->lookahead != '#' && lexer->lookahead != '/') return false;
    bool own_line = breaks > 0 || lexer->get_column(lexer) == blanks;
    if (!starts_comment(lexer)) return false;
    lexer->result_symbol = COMMENT;
    if (lexer->lookahead == '@') {
        advance(lexer);
        TSSymbol found = COMMENT;
        *in_directive = directive(lexer, &found);
        if (*in_directive) {
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
