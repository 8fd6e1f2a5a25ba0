/* lexer.re - PTX text to tokens, and how a token is called in an error.
 *
 * An opcode is one word with all its suffixes, and so is %tid.x.  What says nothing of what a
 * kernel does never reaches the grammar: blanks, comments, .section blocks, .attribute(...). */
#include "grammar.h"
#include "ptx/parse_priv.h"

#include <stdio.h>

enum { POOL_BYTES = 32 << 10 };

static const char *copy_word(struct parser *p, const unsigned char *start, size_t length)
{
    if ((size_t)(p->pool_end - p->pool) <= length) {
        size_t bytes = length < POOL_BYTES ? POOL_BYTES : length + 1;
        p->pool = arena_alloc(p->a, bytes);
        p->pool_end = p->pool + bytes;
    }
    char *copy = p->pool;
    memcpy(copy, start, length);
    copy[length] = '\0';
    p->pool += length + 1;
    return copy;
}

static int emit(struct parser *p, struct token *t, const unsigned char *start,
                const unsigned char *end, int kind, int code)
{
    p->at = end;
    *t = (struct token){(const char *)start, (uint32_t)(end - start), p->line, code};
    if (kind == TOKEN_WORD || kind == TOKEN_SINK)
        t->text = copy_word(p, start, t->length);
    return kind;
}

static int refuse(struct parser *p, const unsigned char *start, const unsigned char *end,
                  const char *fmt)
{
    char text[48];
    snprintf(text, sizeof text, "%.*s", (int)(end - start < 40 ? end - start : 40),
             (const char *)start);
    if (*start < ' ' || *start > '~')
        snprintf(text, sizeof text, "\\x%02x", *start);
    parse_fail(p, p->line, fmt, text);
    return 0;
}

/* Behind the comment that begins at `at`; NULL when it has no end. */
static const unsigned char *skip_comment(struct parser *p, const unsigned char *at)
{
    uint32_t opened = p->line;
    for (at += 2; p->limit - at >= 2; at++) {
        if (at[0] == '*' && at[1] == '/')
            return at + 2;
        p->line += *at == '\n';
    }
    parse_fail(p, opened, "the comment that begins here has no end");
    return NULL;
}

/* Behind the bracket that closes the first `open`; NULL when it is missing. */
static const unsigned char *skip_block(struct parser *p, const unsigned char *at, char open,
                                       char close, const char *what)
{
    uint32_t opened = p->line, depth = 0;
    while (at < p->limit) {
        if (p->limit - at >= 2 && at[0] == '/' && at[1] == '/') {
            const void *end = memchr(at, '\n', (size_t)(p->limit - at));
            at = end ? end : p->limit;
            continue;
        }
        p->line += *at == '\n';
        depth += *at == open;
        if (*at++ == close && (depth == 0 || --depth == 0))
            return at;
    }
    parse_fail(p, opened, "%s has no closing '%c'", what, close);
    return NULL;
}

#define EMIT(kind, code) return emit(p, t, start, at, TOKEN_##kind, code)
#define REFUSE(...) return refuse(p, start, at, __VA_ARGS__)
#define SKIP(to)                                                                                   \
    do {                                                                                           \
        if ((at = (to)) == NULL)                                                                   \
            return 0;                                                                              \
    } while (0)

