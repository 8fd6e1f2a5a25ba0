/* test_regressions.c - what tests/differential has found, each as small as it gets. */
#include "check.h"
#include "heddle/device.h"

#define HEAD                                                                                       \
    ".version 7.0\n.target sm_75\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 out)\n{\n"                                                      \
    ".reg .pred %p;\n.reg .b32 %tid, %odd, %x;\n.reg .b64 %at, %wide, %offset;\n"                  \
    "ld.param.u64 %at, [out];\n"                                                                   \
    "mov.u32 %tid, %tid.x;\n"                                                                      \
    "mov.u32 %odd, 1000;\n"                                                                        \
    "mul.wide.u32 %offset, %tid, 8;\n"                                                             \
    "add.u64 %at, %at, %offset;\n"                                                                 \
    "setp.ge.u32 %p, %tid, 16;\n"                                                                  \
    "add.u64 %wide, %offset, 0x100000000;\n"

/* One warp; every lane stores a 64-bit word. */
static void run(const char *text, uint64_t out[32])
{
    struct hd_error e = {0};
    struct hd_device *d = hd_device_new(&(struct hd_device_options){0}, &e);
    CHECK(d != NULL);
    struct hd_module *m = hd_module_load(d, "k.ptx", text, strlen(text), &e);
    CHECK_STR(e.text, "");
    const struct hd_function *f = hd_module_function(m, "k", &e);
    hd_ptr p = 0;
    struct hd_args args = {0};
    CHECK(hd_malloc(d, &p, 32 * 8, &e));
    hd_arg_ptr(&args, p);
    hd_launch(d, f, (struct hd_dim){1, 1, 1}, (struct hd_dim){32, 1, 1}, 0, &args, NULL, &e);
    CHECK_STR(e.text, "");
    CHECK(hd_download(d, out, p, 32 * 8, &e));
    hd_device_free(d);
}

static void check_sides(const char *text)
{
    uint64_t out[32];
    run(text, out);
    for (uint32_t lane = 0; lane < 32; lane++)
        CHECK_EQ(out[lane], lane < 16 ? 8 * lane + UINT64_C(0x100000000) : lane + 1000);
}

/* The side of the upper lanes writes %x where %wide is no longer needed; the lower lanes, which
 * come later, still have to find theirs.  %odd keeps %x out of the gap behind %tid. */
static void a_word_of_one_side_spares_a_wide_register_of_the_other(void)
{
    check_sides(HEAD "@%p bra words;\n"
                     "st.global.u64 [%at], %wide;\n"
                     "bra done;\n"
                     "words:\n"
                     "add.u32 %x, %tid, %odd;\n"
                     "cvt.u64.u32 %offset, %x;\n"
                     "st.global.u64 [%at], %offset;\n"
                     "done:\nret;\n}\n");
}

CHECK_MAIN("regressions", TEST(a_word_of_one_side_spares_a_wide_register_of_the_other))
