/* timeline.c - a Chrome trace of a run.
 *
 * Trace Event Format: "X" are complete slices (ts, dur), "C" counters, "M" names of processes and
 * threads.  Slices of one thread must nest; CTAs of an SM overlap freely, those of one CTA slot
 * never do, hence a thread for each slot.  Not written: instructions, requests, flows. */
#include "report/timeline.h"

#include <math.h>

#include "base/err.h"

enum { PID_GPU = 1, PID_SMS = 2, MAX_TRACKS = 64 };

struct timeline {
    struct json j;
    uint64_t khz;
    uint32_t sms, slots;
    uint64_t named_tracks; /* of kernels */
    uint64_t *named;       /* bit sm * slots + slot */
    bool is_over;
};

/* Whole nanoseconds, without overflow however long the run. */
static uint64_t ns_of(const struct timeline *t, uint64_t cycle)
{
    return cycle / t->khz * 1000000 + cycle % t->khz * 1000000 / t->khz;
}

static void member_string(struct json *j, const char *key, const char *v)
{
    json_key(j, key);
    json_string(j, v);
}

static void member_uint(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_uint(j, v);
}

static void member_us(struct json *j, const char *key, uint64_t ns)
{
    json_key(j, key);
    json_real(j, (double)ns / 1000);
}

static void open_event(struct timeline *t, const char *phase, const char *name, uint32_t pid,
                       uint32_t tid)
{
    HD_ASSERT(!t->is_over, "an event after the end");
    json_open_object(&t->j, true);
    member_string(&t->j, "ph", phase);
    member_string(&t->j, "name", name);
    member_uint(&t->j, "pid", pid);
    member_uint(&t->j, "tid", tid);
}

static void open_args(struct json *j)
{
    json_key(j, "args");
    json_open_object(j, true);
}

static void close_event(struct timeline *t) /* and its args */
{
    json_close_object(&t->j);
    json_close_object(&t->j);
}

static void name_it(struct timeline *t, const char *what, uint32_t pid, uint32_t tid,
                    const char *name)
{
    open_event(t, "M", what, pid, tid);
    open_args(&t->j);
    member_string(&t->j, "name", name);
    close_event(t);
}

static void sort_it(struct timeline *t, const char *what, uint32_t pid, uint32_t tid)
{
    open_event(t, "M", what, pid, tid);
    open_args(&t->j);
    member_uint(&t->j, "sort_index", tid ? tid : pid);
    close_event(t);
}

struct timeline *timeline_new(struct arena *a, FILE *out, double clock, uint32_t sms,
                              uint32_t slots)
{
    struct timeline *t = ARENA_NEW(a, struct timeline);
    t->khz = (uint64_t)llround(clock / 1000);
    HD_ASSERT(t->khz > 0, "no clock");
    t->sms = sms;
    t->slots = slots;
    t->named = ARENA_ARRAY(a, uint64_t, ((uint64_t)sms * slots + 63) / 64);
    json_begin(&t->j, out);
    json_open_object(&t->j, false);
    member_string(&t->j, "displayTimeUnit", "ns");
    json_key(&t->j, "traceEvents");
    json_open_array(&t->j, false);
    name_it(t, "process_name", PID_GPU, 0, "GPU");
    sort_it(t, "process_sort_index", PID_GPU, 0);
    name_it(t, "process_name", PID_SMS, 0, "SMs");
    sort_it(t, "process_sort_index", PID_SMS, 0);
    return t;
}

/* Times and what both kinds of slices say about themselves. */
static void write_span(struct timeline *t, uint64_t begin, uint64_t end)
{
    HD_ASSERT(begin <= end, "a slice that ends before it begins");
    member_us(&t->j, "ts", ns_of(t, begin));
    member_us(&t->j, "dur", ns_of(t, end) - ns_of(t, begin));
    open_args(&t->j);
    member_uint(&t->j, "begin_cycle", begin);
    member_uint(&t->j, "cycles", end - begin);
}

static void member_dim(struct json *j, const char *key, const uint32_t d[3])
{
    char text[48];
    snprintf(text, sizeof text, "%u x %u x %u", d[0], d[1], d[2]);
    member_string(j, key, text);
}

static void name_track(struct timeline *t, uint32_t track)
{
    char name[32];
    if (t->named_tracks >> track & 1)
        return;
    t->named_tracks |= 1ull << track;
    snprintf(name, sizeof name, "kernels %u", track + 1);
    name_it(t, "thread_name", PID_GPU, track + 1, name);
    sort_it(t, "thread_sort_index", PID_GPU, track + 1);
}

void timeline_add_kernel(struct timeline *t, const struct timeline_kernel *k)
{
    HD_ASSERT(k->track < MAX_TRACKS, "no track %u of kernels", k->track);
    name_track(t, k->track);
    open_event(t, "X", k->name, PID_GPU, k->track + 1);
    write_span(t, k->begin, k->end);
    member_dim(&t->j, "grid", k->grid);
    member_dim(&t->j, "block", k->block);
    close_event(t);
}

static void name_slot(struct timeline *t, uint32_t sm, uint32_t slot)
{
    char name[48];
    uint64_t i = (uint64_t)sm * t->slots + slot;
    if (t->named[i / 64] >> (i % 64) & 1)
        return;
    t->named[i / 64] |= 1ull << (i % 64);
    snprintf(name, sizeof name, "SM %u #%u", sm, slot);
    name_it(t, "thread_name", PID_SMS, (uint32_t)i + 1, name);
    sort_it(t, "thread_sort_index", PID_SMS, (uint32_t)i + 1);
}

void timeline_add_cta(struct timeline *t, const struct timeline_cta *c)
{
    char name[160];
    HD_ASSERT(c->sm < t->sms && c->slot < t->slots, "no slot %u of SM %u", c->slot, c->sm);
    name_slot(t, c->sm, c->slot);
    snprintf(name, sizeof name, "%.128s/%u", c->kernel, c->cta);
    open_event(t, "X", name, PID_SMS, c->sm * t->slots + c->slot + 1);
    write_span(t, c->begin, c->end);
    member_string(&t->j, "kernel", c->kernel);
    member_uint(&t->j, "cta", c->cta);
    close_event(t);
}

void timeline_add_counter(struct timeline *t, uint64_t from, const char *track,
                          const struct timeline_value *values, int n)
{
    open_event(t, "C", track, PID_GPU, 0);
    member_us(&t->j, "ts", ns_of(t, from));
    open_args(&t->j);
    for (int i = 0; i < n; i++) {
        json_key(&t->j, values[i].name);
        json_real(&t->j, isfinite(values[i].value) ? values[i].value : 0);
    }
    close_event(t);
}

void timeline_end(struct timeline *t, void (*origin)(struct json *j))
{
    HD_ASSERT(!t->is_over, "a second end");
    json_close_array(&t->j);
    if (origin) {
        json_key(&t->j, "otherData"); /* the format's name for what is no event */
        json_open_object(&t->j, false);
        origin(&t->j);
        json_close_object(&t->j);
    }
    json_close_object(&t->j);
    json_end(&t->j);
    t->is_over = true;
}
