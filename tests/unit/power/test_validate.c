#include "check.h"

#include <unistd.h>

#include "base/csv.h"
#include "power/link.h"
#include "power/router.h"
#include "power/validate.h"

#define PUBLIC HEDDLE_SOURCE_DIR "/reference/power"
#define LINK_HEAD                                                                                  \
    "tech,w,len_m,delay_s,width_mult,space_mult,e_send,leak,area_active,area_global_wire,"         \
    "timing_met\n"
#define ROUTER_HEAD                                                                                \
    "tech,i,o,w,v,d,f,opt,e_buf_write,e_buf_read,e_xbar,e_sa1,e_sa2,e_clk_cycle,leak_buf,"         \
    "leak_xbar,leak_sa,leak_clk,leak_total,area_buf,area_xbar,area_sa,area_clk,area_total,"        \
    "area_xbar_wire,area_global_wire,timing_met\n"
#define CLOCK_HEAD "tech,i,o,w,v,d,f_met_hz,f_fail_hz\n"
#define ARRAY_HEAD                                                                                 \
    "name,size_B,block_B,assoc,tech_um,type,mode,cell,bus_bits,read_nJ,write_nJ,search_nJ,"        \
    "leak_mW,area_mm2,access_ns\n"

/* A folder of reference files of one's own. */
struct fixture {
    struct arena *a;
    char folder[40];
    const struct validate_row *row;
    int n;
    struct err e;
};

static void begin(struct fixture *f)
{
    *f = (struct fixture){.a = arena_new()};
    strcpy(f->folder, "/tmp/heddle-validate-XXXXXX");
    CHECK(mkdtemp(f->folder) != NULL);
}

static const char *path_of(struct fixture *f, const char *file)
{
    return arena_printf(f->a, "%s/%s", f->folder, file);
}

static void put(struct fixture *f, const char *file, const char *text)
{
    FILE *out = fopen(path_of(f, file), "a");
    CHECK(out != NULL);
    fputs(text, out);
    fclose(out);
}

static bool validate(struct fixture *f)
{
    bool ok = validate_power(f->folder, f->a, &f->row, &f->n, &f->e);
    static const char *const files[] = {
        "dsent_router.csv", "dsent_fmax.csv",        "dsent_links.csv", "dsent_photonic.csv",
        "cacti_arrays.csv", "hidden_links_22nm.csv", "notes.csv"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        unlink(path_of(f, files[i]));
    rmdir(f->folder);
    return ok;
}

static const struct validate_row *find(const struct fixture *f, const char *group,
                                       const char *quantity)
{
    for (int i = 0; i < f->n; i++)
        if (strcmp(f->row[i].group, group) == 0 && strcmp(f->row[i].quantity, quantity) == 0 &&
            !f->row[i].node && !f->row[i].remark)
            return &f->row[i];
    return NULL;
}

static bool has_remark(const struct fixture *f, const char *group, const char *text)
{
    for (int i = 0; i < f->n; i++)
        if (f->row[i].remark && strcmp(f->row[i].group, group) == 0 &&
            strcmp(f->row[i].remark, text) == 0)
            return true;
    return false;
}

/* A row of links as the model has it, its energy smaller by a factor. */
static const char *link_row(struct fixture *f, const struct power_link_spec *s, double over)
{
    struct power_link k;
    CHECK(power_link(s, &k, &f->e));
    return arena_printf(f->a, "%u,%u,%.17g,%.17g,1,1,%.17g,%.17g,%.17g,%.17g,1\n", s->node, s->bits,
                        s->length, s->delay, k.energy / over, k.leak, k.area, k.wire_area);
}

static void the_models_are_within_their_limits_over_the_public_grid(void)
{
    struct fixture f = {.a = arena_new()};
    int beyond = 0, bounded = 0;
    CHECK(validate_power(PUBLIC, f.a, &f.row, &f.n, &f.e));
    for (int i = 0; i < f.n; i++) {
        const struct validate_row *r = &f.row[i];
        bounded += r->limit_worst > 0;
        if (validate_is_ok(r))
            continue;
        beyond++;
        print_error("%s, %s: median %.1f %%, worst %.1f %% at %s\n", r->group, r->quantity,
                    100 * r->median, 100 * r->worst, r->worst_at);
    }
    arena_free(f.a);
    CHECK_EQ(beyond, 0);
    CHECK(bounded >= 35);
}

static void every_row_of_the_public_grid_is_compared(void)
{
    struct fixture f = {.a = arena_new()};
    static const struct {
        const char *group, *quantity, *file;
        int but; /* rows that are not compared */
    } expected[] = {
        {"router", "buffer write energy", "dsent_router.csv", 0},
        {"router", "switch allocator energy, VCs", "dsent_router.csv", 59}, /* one VC: 0 J */
        {"router", "total area", "dsent_router.csv", 0},
        {"clock", "highest clock", "dsent_fmax.csv", 0},
        {"link", "energy", "dsent_links.csv", 1}, /* whose timing DSENT did not meet */
        {"photonic", "energy", "dsent_photonic.csv", 0},
        {"photonic", "ring tuning", "dsent_photonic.csv", 1}, /* athermal */
        {"photonic", "laser", "dsent_photonic.csv", 1},       /* throttled */
        {"array", "read energy", "cacti_arrays.csv", 14},
        {"array_wide", "read energy", "cacti_arrays.csv", 32},
    };
    CHECK(validate_power(PUBLIC, f.a, &f.row, &f.n, &f.e));
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct csv *t =
            csv_read(f.a, arena_printf(f.a, PUBLIC "/%s", expected[i].file), &f.e);
        const struct validate_row *r = find(&f, expected[i].group, expected[i].quantity);
        CHECK(t && r);
        CHECK_EQ(r->n, t->nrows - expected[i].but);
    }
    CHECK(has_remark(&f, "array", "3 rows left out: cells other than itrs-hp"));
    CHECK(has_remark(&f, "array_wide", "3 rows left out: without values"));
    arena_free(f.a);
}

