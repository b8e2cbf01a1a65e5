/* Adaptive random forests: Hoeffding trees that learn from a stream, each row once.
 *
 * A leaf observes a few features drawn when it was created. For classification it keeps the range of each feature, and
 * weight, mean and squares of each class; for regression see regression_tree.h. It is split when the best split is
 * better than the second best with high probability (Domingos & Hulten, KDD 2000). A tree learns each row
 * Poisson(lambda) times. Each tree monitors its own errors: when they increase, a background tree starts to learn, and
 * replaces the tree when the increase is significant (Gomes et al., Machine Learning 106, 2017). */
#ifndef MN_ONLINE_ADAPTIVE_FOREST_H
#define MN_ONLINE_ADAPTIVE_FOREST_H
#include "../core/rng.h"
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"

enum { MN_DETECTOR = 4, MN_ADAPTIVE_TABLES = 3 };

typedef struct mn_adaptive_forest {
  mn_estimator base;
  int64_t n_estimators, grace_period, leaf_prediction, seed; /* parameters */
  double delta, tau, lambda, max_features, warning_delta, drift_delta;
  /* Learned fields. Each tree has two stores, one for the foreground tree, which predicts, and one for the background
   * tree. All stores have the same number of slots for nodes. Node 0 is the root, children follow their parent, -1: no
   * child. */
  int64_t n_rows;
  mn_indexes foreground, drifts;       /* trees: store of the foreground tree; number of replacements */
  mn_indexes used;                     /* stores: number of nodes; 0: no tree */
  mn_indexes child;                    /* 2 per slot */
  mn_indexes feature;                  /* slots */
  mn_indexes observed;                 /* features observed by each slot */
  mn_vector threshold, last_weight;    /* slots: threshold (x <= cut goes left); weight at the last split attempt */
  mn_matrix table[MN_ADAPTIVE_TABLES]; /* slots x any: node statistics, by the type of tree */
  mn_matrix errors;                    /* trees x any: 4 values of the drift detector, then by the type of tree */
} mn_adaptive_forest;

/* First choice of leaf_prediction: a leaf uses the predictor that was more accurate there. */
enum { MN_LEAF_ADAPTIVE };

/* Functions that differ between classification and regression trees. A store holds one tree. */
typedef struct mn_adaptive_tree_type {
  size_t errors;                                                                    /* columns of errors */
  void (*cols)(const mn_adaptive_forest *m, size_t n_observed, size_t *cols);       /* columns of the tables */
  mn_status (*workspace)(mn_context *ctx, const mn_adaptive_forest *m, void **out); /* for one thread */
  void (*init)(const mn_adaptive_forest *m, size_t store, mn_rng *rng);             /* make a tree of one leaf */
  /* Compute and record the error of the foreground tree at row i, from 0 to 1, before it learns the row. Returns false
   * if there is no prediction yet. */
  bool (*evaluate)(const mn_adaptive_forest *m, size_t tree, const mn_data *data, size_t i, void *workspace,
                   double *error);
  /* Learn one row. Requires two free slots. */
  void (*learn)(const mn_adaptive_forest *m, size_t store, mn_rng *rng, const mn_data *data, size_t i, double weight,
                void *workspace);
  bool (*is_valid)(const mn_adaptive_forest *m); /* check tables and errors of a loaded model */
} mn_adaptive_tree_type;

extern const mn_adaptive_tree_type mn_classification_trees, mn_regression_trees;

