/* resident.c - a CTA's streams in one buffer of their own. */
#include "stream/resident.h"

#include <string.h>

bool resident_load(struct resident *r, struct stream_cursor *from, uint32_t cta, struct err *e)
{
    const struct stream_warp *warps;
    uint32_t n;
    if (!stream_cursor_seek(from, cta, &warps, &n, e))
        return false;
    size_t total = 0;
    for (uint32_t w = 0; w < n; w++)
        total += warps[w].control_bytes + warps[w].payload_bytes;
    r->cta = cta;
    r->nwarps = n;
    r->bytes.used = 0;
    uint8_t *to = bytes_room(&r->bytes, total + 1);
    for (uint32_t w = 0; w < n; w++) {
        r->warp[w] = warps[w];
        if (warps[w].control_bytes)
            memcpy(to, warps[w].control, warps[w].control_bytes);
        r->warp[w].control = to;
        to += warps[w].control_bytes;
        if (warps[w].payload_bytes)
            memcpy(to, warps[w].payload, warps[w].payload_bytes);
        r->warp[w].payload = to;
        to += warps[w].payload_bytes;
    }
    return true;
}

void resident_free(struct resident *r)
{
    bytes_free(&r->bytes);
}
