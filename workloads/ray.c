/* ray.c - RAY of the ISPASS-2009 suite: ray tracing; see kernels/raytrace.cu.
 *
 * Scene, camera and lamp are the original's; the picture is 256x256 as simulators run it.  The
 * reference follows a ray by recursion. */
#include "workload.h"

#include "fast_math.h"

enum { BX = 16, BY = 8, OBJECTS = 4, BOUNCES = 5 };

struct object {
    float x, y, z, radius, red, green, blue;
    int32_t is_plane;
};

struct vec {
    float x, y, z;
};

struct scene {
    struct object objects[OBJECTS];
    float camera[3][4];
    float distance;
    uint32_t width, height;
};

struct ray {
    struct vec from, to;
};

/* ---- reference -------------------------------------------------------------------------------- */

static struct vec along(struct vec a, struct vec b, float s) /* a + s b */
{
    return (struct vec){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

static float dot(struct vec a, struct vec b)
{
    return hm_fmaf(a.z, b.z, hm_fmaf(a.y, b.y, a.x * b.x));
}

static struct vec unit(struct vec a)
{
    float s = hm_rsqrtf(dot(a, a));
    return (struct vec){a.x * s, a.y * s, a.z * s};
}

static struct vec minus(struct vec a, struct vec b)
{
    return (struct vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static float hit(const struct object *o, const struct ray *r)
{
    if (o->is_plane) {
        float t = hm_fabsf(r->to.y) < 0.0001f ? 0.0f : -(r->from.y - o->y) / r->to.y;
        return t > 0.0f ? t : 0.0f;
    }
    struct vec l = minus((struct vec){o->x, o->y, o->z}, r->from);
    float d = dot(l, r->to), l2 = dot(l, l), r2 = o->radius * o->radius, m2 = l2 - d * d;
    if ((d < 0.0f && l2 > r2) || m2 > r2)
        return 0.0f;
    return l2 > r2 ? d - hm_sqrtf(r2 - m2) : d + hm_sqrtf(r2 - m2);
}

static bool is_lit(const struct scene *s, struct vec point, struct vec light, struct vec lamp)
{
    struct vec way = minus(lamp, point);
    struct ray r = {along(point, light, 0.0001f), light};
    for (int i = 0; i < OBJECTS; i++) {
        float t = hit(&s->objects[i], &r);
        struct vec at = along(point, light, t);
        if (t != 0.0f && !(t > 0.0f && dot(at, at) > dot(way, way)))
            return false;
    }
    return true;
}

static struct vec shade(const struct scene *s, const struct object *o, struct vec point,
                        struct vec normal, struct vec view)
{
    const struct vec lamp = {10.0f, 10.0f, 10.0f};
    struct vec light = unit(minus(lamp, point)), colour = {o->red, o->green, o->blue};
    struct vec result = {colour.x * 0.05f, colour.y * 0.05f, colour.z * 0.05f};
    float side = dot(view, normal) < 0 ? -1.0f : 1.0f;
    struct vec facing = {normal.x * side, normal.y * side, normal.z * side};
    float cosine = dot(facing, light);
    if (!(cosine > 0.0f) || !is_lit(s, point, light, lamp))
        return result;
    float glance = dot(facing, unit(along(light, view, 1.0f))), shine = 1.0f;
    glance = glance < 1.0f ? glance : 1.0f;
    glance = glance > 0.0f ? glance : 0.0f;
    for (int i = 0; i < 50; i++)
        shine *= glance;
    result = along(result, colour, 0.3f * (cosine < 1.0f ? cosine : 1.0f));
    return (struct vec){result.x + 0.8f * shine, result.y + 0.8f * shine, result.z + 0.8f * shine};
}

/* False: the ray meets nothing. */
static bool trace(const struct scene *s, const struct ray *r, int bounces, struct vec *colour)
{
    const struct object *seen = NULL;
    float nearest = 10000.0f;
    for (int i = 0; i < OBJECTS && bounces > 0; i++) {
        float t = hit(&s->objects[i], r);
        if (t > 0.0f && t < nearest) {
            nearest = t;
            seen = &s->objects[i];
        }
    }
    if (!seen)
        return false;
    struct vec point = along(r->from, r->to, nearest), view = unit(minus(r->from, point));
    struct vec normal = {0.0f, 1.0f, 0.0f}, beyond;
    if (!seen->is_plane)
        normal = unit(minus(point, (struct vec){seen->x, seen->y, seen->z}));
    *colour = shade(s, seen, point, normal, view);
    float twice = 2.0f * dot(normal, view);
    struct ray next = {.to = unit((struct vec){normal.x * twice - view.x, normal.y * twice - view.y,
                                               normal.z * twice - view.z})};
    next.from = along(point, next.to, 0.0001f);
    if (trace(s, &next, bounces - 1, &beyond))
        *colour =
            (struct vec){hm_fmaf(0.8f, beyond.x, colour->x), hm_fmaf(0.8f, beyond.y, colour->y),
                         hm_fmaf(0.8f, beyond.z, colour->z)};
    return true;
}

static struct ray ray_of(const struct scene *s, uint32_t x, uint32_t y)
{
    float pixel = 2.0f / (float)(s->width < s->height ? s->width : s->height);
    float dx = ((float)x - 0.5f * (float)s->width) * pixel;
    float dy = ((float)y - 0.5f * (float)s->height) * pixel;
    const float(*c)[4] = s->camera;
    struct vec to = {c[0][0] * s->distance, c[0][1] * s->distance, c[0][2] * s->distance};
    to = along(to, (struct vec){c[2][0], c[2][1], c[2][2]}, dx);
    to = along(to, (struct vec){c[1][0], c[1][1], c[1][2]}, dy);
    return (struct ray){{c[0][3], c[1][3], c[2][3]}, unit(to)};
}

static uint32_t level(float v)
{
    return (uint32_t)(hm_saturatef(v) * 255.0f);
}

static bool check(struct work *w, const struct scene *s, const uint32_t *got, struct hd_error *e)
{
    size_t pixels = (size_t)s->width * s->height;
    uint32_t *want = work_alloc(w, pixels * sizeof *want);
    for (uint32_t i = 0; i < pixels; i++) {
        struct ray r = ray_of(s, i % s->width, i / s->width);
        struct vec c = {0.0f, 0.0f, 0.0f};
        trace(s, &r, BOUNCES, &c);
        want[i] = 0xff000000u | level(c.z) << 16 | level(c.y) << 8 | level(c.x);
    }
    return work_same_u32("pixel", got, want, pixels, e);
}

/* ---- run -------------------------------------------------------------------------------------- */

static void make_scene(struct scene *s)
{
    static const struct object objects[OBJECTS] = {
        {0.0f, -1.5f, 0.0f, 0.5f, 0.0f, 1.0f, 1.0f, true},
        {-1.0f, 0.0f, -1.0f, 0.5f, 1.0f, 0.0f, 0.0f, false},
        {1.0f, 0.0f, -1.0f, 0.5f, 0.0f, 0.0f, 1.0f, false},
        {0.0f, 0.0f, -2.0f, 0.75f, 0.0f, 1.0f, 0.0f, false}};
    struct vec eye = {0.0f, 0.5f, 2.0f}, forward = unit((struct vec){-eye.x, -eye.y, -eye.z});
    struct vec up = unit((struct vec){0.0f, -forward.z, forward.y}); /* across, as x is right */
    const float axes[3][3] = {{forward.x, forward.y, forward.z}, {up.x, up.y, up.z}, {1.0f, 0, 0}};
    const float position[3] = {eye.x, eye.y, eye.z};
    for (int i = 0; i < OBJECTS; i++)
        s->objects[i] = objects[i];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            s->camera[i][k] = axes[i][k];
        s->camera[i][3] = position[i];
    }
    s->distance = 1.5696856f; /* cotangent of half of 65 degrees */
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct {
        uint32_t width, height;
    } sizes[SIZES] = {[SIZE_TINY] = {64, 32},
                      [SIZE_SMALL] = {256, 256},
                      [SIZE_STUDY] = {512, 512},
                      [SIZE_PAPER] = {256, 256},
                      [SIZE_FEW] = {96, 64}};
    struct scene s = {.width = sizes[w->size].width, .height = sizes[w->size].height};
    size_t bytes = (size_t)s.width * s.height * sizeof(uint32_t);
    uint32_t *got = work_alloc(w, bytes);
    hd_ptr image = work_device(w, bytes, e);
    struct hd_args a = {0};
    make_scene(&s);
    hd_arg_ptr(&a, image);
    hd_arg_u32(&a, s.width);
    hd_arg_u32(&a, s.height);
    hd_arg_f32(&a, s.distance);
    return image && work_symbol(w, "objects", s.objects, sizeof s.objects, e) &&
           work_symbol(w, "camera", s.camera, sizeof s.camera, e) &&
           work_launch(w, "render", (struct hd_dim){s.width / BX, s.height / BY, 1},
                       (struct hd_dim){BX, BY, 1}, 0, &a, e) &&
           work_download(w, got, image, bytes, e) && (!w->verify || check(w, &s, got, e));
}

const struct workload workload_ray = {
    .name = "RAY",
    .suite = "ISPASS-2009",
    .papers = "sharing coalesce",
    .stands_for = "RAY: ray tracing with reflections, stack of colours in local memory",
    .kernels = "raytrace",
    .inputs =
        {
            [SIZE_TINY] = "64x32 pixels",
            [SIZE_SMALL] = "256x256 pixels",
            [SIZE_STUDY] = "512x512 pixels",
            [SIZE_PAPER] = "256x256 pixels",
            [SIZE_FEW] = "96x64 pixels: 48 CTAs",
        },
    .run = run,
};
