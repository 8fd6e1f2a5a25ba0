/* cache_model.h - what an L2 slice must do, step by step, as plainly as possible and without time.
 *
 * The steps are told from outside, in the order in which they happen: a request reaches the tags,
 * a fetch comes back, the next waiter is answered.  The model says what each of them does. */
#ifndef HEDDLE_TESTS_RIG_CACHE_MODEL_H
#define HEDDLE_TESTS_RIG_CACHE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/request.h"
#include "mem/transfer.h"

enum { CACHE_MODEL_LINES = 4096, CACHE_MODEL_WAITERS = 1024, CACHE_MODEL_SMS = 8 };

enum cache_model_mode { CACHE_MODEL_KEEPS, CACHE_MODEL_NO_LINE, CACHE_MODEL_NO_MSHR };

/* The sharing tracker and what hangs on it, after "Power Efficient Sharing-Aware GPU Data Management"
 * (IPDPS 2017), sections V.B and VI.A. */
struct cache_model_sharing {
    bool is_on, allocates, replaces;
    uint32_t kinds, spaces; /* bits: accesses of these that make a line shared */
    uint64_t age; /* cycles without use after which a shared line is not spared; 0: none */
};

struct cache_model_shared { /* what is counted of it; [0]: private, [1]: shared */
    uint64_t lines, became_shared, used_by[CACHE_MODEL_SMS + 1]; /* by so many SMs or more */
    uint64_t hits[2], waits[2], evictions[2], spared;
};

struct cache_model_line {
    uint32_t owner;
    bool has_owner, is_shared, by[CACHE_MODEL_SMS];
    uint64_t used_at;
    uint64_t address;
    bool is_coming;
    bool is_unkept;     /* gone when all who wait are answered; takes no way of its set */
    uint8_t asked;      /* sectors, of memory, since it is on its way */
    uint32_t under_way; /* fetches */
    bool has_turn;      /* something has come, and those who wait are asked one by one */
    uint32_t valid, dirty;
    uint32_t version;
    uint32_t nwaiters, nanswered;
    uint32_t waiter[CACHE_MODEL_WAITERS]; /* requests */
};

struct cache_model {
    uint32_t sets, ways, mshrs, merges;
    bool write_fetch, write_through, sectored, sector_fetches;
    enum cache_model_mode mode; /* of requests whose kind and space are both among these bits */
    uint32_t kinds, spaces;
    struct cache_model_sharing sharing;
    struct cache_model_shared shared;
    uint64_t now;     /* cycle of the next step, told from outside */
    bool says_shared; /* the last answer */
    const struct request *requests;
    /* the lines that are there, most recently used first */
    struct cache_model_line *line[CACHE_MODEL_LINES];
    uint32_t nlines;
    uint64_t filled[CACHE_MODEL_LINES]; /* lines that have come and have waiters, in order */
    uint32_t nfilled;
    uint32_t newest[CACHE_MODEL_LINES]; /* version by line number */
    uint32_t in_memory[CACHE_MODEL_LINES];
    uint64_t evictions, writebacks, writeback_sectors, fetches, fetched_sectors, refetches;
    uint64_t throughs, through_sectors;
    uint64_t read_passes, write_passes, unkept;
    struct transfer sent[8]; /* [nsent]: by the last step, in order */
    uint32_t nsent;
    const char *fault; /* something that must not happen did; NULL: nothing */
};

enum cache_model_outcome { CACHE_MODEL_HIT, CACHE_MODEL_MISS, CACHE_MODEL_MERGE };

/* `version`: of the answer of a hit, of a write that is kept or sent through. */
enum cache_model_outcome cache_model_access(struct cache_model *m, uint32_t request,
                                            uint32_t *version);
void cache_model_fill(struct cache_model *m, uint64_t address, uint8_t sectors);

enum cache_model_turn {
    CACHE_MODEL_ANSWERS,   /* *request gets a reply of *version */
    CACHE_MODEL_PASSES,    /* *request was sent through and gets its reply elsewhere */
    CACHE_MODEL_REFETCHES, /* *request lacks words, which are fetched */
    CACHE_MODEL_AWAITS,    /* words that lack are on their way, or nobody waits for what has come */
};
/* The next waiter of the line that came first. */
enum cache_model_turn cache_model_answer(struct cache_model *m, uint32_t *request,
                                         uint32_t *version);
/* What an access would be and need, without doing it. */
struct cache_model_need {
    enum cache_model_outcome outcome;
    bool fetches, through;
    bool joins;        /* takes a place in an MSHR */
    bool takes_line;   /* that may have to be evicted */
    bool no_line;      /* all of its set are on their way */
    bool victim_dirty; /* must be written back */
    bool passes;       /* a read that goes to memory by itself */
    bool refused;      /* it takes no line; nothing is evicted for it, a write is not fetched */
    bool takes_slot;   /* for what it will write into a line that is kept nowhere */
    bool further;      /* has more sectors fetched of a line on its way */
    uint32_t waiters;  /* of its line */
    uint32_t coming;   /* lines on their way */
};
struct cache_model_need cache_model_look(const struct cache_model *m, uint32_t request);
/* Lines that are kept nowhere and will have to be written. */
uint32_t cache_model_held(const struct cache_model *m);
const struct cache_model_line *cache_model_find(const struct cache_model *m, uint64_t address);
/* A kernel begins, and with it all lines are nobody's. */
void cache_model_disown(struct cache_model *m);
void cache_model_free(struct cache_model *m);

#endif
