/* expr.c - expressions of study files: recursive descent into a tree, evaluated by walking it.
 *
 * Text may be anybody's: its length is bounded, and with it the depth of the tree. */
#include "study/expr.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { MAX_TEXT = 2000, MAX_DEPTH = 64, MAX_WORD = 96 };

enum kind {
    NUMBER,
    NAME,
    REF, /* no operand */
    NEG,
    NOT,
    ABS,
    SQRT, /* one */
    ADD,
    SUB,
    MUL,
    DIV,
    MIN,
    MAX, /* two, from here on */
    LT,
    LE,
    GT,
    GE,
    EQ,
    NE,
    AND,
    OR,
};

struct node {
    enum kind kind;
    double number;
    const struct expr_name *name;
    const struct expr_ref *ref;
    const struct node *left, *right; /* of one operand: left */
};

struct expr {
    const struct node *top;
    const struct expr_name *names;
    const struct expr_ref *refs;
};

struct parser {
    struct arena *arena;
    const char *text, *at;
    int depth;
    const struct expr_name **last_name;
    const struct expr_ref **last_ref;
    struct err *e;
};

/* ---- words --------------------------------------------------------------------------------- */

static int column(const struct parser *p)
{
    return (int)(p->at - p->text) + 1;
}

static const struct node *refuse(const struct parser *p, const char *expected)
{
    char got[24] = "the end";
    size_t n = 0;
    while (n < 12 && isalnum((unsigned char)p->at[n]))
        n++;
    if (*p->at)
        snprintf(got, sizeof got, "\"%.*s\"", n ? (int)n : 1, p->at);
    err_set(p->e, STATUS_BAD_INPUT, "column %d: expected %s, got %s", column(p), expected, got);
    return NULL;
}

static void skip_blanks(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool take(struct parser *p, const char *word)
{
    skip_blanks(p);
    size_t n = strlen(word);
    if (strncmp(p->at, word, n) != 0)
        return false;
    p->at += n;
    return true;
}

static const struct node *join(struct parser *p, enum kind kind, const struct node *left,
                               const struct node *right)
{
    if (!left || (kind >= ADD && !right))
        return NULL;
    struct node *x = ARENA_NEW(p->arena, struct node);
    *x = (struct node){.kind = kind, .left = left, .right = right};
    return x;
}

/* ---- operands ------------------------------------------------------------------------------ */

static const struct node *parse_or(struct parser *p);

static size_t number_length(const char *s)
{
    size_t n = strspn(s, "0123456789.");
    if (n && (s[n] == 'e' || s[n] == 'E')) {
        size_t sign = s[n + 1] == '+' || s[n + 1] == '-', digits;
        digits = strspn(s + n + 1 + sign, "0123456789");
        n += digits ? 1 + sign + digits : 0;
    }
    return n;
}

static const struct node *parse_number(struct parser *p)
{
    char word[MAX_WORD];
    size_t n = number_length(p->at);
    struct node *x = ARENA_NEW(p->arena, struct node);
    x->kind = NUMBER;
    snprintf(word, sizeof word, "%.*s", (int)n, p->at);
    if (n >= sizeof word || !str_to_real(word, &x->number) || isalpha((unsigned char)p->at[n]))
        return refuse(p, "a number");
    p->at += n;
    return x;
}

/* A name of a figure, a variant or a workload ("2DCONV", "B+TREE") and one of `ends` after it. */
static const char *parse_argument(struct parser *p, const char *ends)
{
    skip_blanks(p);
    size_t n = strcspn(p->at, ",()"), trimmed = n;
    while (trimmed && isspace((unsigned char)p->at[trimmed - 1]))
        trimmed--;
    if (!trimmed) {
        refuse(p, "a name");
        return NULL;
    }
    const char *text = arena_printf(p->arena, "%.*s", (int)trimmed, p->at);
    p->at += n;
    if (!*p->at || !strchr(ends, *p->at)) {
        refuse(p, "value(FIGURE, VARIANT, WORKLOAD)");
        return NULL;
    }
    p->at++;
    return text;
}

static const struct node *parse_ref(struct parser *p, int at)
{
    struct expr_ref *r = ARENA_NEW(p->arena, struct expr_ref);
    r->column = at;
    r->figure = parse_argument(p, ",");
    r->variant = r->figure ? parse_argument(p, ",") : NULL;
    r->workload = r->variant ? parse_argument(p, ",)") : NULL;
    if (!r->workload)
        return NULL;
    if (p->at[-1] == ',' && !(r->part = parse_argument(p, ")")))
        return NULL;
    *p->last_ref = r;
    p->last_ref = &r->next;
    struct node *x = ARENA_NEW(p->arena, struct node);
    *x = (struct node){.kind = REF, .ref = r};
    return x;
}

static const struct node *parse_close(struct parser *p, const struct node *inner)
{
    if (inner && !take(p, ")"))
        return refuse(p, "an operator or \")\"");
    return inner;
}

/* What follows "min(" and the like. */
static const struct node *parse_call(struct parser *p, enum kind kind)
{
    const struct node *x = parse_or(p);
    if (kind == ABS || kind == SQRT)
        return parse_close(p, join(p, kind, x, NULL));
    while (x && take(p, ","))
        x = join(p, kind, x, parse_or(p));
    return parse_close(p, x);
}

static size_t name_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_' || (s[n] == '.' && n > 0))
        n++;
    return n;
}

