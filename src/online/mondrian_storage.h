/* Memory of a Mondrian forest: larger arrays are allocated in addition to the old ones, which are replaced once all of
 * them exist. */
#ifndef MN_ONLINE_MONDRIAN_STORAGE_H
#define MN_ONLINE_MONDRIAN_STORAGE_H
#include "mondrian.h"

enum { MN_NODE_INDEXES = 6, MN_NODE_TABLES = 3 };

/* Arrays with one element per row. */
typedef struct mn_mondrian_rows {
  mn_indexes next;
  mn_matrix x;
  mn_vector y, weight;
} mn_mondrian_rows;

/* Arrays with one element per node or box. */
typedef struct mn_mondrian_slots {
  mn_indexes index[MN_NODE_INDEXES];
  mn_vector threshold, time;
  mn_matrix table[MN_NODE_TABLES];
} mn_mondrian_slots;

/* Copy the arrays of the model to arrays of this capacity (slots and boxes: per tree). Nothing is leaked on failure. */
mn_status mn_mondrian_alloc_rows(mn_context *ctx, const mn_mondrian *m, size_t capacity, mn_mondrian_rows *out);
mn_status mn_mondrian_alloc_slots(mn_context *ctx, const mn_mondrian *m, size_t slots, size_t boxes,
                                  mn_mondrian_slots *out);

/* Replace the arrays of the model, and free the old ones. */
void mn_mondrian_set_rows(mn_context *ctx, mn_mondrian *m, mn_mondrian_rows *rows);
void mn_mondrian_set_slots(mn_context *ctx, mn_mondrian *m, mn_mondrian_slots *slots);
void mn_mondrian_free_rows(mn_context *ctx, mn_mondrian_rows *rows);

/* Allocate boxes in a model without any. */
mn_status mn_mondrian_alloc_boxes(mn_context *ctx, mn_mondrian *m, size_t boxes);

#endif