static void the_rows_of_a_node_add_up_to_the_rows_of_all(void)
{
    struct fixture f = {.a = arena_new()};
    CHECK(validate_power(PUBLIC, f.a, &f.row, &f.n, &f.e));
    for (int i = 0; i < f.n; i++) {
        const struct validate_row *all = &f.row[i];
        uint32_t n = 0;
        double worst = 0;
        for (int k = 0; k < f.n && !all->node && !all->remark; k++) {
            const struct validate_row *r = &f.row[k];
            if (!r->node || strcmp(r->group, all->group) != 0 ||
                strcmp(r->quantity, all->quantity) != 0)
                continue;
            n += r->n;
            worst = fmax(worst, r->worst);
        }
        CHECK(all->node || all->remark || (n == all->n && worst >= all->worst));
    }
    arena_free(f.a);
}

static void a_wrong_reference_is_reported_as_the_error_that_it_is(void)
{
    static const double over[] = {1.3, 1, 1.1, 0.95, 1.02};
    struct fixture f;
    begin(&f);
    put(&f, "dsent_links.csv", LINK_HEAD);
    for (uint32_t i = 0; i < 5; i++) {
        struct power_link_spec s = {
            .node = 22, .bits = 64 * (i + 1), .length = 1e-3, .delay = 1e-9};
        put(&f, "dsent_links.csv", link_row(&f, &s, over[i]));
    }
    CHECK(validate(&f));
    const struct validate_row *r = find(&f, "link", "energy");
    CHECK(r != NULL);
    CHECK_EQ(r->n, 5);
    CHECK_NEAR(r->median, 0.05, 1e-9);
    CHECK_NEAR(r->p90, 0.3, 1e-9);
    CHECK_NEAR(r->worst, 0.3, 1e-9);
    CHECK_STR(r->worst_at, "22 nm 64 b 1.0 mm in 1000 ps");
    CHECK(!validate_is_ok(r));
    CHECK(validate_is_ok(find(&f, "link", "leakage")));
    CHECK(find(&f, "link", "leakage")->worst < 1e-12);
    arena_free(f.a);
}

static void half_of_the_rows_beyond_the_median_is_enough_to_exceed(void)
{
    struct validate_row r = {.median = 0.11, .worst = 0.11};
    CHECK(validate_is_ok(&r)); /* no limits, no failure */
    r.limit_median = VALIDATE_LIMIT_MEDIAN;
    r.limit_worst = VALIDATE_LIMIT_WORST;
    CHECK(!validate_is_ok(&r));
    r.median = 0.1;
    r.worst = 0.25;
    CHECK(validate_is_ok(&r));
    r.worst = INFINITY;
    CHECK(!validate_is_ok(&r));
}

static void a_clock_inside_of_its_interval_has_no_error(void)
{
    struct power_router_spec s = {.node = 22, .in = 5, .out = 5, .bits = 256, .vcs = 4, .depth = 4};
    struct power_router router;
    struct fixture f;
    begin(&f);
    CHECK(power_router(&s, &router, &f.e));
    double c = router.max_clock;
    put(&f, "dsent_fmax.csv", CLOCK_HEAD);
    put(&f, "dsent_fmax.csv", arena_printf(f.a, "22,5,5,256,4,4,%.17g,%.17g\n", 0.9 * c, 1.1 * c));
    put(&f, "dsent_fmax.csv", arena_printf(f.a, "22,5,5,256,4,4,%.17g,%.17g\n", c / 2, c / 1.25));
    put(&f, "dsent_fmax.csv", arena_printf(f.a, "22,5,5,256,4,4,%.17g,%.17g\n", 2 * c, 3 * c));
    CHECK(validate(&f));
    const struct validate_row *r = find(&f, "clock", "highest clock");
    CHECK(r != NULL);
    CHECK_EQ(r->n, 3);
    CHECK_NEAR(r->median, 0.25, 1e-9); /* above the upper end */
    CHECK_NEAR(r->worst, 0.5, 1e-9);   /* below the lower one */
    arena_free(f.a);
}

