/* wsm5_physics.h - cloud physics of one cell of air: vapour, cloud water, cloud ice, rain, snow.
 *
 * WSM5 (Hong, Dudhia and Chen, Monthly Weather Review 132, 2004), in single precision.  It is here
 * once, for the kernel (wsm5.cu) and for its check (workloads/wp.c), as heddle_math.h is: which
 * cells are read and written, and in which order columns are walked, is written twice.  Quantities
 * are kg per kg of air, K, Pa, kg/m3, seconds; names are those of the paper's literature. */
#ifndef HEDDLE_KERNELS_WSM5_PHYSICS_H
#define HEDDLE_KERNELS_WSM5_PHYSICS_H

#include "heddle_math.h"

#define WSM5_QMIN 1e-15f
#define WSM5_QCRMIN 1e-9f
#define WSM5_T0C 273.15f
#define WSM5_XLS 2.85e6f
#define WSM5_XLF0 3.5e5f
#define WSM5_DEN0 1.28f
#define WSM5_DENR 1000.0f
#define WSM5_RV 461.6f
#define WSM5_PI 3.14159265f

/* Products of powers and gamma functions, computed by the host. */
struct wsm5 {
    float dt, xa, xb, xai, xbi; /* time step; exponents of saturation over water and ice */
    float qc0, qck1, pvtr, pvts, pacrr, pacrc, precr1, precr2, precs1, precs2;
    float pidn0r, pidn0s, roqimax;
    float rslopermax, rslopesmax; /* where there is no rain, no snow */
};

struct wsm5_slopes {
    float first, power, second, third; /* 1 / lambda, its power of the fall speed's, square, cube */
};

struct wsm5_cell {
    float t, q, qc, qi, qr, qs;
    float p, den;
    float cpm, xl; /* heat capacity, latent heat */
};

HM_FN float wsm5_max(float a, float b)
{
    return a > b ? a : b;
}

HM_FN float wsm5_min(float a, float b)
{
    return a < b ? a : b;
}

HM_FN float wsm5_power(float x, float y)
{
    return hm_expf(hm_logf(x) * y);
}

/* Mixing ratio at saturation. */
HM_FN float wsm5_saturation(float t, float p, float xa, float xb)
{
    float tr = (WSM5_T0C + 0.01f) / t;
    float e = 610.78f * hm_expf(hm_logf(tr) * xa + xb * (1.0f - tr));
    return wsm5_max(0.622f * e / (p - e), WSM5_QMIN);
}

HM_FN float wsm5_saturation_ice(const struct wsm5 *c, float t, float p)
{
    bool is_cold = t < WSM5_T0C + 0.01f;
    return wsm5_saturation(t, p, is_cold ? c->xai : c->xa, is_cold ? c->xbi : c->xb);
}

HM_FN float wsm5_heat_capacity(float q)
{
    float vapour = wsm5_max(q, WSM5_QMIN);
    return 1004.5f * (1.0f - vapour) + vapour * 1846.4f;
}

HM_FN float wsm5_latent_heat(float t)
{
    return 2.5e6f - 2370.0f * (t - WSM5_T0C);
}

HM_FN float wsm5_viscosity(float t, float den)
{
    return 1.496e-6f * (t * hm_sqrtf(t)) / (t + 120.0f) / den;
}

HM_FN float wsm5_diffusivity(float t, float p)
{
    return 8.794e-5f * wsm5_power(t, 1.81f) / p;
}

HM_FN float wsm5_conductivity(float t, float den)
{
    return 1.414e3f * wsm5_viscosity(t, den) * den;
}

HM_FN float wsm5_diffusion(float heat, float p, float t, float den, float qsat)
{
    return den * heat * heat / (wsm5_conductivity(t, den) * WSM5_RV * t * t) +
           1.0f / (qsat * wsm5_diffusivity(t, p));
}

HM_FN float wsm5_ventilation(float p, float t, float den)
{
    float viscosity = wsm5_viscosity(t, den);
    return wsm5_power(viscosity / wsm5_diffusivity(t, p), 0.3333333f) / hm_sqrtf(viscosity) *
           hm_sqrtf(hm_sqrtf(WSM5_DEN0 / den));
}

HM_FN float wsm5_snow_intercept(float t)
{
    return wsm5_max(wsm5_min(hm_expf(0.12f * (WSM5_T0C - t)), 1e11f / 2e6f), 1.0f);
}

HM_FN struct wsm5_slopes wsm5_slopes_of(float first, float power)
{
    struct wsm5_slopes s;
    s.first = first;
    s.power = wsm5_power(first, power);
    s.second = first * first;
    s.third = s.second * first;
    return s;
}

