/* wp.c - WP of the ISPASS-2009 suite: weather prediction, WSM5; see kernels/wsm5.cu.
 *
 * The original takes one time step from a forecast over the United States (28 levels, a grid of
 * 9x8 CTAs); ours makes an atmosphere of the same size: temperature falls with height, pressure is
 * hydrostatic, and six columns of ten have clouds, with cloud water, ice, rain and snow at the
 * heights where they occur.  The check computes columns one by one, with the cells of a column as
 * records, and asks whether water is conserved. */
#include "workload.h"

#include <math.h>

#include "../kernels/wsm5_physics.h"

enum { BX = 8, BY = 8, LEVELS = 28, COLUMN_STREAM = 0, CELL_STREAM = 1 };

enum field { TH, PII, Q, QC, QI, QR, QS, DEN, P, DELZ, FIELDS };

struct shape {
    uint32_t nx, ny, levels;
};

/* One level of a column in the reference. */
struct level {
    struct wsm5_cell cell;
    float pii, delz, denfac, intercept, xni, rain, snow, w1, w2, qsat[2];
};

static const struct wsm5 *scheme(void)
{
    /* From WSM5's constants: intercepts 8e6 and 2e6 per m4, fall speeds 841.9 d^0.8 and 11.72
     * d^0.41, cloud droplets 3e8 per m3; avtr G(4.8) / 6 and so on, G the gamma function. */
    static const struct wsm5 s = {
        .dt = 60.0f,
        .xa = 5.07712305e+00f,
        .xb = 2.49041275e+01f,
        .xai = 5.62391681e-01f,
        .xbi = 2.31651768e+01f,
        .qc0 = 5.02654825e-04f,
        .qck1 = 6.77389540e+00f,
        .pvtr = 2.50294933e+03f,
        .pvts = 2.00712893e+01f,
        .pacrr = 2.48313071e+10f,
        .pacrc = 5.54743241e+07f,
        .precr1 = 3.92070763e+07f,
        .precr2 = 8.26199160e+08f,
        .precs1 = 5.20000000e+06f,
        .precs2 = 1.86887070e+07f,
        .pidn0r = 2.51327412e+10f,
        .pidn0s = 6.28318531e+08f,
        .roqimax = 8.12500000e-05f,
        .rslopermax = 1.25000000e-05f,
        .rslopesmax = 1.00000000e-05f,
    };
    return &s;
}

static size_t index_of(const struct shape *s, uint32_t x, uint32_t y, uint32_t k)
{
    return ((size_t)y * s->levels + k) * s->nx + x;
}

/* ---- the atmosphere --------------------------------------------------------------------------- */

static float drawn(const struct work *w, size_t cell, uint32_t what, float hi)
{
    return work_random_f32(w, CELL_STREAM, cell * 8 + what, 0.0f, hi);
}

static void make_column(const struct work *w, const struct shape *s, uint32_t x, uint32_t y,
                        float *const *fields)
{
    uint64_t column = (uint64_t)y * s->nx + x;
    float ground = work_random_f32(w, COLUMN_STREAM, 2 * column, 278.0f, 300.0f);
    bool is_cloudy = work_random(w, COLUMN_STREAM, 2 * column + 1) % 10 < 6;
    float height = 0.0f, p = 1e5f;
    for (uint32_t k = 0; k < s->levels; k++) {
        size_t i = index_of(s, x, y, k);
        float delz = 100.0f + 30.0f * (float)k, t = wsm5_max(ground - 0.0065f * height, 212.0f);
        fields[DELZ][i] = delz;
        fields[P][i] = p;
        fields[DEN][i] = p / (287.0f * t);
        fields[PII][i] = hm_powf(p * 1e-5f, 0.2857f);
        fields[TH][i] = t / fields[PII][i];
        fields[Q][i] = wsm5_saturation_ice(scheme(), t, p) *
                       (is_cloudy ? 0.9f + drawn(w, i, 0, 0.15f) : 0.2f + drawn(w, i, 0, 0.6f));
        fields[QC][i] = is_cloudy && t > 250.0f ? drawn(w, i, 1, 1.5e-3f) : 0.0f;
        fields[QI][i] = is_cloudy && t < 268.0f ? drawn(w, i, 2, 2e-4f) : 0.0f;
        fields[QR][i] = is_cloudy && t > 265.0f ? drawn(w, i, 3, 1e-3f) : 0.0f;
        fields[QS][i] = is_cloudy && t < 276.0f && t > 230.0f ? drawn(w, i, 4, 1e-3f) : 0.0f;
        height += delz;
        p *= 1.0f - 9.81f * delz / (287.0f * t);
    }
}

/* ---- reference -------------------------------------------------------------------------------- */

static int steps_for(float speed)
{
    int steps = (int)(speed * scheme()->dt + 1.0f);
    return steps > 1 ? steps : 1;
}