static void where_the_reference_has_none_the_model_may_not_have_much(void)
{
    struct fixture f;
    begin(&f);
    put(&f, "dsent_router.csv", ROUTER_HEAD);
    for (int vcs = 1; vcs <= 4; vcs += 3) /* arbitration among VCs: none of one, some of four */
        put(&f, "dsent_router.csv",
            arena_printf(f.a, "22,5,5,128,%d,4,0,0,1,1,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1\n", vcs));
    CHECK(validate(&f));
    const struct validate_row *r = find(&f, "router", "switch allocator energy, VCs");
    CHECK(r != NULL);
    CHECK_EQ(r->n, 1);
    CHECK(isinf(r->worst));
    CHECK_STR(r->worst_at, "22 nm 5x5 128 b 4x4");
    CHECK(!validate_is_ok(r));
    arena_free(f.a);
}

static void rows_that_the_tool_could_not_time_are_left_out(void)
{
    struct fixture f;
    begin(&f);
    put(&f, "dsent_router.csv",
        ROUTER_HEAD "22,5,5,128,4,4,9e9,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0\n");
    CHECK(validate(&f));
    CHECK(find(&f, "router", "total area") == NULL);
    CHECK(has_remark(&f, "router", "1 row left out: DSENT did not meet the clock"));
    arena_free(f.a);
}

static void wide_parallel_ports_are_shown_without_limits(void)
{
    struct fixture f;
    begin(&f);
    put(&f, "cacti_arrays.csv",
        ARRAY_HEAD "wide,32768,128,4,0.022,cache,normal,itrs-hp,1024,1,1,,1,1,1\n"
                   "seq,32768,128,4,0.022,cache,sequential,itrs-hp,1024,1,1,,1,1,1\n"
                   "narrow,32768,128,4,0.022,cache,normal,itrs-hp,256,1,1,,1,1,1\n"
                   "table,512,8,0,0.022,cache,normal,itrs-hp,64,1,1,1,1,1,1\n");
    CHECK(validate(&f));
    CHECK_EQ(find(&f, "array", "read energy")->n, 3);
    CHECK_EQ(find(&f, "array", "search energy")->n, 1);
    CHECK(find(&f, "array", "read energy")->limit_worst > 0);
    CHECK_EQ(find(&f, "array_wide", "read energy")->n, 1);
    CHECK_STR(find(&f, "array_wide", "read energy")->worst_at, "wide");
    CHECK(validate_is_ok(find(&f, "array_wide", "read energy")));
    arena_free(f.a);
}

static void files_that_are_not_there_are_remarked_on(void)
{
    struct fixture f;
    begin(&f);
    struct power_link_spec s = {.node = 32, .bits = 64, .length = 1e-3, .delay = 1e-9};
    put(&f, "dsent_links.csv", LINK_HEAD);
    put(&f, "dsent_links.csv", link_row(&f, &s, 1));
    CHECK(validate(&f));
    CHECK(has_remark(&f, "router", "dsent_router.csv is not in the folder"));
    CHECK(has_remark(&f, "array", "cacti_arrays.csv is not in the folder"));
    CHECK(!has_remark(&f, "link", "dsent_links.csv is not in the folder"));
    CHECK(find(&f, "router", "total area") == NULL);
    arena_free(f.a);
}

static void a_file_of_another_name_is_known_by_its_columns(void)
{
    struct fixture f;
    begin(&f);
    put(&f, "hidden_links_22nm.csv",
        "tech,w,len_m,delay_s,width_mult,space_mult,e_send,leak,area_active,area_global_wire,"
        "timing_met\n"
        "22,256,0.0005,1e-09,1,1,3.0532e-12,6.17324e-05,8.65075e-11,4.096e-08,1\n");
    put(&f, "notes.csv", "a,b\n1,2\n");
    CHECK(validate(&f));
    CHECK(!has_remark(&f, "link", "dsent_links.csv is not in the folder"));
    CHECK(has_remark(&f, "photonic", "dsent_photonic.csv is not in the folder"));
    arena_free(f.a);
}

