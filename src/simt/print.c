/* print.c - printf and assert of device code.
 *
 * vprintf(format, arguments): the arguments lie one after another, each aligned to its size, in
 * memory that the thread owns.  Output appears thread by thread, in order of lanes. */
#include "simt/print.h"

#include <stdio.h>
#include <string.h>

#include "simt/lanes.h"

enum { MAX_TEXT = 4096 };

/* Where the parameters of called functions of a lane lie. */
static uint8_t *frame_of(const struct warp *w, uint32_t lane)
{
    return w->local + lane * w->local_stride + w->grid->code->local_bytes;
}

/* Bytes at a generic address as lane `lane` sees it; false when it may not read there. */
static bool read_bytes(const struct warp *w, uint32_t lane, uint64_t address, void *to,
                       size_t bytes)
{
    const struct grid *g = w->grid;
    const uint8_t *from = NULL;
    struct devmem_range r;
    if (address - DEVMEM_LOCAL < DEVMEM_WINDOW) {
        uint64_t at = address - DEVMEM_LOCAL;
        if (at <= g->code->local_bytes && bytes <= g->code->local_bytes - at)
            from = w->local + lane * w->local_stride + at;
    } else if (address - DEVMEM_SHARED < DEVMEM_WINDOW) {
        uint64_t at = address - DEVMEM_SHARED;
        if (at <= g->shared_bytes && bytes <= g->shared_bytes - at)
            from = w->cta->shared + at;
    } else if (devmem_find(g->mem, address, &r) && bytes <= r.hi - address) {
        from = g->host + address;
    }
    if (!from)
        return false;
    memcpy(to, from, bytes);
    return true;
}

/* A string, cut at MAX_TEXT; false when it leaves the memory the thread may read. */
static bool read_string(const struct warp *w, uint32_t lane, uint64_t address, char *to)
{
    for (size_t n = 0; n < MAX_TEXT; n++) {
        if (!read_bytes(w, lane, address + n, to + n, 1))
            return false;
        if (to[n] == 0)
            return true;
    }
    to[MAX_TEXT - 1] = 0;
    return true;
}

struct arguments {
    const struct warp *w;
    uint32_t lane;
    uint64_t at;
    bool is_bad;
};

static uint64_t next_argument(struct arguments *a, uint32_t bytes)
{
    uint64_t bits = 0;
    a->at = (a->at + bytes - 1) / bytes * bytes;
    if (!read_bytes(a->w, a->lane, a->at, &bits, bytes))
        a->is_bad = true;
    a->at += bytes;
    return bits;
}

struct text {
    char *bytes;
    size_t n;
};

static void add(struct text *t, const char *bytes, int n)
{
    for (int i = 0; i < n && t->n + 1 < MAX_TEXT; i++)
        t->bytes[t->n++] = bytes[i];
}

/* One conversion, with flags and width already in `spec` (which ends before its letter). */
static void convert(struct arguments *a, struct text *out, char *spec, size_t n, char letter,
                    bool is_long)
{
    char piece[MAX_TEXT], string[MAX_TEXT];
    int length = 0;
    if (strchr("di", letter) && letter) {
        memcpy(spec + n, (char[]){'l', 'l', letter, 0}, 4);
        long long v = is_long ? (long long)next_argument(a, 8) : (int32_t)next_argument(a, 4);
        length = snprintf(piece, sizeof piece, spec, v);
    } else if (strchr("uoxXc", letter) && letter) {
        uint64_t v = next_argument(a, is_long ? 8 : 4);
        if (letter == 'c') {
            memcpy(spec + n, "c", 2);
            length = snprintf(piece, sizeof piece, spec, (int)(v & 0xff));
        } else {
            memcpy(spec + n, (char[]){'l', 'l', letter, 0}, 4);
            length = snprintf(piece, sizeof piece, spec, (unsigned long long)v);
        }
    } else if (strchr("aAeEfFgG", letter) && letter) {
        uint64_t bits = next_argument(a, 8);
        double v;
        memcpy(&v, &bits, 8);
        memcpy(spec + n, (char[]){letter, 0}, 2);
        length = snprintf(piece, sizeof piece, spec, v);
    } else if (letter == 'p') {
        length = snprintf(piece, sizeof piece, "0x%llx", (unsigned long long)next_argument(a, 8));
    } else if (letter == 's') {
        memcpy(spec + n, "s", 2);
        if (!read_string(a->w, a->lane, next_argument(a, 8), string))
            a->is_bad = true;
        else
            length = snprintf(piece, sizeof piece, spec, string);
    } else {
        a->is_bad = true;
    }
    if (length > 0 && !a->is_bad)
        add(out, piece, length < MAX_TEXT ? length : MAX_TEXT - 1);
}

