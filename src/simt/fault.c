/* fault.c - what is wrong with a kernel, in one line: kernel, place, CTA, thread, reason. */
#include <stdio.h>

#include "simt/exec.h"
#include "simt/simt.h"

void exec_place(const struct grid *g, uint32_t insn, char *text, size_t n)
{
    const struct code *c = g->code;
    const char *source = NULL;
    for (uint32_t i = 0; i < c->ast->nfiles; i++)
        if (c->ast->files[i].index == c->loc_file[insn] && c->loc_line[insn])
            source = c->ast->files[i].path;
    if (source)
        snprintf(text, n, "%s:%u (%s:%u)", c->module, c->insns[insn].line, source,
                 c->loc_line[insn]);
    else
        snprintf(text, n, "%s:%u", c->module, c->insns[insn].line);
}

void exec_stop(struct grid *g, enum status status, const char *what, ...)
{
    va_list ap;
    va_start(ap, what);
    g->has_fault = true;
    err_vset(&g->fault, status, what, ap);
    va_end(ap);
}

bool exec_refill(struct grid *g, uint32_t insns)
{
    enum { AT_ONCE = 1 << 20 }; /* some hundredths of a second */
    const struct simt_launch *l = g->launch;
    while (insns > g->budget) {
        uint64_t more = g->reserve < AT_ONCE ? g->reserve : AT_ONCE;
        if (!more)
            exec_stop(g, STATUS_BUDGET, "kernel %s: out of instructions", g->code->name);
        else if (l->is_stopped && l->is_stopped(l->stop_context))
            exec_stop(g, STATUS_BUDGET, "kernel %s: nobody wants to know", g->code->name);
        if (g->has_fault)
            return false;
        g->budget += more;
        g->reserve -= more;
    }
    return true;
}

void exec_fault(struct warp *w, const struct insn *i, uint32_t lane, const char *what, ...)
{
    struct grid *g = w->grid;
    char reason[512], place[256];
    va_list ap;
    va_start(ap, what);
    vsnprintf(reason, sizeof reason, what, ap);
    va_end(ap);
    exec_place(g, i->id, place, sizeof place);
    uint32_t t = w->id * WARP_LANES + lane;
    exec_stop(g, STATUS_FAILED, "%s: kernel %s, CTA (%u,%u,%u), thread (%u,%u,%u): %s", place,
              g->code->name, w->cta->ctaid[0], w->cta->ctaid[1], w->cta->ctaid[2], t % g->block[0],
              t / g->block[0] % g->block[1], t / g->block[0] / g->block[1], reason);
}