int lexer_next(struct parser *p, struct token *t)
{
    const unsigned char *at = p->at, *marker, *start;
    for (;;) {
        start = at;
        /*!re2c
        re2c:define:YYCTYPE = "unsigned char";
        re2c:define:YYCURSOR = at;
        re2c:define:YYMARKER = marker;
        re2c:define:YYLIMIT = "p->limit";
        re2c:yyfill:enable = 0;
        re2c:eof = 0;

        digit = [0-9];
        hex = [0-9a-fA-F];
        follow = [a-zA-Z0-9_$];
        word = ([a-zA-Z] follow* | [_$%] follow+) (("." | "::") follow+)*;

        [ \t\r\f\v]+ { continue; }
        "\n" { p->line++; continue; }
        "//" [^\n]* { continue; }
        "/*" { SKIP(skip_comment(p, start)); continue; }
        $ { return emit(p, t, start, start, 0, 0); }

        "_" { EMIT(SINK, 0); }
        word { EMIT(WORD, 0); }

        ("0" [xX] hex+ | "0" [bB] [01]+ | digit+) "U"? { EMIT(INT, 0); }
        "0" [fF] hex{8} { EMIT(FLOAT, LITERAL_F32); }
        "0" [dD] hex{16} { EMIT(FLOAT, LITERAL_F64); }
        digit+ ("." digit+ ([eE] [+-]? digit+)? | [eE] [+-]? digit+) { EMIT(FLOAT, LITERAL_DECIMAL); }
        digit follow* { REFUSE("'%s' is not a number"); }

        ["] ([^"\n\\] | "\\" [^\n])* ["] { EMIT(STRING, 0); }
        ["] { parse_fail(p, p->line, "the string that begins here has no end"); return 0; }

        ".version" { EMIT(VERSION, 0); }
        ".target" { EMIT(TARGET, 0); }
        ".address_size" { EMIT(ADDRESS_SIZE, 0); }
        ".file" { EMIT(FILE, 0); }
        ".loc" { EMIT(LOC, 0); }
        ".pragma" { EMIT(PRAGMA, 0); }
        ".alias" { EMIT(ALIAS, 0); }
        ".entry" { EMIT(ENTRY, 0); }
        ".func" { EMIT(FUNC, 0); }
        ".align" { EMIT(ALIGN, 0); }
        ".ptr" { EMIT(PTR, 0); }
        ".branchtargets" | ".calltargets" { EMIT(TARGETS, 0); }
        ".callprototype" { EMIT(PROTOTYPE, 0); }
        ".section" { SKIP(skip_block(p, at, '{', '}', "'.section'")); continue; }
        ".attribute" { SKIP(skip_block(p, at, '(', ')', "'.attribute'")); continue; }

        ".extern" { EMIT(LINK, LINK_EXTERN); }
        ".visible" | ".weak" | ".common" { EMIT(LINK, LINK_VISIBLE); }

        ".reg" { EMIT(SPACE, SPACE_REG); }
        ".global" { EMIT(SPACE, SPACE_GLOBAL); }
        ".const" { EMIT(SPACE, SPACE_CONST); }
        ".shared" { EMIT(SPACE, SPACE_SHARED); }
        ".local" { EMIT(SPACE, SPACE_LOCAL); }
        ".param" { EMIT(SPACE, SPACE_PARAM); }
        ".tex" { EMIT(SPACE, SPACE_TEXREF); }
        ".texref" | ".samplerref" | ".surfref" { EMIT(OPAQUE, 0); }

        ".v2" { EMIT(VECTOR, 2); }
        ".v4" { EMIT(VECTOR, 4); }
        ".pred" { EMIT(TYPE, TYPE_PRED); }
        ".b8" { EMIT(TYPE, TYPE_B8); }
        ".b16" { EMIT(TYPE, TYPE_B16); }
        ".b32" { EMIT(TYPE, TYPE_B32); }
        ".b64" { EMIT(TYPE, TYPE_B64); }
        ".b128" { EMIT(TYPE, TYPE_B128); }
        ".u8" { EMIT(TYPE, TYPE_U8); }
        ".u16" { EMIT(TYPE, TYPE_U16); }
        ".u32" { EMIT(TYPE, TYPE_U32); }
        ".u64" { EMIT(TYPE, TYPE_U64); }
        ".s8" { EMIT(TYPE, TYPE_S8); }
        ".s16" { EMIT(TYPE, TYPE_S16); }
        ".s32" { EMIT(TYPE, TYPE_S32); }
        ".s64" { EMIT(TYPE, TYPE_S64); }
        ".f16" { EMIT(TYPE, TYPE_F16); }
        ".f16x2" { EMIT(TYPE, TYPE_F16X2); }
        ".f32" { EMIT(TYPE, TYPE_F32); }
        ".f64" { EMIT(TYPE, TYPE_F64); }
        ".bf16" { EMIT(TYPE, TYPE_BF16); }
        ".bf16x2" { EMIT(TYPE, TYPE_BF16X2); }

        ".reqntid" { EMIT(PERF, PERF_REQNTID); }
        ".maxntid" { EMIT(PERF, PERF_MAXNTID); }
        ".minnctapersm" { EMIT(PERF, PERF_MINNCTAPERSM); }
        ".maxnreg" { EMIT(PERF, PERF_MAXNREG); }
        ".maxnctapersm" | ".maxclusterrank" | ".reqnctapercluster" | ".explicitcluster" |
        ".blocksareclusters" | ".noreturn" | ".abi_preserve" | ".abi_preserve_control" {
            EMIT(PERF, PERF_OTHER);
        }
        "." [a-zA-Z_] follow* { REFUSE("unknown directive '%s'"); }

        "," { EMIT(COMMA, 0); }
        ";" { EMIT(SEMICOLON, 0); }
        ":" { EMIT(COLON, 0); }
        "(" { EMIT(LPAREN, 0); }
        ")" { EMIT(RPAREN, 0); }
        "[" { EMIT(LBRACKET, 0); }
        "]" { EMIT(RBRACKET, 0); }
        "{" { EMIT(LBRACE, 0); }
        "}" { EMIT(RBRACE, 0); }
        "=" { EMIT(ASSIGN, 0); }
        "@" { EMIT(AT, 0); }
        "?" { EMIT(QUESTION, 0); }
        "+" { EMIT(PLUS, CONST_ADD); }
        "-" { EMIT(MINUS, CONST_SUB); }
        "*" { EMIT(STAR, CONST_MUL); }
        "/" { EMIT(SLASH, CONST_DIV); }
        "%" { EMIT(PERCENT, CONST_REM); }
        "<<" { EMIT(SHL, CONST_SHL); }
        ">>" { EMIT(SHR, CONST_SHR); }
        "&" { EMIT(AMPERSAND, CONST_AND); }
        "|" { EMIT(BAR, CONST_OR); }
        "^" { EMIT(CARET, CONST_XOR); }
        "&&" { EMIT(BOTH, CONST_LOGICAL_AND); }
        "||" { EMIT(EITHER, CONST_LOGICAL_OR); }
        "<" { EMIT(LT, CONST_LT); }
        "<=" { EMIT(LE, CONST_LE); }
        ">" { EMIT(GT, CONST_GT); }
        ">=" { EMIT(GE, CONST_GE); }
        "==" { EMIT(EQ, CONST_EQ); }
        "!=" { EMIT(NE, CONST_NE); }
        "~" { EMIT(TILDE, CONST_NOT); }
        "!" { EMIT(BANG, CONST_LOGICAL_NOT); }

        * { REFUSE("found '%s', which begins nothing in PTX"); }
        */
    }
}