static const struct node *parse_name(struct parser *p)
{
    static const struct {
        const char *name;
        enum kind kind;
    } calls[] = {{"min", MIN}, {"max", MAX}, {"abs", ABS}, {"sqrt", SQRT}, {"value", REF}};
    size_t n = name_length(p->at);
    int at = column(p);
    if (n > MAX_WORD)
        return refuse(p, "a shorter name");
    const char *word = arena_printf(p->arena, "%.*s", (int)n, p->at);
    if (*(p->at + n + strspn(p->at + n, " \t")) == '(') {
        for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
            if (strcmp(word, calls[i].name) == 0) {
                p->at += n;
                take(p, "(");
                return calls[i].kind == REF ? parse_ref(p, at) : parse_call(p, calls[i].kind);
            }
        return refuse(p, "one of the functions min, max, abs, sqrt and value");
    }
    struct expr_name *name = ARENA_NEW(p->arena, struct expr_name);
    *name = (struct expr_name){word, at, NULL};
    *p->last_name = name;
    p->last_name = &name->next;
    p->at += n;
    struct node *x = ARENA_NEW(p->arena, struct node);
    *x = (struct node){.kind = NAME, .name = name};
    return x;
}

static const struct node *parse_operand(struct parser *p)
{
    skip_blanks(p);
    if (take(p, "("))
        return parse_close(p, parse_or(p));
    if (isdigit((unsigned char)*p->at) || *p->at == '.')
        return parse_number(p);
    if (isalpha((unsigned char)*p->at) || *p->at == '_')
        return parse_name(p);
    return refuse(p, "a number, a name or \"(\"");
}

/* ---- operators ----------------------------------------------------------------------------- */

static const struct node *parse_unary(struct parser *p)
{
    skip_blanks(p);
    if (++p->depth > MAX_DEPTH)
        return refuse(p, "less nesting");
    const struct node *x;
    if (*p->at == '-' || (*p->at == '!' && p->at[1] != '=')) {
        enum kind kind = *p->at++ == '-' ? NEG : NOT;
        x = join(p, kind, parse_unary(p), NULL);
    } else {
        x = parse_operand(p);
    }
    p->depth--;
    return x;
}

static const struct node *parse_product(struct parser *p)
{
    const struct node *x = parse_unary(p);
    while (x) {
        enum kind kind = take(p, "*") ? MUL : take(p, "/") ? DIV : NUMBER;
        if (kind == NUMBER)
            break;
        x = join(p, kind, x, parse_unary(p));
    }
    return x;
}

static const struct node *parse_sum(struct parser *p)
{
    const struct node *x = parse_product(p);
    while (x) {
        enum kind kind = take(p, "+") ? ADD : take(p, "-") ? SUB : NUMBER;
        if (kind == NUMBER)
            break;
        x = join(p, kind, x, parse_product(p));
    }
    return x;
}

