/* wsm5.cu - clouds and precipitation of a weather model (ISPASS-2009 WP: WSM5 of WRF).
 *
 * The original (Michalakes and Vachharajani, 2008): a thread computes one column of the atmosphere,
 * from the ground up and from the top down, several times; 8x8 threads a CTA.  State (ten arrays of
 * 28 levels) is in global memory, where neighbouring threads have neighbouring columns, and is read
 * and written in every pass; a dozen and more intermediate arrays of a value per level are indexed by
 * the level and therefore in local memory.  Long chains of exponentials, logarithms, roots and
 * divisions; lanes part ways where there is no rain, no snow, no ice.
 *
 * Ours: the processes of the scheme in their order (wsm5_physics.h), in one time step; what the
 * original precomputes on the device once more per thread is precomputed by the host and in
 * constant memory. */
#include "heddle_cuda.h"

#include "wsm5_physics.h"

#define MOST_LEVELS 40

__constant__ wsm5 scheme;

/* Arrays of all cells: level k of a column is `at + k * stride`. */
struct air {
    float *th, *q, *qc, *qi, *qr, *qs;
    const float *pii, *den, *p, *delz;
};

struct column {
    float t[MOST_LEVELS], cpm[MOST_LEVELS], xl[MOST_LEVELS];
    float qsat[MOST_LEVELS][2];
    float denfac[MOST_LEVELS], intercept[MOST_LEVELS], xni[MOST_LEVELS];
    float rain[MOST_LEVELS], snow[MOST_LEVELS]; /* first slopes */
    float w1[MOST_LEVELS], w2[MOST_LEVELS];     /* fall speeds over heights */
};

HD_DEVICE int steps_for(float speed)
{
    return max((int)truncf(speed * scheme.dt + 1.0f), 1);
}

HD_DEVICE void prepare(const air &a, column &c, int at, int stride, int levels)
{
    for (int k = 0; k < levels; k++) {
        int i = at + k * stride;
        c.t[k] = a.th[i] * a.pii[i];
        a.qc[i] = wsm5_max(a.qc[i], 0.0f);
        a.qi[i] = wsm5_max(a.qi[i], 0.0f);
        a.qr[i] = wsm5_max(a.qr[i], 0.0f);
        a.qs[i] = wsm5_max(a.qs[i], 0.0f);
    }
    for (int k = 0; k < levels; k++) {
        c.cpm[k] = wsm5_heat_capacity(a.q[at + k * stride]);
        c.xl[k] = wsm5_latent_heat(c.t[k]);
    }
    for (int k = 0; k < levels; k++) {
        float p = a.p[at + k * stride];
        c.qsat[k][0] = wsm5_saturation(c.t[k], p, scheme.xa, scheme.xb);
        c.qsat[k][1] = wsm5_saturation_ice(&scheme, c.t[k], p);
    }
}

/* Slopes and fall speeds; how many small steps the fall takes. */
HD_DEVICE int prepare_fall(const air &a, column &c, int at, int stride, int levels)
{
    int steps = 1;
    for (int k = 0; k < levels; k++) {
        int i = at + k * stride;
        float den = a.den[i];
        c.intercept[k] = wsm5_snow_intercept(c.t[k]);
        wsm5_slopes rain = wsm5_rain_slopes(&scheme, a.qr[i], den);
        wsm5_slopes snow = wsm5_snow_slopes(&scheme, a.qs[i], den, c.intercept[k]);
        c.rain[k] = rain.first;
        c.snow[k] = snow.first;
        c.denfac[k] = sqrtf(WSM5_DEN0 / den);
        c.w1[k] = scheme.pvtr * rain.power * c.denfac[k] / a.delz[i];
        c.w2[k] = scheme.pvts * snow.power * c.denfac[k] / a.delz[i];
        c.xni[k] = wsm5_crystals(a.qi[i], den);
        steps = max(steps, steps_for(wsm5_max(c.w1[k], c.w2[k])));
    }
    return steps;
}