HM_FN struct wsm5_slopes wsm5_rain_slopes(const struct wsm5 *c, float qr, float den)
{
    float first = c->rslopermax;
    if (qr > WSM5_QCRMIN)
        first = 1.0f / hm_sqrtf(hm_sqrtf(c->pidn0r / (qr * den)));
    return wsm5_slopes_of(first, 0.8f);
}

HM_FN struct wsm5_slopes wsm5_snow_slopes(const struct wsm5 *c, float qs, float den,
                                          float intercept)
{
    float first = c->rslopesmax;
    if (qs > WSM5_QCRMIN)
        first = 1.0f / hm_sqrtf(hm_sqrtf(c->pidn0s * intercept / (qs * den)));
    return wsm5_slopes_of(first, 0.41f);
}

/* Ice crystals per m3. */
HM_FN float wsm5_crystals(float qi, float den)
{
    float ice = den * wsm5_max(qi, WSM5_QMIN);
    return wsm5_min(wsm5_max(5.38e7f * hm_sqrtf(hm_sqrtf(ice * ice * ice)), 1e3f), 1e6f);
}

/* Snow that melts in `dt`: what it adds to snow, which is not above 0. */
HM_FN float wsm5_melting(const struct wsm5 *c, const struct wsm5_cell *a,
                         const struct wsm5_slopes *snow, float intercept, float dt)
{
    float coeres = snow->second * hm_sqrtf(snow->first * snow->power);
    float rate =
        wsm5_conductivity(a->t, a->den) / WSM5_XLF0 * (WSM5_T0C - a->t) * WSM5_PI / 2.0f *
        intercept *
        (c->precs1 * snow->second + c->precs2 * wsm5_ventilation(a->p, a->t, a->den) * coeres);
    return wsm5_min(wsm5_max(rate * dt, -a->qs), 0.0f);
}

HM_FN float wsm5_ice_fall_speed(float qi, float xni, float den)
{
    float diameter = wsm5_max(wsm5_min(11.9f * hm_sqrtf(den * qi / xni), 500e-6f), 1e-25f);
    return 1.49e4f * wsm5_power(diameter, 1.31f);
}

/* Ice melts, cloud water and rain freeze. */
HM_FN void wsm5_freeze(const struct wsm5 *c, struct wsm5_cell *a, float rslope)
{
    float supcol = WSM5_T0C - a->t, heat = supcol < 0.0f ? WSM5_XLF0 : WSM5_XLS - a->xl;
    if (supcol < 0.0f && a->qi > 0.0f) {
        a->qc += a->qi;
        a->t -= heat / a->cpm * a->qi;
        a->qi = 0.0f;
    }
    if (supcol > 40.0f && a->qc > 0.0f) {
        a->qi += a->qc;
        a->t += heat / a->cpm * a->qc;
        a->qc = 0.0f;
    }
    if (supcol > 0.0f && a->qc > 0.0f) {
        float frozen = wsm5_min(100.0f * (hm_expf(0.66f * supcol) - 1.0f) * a->den / WSM5_DENR /
                                    3e8f * a->qc * a->qc * c->dt,
                                a->qc);
        a->qi += frozen;
        a->t += heat / a->cpm * frozen;
        a->qc -= frozen;
    }
    if (supcol > 0.0f && a->qr > 0.0f) {
        float third = rslope * rslope * rslope;
        float frozen =
            wsm5_min(20.0f * (WSM5_PI * WSM5_PI) * 100.0f * 8e6f * WSM5_DENR / a->den *
                         (hm_expf(0.66f * supcol) - 1.0f) * (third * third * rslope) * c->dt,
                     a->qr);
        a->qs += frozen;
        a->t += heat / a->cpm * frozen;
        a->qr -= frozen;
    }
}

/* What becomes of what, per second. */
struct wsm5_rates {
    float prevp, psdep, praut, psaut, pracw, psaci, psacw, pigen, pidep, psevp;
};

/* A rate of growth from vapour, limited by half of what is above saturation, by `most` and by what
 * is there. */
HM_FN float wsm5_limited(float rate, float surplus, float most, float content, float dt)
{
    if (rate < 0.0f)
        return wsm5_max(wsm5_max(wsm5_max(rate, surplus / 2.0f), most), -content / dt);
    return wsm5_min(wsm5_min(rate, surplus / 2.0f), most);
}

