/* Boosting with dropout of trees (DART): each round drops some of the previous rounds while its trees are grown; then
 * the dropped and the new trees are scaled so that together they contribute what the dropped ones did.
 *
 *     dropped: each round with probability rate_drop; k of them; learning rate e, already applied to the leaves
 *     normalize_type tree     new trees times 1 / (k + e), dropped ones times k / (k + e)
 *                    forest   both times 1 / (1 + e)
 *
 * Vinayak & Gilad-Bachrach, AISTATS 2015; parameter names follow XGBoost. */
#ifndef MN_BOOSTING_DART_H
#define MN_BOOSTING_DART_H
#include "boost_rows.h"
#include "hist_gradient_boosting.h"

enum { MN_BOOSTER_TREES, MN_BOOSTER_DART };
enum { MN_DART_TREE, MN_DART_FOREST };

typedef struct mn_dart {
  struct mn_hist_gradient_boosting *m; /* holds the trees of earlier fits */
  mn_boost_builder *new;               /* trees of this fit */
  mn_boost_rows *rows;
  uint8_t *drop; /* rounds: 1 if dropped in the current round */
  size_t drops, drop_capacity;
  int32_t *start, *dropped; /* rounds + 1: start of each round's part of `dropped`; the rounds it dropped */
  double *factor;           /* rounds: factor applied to the dropped trees */
  size_t rounds, round_capacity, dropped_capacity;
} mn_dart;

/* Continue from the dropout history of earlier fits. In scratch. */
mn_status mn_dart_make(mn_context *ctx, struct mn_hist_gradient_boosting *m, mn_boost_builder *trees,
                       mn_boost_rows *rows, mn_dart **out);

/* Before a round: draw the rounds to drop and, if there are any, compute the scores without them. */
mn_status mn_dart_drop(mn_context *ctx, mn_dart *d);

/* After its trees have grown: scale the trees and compute the scores of all trees. */
mn_status mn_dart_scale(mn_context *ctx, mn_dart *d);

/* Store the history in the learned fields. */
mn_status mn_dart_store(mn_context *ctx, const mn_dart *d);

/* c[t]: contribution of tree t to a row after the last round. Undo the scaling of `round`, so that c holds the
 * contributions after the round before it; call for rounds from the last one down. */
void mn_dart_unscale(const struct mn_hist_gradient_boosting *m, size_t round, double *c);

mn_status mn_dart_check(mn_context *ctx, const struct mn_hist_gradient_boosting *m);

#endif
