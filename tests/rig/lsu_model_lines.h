/* lsu_model_lines.h - the lines of lsu_model.h: which gives way, by LRU or by who shares it. */
#ifndef HEDDLE_TESTS_RIG_LSU_MODEL_LINES_H
#define HEDDLE_TESTS_RIG_LSU_MODEL_LINES_H

#include "rig/lsu_model.h"

struct lsu_model_line *lsu_lines_find(struct lsu_model *m, uint32_t cache, uint64_t at);
bool lsu_lines_heed_sharing(const struct lsu_model *m, uint32_t cache);
/* An invalid line, else the one that gives way to such data; NULL: none may leave. */
struct lsu_model_line *lsu_lines_victim(struct lsu_model *m, uint32_t cache, uint64_t at,
                                        bool is_shared);
bool lsu_lines_may_take(const struct lsu_model *m, const struct lsu_model_line *v, bool is_shared);
/* Another line than the least recently used was taken, or none (NULL). */
void lsu_lines_declare_dead(struct lsu_model *m, uint32_t cache, uint64_t at,
                            const struct lsu_model_line *taken);
void lsu_lines_use(struct lsu_model *m, uint32_t cache, struct lsu_model_line *l);
/* What an answer says of the line that it goes into, or NULL; the newest counts. */
void lsu_lines_hear(struct lsu_model *m, uint32_t cache, struct lsu_model_line *l, bool is_shared);
void lsu_lines_count_replaced(struct lsu_model *m, uint32_t cache, const struct lsu_model_line *v,
                              bool is_shared);

#endif
