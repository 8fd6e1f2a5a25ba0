/* ops.c - finds the handler of an opcode.
 *
 * The name before the first dot says which files to look in (families below); there the key, that
 * is the opcode without its modifiers, is searched.  Modules have a hundred thousand instructions,
 * so the files with many rows keep them sorted. */
#include "simt/lanes/ops.h"

enum { /* files of handlers, as bits */
       IN_INT = 1 << 0,
       IN_LOGIC = 1 << 1,
       IN_COMPARE = 1 << 2,
       IN_MOVE = 1 << 3,
       IN_CVT = 1 << 4,
       IN_VIDEO = 1 << 5,
       IN_F32 = 1 << 6,
       IN_F64 = 1 << 7,
       IN_HALF = 1 << 8,
       IN_SPECIAL = 1 << 9,
       FILES = 10,
       IN_FLOAT = IN_F32 | IN_F64 | IN_HALF | IN_SPECIAL,
};

static const struct {
    const struct op_rows *rows;
    bool is_sorted; /* by strcmp of the keys */
} files[FILES] = {
    {&LANE(rows_int), true},      {&LANE(rows_logic), true}, {&LANE(rows_compare), true},
    {&LANE(rows_move), true},     {&LANE(rows_cvt), true},   {&LANE(rows_video), true},
    {&LANE(rows_f32), false},     {&LANE(rows_f64), false},  {&LANE(rows_half), false},
    {&LANE(rows_special), false},
};

struct family {
    const char *name;
    uint32_t files;
};

static const struct family families[] = {
    /* sorted by name */
    {"abs", IN_INT | IN_FLOAT},
    {"add", IN_INT | IN_FLOAT},
    {"addc", IN_INT},
    {"and", IN_LOGIC},
    {"bfe", IN_INT},
    {"bfi", IN_INT},
    {"bfind", IN_INT},
    {"bmsk", IN_INT},
    {"brev", IN_INT},
    {"clock", IN_MOVE},
    {"clz", IN_INT},
    {"cnot", IN_LOGIC},
    {"copysign", IN_FLOAT},
    {"cos", IN_FLOAT},
    {"cvt", IN_CVT},
    {"div", IN_INT | IN_FLOAT},
    {"dp2a", IN_INT},
    {"dp4a", IN_INT},
    {"ex2", IN_FLOAT},
    {"fma", IN_FLOAT},
    {"fns", IN_INT},
    {"lg2", IN_FLOAT},
    {"lop3", IN_LOGIC},
    {"mad", IN_INT | IN_FLOAT},
    {"mad24", IN_INT},
    {"madc", IN_INT},
    {"max", IN_INT | IN_FLOAT},
    {"min", IN_INT | IN_FLOAT},
    {"mov", IN_MOVE},
    {"mul", IN_INT | IN_FLOAT},
    {"mul24", IN_INT},
    {"narrow", IN_MOVE},
    {"neg", IN_INT | IN_FLOAT},
    {"not", IN_LOGIC},
    {"or", IN_LOGIC},
    {"pack2", IN_MOVE},
    {"pack4", IN_MOVE},
    {"popc", IN_INT},
    {"prmt", IN_LOGIC},
    {"rcp", IN_FLOAT},
    {"rem", IN_INT},
    {"rsqrt", IN_FLOAT},
    {"sad", IN_INT},
    {"selp", IN_COMPARE},
    {"set", IN_COMPARE},
    {"setp", IN_COMPARE},
    {"shf", IN_LOGIC},
    {"shl", IN_LOGIC},
    {"shr", IN_LOGIC},
    {"sin", IN_FLOAT},
    {"slct", IN_COMPARE},
    {"sqrt", IN_FLOAT},
    {"sub", IN_INT | IN_FLOAT},
    {"subc", IN_INT},
    {"szext", IN_INT},
    {"tanh", IN_FLOAT},
    {"testp", IN_COMPARE},
    {"unpack2", IN_MOVE},
    {"unpack4", IN_MOVE},
    {"vabsdiff", IN_VIDEO},
    {"vabsdiff2", IN_VIDEO},
    {"vabsdiff4", IN_VIDEO},
    {"vadd", IN_VIDEO},
    {"vadd2", IN_VIDEO},
    {"vadd4", IN_VIDEO},
    {"vavrg2", IN_VIDEO},
    {"vavrg4", IN_VIDEO},
    {"vmax", IN_VIDEO},
    {"vmax2", IN_VIDEO},
    {"vmax4", IN_VIDEO},
    {"vmin", IN_VIDEO},
    {"vmin2", IN_VIDEO},
    {"vmin4", IN_VIDEO},
    {"vset", IN_VIDEO},
    {"vset2", IN_VIDEO},
    {"vset4", IN_VIDEO},
    {"vshl", IN_VIDEO},
    {"vshr", IN_VIDEO},
    {"vsub", IN_VIDEO},
    {"vsub2", IN_VIDEO},
    {"vsub4", IN_VIDEO},
    {"widen", IN_MOVE},
    {"xor", IN_LOGIC},
};

