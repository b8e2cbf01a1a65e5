/* Boosting that drops trees (DART): in each round some of the rounds so far are left out while the new trees are grown,
 * then these and the new ones are scaled so that together they add what the dropped ones did.
 *
 *     dropped: each round with probability rate_drop; k of them. learning rate e, worked into the leaves
 *     normalize_type tree     the new trees times 1 / (k + e), the dropped ones times k / (k + e)
 *                    forest   both times 1 / (1 + e)
 *
 * Vinayak & Gilad-Bachrach, AISTATS 2015; names as XGBoost has them. */
#ifndef MN_BOOSTING_DART_H
#define MN_BOOSTING_DART_H
#include "boost_rows.h"

enum { MN_BOOSTER_TREES, MN_BOOSTER_DART };
enum { MN_DART_TREE, MN_DART_FOREST };

typedef struct mn_dart {
  struct mn_boosting *m; /* whose trees are those of earlier fits */
  mn_boost_builder *new; /* those of this one                     */
  mn_boost_rows *rows;
  uint8_t *drop; /* rounds so far: 1 for one that is left out in this round */
  size_t drops, drop_room;
  int32_t *start, *dropped; /* rounds + 1: where the rounds that each one dropped begin; those */
  double *factor;           /* rounds: what they were multiplied by */
  size_t rounds, round_room, dropped_room;
} mn_dart;

/* Take up what earlier fits dropped. In scratch. */
mn_status mn_dart_make(mn_context *ctx, struct mn_boosting *m, mn_boost_builder *trees, mn_boost_rows *rows,
                       mn_dart **out);

/* Before a round: draw what is dropped; where something is, the scores are those without it. */
mn_status mn_dart_drop(mn_context *ctx, mn_dart *d);

/* After its trees have grown: scale, and the scores of all trees. */
mn_status mn_dart_scale(mn_context *ctx, mn_dart *d);

/* Into the learned fields. */
mn_status mn_dart_keep(mn_context *ctx, const mn_dart *d);

/* c[t]: what the tree t adds to a row after the last round. To what it added after the round before `round`, for rounds
 * from the last one down. */
void mn_dart_undo(const struct mn_boosting *m, size_t round, double *c);

mn_status mn_dart_check(mn_context *ctx, const struct mn_boosting *m);

#endif