HM_FN void wsm5_warm_rates(const struct wsm5 *c, const struct wsm5_cell *a, float qsat,
                           float denfac, float work2, const struct wsm5_slopes *rain,
                           struct wsm5_rates *r)
{
    float surplus = (wsm5_max(a->q, WSM5_QMIN) - qsat) / c->dt;
    float humidity = wsm5_max(a->q / qsat, WSM5_QMIN);
    if (a->qc > c->qc0)
        r->praut = wsm5_min(c->qck1 * wsm5_power(a->qc, 7.0f / 3.0f), a->qc / c->dt);
    if (a->qr > WSM5_QCRMIN && a->qc > WSM5_QMIN)
        r->pracw = wsm5_min(c->pacrr * rain->third * rain->power * a->qc * denfac, a->qc / c->dt);
    if (a->qr > 0.0f) {
        float coeres = rain->second * hm_sqrtf(rain->first * rain->power);
        float rate = (humidity - 1.0f) * (c->precr1 * rain->second + c->precr2 * work2 * coeres) /
                     wsm5_diffusion(a->xl, a->p, a->t, a->den, qsat);
        r->prevp = wsm5_limited(rate, surplus, rate < 0.0f ? rate : surplus / 2.0f, a->qr, c->dt);
    }
}

/* Snow that meets ice and cloud water. */
HM_FN void wsm5_collection(const struct wsm5 *c, const struct wsm5_cell *a, float denfac,
                           float intercept, const struct wsm5_slopes *snow, struct wsm5_rates *r)
{
    float supcol = WSM5_T0C - a->t;
    if (supcol > 0.0f && a->qs > WSM5_QCRMIN && a->qi > WSM5_QMIN) {
        float xni = wsm5_crystals(a->qi, a->den);
        float diameter = wsm5_min(11.9f * hm_sqrtf(a->den * a->qi / xni), 500e-6f);
        float speed =
            hm_fabsf(c->pvts * snow->power * denfac - 1.49e4f * wsm5_power(diameter, 1.31f));
        float area =
            2.0f * snow->third + 2.0f * diameter * snow->second + diameter * diameter * snow->first;
        r->psaci = wsm5_min(WSM5_PI * a->qi * hm_expf(0.07f * -supcol) * 2e6f * intercept * speed *
                                area / 4.0f,
                            a->qi / c->dt);
    }
    if (a->qs > WSM5_QCRMIN && a->qc > WSM5_QMIN)
        r->psacw = wsm5_min(c->pacrc * intercept * snow->third * snow->power * a->qc * denfac,
                            a->qc / c->dt);
}

/* Ice and snow that grow from vapour, new ice, and ice that becomes snow. */
HM_FN void wsm5_cold_rates(const struct wsm5 *c, const struct wsm5_cell *a, float qsat, float work2,
                           float intercept, const struct wsm5_slopes *snow, struct wsm5_rates *r)
{
    float supcol = WSM5_T0C - a->t, surplus = (wsm5_max(a->q, WSM5_QMIN) - qsat) / c->dt;
    float humidity = wsm5_max(a->q / qsat, WSM5_QMIN);
    float work1 = wsm5_diffusion(WSM5_XLS, a->p, a->t, a->den, qsat);
    bool is_used_up = false;
    if (a->qi > 0.0f) {
        float xni = wsm5_crystals(a->qi, a->den);
        float rate =
            4.0f * 11.9f * hm_sqrtf(a->den * a->qi / xni) * xni * (humidity - 1.0f) / work1;
        r->pidep = wsm5_limited(rate, surplus, surplus - r->prevp, a->qi, c->dt);
        is_used_up = hm_fabsf(r->prevp + r->pidep) >= hm_fabsf(surplus);
    }
    if (a->qs > 0.0f && !is_used_up) {
        float coeres = snow->second * hm_sqrtf(snow->first * snow->power);
        float rate = (humidity - 1.0f) * intercept *
                     (c->precs1 * snow->second + c->precs2 * work2 * coeres) / work1;
        r->psdep = wsm5_limited(rate, surplus, surplus - r->prevp - r->pidep, a->qs, c->dt);
        is_used_up = hm_fabsf(r->prevp + r->pidep + r->psdep) >= hm_fabsf(surplus);
    }
    if (surplus > 0.0f && !is_used_up) {
        float xni0 = 1e3f * hm_expf(0.1f * supcol), roqi0 = 4.92e-11f * wsm5_power(xni0, 1.33f);
        float rate = wsm5_max(0.0f, (roqi0 / a->den - wsm5_max(a->qi, 0.0f)) / c->dt);
        r->pigen = wsm5_min(wsm5_min(rate, surplus), surplus - r->prevp - r->pidep - r->psdep);
    }
    if (a->qi > 0.0f)
        r->psaut = wsm5_max(0.0f, (a->qi - c->roqimax / a->den) / c->dt);
}

/* Rates are scaled where they would take more than there is. */
HM_FN float wsm5_scale(float content, float sink, float dt)
{
    float value = wsm5_max(WSM5_QMIN, content), source = sink * dt;
    return source > value ? value / source : 1.0f;
}