static const struct node *parse_comparison(struct parser *p)
{
    static const struct {
        const char *word;
        enum kind kind;
    } all[] = {{"<=", LE}, {">=", GE}, {"==", EQ}, {"!=", NE}, {"<", LT}, {">", GT}};
    const struct node *x = parse_sum(p);
    for (size_t i = 0; x && i < sizeof all / sizeof all[0]; i++)
        if (take(p, all[i].word))
            return join(p, all[i].kind, x, parse_sum(p));
    return x;
}

static const struct node *parse_and(struct parser *p)
{
    const struct node *x = parse_comparison(p);
    while (x && take(p, "&&"))
        x = join(p, AND, x, parse_comparison(p));
    return x;
}

static const struct node *parse_or(struct parser *p)
{
    const struct node *x = parse_and(p);
    while (x && take(p, "||"))
        x = join(p, OR, x, parse_and(p));
    return x;
}

const struct expr *expr_parse(struct arena *a, const char *text, struct err *e)
{
    struct expr *x = ARENA_NEW(a, struct expr);
    struct parser p = {a, text, text, 0, &x->names, &x->refs, e};
    if (strlen(text) > MAX_TEXT) {
        err_set(e, STATUS_BAD_INPUT, "column %d: longer than %d characters", MAX_TEXT, MAX_TEXT);
        return NULL;
    }
    x->top = parse_or(&p);
    skip_blanks(&p);
    if (x->top && *p.at)
        x->top = refuse(&p, "an operator");
    return x->top ? x : NULL;
}

/* ---- asking -------------------------------------------------------------------------------- */

const struct expr_name *expr_names(const struct expr *x)
{
    return x->names;
}

const struct expr_ref *expr_refs(const struct expr *x)
{
    return x->refs;
}

static bool has_base(const struct node *x)
{
    if (!x)
        return false;
    if (x->kind == NAME)
        return strncmp(x->name->text, "base.", 5) == 0;
    return has_base(x->left) || has_base(x->right);
}

bool expr_is_ratio(const struct expr *x)
{
    return x->top->kind == DIV && has_base(x->top->right);
}

static const char *unit_of(const struct node *x, const struct expr_units *u)
{
    const char *left, *right;
    switch (x->kind) {
    case NAME:
        return u->of(u->context, x->name->text);
    case NEG:
    case ABS:
        return unit_of(x->left, u);
    case ADD:
    case SUB:
    case MIN:
    case MAX:
        left = unit_of(x->left, u);
        right = unit_of(x->right, u);
        return left && right && strcmp(left, right) == 0 ? left : NULL;
    default:
        return NULL;
    }
}

const char *expr_unit(const struct expr *x, const struct expr_units *u)
{
    return unit_of(x->top, u);
}

static double two(enum kind kind, double a, double b)
{
    if (isnan(a) || isnan(b))
        return NAN;
    switch (kind) {
    case ADD:
        return a + b;
    case SUB:
        return a - b;
    case MUL:
        return a * b;
    case DIV:
        return b == 0 ? NAN : a / b;
    case MIN:
        return a < b ? a : b;
    case MAX:
        return a > b ? a : b;
    case LT:
        return a < b;
    case LE:
        return a <= b;
    case GT:
        return a > b;
    case GE:
        return a >= b;
    case EQ:
        return a == b;
    case NE:
        return a != b;
    case AND:
        return a != 0 && b != 0;
    default:
        return a != 0 || b != 0;
    }
}

static double eval(const struct node *x, const struct expr_world *w)
{
    switch (x->kind) {
    case NUMBER:
        return x->number;
    case NAME:
        return w->name(w->context, x->name->text);
    case REF:
        return w->value(w->context, x->ref);
    default:
        break;
    }
    double a = eval(x->left, w);
    switch (x->kind) {
    case NEG:
        return -a;
    case NOT:
        return isnan(a) ? NAN : a == 0;
    case ABS:
        return fabs(a);
    case SQRT:
        return a < 0 ? NAN : sqrt(a);
    default:
        return two(x->kind, a, eval(x->right, w));
    }
}

double expr_eval(const struct expr *x, const struct expr_world *w)
{
    return eval(x->top, w);
}