/* Whether a folder with this one file is refused with "<path><why>". */
static bool refuses(const char *file, const char *text, const char *why)
{
    struct fixture f;
    begin(&f);
    const char *path = path_of(&f, file);
    if (text)
        put(&f, file, text);
    bool ok = !validate(&f) && f.e.status == STATUS_BAD_INPUT;
    ok = ok && strncmp(f.e.text, path, strlen(path)) == 0 &&
         strstr(f.e.text + strlen(path), why) == f.e.text + strlen(path);
    if (!ok)
        print_error("got \"%s\"\n", f.e.text);
    arena_free(f.a);
    return ok;
}

static void malformed_files_are_refused_with_file_and_line(void)
{
    CHECK(refuses("dsent_links.csv", "tech,w\n22,64\n", ":1: no column \"e_send\""));
    CHECK(refuses("dsent_links.csv", LINK_HEAD "22,64,0.001,1e-9,1,1,abc,1,1,1,1\n",
                  ":2: e_send: \"abc\" is no number"));
    CHECK(refuses("dsent_links.csv", LINK_HEAD "22,64,0.001,1e-9,1,1,1,1,1,1,1\n22,64\n",
                  ":3: 2 cells, 11 columns"));
    CHECK(refuses("dsent_links.csv", LINK_HEAD "22,6.5,0.001,1e-9,1,1,1,1,1,1,1\n",
                  ":2: w: \"6.5\" is no whole number"));
    CHECK(refuses("dsent_links.csv", LINK_HEAD "22,64,0.001,1e-9,1,1,-1,1,1,1,1\n",
                  ":2: e_send: \"-1\" is negative"));
    CHECK(refuses("dsent_links.csv", LINK_HEAD, ":1: no rows"));
    CHECK(refuses("dsent_fmax.csv", CLOCK_HEAD "22,5,5,256,4,4,2e9,1e9\n",
                  ":2: f_met_hz: \"2e9\" is negative, or above the end of its interval"));
    CHECK(refuses("dsent_photonic.csv",
                  "tech,bits,core_rate,link_rate,len_m,laser,tuning,e_send,leak,ring_tuning,"
                  "laser_w,area_active,area_photonic\n22,64,1e9,1e9,0.01,Green,x,1,1,1,1,1,1\n",
                  ":2: laser: \"Green\" is none of DSENT's words"));
}

static void what_a_model_cannot_build_is_refused_with_file_and_line(void)
{
    CHECK(refuses("dsent_links.csv", LINK_HEAD "28,64,0.001,1e-9,1,1,1,1,1,1,1\n", ":2: "));
    CHECK(refuses("dsent_links.csv", LINK_HEAD "22,64,-0.001,1e-9,1,1,1,1,1,1,1\n", ":2: "));
    CHECK(refuses("dsent_fmax.csv", CLOCK_HEAD "22,0,5,256,4,4,1e9,2e9\n", ":2: "));
    CHECK(refuses("cacti_arrays.csv",
                  ARRAY_HEAD "x,0,128,4,0.022,cache,sequential,itrs-hp,1024,1,1,,1,1,1\n", ":2: "));
}

static void a_folder_without_any_reference_is_refused(void)
{
    struct fixture f;
    begin(&f);
    CHECK(!validate(&f));
    CHECK_EQ(f.e.status, STATUS_BAD_INPUT);
    CHECK(strstr(f.e.text, f.folder) == f.e.text);
    arena_free(f.a);
    f = (struct fixture){.a = arena_new()};
    CHECK(!validate_power("/nonexistent", f.a, &f.row, &f.n, &f.e));
    CHECK_EQ(f.e.status, STATUS_BAD_INPUT);
    arena_free(f.a);
}

CHECK_MAIN("validate", TEST(the_models_are_within_their_limits_over_the_public_grid),
           TEST(every_row_of_the_public_grid_is_compared),
           TEST(the_rows_of_a_node_add_up_to_the_rows_of_all),
           TEST(a_wrong_reference_is_reported_as_the_error_that_it_is),
           TEST(half_of_the_rows_beyond_the_median_is_enough_to_exceed),
           TEST(a_clock_inside_of_its_interval_has_no_error),
           TEST(where_the_reference_has_none_the_model_may_not_have_much),
           TEST(rows_that_the_tool_could_not_time_are_left_out),
           TEST(wide_parallel_ports_are_shown_without_limits),
           TEST(files_that_are_not_there_are_remarked_on),
           TEST(malformed_files_are_refused_with_file_and_line),
           TEST(what_a_model_cannot_build_is_refused_with_file_and_line),
           TEST(a_folder_without_any_reference_is_refused),
           TEST(a_file_of_another_name_is_known_by_its_columns))