static const char *conversion(struct arguments *a, struct text *out, const char *f)
{
    char spec[64] = "%";
    size_t n = 1;
    bool is_long = false;
    for (; *f && strchr("-+ #0123456789.*", *f); f++) {
        if (*f == '*')
            n += (size_t)snprintf(spec + n, 12, "%d", (int32_t)next_argument(a, 4));
        else
            spec[n++] = *f;
        if (n > 40) {
            a->is_bad = true;
            return f;
        }
    }
    for (; *f && strchr("hlqjzt", *f); f++)
        is_long = is_long || *f != 'h'; /* long has 64 bits in device code */
    if (*f == 0)
        return f;
    convert(a, out, spec, n, *f, is_long);
    return f + 1;
}

static void print_lane(struct warp *w, const struct insn *i, uint32_t lane)
{
    char format[MAX_TEXT], buffer[MAX_TEXT];
    uint64_t format_at, arguments_at;
    memcpy(&format_at, frame_of(w, lane) + (i->imm >> 32), 8);
    memcpy(&arguments_at, frame_of(w, lane) + (i->imm & UINT32_MAX), 8);
    if (!read_string(w, lane, format_at, format)) {
        exec_fault(w, i, lane, "printf: no format at 0x%llx", (unsigned long long)format_at);
        return;
    }
    struct arguments a = {.w = w, .lane = lane, .at = arguments_at};
    struct text out = {.bytes = buffer};
    for (const char *f = format; *f && !a.is_bad;) {
        if (f[0] == '%' && f[1] == '%') {
            add(&out, "%", 1);
            f += 2;
        } else if (f[0] == '%') {
            f = conversion(&a, &out, f + 1);
        } else {
            add(&out, f++, 1);
        }
    }
    if (a.is_bad)
        exec_fault(w, i, lane, "printf: bad conversion or argument in \"%.60s\"", format);
    else if (w->grid->print)
        w->grid->print(w->grid->print_context, out.bytes, out.n);
    if (i->mod != UINT32_MAX)
        memcpy(frame_of(w, lane) + i->mod, &(int32_t){0}, 4);
}

static void print_formatted(struct warp *w, const struct insn *i)
{
    for (uint32_t m = w->exec; m && !w->grid->has_fault; m &= m - 1)
        print_lane(w, i, (uint32_t)__builtin_ctz(m));
}

static void print_assertion(struct warp *w, const struct insn *i)
{
    uint32_t lane = (uint32_t)__builtin_ctz(w->exec);
    uint64_t at;
    char text[MAX_TEXT];
    memcpy(&at, frame_of(w, lane) + (i->imm >> 32), 8);
    if (!read_string(w, lane, at, text))
        strcpy(text, "?");
    exec_fault(w, i, lane, "assertion failed: %.200s", text);
}

bool print_find(const struct opcode *o, struct op_desc *d)
{
    op_fn *fn = strcmp(o->part[0], "vprintf") == 0        ? print_formatted
                : strcmp(o->part[0], "__assertfail") == 0 ? print_assertion
                                                          : NULL;
    if (!fn)
        return false;
    *d = (struct op_desc){.fn = fn, .operands = "", .unit = UNIT_NONE};
    return true;
}
