/* Static instructions become pipelines, times and scoreboard masks. */
#include "check.h"
#include "rig/sm_rig.h"

struct setup {
    struct arena *a;
    struct config *cfg;
    struct kernel_rig *k;
};

static struct setup set_up(const char *const *set)
{
    static const struct cfg_section *const sections[] = {&sm_section, &pipe_section};
    struct err e = {0};
    struct setup s = {.a = arena_new(), .k = kernel_rig_new("k", 1, 32)};
    s.cfg = config_new(s.a, sections, 2);
    for (; set && *set; set++)
        CHECK(config_set(s.cfg, *set, &e));
    kernel_rig_block(s.k);
    return s;
}

static const struct sm_program *kernel_program(struct setup *s)
{
    return sm_program_new(s->a, s->cfg, &s->k->k);
}

static void tear_down(struct setup *s)
{
    kernel_rig_free(s->k);
    arena_free(s->a);
}

static void every_class_has_the_latency_and_interval_of_its_row(void)
{
    const struct {
        uint8_t unit, opclass;
        uint16_t latency, interval;
        uint8_t pipe;
    } rows[] = {
        {UNIT_INT, OPCLASS_SIMPLE, 4, 1, PIPE_SP},     {UNIT_INT, OPCLASS_CVT, 4, 1, PIPE_SP},
        {UNIT_INT, OPCLASS_MUL, 6, 2, PIPE_SP},        {UNIT_INT, OPCLASS_FMA, 5, 1, PIPE_SP},
        {UNIT_INT, OPCLASS_DIV, 145, 8, PIPE_SFU},     {UNIT_INT, OPCLASS_SHUFFLE, 26, 1, PIPE_SP},
        {UNIT_FP32, OPCLASS_SIMPLE, 7, 3, PIPE_SP},    {UNIT_FP16, OPCLASS_SIMPLE, 7, 3, PIPE_SP},
        {UNIT_FP32, OPCLASS_MUL, 4, 1, PIPE_SP},       {UNIT_FP32, OPCLASS_FMA, 5, 1, PIPE_SP},
        {UNIT_SFU, OPCLASS_FDIV, 39, 5, PIPE_SFU},     {UNIT_SFU, OPCLASS_SPECIAL, 40, 4, PIPE_SFU},
        {UNIT_FP64, OPCLASS_SIMPLE, 8, 8, PIPE_DP},    {UNIT_FP64, OPCLASS_MUL, 9, 8, PIPE_DP},
        {UNIT_FP64, OPCLASS_FMA, 8, 7, PIPE_DP},       {UNIT_FP64, OPCLASS_FDIV, 330, 130, PIPE_DP},
        {UNIT_CONTROL, OPCLASS_BRANCH, 1, 2, PIPE_SP}, {UNIT_MEM, OPCLASS_LOAD, 1, 1, PIPE_MEM}};
    enum { N = sizeof rows / sizeof rows[0] };
    static const char *const set[] = {"sm.dp_units=1",           "pipe.int_mul_latency=6",
                                      "pipe.fp32_latency=7",     "pipe.fp32_interval=3",
                                      "pipe.fp64_mul_latency=9", "pipe.fp64_mad_interval=7",
                                      "pipe.special_latency=40", "pipe.fp32_div_interval=5",
                                      "pipe.control_interval=2", NULL};
    struct setup s = set_up(set);
    for (int i = 0; i < N; i++)
        kernel_rig_add(s.k, kernel_rig_op(rows[i].unit, rows[i].opclass, 1, 2));
    const struct sm_program *p = kernel_program(&s);
    for (int i = 0; i < N; i++) {
        CHECK_EQ(p->insn[i].latency, rows[i].latency);
        CHECK_EQ(p->insn[i].interval, rows[i].interval);
        CHECK_EQ(p->insn[i].pipe, rows[i].pipe);
        CHECK(p->insn[i].writes && !p->insn[i].is_nothing);
    }
    tear_down(&s);
}