static const struct {
    const char *name;
    uint32_t bit;
} modifiers[] = {
    {"rn", MOD_RN},     {"rz", MOD_RZ},         {"rm", MOD_RM},       {"rp", MOD_RP},
    {"rni", MOD_RNI},   {"rzi", MOD_RZI},       {"rmi", MOD_RMI},     {"rpi", MOD_RPI},
    {"rna", MOD_RNA},   {"approx", MOD_APPROX}, {"full", MOD_FULL},   {"ftz", MOD_FTZ},
    {"sat", MOD_SAT},   {"cc", MOD_CC},         {"and", MOD_AND},     {"or", MOD_OR},
    {"xor", MOD_XOR},   {"NaN", MOD_NAN},       {"abs", MOD_ABS},     {"xorsign", MOD_XORSIGN},
    {"relu", MOD_RELU}, {"wrap", MOD_WRAP},     {"clamp", MOD_CLAMP}, {"shiftamt", MOD_SHIFTAMT},
    {"add", MOD_ADD},   {"uni", MOD_UNI},
};

/* At most one of each. */
static const uint32_t exclusive[] = {
    MOD_ROUND | MOD_RNI | MOD_RZI | MOD_RMI | MOD_RPI | MOD_RNA | MOD_APPROX | MOD_FULL,
    MOD_AND | MOD_OR | MOD_XOR,
    MOD_WRAP | MOD_CLAMP,
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct split { /* an opcode apart */
    char key[128];
    uint32_t mods;
    int compare;     /* enum compare, or -1 */
    uint32_t is_mod; /* bit k: part k is a modifier */
};

static const struct family *family_of(const char *name)
{
    size_t lo = 0, hi = COUNT(families);
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int order = strcmp(families[mid].name, name);
        if (order == 0)
            return &families[mid];
        if (order < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

static uint32_t modifier_of(const char *part)
{
    for (size_t k = 0; k < COUNT(modifiers); k++)
        if (modifiers[k].name[0] == part[0] && strcmp(modifiers[k].name, part) == 0)
            return modifiers[k].bit;
    return 0;
}

/* Up to a dot, when there is one; -1 when it is no comparison. */
static int compare_of(const char *part)
{
#define X(name) #name,
    static const char *const names[] = {COMPARE_LIST(X)};
#undef X
    size_t length = strcspn(part, ".");
    for (int k = 0; k < COMPARE_KINDS; k++)
        if (strncmp(names[k], part, length) == 0 && names[k][length] == 0)
            return k;
    return -1;
}

static bool has_compare_modifier(const char *name)
{
    return strcmp(name, "set") == 0 || strncmp(name, "vset", 4) == 0;
}

/* False when the opcode is longer than any that exists. */
static bool split(const struct opcode *o, struct split *s)
{
    size_t n = strlen(o->part[0]);
    *s = (struct split){.compare = -1};
    if (n >= sizeof s->key)
        return false;
    memcpy(s->key, o->part[0], n + 1);
    for (int k = 1; k < o->nparts; k++) {
        uint32_t bit = modifier_of(o->part[k]);
        if (bit && !(s->mods & bit)) {
            s->mods |= bit;
            s->is_mod |= 1u << k;
            continue;
        }
        if (s->compare < 0 && has_compare_modifier(o->part[0])) {
            s->compare = compare_of(o->part[k]);
            if (s->compare >= 0) {
                s->is_mod |= 1u << k;
                continue;
            }
        }
        size_t length = strlen(o->part[k]);
        if (n + 1 + length >= sizeof s->key)
            return false;
        s->key[n++] = '.';
        memcpy(s->key + n, o->part[k], length + 1);
        n += length;
    }
    return true;
}

/* The first row of the file with this key; NULL. */
static const struct op_row *first_row(int file, const char *key)
{
    const struct op_row *row = files[file].rows->row;
    uint32_t lo = 0, hi = files[file].rows->n;
    if (!files[file].is_sorted) {
        while (lo < hi && strcmp(row[lo].key, key) != 0)
            lo++;
        return lo < hi ? &row[lo] : NULL;
    }
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (strcmp(row[mid].key, key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < files[file].rows->n && strcmp(row[lo].key, key) == 0 ? &row[lo] : NULL;
}

/* NULL when one of the row's modifiers must be given but is not. */
static op_fn *handler_of(const struct op_row *row, const struct split *s)
{
    return s->mods & ~row->plain ? row->general : row->fn;
}

struct search {
    const struct op_row *row; /* the row for key and modifiers, or NULL and then: */
    uint32_t allowed;         /* modifiers that rows of this key know */
    bool knows_key, lacks_modifier;
};

static struct search search(const struct family *f, const struct split *s)
{
    struct search found = {0};
    for (int file = 0; file < FILES; file++) {
        const struct op_rows *rows = files[file].rows;
        const struct op_row *row = f->files >> file & 1 ? first_row(file, s->key) : NULL;
        for (; row && row < rows->row + rows->n && strcmp(row->key, s->key) == 0; row++) {
            bool is_allowed = !(s->mods & ~row->mods);
            if (is_allowed && handler_of(row, s)) {
                found.row = row;
                return found;
            }
            found.knows_key = true;
            found.lacks_modifier |= is_allowed;
            found.allowed |= row->mods;
        }
    }
    return found;
}

/* Is there a key that starts with the first n characters of this one, up to a dot or its end? */
static bool is_prefix_of_any(const struct family *f, const char *key, size_t n)
{
    for (int file = 0; file < FILES; file++)
        for (uint32_t k = 0; f->files >> file & 1 && k < files[file].rows->n; k++) {
            const char *other = files[file].rows->row[k].key;
            if (strncmp(other, key, n) == 0 && (other[n] == 0 || other[n] == '.'))
                return true;
        }
    return false;
}

static bool refuse_suffix(const struct opcode *o, const struct family *f, const struct split *s,
                          struct err *e)
{
    size_t n = strcspn(s->key, ".");
    while (s->key[n]) {
        size_t end = n + 1 + strcspn(s->key + n + 1, ".");
        if (!is_prefix_of_any(f, s->key, end))
            return err_set(e, STATUS_BAD_INPUT, "%s: unknown suffix \"%.*s\" in instruction \"%s\"",
                           o->where, (int)(end - n), s->key + n, o->text);
        n = end;
    }
    return err_set(e, STATUS_BAD_INPUT, "%s: a suffix is missing in instruction \"%s\"", o->where,
                   o->text);
}

static bool refuse_modifier(const struct opcode *o, const struct split *s, uint32_t allowed,
                            struct err *e)
{
    for (int k = 1; k < o->nparts; k++)
        if (s->is_mod >> k & 1 && modifier_of(o->part[k]) & ~allowed)
            return err_set(e, STATUS_BAD_INPUT,
                           "%s: modifier \".%s\" is not allowed in instruction \"%s\"", o->where,
                           o->part[k], o->text);
    return err_set(e, STATUS_BAD_INPUT, "%s: modifiers that exclude each other in \"%s\"", o->where,
                   o->text);
}

static bool are_compatible(uint32_t mods)
{
    for (size_t k = 0; k < COUNT(exclusive); k++)
        if ((mods & exclusive[k]) & ((mods & exclusive[k]) - 1))
            return false;
    return true;
}

static void describe(const struct op_row *row, const struct split *s, struct op_desc *d)
{
    *d = (struct op_desc){
        .fn = handler_of(row, s),
        .mod = s->mods | (s->compare > 0 ? (uint32_t)s->compare << MOD_COMPARE : 0),
        .operands = row->operands,
        .unit = row->unit,
        .opclass = row->opclass,
        .vec = 1,
        .is_relaxed = row->is_relaxed,
    };
    if (strchr(row->operands, 'V')) { /* the only vectors of rows: unpack4.b64 */
        d->vec = 4;
        d->elem = 'h';
    }
    /* A wider register takes the sign of what cvt makes: its key is "cvt." and the result's type. */
    d->is_signed = strncmp(row->key, "cvt.s", 5) == 0;
}

/* Can the operands of set and vset be compared so?  What setp does, set does; vset has the six. */
static bool is_comparable(const struct split *s)
{
    const char *type = strrchr(s->key, '.');
    if (s->key[0] == 'v' || s->compare < 0)
        return s->compare >= 0 && s->compare <= COMPARE_ge;
    for (uint32_t k = 0; k < LANE(rows_compare).n; k++) {
        const char *key = LANE(rows_compare).row[k].key;
        const char *suffix = strrchr(key, '.');
        if (strncmp(key, "setp.", 5) == 0 && strcmp(suffix, type) == 0 &&
            compare_of(key + 5) == s->compare)
            return true;
    }
    return false;
}

static bool find(const struct opcode *o, struct op_desc *d, struct err *e)
{
    bool ok = false;
    if (LANE(find_mem)(o, d, &ok, e) || LANE(find_warp)(o, d, &ok, e))
        return ok;
    struct split s;
    const struct family *f = family_of(o->part[0]);
    if (!f || !split(o, &s))
        return err_set(e, STATUS_BAD_INPUT, "%s: unknown instruction \"%s\"", o->where, o->text);
    struct search found = search(f, &s);
    if (!found.row && !found.knows_key)
        return refuse_suffix(o, f, &s, e);
    if (!found.row && found.lacks_modifier)
        return err_set(e, STATUS_BAD_INPUT, "%s: a modifier is missing in instruction \"%s\"",
                       o->where, o->text);
    if (!found.row || !are_compatible(s.mods))
        return refuse_modifier(o, &s, found.row ? found.row->mods : found.allowed, e);
    if (has_compare_modifier(o->part[0]) && !is_comparable(&s))
        return err_set(e, STATUS_BAD_INPUT, "%s: no such comparison: \"%s\"", o->where, o->text);
    describe(found.row, &s, d);
    return true;
}

#define NAME_OF_(suffix) #suffix
#define NAME_OF(suffix) NAME_OF_(suffix)
const struct op_set LANE(op_set) = {NAME_OF(LANES_SUFFIX), find};
