/* request.h - one memory request on its way from an SM to the memory side and back.
 *
 * A request is 64 bytes and travels together with the packet of the same number (sim/packet.h):
 * networks touch packets only, caches requests only.  It is allocated by an SM from the SM's own
 * part of the pool, becomes its own answer at the memory side (the packet is turned round), and
 * is freed by the SM that made it: every request gets exactly one answer, stores too.
 *
 * Latency is split by construction: request_mark() adds the time since the last mark to one part,
 * so the parts sum to the whole whatever way a request took. */
#ifndef HEDDLE_MEM_REQUEST_H
#define HEDDLE_MEM_REQUEST_H

#include "sim/packet.h"

enum { LINE_BYTES = 128, SECTOR_BYTES = 32, LINE_SECTORS = 4, LINE_WORDS = 32 };

enum request_kind {
    REQUEST_READ,
    REQUEST_WRITE,
    REQUEST_ATOMIC, /* read-modify-write at the L2 whose old value comes back */
    REQUEST_REDUCE, /* the same without a result: acknowledged like a write */
    REQUEST_KINDS,
};

enum request_part {
    PART_SM,      /* L1 access, miss queue, cluster, until the network's port took it */
    PART_REQUEST, /* request network, its injection port included */
    PART_L2,      /* in the slice: queues, pipeline, banks */
    PART_DRAM,    /* waiting for memory: from the miss to its fill, queues included */
    PART_REPLY,   /* reply network, from the slice's push to the cluster's pop */
    PART_RETURN,  /* cluster and its bus to the L1 */
    REQUEST_PARTS,
};

enum {                        /* request.flags */
       REQUEST_BYPASS_L1 = 1, /* fills no L1 line: .cg, volatile, atomics */
       REQUEST_TRACKED = 2,   /* has an entry in the cluster's merge table */
       REQUEST_SHARED = 4,    /* an answer: the cache policy of the L2, or the cluster, says that
                                 several SMs use the line */
};

struct request {
    uint64_t line;   /* address of the 128-byte line */
    uint32_t words;  /* 4-byte words that are wanted, bit i: bytes 4i .. 4i+3 of the line */
    uint32_t cta;    /* linear id in its grid */
    uint16_t sm;     /* over all clusters */
    uint16_t kernel; /* which launch, modulo 2^16 */
    uint16_t slot;   /* where its answer lands at the SM: the LSU's own number */
    uint16_t bytes;  /* of data: carried by a write, or by the answer of a read or atomic */
    uint8_t kind;    /* enum request_kind */
    uint8_t space;   /* enum stream_space */
    uint8_t sectors; /* that hold them, bit i: 32-byte sector i; a read is answered with, and its
                        cache keeps, all words of its sectors */
    uint8_t flags;
    uint32_t version;             /* --check: of the line, as answered (see versions.h) */
    uint64_t stamp;               /* tick of the last mark */
    uint32_t part[REQUEST_PARTS]; /* ticks */
};
_Static_assert(sizeof(struct request) == 64, "requests are one cache line");

static inline void request_mark(struct request *r, enum request_part part, uint64_t tick)
{
    r->part[part] += (uint32_t)(tick - r->stamp);
    r->stamp = tick;
}

static inline uint64_t request_latency(const struct request *r)
{
    uint64_t sum = 0;
    for (int i = 0; i < REQUEST_PARTS; i++)
        sum += r->part[i];
    return sum;
}

/* Requests and their packets.  The arrays are shared by the whole machine; each SM allocates from
 * a view of its own (`packets` with its own range), so that SMs can run in different threads. */
struct request_pool {
    struct request *at;
    struct packet_pool packets;
};

void request_pool_init(struct request_pool *p, struct arena *a, uint32_t capacity);
/* The share [first, first + n) of `whole`, to allocate from. */
struct request_pool request_pool_part(const struct request_pool *whole, uint32_t first, uint32_t n);

/* Bytes of a message: 8 of header, and data with write requests and with answers of reads and
 * atomics. */
enum { REQUEST_HEADER_BYTES = 8 };
static inline uint32_t request_message_bytes(const struct request *r, bool is_answer)
{
    bool has_data =
        is_answer ? r->kind == REQUEST_READ || r->kind == REQUEST_ATOMIC : r->kind != REQUEST_READ;
    return REQUEST_HEADER_BYTES + (has_data ? r->bytes : 0u);
}

static inline uint16_t request_flits(const struct request *r, bool is_answer, uint32_t flit_bytes)
{
    return (uint16_t)((request_message_bytes(r, is_answer) + flit_bytes - 1) / flit_bytes);
}

/* Bit per word -> bit per sector. */
static inline uint8_t request_sectors_of(uint32_t words)
{
    uint8_t s = 0;
    for (int i = 0; i < LINE_SECTORS; i++)
        s |= (uint8_t)((words >> (8 * i) & 0xff ? 1 : 0) << i);
    return s;
}

static inline uint32_t request_words_of(uint8_t sectors)
{
    uint32_t bytes = (uint32_t)(sectors & 15) * 0x00204081u & 0x01010101u; /* a bit per byte */
    return bytes * 0xff;
}

#endif