static void register_operands_count_by_32_bits_and_predicates_not_at_all(void)
{
    struct setup s = set_up(NULL);
    struct kernel_rig_insn in = kernel_rig_op(UNIT_INT, OPCLASS_FMA, 2 | REG_WIDE, 4 | REG_WIDE);
    in.s.src[1] = 6;
    in.s.src[2] = 1 | REG_PRED;
    in.s.others = 2;
    kernel_rig_add(s.k, in);
    kernel_rig_add(s.k, kernel_rig_op(UNIT_INT, OPCLASS_SIMPLE, 1 | REG_PRED, REG_NONE));
    const struct sm_program *p = kernel_program(&s);
    const uint32_t operands[2][4] = {{1, 3, 2, 2}, {1, 0, 0, 0}};
    for (int i = 0; i < 8; i++)
        CHECK_EQ(p->insn[i / 4].operands[i % 4], operands[i / 4][i % 4]);
    tear_down(&s);
}

static void integer_pipelines_take_integers_but_products_and_branches_take_none(void)
{
    static const struct {
        uint8_t unit, opclass, pipe;
    } rows[] = {{UNIT_INT, OPCLASS_SIMPLE, PIPE_INT},     {UNIT_INT, OPCLASS_CVT, PIPE_INT},
                {UNIT_INT, OPCLASS_SHUFFLE, PIPE_INT},    {UNIT_INT, OPCLASS_MUL, PIPE_SP},
                {UNIT_INT, OPCLASS_FMA, PIPE_SP},         {UNIT_INT, OPCLASS_DIV, PIPE_SFU},
                {UNIT_FP32, OPCLASS_SIMPLE, PIPE_SP},     {UNIT_FP16, OPCLASS_FMA, PIPE_SP},
                {UNIT_FP32, OPCLASS_COMPARE, PIPE_INT},   {UNIT_SFU, OPCLASS_CVT, PIPE_SFU},
                {UNIT_CONTROL, OPCLASS_BRANCH, PIPE_NONE}};
    enum { N = sizeof rows / sizeof rows[0] };
    struct setup s = set_up((const char *const[]){"sm.int_units=1", NULL});
    for (int i = 0; i < N; i++)
        kernel_rig_add(s.k, kernel_rig_op(rows[i].unit, rows[i].opclass, 1, 2));
    const struct sm_program *p = kernel_program(&s);
    for (int i = 0; i < N; i++)
        CHECK_EQ(p->insn[i].pipe, rows[i].pipe);
    tear_down(&s);
}

static void without_double_precision_pipelines_the_sp_pipelines_do_it(void)
{
    struct setup s = set_up(NULL);
    kernel_rig_add(s.k, kernel_rig_op(UNIT_FP64, OPCLASS_SIMPLE, 1, 2));
    kernel_rig_add(s.k, kernel_rig_op(UNIT_FP64, OPCLASS_FDIV, 1, 2));
    CHECK_EQ(kernel_program(&s)->insn[0].pipe, PIPE_SP);
    CHECK_EQ(kernel_program(&s)->insn[1].pipe, PIPE_SFU);
    tear_down(&s);
}

static void fewer_lanes_take_more_passes(void)
{
    static const char *const set[] = {"sm.simd=8", NULL};
    struct setup s = set_up(set);
    kernel_rig_add(s.k, kernel_rig_op(UNIT_INT, OPCLASS_MUL, 1, 2));
    const struct sm_insn *in = kernel_program(&s)->insn;
    CHECK_EQ(in->latency, 4 + 3);
    CHECK_EQ(in->interval, 2 * 4);
    tear_down(&s);
}

static void barriers_fences_and_exits_take_no_pipeline(void)
{
    struct setup s = set_up(NULL);
    kernel_rig_add(s.k, kernel_rig_bar(0, 0, true));
    kernel_rig_add(s.k, kernel_rig_fence());
    kernel_rig_add(s.k, kernel_rig_exit());
    kernel_rig_add(s.k, kernel_rig_op(UNIT_NONE, 0, 1, 2));
    const struct sm_program *p = kernel_program(&s);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(p->insn[i].pipe, PIPE_NONE);
    CHECK(p->insn[3].is_nothing && !p->insn[0].is_nothing);
    tear_down(&s);
}

static bool overlap(const struct sm_program *p, uint32_t writer, uint32_t user)
{
    return scoreboard_meets(&p->defs[writer], &p->insn[user].uses);
}

