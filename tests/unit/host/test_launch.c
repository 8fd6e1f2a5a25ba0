#include "check.h"
#include "host/host.h"
#include "stream/store.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
#define COPY                                                                                       \
    HEAD ".visible .entry k(.param .u64 to, .param .u64 from) .maxntid 256 {\n"                    \
         ".reg .b64 %t, %f, %o; .reg .b32 %i, %v, %n, %c; ld.param.u64 %t, [to];\n"                \
         "ld.param.u64 %f, [from]; mov.u32 %i, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %c, "          \
         "%ctaid.x;\n"                                                                             \
         "mad.lo.u32 %i, %c, %n, %i; mul.wide.u32 %o, %i, 4; add.u64 %f, %f, %o;\n"                \
         "add.u64 %t, %t, %o; ld.global.u32 %v, [%f]; st.global.u32 [%t], %v; ret; }\n"

struct fixture {
    struct host *host;
    const struct host_function *f;
    uint64_t params[2];
    struct err e;
    struct host_launch_info info;
};

static void launched(void *context, const struct host_launch_info *info)
{
    ((struct fixture *)context)->info = *info;
}

static void set_up(struct fixture *x, struct host_options o, const char *text)
{
    *x = (struct fixture){0};
    o.launched = launched;
    o.context = x;
    x->host = host_new(&o, &x->e);
    struct host_module *m = host_module_load(x->host, "m.ptx", text, strlen(text), &x->e);
    x->f = host_module_function(m, "k", &x->e);
    x->params[0] = devmem_alloc(host_memory(x->host), 4096, &x->e);
    x->params[1] = devmem_alloc(host_memory(x->host), 4096, &x->e);
}

static bool go(struct fixture *x, uint32_t grid, uint32_t block)
{
    x->e = (struct err){0};
    struct host_launch l = {.function = x->f,
                            .grid = {grid, 1, 1},
                            .block = {block, 1, 1},
                            .params = (const uint8_t *)x->params,
                            .param_bytes = 16};
    return host_launch(x->host, &l, NULL, &x->e);
}

static void a_launch_counts_what_it_did(void)
{
    struct fixture x;
    set_up(&x, (struct host_options){0}, COPY);
    uint32_t in[1024], out[1024];
    for (uint32_t i = 0; i < 1024; i++)
        in[i] = i * 3;
    CHECK(devmem_write(host_memory(x.host), x.params[1], in, sizeof in, &x.e));
    CHECK(go(&x, 4, 256));
    CHECK(devmem_read(host_memory(x.host), out, x.params[0], sizeof out, &x.e));
    CHECK(memcmp(in, out, sizeof in) == 0);
    CHECK_EQ(x.info.warp_insns, 32 * 12);
    CHECK_EQ(x.info.thread_insns, 1024 * 12);
    CHECK_EQ(x.info.global_loads, 32);
    CHECK_EQ(x.info.global_stores, 32);
    CHECK(x.info.stream_bytes > 0);
    host_free(x.host);
}

static void shapes_beyond_the_limits_are_refused(void)
{
    struct fixture x;
    set_up(&x, (struct host_options){0}, COPY);
    CHECK(!go(&x, 0, 32));
    CHECK_STR(x.e.text, "kernel k: grid size 0 in x, expected 1 to 2147483647");
    CHECK(!go(&x, 1, 2000));
    CHECK_STR(x.e.text, "kernel k: block size 2000 in x, expected 1 to 1024");
    CHECK(!go(&x, 1, 512));
    CHECK_STR(x.e.text, "kernel k: 512 threads per block, at most 256");
    struct host_launch l = {.function = x.f, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    x.e = (struct err){0};
    CHECK(!host_launch(x.host, &l, NULL, &x.e));
    CHECK_STR(x.e.text, "kernel k: 0 bytes of parameters given, it has 16");
    l.params = (const uint8_t *)x.params;
    l.param_bytes = 16;
    l.dynamic_shared_bytes = 1 << 20;
    x.e = (struct err){0};
    CHECK(!host_launch(x.host, &l, NULL, &x.e));
    CHECK_STR(x.e.text, "kernel k: 1048576 bytes of shared memory, at most 232448");
    host_free(x.host);
}

static void a_fault_names_everything_and_leaves_the_device_usable(void)
{
    struct fixture x;
    set_up(&x, (struct host_options){0}, COPY);
    CHECK(!go(&x, 5, 256));
    CHECK_EQ(x.e.status, STATUS_FAILED);
    CHECK(strncmp(x.e.text, "m.ptx:8: kernel k, CTA (4,0,0), thread (0,0,0): ", 48) == 0);
    char address[32];
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)x.params[1] + 4096);
    CHECK(strstr(x.e.text, address) != NULL);
    CHECK(go(&x, 4, 256));
    host_free(x.host);
}

static void freed_memory_cannot_be_read(void)
{
    struct fixture x;
    set_up(&x, (struct host_options){0}, COPY);
    CHECK(go(&x, 1, 32)); /* warms what handlers remember of the allocation */
    CHECK(devmem_release(host_memory(x.host), x.params[1], &x.e));
    CHECK(!go(&x, 1, 32));
    CHECK(strstr(x.e.text, "freed") != NULL);
    host_free(x.host);
}

static void the_budget_is_for_all_launches_together(void)
{
    struct fixture x;
    set_up(&x, (struct host_options){.max_insns = 32 * 12 + 6}, COPY);
    CHECK(go(&x, 4, 256));
    CHECK(!go(&x, 4, 256));
    CHECK_EQ(x.e.status, STATUS_BUDGET);
    host_free(x.host);
}

static void a_recorded_file_holds_the_same_stream(void)
{
    struct fixture x;
    set_up(&x, (struct host_options){0}, COPY);
    char path[] = "/tmp/heddle-launch-XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    CHECK(host_record_begin(x.host, path, "copy", &x.e));
    CHECK(go(&x, 4, 256) && go(&x, 2, 64));
    CHECK(host_record_end(x.host, &x.e));
    struct stream_file *f = stream_file_open(path, &x.e);
    CHECK(f != NULL);
    CHECK_EQ(stream_file_kernels(f), 2);
    struct stream_store *s = stream_file_kernel(f, 0, &x.e);
    CHECK_EQ(stream_store_totals(s).insns, 32 * 12);
    stream_store_free(s);
    stream_file_free(f);
    unlink(path);
    host_free(x.host);
}

static void a_fault_while_recording_leaves_no_file(void)
{
    struct fixture x;
    set_up(&x, (struct host_options){0}, COPY);
    char path[64];
    snprintf(path, sizeof path, "/tmp/heddle-fault-%ld", (long)getpid());
    CHECK(host_record_begin(x.host, path, "copy", &x.e));
    CHECK(!go(&x, 5, 256));
    CHECK(access(path, F_OK) != 0);
    x.e = (struct err){0};
    CHECK(!host_record_end(x.host, &x.e));
    host_free(x.host);
}

CHECK_MAIN("launch", TEST(a_launch_counts_what_it_did), TEST(shapes_beyond_the_limits_are_refused),
           TEST(a_fault_names_everything_and_leaves_the_device_usable),
           TEST(freed_memory_cannot_be_read), TEST(the_budget_is_for_all_launches_together),
           TEST(a_recorded_file_holds_the_same_stream),
           TEST(a_fault_while_recording_leaves_no_file))
