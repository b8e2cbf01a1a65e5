/* Compositions of estimators without Lua: a tree of models, so that folds and candidates run in parallel in C threads,
 * and a saved pipeline predicts in a host that has no Lua.
 *
 *   MODEL    one estimator
 *   PASS     X as it is
 *   CHAIN    each part transforms for the next, the last one does what is asked (Pipeline)
 *   COLUMNS  each part sees some columns; what they give stands side by side (ColumnTransformer)
 *   UNION    each part sees all columns; what they give stands side by side (FeatureUnion)
 */
#ifndef MN_PLAN_PLAN_H
#define MN_PLAN_PLAN_H
#include "../model/archive.h"
#include "../model/model.h"

typedef enum mn_plan_kind { MN_PLAN_MODEL, MN_PLAN_PASS, MN_PLAN_CHAIN, MN_PLAN_COLUMNS, MN_PLAN_UNION } mn_plan_kind;

/* Which columns a part of COLUMNS sees. */
typedef enum mn_columns_by {
  MN_COLUMNS_INDEX,   /* index: 0-based                      */
  MN_COLUMNS_NAMES,   /* names                               */
  MN_COLUMNS_NUMERIC, /* all that are numbers                */
  MN_COLUMNS_FACTOR,  /* all that are factors                */
  MN_COLUMNS_REST     /* all that no part before it has seen */
} mn_columns_by;

typedef struct mn_plan mn_plan;

typedef struct mn_plan_part {
  mn_text name;
  mn_plan *plan; /* NULL: the columns are dropped */
  mn_columns_by by;
  mn_indexes index;
  mn_names names;
  mn_indexes chosen; /* learned: columns of the X of fit */
} mn_plan_part;

struct mn_plan {
  mn_plan_kind kind;
  mn_estimator *model; /* MODEL */
  mn_plan_part *part;
  size_t parts;
  bool prefix;             /* names of outputs are "part__name", else as the parts give them             */
  double sparse_threshold; /* sparse and dense parts become sparse when less than this share is not zero */
  bool fitted;             /* what follows is learned by COLUMNS and UNION                               */
  bool sparse;
  size_t n_features;
  mn_names feature_names;
};

/* An empty plan; NULL with the text set when there is no memory. parts: room for so many. */
mn_plan *mn_plan_new(mn_context *ctx, mn_plan_kind kind, size_t parts);
mn_plan *mn_plan_clone(mn_context *ctx, const mn_plan *plan); /* same settings, not fitted */
/* A copy that shares nothing with the plan, for another account; with what it has learned, or its settings only. */
mn_plan *mn_plan_deep_copy(mn_context *ctx, const mn_plan *plan, bool learned);
void mn_plan_free(mn_memory *memory, mn_plan *plan); /* NULL is allowed */

/* Fit all of it. On failure the plan is as it was. Weights and lengths go to the last model of a chain. */
mn_status mn_plan_fit(mn_context *ctx, mn_plan *plan, const mn_input *input);

/* The model whose action is that of the plan; NULL when it ends in COLUMNS, UNION or PASS. */
const mn_estimator *mn_plan_final(const mn_plan *plan);

/* Run an action of the final model; `out` is input->x.rows x mn_width(mn_plan_final(plan), action), zeroed, made by the
 * caller. */
mn_status mn_plan_apply(mn_context *ctx, const mn_plan *plan, mn_action action, const mn_input *input, mn_matrix *out);

/* transform of the whole plan; *out lies in scratch of ctx. */
mn_status mn_plan_transform(mn_context *ctx, const mn_plan *plan, const mn_table *x, mn_table *out);

/* The plan in the record at index `at` of an archive that model:save() of Lua wrote: a model, a Pipeline, FeatureUnion
 * or ColumnTransformer of models, or the best of a search (plan_load.c has the layout). NULL with the text set on
 * failure.
 */
mn_plan *mn_load_plan(const mn_reader *r, size_t at);

#endif