static void masks_overlap_where_registers_do(void)
{
    struct setup s = set_up(NULL);
    kernel_rig_add(s.k, kernel_rig_int(REG_WIDE | 4, 2)); /* 0: writes r4, r5 */
    kernel_rig_add(s.k, kernel_rig_int(9, 4));            /* 1 */
    kernel_rig_add(s.k, kernel_rig_int(9, 5));            /* 2 */
    kernel_rig_add(s.k, kernel_rig_int(9, 6));            /* 3: the next one up */
    kernel_rig_add(s.k, kernel_rig_int(5, 2));            /* 4: writes the upper half */
    kernel_rig_add(s.k, kernel_rig_int(REG_PRED | 4, 2)); /* 5: p4 is not r4 */
    kernel_rig_add(s.k, kernel_rig_int(2, 9));            /* 6: writes what 0 reads */
    kernel_rig_add(s.k, kernel_rig_int(9, REG_WIDE | 4)); /* 7 */
    kernel_rig_add(s.k, kernel_rig_int(9, REG_PRED | 4)); /* 8 */
    const struct sm_program *p = kernel_program(&s);
    CHECK(overlap(p, 0, 1) && overlap(p, 0, 2) && !overlap(p, 0, 3));
    CHECK(overlap(p, 0, 4) && overlap(p, 4, 0) && !overlap(p, 0, 5));
    CHECK(!overlap(p, 0, 6)); /* a write after a read does not wait */
    CHECK(overlap(p, 4, 7) && overlap(p, 5, 8) && !overlap(p, 5, 1));
    tear_down(&s);
}

static void registers_that_nobody_writes_take_no_bit(void)
{
    struct setup s = set_up(NULL);
    struct kernel_rig_insn in = kernel_rig_int(REG_NONE, 7);
    kernel_rig_add(s.k, in);
    const struct sm_program *p = kernel_program(&s);
    CHECK(!scoreboard_meets(&p->insn[0].uses, &p->insn[0].uses));
    CHECK(!p->insn[0].writes);
    tear_down(&s);
}

static void beyond_all_bits_numbers_begin_again(void)
{
    struct setup s = set_up(NULL);
    for (uint16_t i = 0; i < SCOREBOARD_BITS + 2; i++)
        kernel_rig_add(s.k, kernel_rig_int(i, REG_NONE));
    const struct sm_program *p = kernel_program(&s);
    CHECK(overlap(p, 0, SCOREBOARD_BITS) && overlap(p, 1, SCOREBOARD_BITS + 1));
    for (uint32_t i = 1; i < SCOREBOARD_BITS; i++)
        CHECK(!overlap(p, 0, i) && !overlap(p, i, SCOREBOARD_BITS));
    tear_down(&s);
}

/* The same block in two instructions less. */
static void a_machine_issues_the_instructions_that_it_is_told_to(void)
{
    static const char *const set[] = {"sm.instructions=assembled", NULL};
    static const struct stream_block block = {0, 1};
    for (int is_assembled = 0; is_assembled < 2; is_assembled++) {
        struct setup s = set_up(is_assembled ? set : NULL);
        for (uint16_t i = 0; i < 3; i++)
            kernel_rig_add(s.k, kernel_rig_int(i, REG_NONE));
        const struct stream_insn one = {.unit = UNIT_FP32};
        CHECK_EQ(kernel_program(&s)->kernel, &s.k->k); /* there is no other view */
        s.k->k.assembled = (struct stream_assembled){&one, 1, &block};
        const struct sm_program *p = kernel_program(&s);
        CHECK_EQ(p->kernel->ninsns, is_assembled ? 1 : 3);
        CHECK_EQ(p->kernel->blocks[0].count, is_assembled ? 1 : 3);
        CHECK_EQ(p->insn[0].unit, is_assembled ? UNIT_FP32 : UNIT_INT);
        tear_down(&s);
    }
}

CHECK_MAIN("program", TEST(every_class_has_the_latency_and_interval_of_its_row),
           TEST(register_operands_count_by_32_bits_and_predicates_not_at_all),
           TEST(integer_pipelines_take_integers_but_products_and_branches_take_none),
           TEST(without_double_precision_pipelines_the_sp_pipelines_do_it),
           TEST(fewer_lanes_take_more_passes), TEST(barriers_fences_and_exits_take_no_pipeline),
           TEST(masks_overlap_where_registers_do), TEST(registers_that_nobody_writes_take_no_bit),
           TEST(beyond_all_bits_numbers_begin_again),
           TEST(a_machine_issues_the_instructions_that_it_is_told_to))
