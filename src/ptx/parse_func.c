/* parse_func.c - the frame of a function: linkage, parameters, performance directives. */
#include "ptx/parse_priv.h"

void parse_func_begin(struct parser *p, uint32_t links, bool is_entry)
{
    p->func = (struct ast_func){
        .is_entry = is_entry,
        .is_extern = (links & LINK_EXTERN) != 0,
        .is_visible = (links & LINK_VISIBLE) != 0,
    };
}

void parse_func_results(struct parser *p, uint32_t n)
{
    p->func.nresults = n;
    p->func.results = parse_take(p, &p->vars, n);
}

void parse_func_name(struct parser *p, const struct token *name)
{
    p->func.name = name->text;
    p->func.line = name->line;
    if (p->func.is_entry && p->func.nresults)
        parse_fail(p, name->line, "the kernel '%.40s' cannot return a value", name->text);
}

void parse_func_params(struct parser *p, uint32_t n)
{
    p->func.nparams = n;
    p->func.params = parse_take(p, &p->vars, n);
}

void parse_func_number(struct parser *p, uint32_t index, const struct token *t)
{
    uint32_t value = parse_const_u32(p, t, "the number");
    if (index < 3)
        p->numbers[index] = value;
}

static void set_shape(struct parser *p, uint32_t shape[3], uint32_t n)
{
    for (uint32_t i = 0; i < 3; i++)
        shape[i] = i < n ? p->numbers[i] : 1;
}

void parse_func_perf(struct parser *p, const struct token *t, uint32_t n)
{
    bool is_shape = t->code == PERF_REQNTID || t->code == PERF_MAXNTID;
    if (t->code != PERF_OTHER && (n == 0 || n > (is_shape ? 3 : 1))) {
        parse_fail(p, t->line, "'%.*s' has %u numbers, expected %s", (int)t->length, t->text, n,
                   is_shape ? "1 to 3" : "1");
        return;
    }
    switch (t->code) {
    case PERF_REQNTID:
        set_shape(p, p->func.reqntid, n);
        break;
    case PERF_MAXNTID:
        set_shape(p, p->func.maxntid, n);
        break;
    case PERF_MINNCTAPERSM:
        p->func.minnctapersm = p->numbers[0];
        break;
    case PERF_MAXNREG:
        p->func.maxnreg = p->numbers[0];
        break;
    default:
        break;
    }
}

void parse_func_open_body(struct parser *p)
{
    p->func.has_body = true;
    p->is_in_body = true;
}

void parse_func_end(struct parser *p)
{
    p->is_in_body = false;
    p->func.nbody = p->statements.n;
    p->func.body = parse_take(p, &p->statements, p->func.nbody);
    *(struct ast_func *)parse_push(p, &p->funcs) = p->func;
}