HM_FN void wsm5_apply_cold(const struct wsm5 *c, struct wsm5_cell *a, struct wsm5_rates *r)
{
    float water = wsm5_scale(a->qc, r->praut + r->pracw + r->psacw, c->dt);
    r->praut *= water;
    r->pracw *= water;
    r->psacw *= water;
    float ice = wsm5_scale(a->qi, r->psaut + r->psaci - r->pigen - r->pidep, c->dt);
    r->psaut *= ice;
    r->psaci *= ice;
    r->pigen *= ice;
    r->pidep *= ice;
    float heat = -WSM5_XLS * (r->psdep + r->pidep + r->pigen) - a->xl * r->prevp -
                 (WSM5_XLS - a->xl) * r->psacw;
    a->q -= (r->prevp + r->psdep + r->pigen + r->pidep) * c->dt;
    a->qc = wsm5_max(a->qc - (r->praut + r->pracw + r->psacw) * c->dt, 0.0f);
    a->qr = wsm5_max(a->qr + (r->praut + r->pracw + r->prevp) * c->dt, 0.0f);
    a->qi = wsm5_max(a->qi - (r->psaut + r->psaci - r->pigen - r->pidep) * c->dt, 0.0f);
    a->qs = wsm5_max(a->qs + (r->psdep + r->psaut + r->psaci + r->psacw) * c->dt, 0.0f);
    a->t -= heat / a->cpm * c->dt;
}

HM_FN void wsm5_apply_warm(const struct wsm5 *c, struct wsm5_cell *a, struct wsm5_rates *r)
{
    float water = wsm5_scale(a->qc, r->praut + r->pracw + r->psacw, c->dt);
    r->praut *= water;
    r->pracw *= water;
    r->psacw *= water;
    a->q -= (r->prevp + r->psevp) * c->dt;
    a->qc = wsm5_max(a->qc - (r->praut + r->pracw + r->psacw) * c->dt, 0.0f);
    a->qr = wsm5_max(a->qr + (r->praut + r->pracw + r->prevp + r->psacw) * c->dt, 0.0f);
    a->qs = wsm5_max(a->qs + r->psevp * c->dt, 0.0f);
    a->t += a->xl * (r->prevp + r->psevp) / a->cpm * c->dt;
}

/* All but the fall of rain, snow and ice; `qsat`: over water, over ice. */
HM_FN void wsm5_react(const struct wsm5 *c, struct wsm5_cell *a, const float qsat[2], float denfac,
                      float intercept, float rslope)
{
    struct wsm5_rates r = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    wsm5_freeze(c, a, rslope);
    struct wsm5_slopes rain = wsm5_rain_slopes(c, a->qr, a->den);
    struct wsm5_slopes snow = wsm5_snow_slopes(c, a->qs, a->den, intercept);
    float work2 = wsm5_ventilation(a->p, a->t, a->den);
    wsm5_warm_rates(c, a, qsat[0], denfac, work2, &rain, &r);
    wsm5_collection(c, a, denfac, intercept, &snow, &r);
    if (a->t < WSM5_T0C) {
        wsm5_cold_rates(c, a, qsat[1], work2, intercept, &snow, &r);
        wsm5_apply_cold(c, a, &r);
    } else {
        if (a->qs > 0.0f && a->q < qsat[0]) {
            float coeres = snow.second * hm_sqrtf(snow.first * snow.power);
            float rate = (a->q / qsat[0] - 1.0f) * intercept *
                         (c->precs1 * snow.second + c->precs2 * work2 * coeres) /
                         wsm5_diffusion(a->xl, a->p, a->t, a->den, qsat[0]);
            r.psevp = wsm5_min(wsm5_max(rate, -a->qs / c->dt), 0.0f);
        }
        wsm5_apply_warm(c, a, &r);
    }
}

/* Vapour above saturation condenses, cloud water below it evaporates. */
HM_FN void wsm5_condense(const struct wsm5 *c, struct wsm5_cell *a)
{
    float qsat = wsm5_saturation(a->t, a->p, c->xa, c->xb);
    float work = (wsm5_max(a->q, WSM5_QMIN) - qsat) /
                 (1.0f + a->xl * a->xl / (WSM5_RV * a->cpm) * qsat / (a->t * a->t));
    float rate = wsm5_min(wsm5_max(work / c->dt, 0.0f), wsm5_max(a->q, 0.0f) / c->dt);
    if (a->qc > 0.0f && work < 0.0f)
        rate = wsm5_max(work, -a->qc) / c->dt;
    a->q -= rate * c->dt;
    a->qc = wsm5_max(a->qc + rate * c->dt, 0.0f);
    a->t += rate * a->xl / a->cpm * c->dt;
}

#endif