static void load(const struct shape *s, float *const *fields, uint32_t x, uint32_t y,
                 struct level *levels)
{
    for (uint32_t k = 0; k < s->levels; k++) {
        size_t i = index_of(s, x, y, k);
        struct level *v = &levels[k];
        struct wsm5_cell *c = &v->cell;
        *v = (struct level){.pii = fields[PII][i], .delz = fields[DELZ][i]};
        *c = (struct wsm5_cell){.t = fields[TH][i] * v->pii,
                                .q = fields[Q][i],
                                .qc = wsm5_max(fields[QC][i], 0.0f),
                                .qi = wsm5_max(fields[QI][i], 0.0f),
                                .qr = wsm5_max(fields[QR][i], 0.0f),
                                .qs = wsm5_max(fields[QS][i], 0.0f),
                                .p = fields[P][i],
                                .den = fields[DEN][i]};
        c->cpm = wsm5_heat_capacity(c->q);
        c->xl = wsm5_latent_heat(c->t);
        v->qsat[0] = wsm5_saturation(c->t, c->p, scheme()->xa, scheme()->xb);
        v->qsat[1] = wsm5_saturation_ice(scheme(), c->t, c->p);
        v->intercept = wsm5_snow_intercept(c->t);
        v->denfac = hm_sqrtf(WSM5_DEN0 / c->den);
        v->xni = wsm5_crystals(c->qi, c->den);
        struct wsm5_slopes rain = wsm5_rain_slopes(scheme(), c->qr, c->den);
        struct wsm5_slopes snow = wsm5_snow_slopes(scheme(), c->qs, c->den, v->intercept);
        v->rain = rain.first;
        v->snow = snow.first;
        v->w1 = scheme()->pvtr * rain.power * v->denfac / v->delz;
        v->w2 = scheme()->pvts * snow.power * v->denfac / v->delz;
    }
}

static void store(const struct shape *s, float *const *fields, uint32_t x, uint32_t y,
                  const struct level *levels)
{
    for (uint32_t k = 0; k < s->levels; k++) {
        size_t i = index_of(s, x, y, k);
        const struct wsm5_cell *c = &levels[k].cell;
        fields[TH][i] = c->t / levels[k].pii;
        fields[Q][i] = c->q;
        fields[QC][i] = c->qc > WSM5_QMIN ? c->qc : 0.0f;
        fields[QI][i] = c->qi > WSM5_QMIN ? c->qi : 0.0f;
        fields[QR][i] = c->qr;
        fields[QS][i] = c->qs;
    }
}

/* A small step of the fall out of one level, into which `above` comes; what goes on below. */
static float fall(const struct level *v, float *content, float w, float dt, float above)
{
    float flux = v->cell.den * *content * w;
    *content = wsm5_max(*content - (flux - above / v->delz) * dt / v->cell.den, 0.0f);
    return flux * v->delz;
}

static void melt(struct level *v, float dt)
{
    struct wsm5_cell *c = &v->cell;
    struct wsm5_slopes snow = wsm5_slopes_of(v->snow, 0.41f);
    if (!(c->t > WSM5_T0C && c->qs > 0.0f))
        return;
    float melted = wsm5_melting(scheme(), c, &snow, v->intercept, dt);
    c->qs += melted;
    c->qr -= melted;
    c->t += WSM5_XLF0 / wsm5_heat_capacity(c->q) * melted;
}

/* Rain and snow; *rain, *snow: what reaches the ground. */
static void fall_all(struct level *levels, uint32_t n, float *rain, float *snow)
{
    int steps = 1;
    for (uint32_t k = 0; k < n; k++) {
        int need = steps_for(wsm5_max(levels[k].w1, levels[k].w2));
        steps = need > steps ? need : steps;
    }
    float dt = scheme()->dt / (float)steps;
    for (int step = 0; step < steps; step++) {
        float rain_above = 0.0f, snow_above = 0.0f;
        for (uint32_t k = n; k-- > 0;) {
            rain_above = fall(&levels[k], &levels[k].cell.qr, levels[k].w1, dt, rain_above);
            snow_above = fall(&levels[k], &levels[k].cell.qs, levels[k].w2, dt, snow_above);
            melt(&levels[k], dt);
        }
        *rain += rain_above * dt;
        *snow += snow_above * dt;
    }
}

static float fall_ice(struct level *levels, uint32_t n)
{
    int steps = 1;
    float ground = 0.0f;
    for (uint32_t k = 0; k < n; k++) {
        struct level *v = &levels[k];
        v->w2 = v->cell.qi > 0.0f ? wsm5_ice_fall_speed(v->cell.qi, v->xni, v->cell.den) / v->delz
                                  : 0.0f;
        steps = steps_for(v->w2) > steps ? steps_for(v->w2) : steps;
    }
    for (int step = 0; step < steps; step++) {
        float dt = scheme()->dt / (float)steps, above = 0.0f;
        for (uint32_t k = n; k-- > 0;)
            above = fall(&levels[k], &levels[k].cell.qi, levels[k].w2, dt, above);
        ground += above * dt;
    }
    return ground;
}

/* Water over a square metre, in kg. */
static double water(const struct level *levels, uint32_t n)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < n; k++) {
        const struct wsm5_cell *c = &levels[k].cell;
        sum += (double)(c->q + c->qc + c->qi + c->qr + c->qs) * (double)(c->den * levels[k].delz);
    }
    return sum;
}