/* --- errors ----------------------------------------------------------------------------------- */

static const char *describe(int kind)
{
    static const char *const text[] = {
        [0] = "the end of the file", [TOKEN_WORD] = "a name", [TOKEN_SINK] = "'_'",
        [TOKEN_INT] = "an integer", [TOKEN_FLOAT] = "a floating-point number",
        [TOKEN_STRING] = "a string", [TOKEN_TYPE] = "a type", [TOKEN_SPACE] = "a state space",
        [TOKEN_COMMA] = "','", [TOKEN_SEMICOLON] = "';'",
        [TOKEN_COLON] = "':'", [TOKEN_LPAREN] = "'('", [TOKEN_RPAREN] = "')'",
        [TOKEN_LBRACKET] = "'['", [TOKEN_RBRACKET] = "']'", [TOKEN_LBRACE] = "'{'",
        [TOKEN_RBRACE] = "'}'", [TOKEN_LT] = "'<'", [TOKEN_GT] = "'>'", [TOKEN_ASSIGN] = "'='",
        [TOKEN_PLUS] = "'+'", [TOKEN_MINUS] = "'-'", [TOKEN_STAR] = "'*'", [TOKEN_BAR] = "'|'",
        [TOKEN_BANG] = "'!'",
    };
    return kind < (int)(sizeof text / sizeof text[0]) ? text[kind] : NULL;
}

/* Where much may stand, what it would be as a whole. */
static const char *summary(const bool *is_expected)
{
    if (is_expected[TOKEN_VERSION] || is_expected[TOKEN_ENTRY])
        return "a directive, a declaration or a function";
    if (is_expected[TOKEN_AT] || is_expected[TOKEN_LINK])
        return "an instruction, a label, a declaration or '}'";
    if (is_expected[TOKEN_TILDE])
        return "a constant";
    if (is_expected[TOKEN_LBRACKET] && is_expected[TOKEN_MINUS])
        return is_expected[TOKEN_COLON]       ? "an operand, ';' or ':'"
               : is_expected[TOKEN_SEMICOLON] ? "an operand or ';'"
                                              : "an operand";
    if (is_expected[TOKEN_ALIGN])
        return "a type or a name";
    if (is_expected[TOKEN_QUESTION])
        return "an operator or the end of the constant";
    return NULL;
}

void lexer_unexpected(struct parser *p, int kind, const struct token *t, const bool *is_expected,
                      int nkinds)
{
    const char *parts[8], *whole = summary(is_expected);
    int n = 0;
    for (int i = 0; i < nkinds && n < 8 && !whole; i++)
        if (is_expected[i] && describe(i))
            parts[n++] = describe(i);
    if (whole)
        parts[n++] = whole;
    char wanted[256];
    size_t used = 0;
    for (int i = 0; i < n && used < sizeof wanted; i++)
        used += (size_t)snprintf(wanted + used, sizeof wanted - used, "%s%s",
                                 i == 0 ? "" : i + 1 < n ? ", " : " or ", parts[i]);
    if (kind == 0 || kind == TOKEN_STRING)
        parse_fail(p, t->line, "found %s, expected %s", describe(kind), wanted);
    else
        parse_fail(p, t->line, "found '%.*s', expected %s", t->length < 40 ? (int)t->length : 40,
                   t->text, wanted);
}