/* One small step of the fall of one kind, from the top; what reaches the ground, in kg/m2. */
HD_DEVICE float fall(const air &a, float *content, const float *w, float dt, int at, int stride,
                     int levels)
{
    float above = 0.0f; /* what came in from the level above, times its height */
    for (int k = levels - 1; k >= 0; k--) {
        int i = at + k * stride;
        float flux = a.den[i] * content[i] * w[k];
        content[i] = wsm5_max(content[i] - (flux - above / a.delz[i]) * dt / a.den[i], 0.0f);
        above = flux * a.delz[i];
    }
    return above * dt;
}

HD_DEVICE void melt(const air &a, column &c, float dt, int at, int stride, int levels)
{
    for (int k = levels - 1; k >= 0; k--) {
        int i = at + k * stride;
        if (!(c.t[k] > WSM5_T0C && a.qs[i] > 0.0f))
            continue;
        wsm5_cell cell = {c.t[k], a.q[i], 0, 0, a.qr[i], a.qs[i], a.p[i], a.den[i], 0, 0};
        wsm5_slopes snow = wsm5_slopes_of(c.snow[k], 0.41f);
        float melted = wsm5_melting(&scheme, &cell, &snow, c.intercept[k], dt);
        a.qs[i] += melted;
        a.qr[i] -= melted;
        c.t[k] += WSM5_XLF0 / wsm5_heat_capacity(a.q[i]) * melted;
    }
}

/* Fall of ice; what reaches the ground. */
HD_DEVICE float fall_ice(const air &a, column &c, int at, int stride, int levels)
{
    int steps = 1;
    float ground = 0.0f;
    for (int k = levels - 1; k >= 0; k--) {
        int i = at + k * stride;
        c.w2[k] = 0.0f;
        if (a.qi[i] > 0.0f)
            c.w2[k] = wsm5_ice_fall_speed(a.qi[i], c.xni[k], a.den[i]) / a.delz[i];
        steps = max(steps, steps_for(c.w2[k]));
    }
    for (int n = 0; n < steps; n++)
        ground += fall(a, a.qi, c.w2, scheme.dt / (float)steps, at, stride, levels);
    return ground;
}

HD_DEVICE void react(const air &a, column &c, int at, int stride, int levels)
{
    for (int k = 0; k < levels; k++) {
        int i = at + k * stride;
        wsm5_cell cell = {c.t[k],  a.q[i], a.qc[i],  a.qi[i],  a.qr[i],
                          a.qs[i], a.p[i], a.den[i], c.cpm[k], c.xl[k]};
        wsm5_react(&scheme, &cell, c.qsat[k], c.denfac[k], c.intercept[k], c.rain[k]);
        wsm5_condense(&scheme, &cell);
        a.th[i] = cell.t / a.pii[i];
        a.q[i] = cell.q;
        a.qc[i] = cell.qc > WSM5_QMIN ? cell.qc : 0.0f;
        a.qi[i] = cell.qi > WSM5_QMIN ? cell.qi : 0.0f;
        a.qr[i] = cell.qr;
        a.qs[i] = cell.qs;
    }
}

extern "C" __global__ void wsm5_step(float *th, const float *pii, float *q, float *qc, float *qi,
                                     float *qr, float *qs, const float *den, const float *p,
                                     const float *delz, float *rain, float *snow, int nx, int ny,
                                     int levels)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= nx || y >= ny)
        return;
    const int at = y * levels * nx + x, stride = nx; /* levels of a row of columns together */
    const air a = {th, q, qc, qi, qr, qs, pii, den, p, delz};
    column c;
    float rain_ground = 0.0f, snow_ground = 0.0f;
    prepare(a, c, at, stride, levels);
    int steps = prepare_fall(a, c, at, stride, levels);
    float dt = scheme.dt / (float)steps;
    for (int n = 0; n < steps; n++) {
        rain_ground += fall(a, a.qr, c.w1, dt, at, stride, levels);
        snow_ground += fall(a, a.qs, c.w2, dt, at, stride, levels);
        melt(a, c, dt, at, stride, levels);
    }
    snow_ground += fall_ice(a, c, at, stride, levels);
    rain[y * nx + x] += rain_ground + snow_ground; /* mm of water */
    snow[y * nx + x] += snow_ground;
    react(a, c, at, stride, levels);
}