static bool compute(struct level *levels, uint32_t n, float *rain, float *snow, struct hd_error *e)
{
    double before = water(levels, n);
    float rain_ground = 0.0f, snow_ground = 0.0f;
    fall_all(levels, n, &rain_ground, &snow_ground);
    snow_ground += fall_ice(levels, n);
    for (uint32_t k = 0; k < n; k++) {
        struct level *v = &levels[k];
        wsm5_react(scheme(), &v->cell, v->qsat, v->denfac, v->intercept, v->rain);
        wsm5_condense(scheme(), &v->cell);
    }
    *rain += rain_ground + snow_ground;
    *snow += snow_ground;
    double after = water(levels, n) + (double)(rain_ground + snow_ground);
    return fabs(after - before) < 1e-3 * before ||
           work_fail(e, "water of a column is %.6g kg/m2, was %.6g", after, before);
}

/* ---- run -------------------------------------------------------------------------------------- */

static bool check(struct work *w, const struct shape *s, float *const *fields, const hd_ptr *device,
                  const hd_ptr *ground, struct hd_error *e)
{
    static const char *const names[FIELDS] = {"th", "pii", "q",   "qc", "qi",
                                              "qr", "qs",  "den", "p",  "delz"};
    size_t columns = (size_t)s->nx * s->ny, cells = columns * s->levels;
    float *got = work_alloc(w, cells * sizeof *got);
    float *rain = work_alloc(w, columns * sizeof *rain),
          *snow = work_alloc(w, columns * sizeof *snow);
    struct level levels[LEVELS];
    for (uint32_t i = 0; i < columns; i++) {
        load(s, fields, i % s->nx, i / s->nx, levels);
        if (!compute(levels, s->levels, &rain[i], &snow[i], e))
            return false;
        store(s, fields, i % s->nx, i / s->nx, levels);
    }
    for (int f = 0; f < FIELDS; f++)
        if (!work_download(w, got, device[f], cells * sizeof *got, e) ||
            !work_same_f32(names[f], got, fields[f], cells, e))
            return false;
    return work_download(w, got, ground[0], columns * sizeof *got, e) &&
           work_same_f32("rain", got, rain, columns, e) &&
           work_download(w, got, ground[1], columns * sizeof *got, e) &&
           work_same_f32("snow", got, snow, columns, e);
}

static bool launch(struct work *w, const struct shape *s, const hd_ptr *device,
                   const hd_ptr *ground, struct hd_error *e)
{
    struct hd_args a = {0};
    for (int f = 0; f < FIELDS; f++)
        hd_arg_ptr(&a, device[f]);
    hd_arg_ptr(&a, ground[0]);
    hd_arg_ptr(&a, ground[1]);
    hd_arg_u32(&a, s->nx);
    hd_arg_u32(&a, s->ny);
    hd_arg_u32(&a, s->levels);
    return work_symbol(w, "scheme", scheme(), sizeof *scheme(), e) &&
           work_launch(w, "wsm5_step",
                       (struct hd_dim){(s->nx + BX - 1) / BX, (s->ny + BY - 1) / BY, 1},
                       (struct hd_dim){BX, BY, 1}, 0, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct shape shapes[SIZES] = {[SIZE_TINY] = {16, 8, 10},
                                               [SIZE_SMALL] = {40, 40, 28},
                                               [SIZE_STUDY] = {104, 88, 28},
                                               [SIZE_PAPER] = {72, 60, 28},
                                               [SIZE_FEW] = {64, 48, 16}};
    const struct shape *s = &shapes[w->size];
    uint64_t columns = (uint64_t)s->nx * s->ny, bytes = columns * s->levels * sizeof(float);
    float *fields[FIELDS];
    hd_ptr device[FIELDS], ground[2];
    for (int f = 0; f < FIELDS; f++)
        fields[f] = work_alloc(w, bytes);
    for (uint32_t i = 0; i < columns; i++)
        make_column(w, s, i % s->nx, i / s->nx, fields);
    for (int f = 0; f < FIELDS; f++)
        if (!(device[f] = work_upload(w, fields[f], bytes, e)))
            return false;
    for (int g = 0; g < 2; g++)
        if (!(ground[g] = work_device(w, columns * sizeof(float), e)))
            return false;
    return launch(w, s, device, ground, e) &&
           (!w->verify || check(w, s, fields, device, ground, e));
}

const struct workload workload_wp = {
    .name = "WP",
    .suite = "ISPASS-2009",
    .papers = "sharing coalesce",
    .stands_for = "WP: cloud physics of a weather model, columns in local and global memory",
    .kernels = "wsm5",
    .inputs =
        {
            [SIZE_TINY] = "16x8 columns of 10 levels",
            [SIZE_SMALL] = "40x40 columns of 28 levels",
            [SIZE_STUDY] = "104x88 columns of 28 levels",
            [SIZE_PAPER] = "72x60 columns of 28 levels",
            [SIZE_FEW] = "64x48 columns of 16 levels: 48 CTAs",
        },
    .run = run,
};
