/* The memory of a Mondrian forest: made larger beside the old one, and taken over when all of it is there. */
#ifndef MN_ONLINE_MONDRIAN_STORE_H
#define MN_ONLINE_MONDRIAN_STORE_H
#include "mondrian.h"

enum { MN_NODE_INDEXES = 6, MN_NODE_TABLES = 3 };

/* Places for rows. */
typedef struct mn_mondrian_places {
  mn_indexes next;
  mn_matrix x;
  mn_vector y, weight;
} mn_mondrian_places;

/* Slots for nodes, and places for boxes. */
typedef struct mn_mondrian_slots {
  mn_indexes index[MN_NODE_INDEXES];
  mn_vector cut, time;
  mn_matrix table[MN_NODE_TABLES];
} mn_mondrian_slots;

/* What the model has, with room for so many rows (slots and boxes in each tree). Nothing is left behind on failure. */
mn_status mn_mondrian_make_places(mn_context *ctx, const mn_mondrian *m, size_t places, mn_mondrian_places *made);
mn_status mn_mondrian_make_slots(mn_context *ctx, const mn_mondrian *m, size_t slots, size_t boxes,
                                 mn_mondrian_slots *made);

void mn_mondrian_take_places(mn_context *ctx, mn_mondrian *m, mn_mondrian_places *made);
void mn_mondrian_take_slots(mn_context *ctx, mn_mondrian *m, mn_mondrian_slots *made);
void mn_mondrian_free_places(mn_context *ctx, mn_mondrian_places *made);

/* Room for boxes in a model that has none. */
mn_status mn_mondrian_make_boxes(mn_context *ctx, mn_mondrian *m, size_t boxes);

#endif
