/* Compositions of estimators as a tree that needs no Lua: so folds and candidates run in parallel in threads, and a
 * saved pipeline predicts in a host without Lua.
 *
 *   MODEL    one estimator
 *   PASS     X unchanged ("passthrough")
 *   CHAIN    each part transforms X for the next; the last one runs the action (Pipeline)
 *   COLUMNS  each part transforms some columns; the results are joined side by side (ColumnTransformer)
 *   UNION    each part transforms all columns; the results are joined side by side (FeatureUnion)
 */
#ifndef MN_PLAN_PLAN_H
#define MN_PLAN_PLAN_H
#include "../archive/archive.h"
#include "../model/model.h"

typedef enum mn_plan_kind { MN_PLAN_MODEL, MN_PLAN_PASS, MN_PLAN_CHAIN, MN_PLAN_COLUMNS, MN_PLAN_UNION } mn_plan_kind;

/* How a part of COLUMNS selects its columns. */
typedef enum mn_columns_by {
  MN_COLUMNS_INDEX,   /* `index`, 0-based                 */
  MN_COLUMNS_NAMES,   /* `names`                          */
  MN_COLUMNS_NUMERIC, /* all numeric columns              */
  MN_COLUMNS_FACTOR,  /* all factor columns               */
  MN_COLUMNS_REST     /* all not selected by parts before */
} mn_columns_by;

typedef struct mn_plan mn_plan;

typedef struct mn_plan_part {
  mn_text name;
  mn_plan *plan; /* NULL: the columns are dropped */
  mn_columns_by by;
  mn_indexes index;
  mn_names names;
  mn_indexes chosen; /* learned: the selected columns of X */
} mn_plan_part;

struct mn_plan {
  mn_plan_kind kind;
  mn_estimator *model; /* MODEL */
  mn_plan_part *part;
  size_t parts;
  bool prefix;             /* output names are "part__name", else those of the parts                     */
  double sparse_threshold; /* results with a sparse part are joined sparse if their density is less than this */
  bool fitted;             /* this and the following are learned by COLUMNS and UNION                    */
  bool sparse;
  size_t n_features;
  mn_names feature_names;
};

/* A plan with `parts` empty parts. NULL, with the error set, if there is no memory. */
mn_plan *mn_plan_new(mn_context *ctx, mn_plan_kind kind, size_t parts);
mn_plan *mn_plan_clone(mn_context *ctx, const mn_plan *plan); /* same settings, not fitted */
/* A copy that shares nothing with the plan, for another memory account; with learned fields if `learned`. */
mn_plan *mn_plan_deep_copy(mn_context *ctx, const mn_plan *plan, bool learned);
void mn_plan_free(mn_memory *memory, mn_plan *plan); /* NULL is allowed */

/* Fit all parts. On failure the plan is unchanged. Weights are passed to the last part of a chain,
 * lengths to all parts that use them. */
mn_status mn_plan_fit(mn_context *ctx, mn_plan *plan, const mn_input *input);

/* The model that runs the actions of the plan; NULL if it ends in COLUMNS, UNION or PASS. */
const mn_estimator *mn_plan_final(const mn_plan *plan);

/* Whether the first model of the plan needs a square X (mn_needs_square_x). */
bool mn_plan_needs_square_x(const mn_plan *plan);

/* The class name of the model or of the composition. */
const char *mn_plan_name(const mn_plan *plan);

/* Run an action of the final model. `out` is allocated by the caller, input->x.rows x mn_width(mn_plan_final(plan),
 * action), and zeroed. */
mn_status mn_plan_apply(mn_context *ctx, const mn_plan *plan, mn_action action, const mn_input *input, mn_matrix *out);

/* transform of the whole plan. *out is in scratch of `ctx`. */
mn_status mn_plan_transform(mn_context *ctx, const mn_plan *plan, const mn_table *x, mn_table *out);

/* The plan in the record at index `at` of an archive that was written by model:save() in Lua: a model, a Pipeline,
 * FeatureUnion or ColumnTransformer of models, or the best model of a search (plan_load.c describes the layout). NULL,
 * with the error set, on failure. */
mn_plan *mn_load_plan(const mn_reader *r, size_t at);

/* --- columns of parts, for this folder (plan_columns.c) --- */

/* Learn number and names of the columns of X, and of COLUMNS those of each part. */
mn_status mn_plan_learn_columns(mn_context *ctx, mn_plan *plan, const mn_table *x);

/* The X of part p: all columns, or its own, which are found by name if both fit and X have names. */
mn_status mn_plan_part_input(mn_context *ctx, const mn_plan *plan, size_t p, const mn_table *x, mn_table *out);

#endif