/* Parameters of both estimators. */
#define MN_ADAPTIVE_PARAMS(leaf_choices, leaf_text, tau_text)                                                          \
  MN_COUNT(mn_adaptive_forest, n_estimators, 10, MN_CLOSED(1, 100000), "number of trees"),                             \
      MN_REAL(mn_adaptive_forest, lambda, 6, MN_CLOSED(0.01, 100), "mean number of times that a tree learns a row"),   \
      MN_REAL(mn_adaptive_forest, max_features, MN_UNSET_REAL, MN_GREATER_THAN(0),                                     \
              "features that a leaf observes, drawn at random; below 1: a fraction of all; nil: the square root "      \
              "of their number, plus one"),                                                                            \
      MN_COUNT(mn_adaptive_forest, grace_period, 50, MN_CLOSED(1, INT32_MAX),                                          \
               "weight of the rows between two split attempts of a leaf"),                                             \
      MN_REAL(mn_adaptive_forest, delta, 0.01, MN_OPEN(0, 1),                                                          \
              "probability that the chosen split is not the best one (Hoeffding bound)"),                              \
      MN_REAL(mn_adaptive_forest, tau, 0.05, MN_AT_LEAST(0), tau_text),                                                \
      MN_CHOICE(mn_adaptive_forest, leaf_prediction, MN_LEAF_ADAPTIVE, leaf_choices, leaf_text),                       \
      MN_REAL(mn_adaptive_forest, warning_delta, 0.01, MN_OPEN(0, 1),                                                  \
              "significance level of an increase of the errors that starts a background tree"),                        \
      MN_REAL(mn_adaptive_forest, drift_delta, 0.001, MN_OPEN(0, 1),                                                   \
              "significance level of an increase of the errors that replaces the tree"),                               \
      MN_SEED(mn_adaptive_forest, seed)

/* Learned fields of both estimators; all but n_rows are internal. Names in archives may differ from the members. */
#define MN_ADAPTIVE_INTERNAL(kind_, member, name_, shape_)                                                             \
  {                                                                                                                    \
    .name = (name_), .kind = (kind_), .offset = offsetof(mn_adaptive_forest, member), .shape = (shape_)                \
  }
#define MN_ADAPTIVE_TABLE(table_, name_, shape_) MN_ADAPTIVE_INTERNAL(MN_KIND_MATRIX, table[table_], name_, shape_)
#define MN_ADAPTIVE_FIELDS                                                                                             \
  MN_INTEGER(mn_adaptive_forest, n_rows, "number of rows learned"),                                                    \
      MN_ADAPTIVE_INTERNAL(MN_KIND_INDEXES, foreground, "front", "trees"),                                             \
      MN_ADAPTIVE_INTERNAL(MN_KIND_INDEXES, drifts, "drifts", "trees"),                                                \
      MN_ADAPTIVE_INTERNAL(MN_KIND_INDEXES, used, "used", "stores"),                                                   \
      MN_ADAPTIVE_INTERNAL(MN_KIND_INDEXES, child, "child", "links"),                                                  \
      MN_ADAPTIVE_INTERNAL(MN_KIND_INDEXES, feature, "feature", "slots"),                                              \
      MN_ADAPTIVE_INTERNAL(MN_KIND_INDEXES, observed, "observed", "observers"),                                        \
      MN_ADAPTIVE_INTERNAL(MN_KIND_VECTOR, threshold, "cut", "slots"),                                                 \
      MN_ADAPTIVE_INTERNAL(MN_KIND_VECTOR, last_weight, "looked", "slots")
#define MN_ADAPTIVE_ERRORS MN_ADAPTIVE_INTERNAL(MN_KIND_MATRIX, errors, "errors", "trees x errors")

/* Members of the class tables. */
#define MN_ADAPTIVE_CLASS                                                                                              \
  .size = sizeof(mn_adaptive_forest), MN_FIT_IN_BATCHES(mn_adaptive_fit), .update = mn_adaptive_update,                \
  .check = mn_adaptive_check

/* Store of the foreground tree. */
static inline size_t mn_foreground_store(const mn_adaptive_forest *m, size_t tree)
{
  return 2 * tree + (size_t)m->foreground.at[tree];
}

/* Draw the features that a new leaf observes: `wanted` of p, without replacement, ascending. */
static inline void mn_draw_observed(mn_rng *rng, size_t p, size_t wanted, int32_t *observed)
{
  const size_t total = wanted;
  for (size_t j = 0; j < p && wanted > 0; j++)
    if (mn_random_below(rng, p - j) < wanted) observed[total - wanted--] = (int32_t)j;
}

/* Number of slots of each store, and of features that a leaf observes. */
static inline size_t mn_slots_per_store(const mn_adaptive_forest *m)
{
  return m->threshold.size / m->used.size;
}
static inline size_t mn_observed_per_leaf(const mn_adaptive_forest *m)
{
  return m->observed.size / m->threshold.size;
}

mn_status mn_adaptive_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_adaptive_update(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_adaptive_check(mn_context *ctx, const void *self);

#endif
