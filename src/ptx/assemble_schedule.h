/* assemble_schedule.h - the parts of the scheduler of the assembled view: assemble_schedule.c, which orders,
 * assemble_depend.c, which knows what must not be exchanged, and assemble_live.c. */
#ifndef HEDDLE_PTX_ASSEMBLE_SCHEDULE_H
#define HEDDLE_PTX_ASSEMBLE_SCHEDULE_H

#include "ptx/assemble.h"

/* assemble_live.c */
enum { ASM_REFS = ASM_DEFS + ASM_SRCS + 8 };
struct asm_live {
    uint32_t words;
    uint64_t *in, *out; /* by block of the program, `words` each */
};
uint32_t asm_definitions(const struct low_insn *i, uint32_t list[ASM_REFS]);
uint32_t asm_uses(const struct low_insn *i, uint32_t list[ASM_REFS]); /* without old values */
void asm_live_before(const struct low_insn *i, uint64_t *live);
bool asm_find_live(struct lower *out, struct asm_live *l); /* false: there is too much */
/* assemble_depend.c: which instructions of a run must stay behind which others */
struct asm_edge {
    uint32_t to, next; /* next: edge (+1) from the same instruction */
    uint16_t cycles;
    bool is_data;
};
struct asm_node {
    uint32_t first_out; /* edge + 1 */
    uint32_t waits_for; /* edges into it that are not yet done */
    uint32_t height;    /* cycles to the end of the run */
    uint32_t ready_at;
    bool feeds_load;
};
struct asm_graph {
    struct arena *arena;
    const struct low_insn *insns; /* of the run */
    const struct asm_insn *const *from;
    uint32_t n;
    struct asm_last *last; /* by virtual register */
    /* what follows is kept from run to run for its room */
    struct asm_node *node;
    struct asm_access *accesses;
    uint32_t room, naccesses;
    struct asm_edge *edge;
    uint32_t nedges, edge_room;
    struct asm_reader *readers;
    uint32_t nreaders, reader_room;
};
struct asm_last *asm_last_new(struct arena *arena, uint32_t nvregs);
void asm_depend(const struct assembler *a, struct asm_graph *g);

#endif
