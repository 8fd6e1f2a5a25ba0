/* Executing takes memory for one CTA, however many there are. */
#include "check.h"
#include "rig/ptx_rig.h"

#include <sys/resource.h>

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1 /* freed memory stays in quarantine */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

static const char *const text = PTX_KERNEL(
    ".shared .align 4 .b8 s[4096]; .local .align 4 .b8 l[256]; .reg .b32 %a, %v;\n"
    "shl.b32 %a, %tid, 2; st.shared.u32 [%a], %gid; bar.sync 0; ld.shared.u32 %v, [%a];\n"
    "st.local.u32 [l+16], %v; ld.local.u32 %v, [l+16];\n"
    "mul.wide.u32 %off, %tid, 4; add.s64 %at, %buf, %off; st.global.u32 [%at], %v; ret;");

static long peak_kib(uint32_t ctas)
{
    uint32_t d[64] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){.text = text, .grid = ctas, .block = 64, .no_stream = true}, d, 64);
    CHECK_STR(r.e.text, "");
    CHECK_EQ(d[5], (ctas - 1) * 64 + 5);
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss;
}

static void a_hundred_thousand_ctas_need_no_more_memory_than_a_hundred(void)
{
    long few = peak_kib(100), many = peak_kib(100000);
    if (!IS_SANITIZED)
        CHECK(many - few < 1024);
}

CHECK_MAIN("memory_use", TEST(a_hundred_thousand_ctas_need_no_more_memory_than_a_hundred))
