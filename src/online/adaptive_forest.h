/* Adaptive random forests: Hoeffding trees that learn a stream of rows, each row once.
 *
 * A leaf keeps what it needs to know of a few columns drawn when it was made: for labels weight, mean and squares of
 * each class, and the range; for numbers see value_tree.h. It is split when it is sure enough that the best split is
 * better than the second best (Domingos & Hulten, KDD 2000). Trees see a row Poisson(lambda) times. Each watches its
 * own errors: when they grow, another tree begins to learn beside it, and takes its place when it is sure that they
 * have grown (Gomes et al., Machine Learning 106, 2017). */
#ifndef MN_ONLINE_ADAPTIVE_FOREST_H
#define MN_ONLINE_ADAPTIVE_FOREST_H
#include "../core/rng.h"
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"

typedef struct mn_adaptive_forest {
  mn_estimator base;
  int64_t n_estimators, grace_period, leaf_prediction, seed; /* what the user sets */
  double delta, tau, lambda, max_features, warning_delta, drift_delta;
  /* What fitting learns. Each tree has two stores, one for the tree that answers and one for the tree that learns
   * beside it; all have equally many slots for nodes. Node 0 is the root, children stand behind their parent, -1: none.
   */
  int64_t n_rows;
  mn_indexes front, drifts; /* trees: which store answers; how often it was changed */
  mn_indexes used;          /* stores: slots that hold nodes, 0: no tree             */
  mn_indexes child;         /* 2 of each slot                                        */
  mn_indexes feature;       /* slots                                                 */
  mn_indexes observed;      /* columns of each slot that it watches                  */
  mn_vector cut, looked;    /* slots: x <= cut goes left; weight at the last look    */
  mn_matrix table[3];       /* slots x any: what the nodes know, by the kind of tree */
  mn_matrix errors;         /* trees x any: of the detector 4, then of the kind      */
} mn_adaptive_forest;

/* The first choice of leaf_prediction: a leaf answers as has proved better there; else in the simple way. */
enum { MN_LEAF_ADAPTIVE };
enum { MN_DETECTOR = 4, MN_ADAPTIVE_TABLES = 3 };

/* What trees for labels and trees for numbers do each in their way. A store holds one tree. */
typedef struct mn_adaptive_kind {
  size_t errors;                                                               /* columns */
  void (*cols)(const mn_adaptive_forest *m, size_t watched, size_t *cols);     /* of the tables */
  mn_status (*room)(mn_context *ctx, const mn_adaptive_forest *m, void **out); /* for one thread */
  void (*begin)(const mn_adaptive_forest *m, size_t store, mn_rng *rng);       /* a tree of one leaf */
  /* The error of the tree that answers in row i, from 0 to 1, before the row is learned, and notes it. False: it cannot
   * say. */
  bool (*judge)(const mn_adaptive_forest *m, size_t tree, const mn_data *data, size_t i, void *room, double *error);
  /* Learn one row. There are two slots free. */
  void (*learn)(const mn_adaptive_forest *m, size_t store, mn_rng *rng, const mn_data *data, size_t i, double weight,
                void *room);
  bool (*is_sound)(const mn_adaptive_forest *m); /* after loading: numbers of tables and errors */
} mn_adaptive_kind;

extern const mn_adaptive_kind mn_label_trees, mn_value_trees;

/* Settings that both have. */
#define MN_ADAPTIVE_PARAMS(ways, says, ties)                                                                           \
  MN_COUNT(mn_adaptive_forest, n_estimators, 10, MN_CLOSED(1, 100000), "trees"),                                       \
      MN_REAL(mn_adaptive_forest, lambda, 6, MN_CLOSED(0.01, 100), "how often a tree sees a row, in the mean"),        \
      MN_REAL(mn_adaptive_forest, max_features, MN_UNSET_REAL, MN_GREATER_THAN(0),                                     \
              "columns that a leaf watches, drawn at random; below 1: a share of all; nil: the square root of their "  \
              "number, and one"),                                                                                      \
      MN_COUNT(mn_adaptive_forest, grace_period, 50, MN_CLOSED(1, INT32_MAX),                                          \
               "weight of the rows between two looks for a split of a leaf"),                                          \
      MN_REAL(mn_adaptive_forest, delta, 0.01, MN_OPEN(0, 1),                                                          \
              "probability that the split chosen is not the best of all rows to come"),                                \
      MN_REAL(mn_adaptive_forest, tau, 0.05, MN_AT_LEAST(0), ties),                                                    \
      MN_CHOICE(mn_adaptive_forest, leaf_prediction, MN_LEAF_ADAPTIVE, ways, says),                                    \
      MN_REAL(mn_adaptive_forest, warning_delta, 0.01, MN_OPEN(0, 1),                                                  \
              "a tree begins to learn beside one whose errors have grown, with this probability of being wrong"),      \
      MN_REAL(mn_adaptive_forest, drift_delta, 0.001, MN_OPEN(0, 1), "and takes its place with this one"),             \
      MN_SEED(mn_adaptive_forest, seed)

/* What both learn; the tables are shown to nobody. */
#define MN_ADAPTIVE_TABLE(place, name_, shape_)                                                                        \
  {                                                                                                                    \
    .name = (name_), .kind = MN_KIND_MATRIX, .offset = offsetof(mn_adaptive_forest, table[place]), .shape = (shape_)   \
  }
#define MN_ADAPTIVE_FIELDS                                                                                             \
  MN_INTEGER(mn_adaptive_forest, n_rows, "rows learned"),                                                              \
      MN_LEARNED(MN_KIND_INDEXES, mn_adaptive_forest, front, "trees", NULL),                                           \
      MN_LEARNED(MN_KIND_INDEXES, mn_adaptive_forest, drifts, "trees", NULL),                                          \
      MN_LEARNED(MN_KIND_INDEXES, mn_adaptive_forest, used, "stores", NULL),                                           \
      MN_LEARNED(MN_KIND_INDEXES, mn_adaptive_forest, child, "links", NULL),                                           \
      MN_LEARNED(MN_KIND_INDEXES, mn_adaptive_forest, feature, "slots", NULL),                                         \
      MN_LEARNED(MN_KIND_INDEXES, mn_adaptive_forest, observed, "observers", NULL),                                    \
      MN_LEARNED(MN_KIND_VECTOR, mn_adaptive_forest, cut, "slots", NULL),                                              \
      MN_LEARNED(MN_KIND_VECTOR, mn_adaptive_forest, looked, "slots", NULL)
#define MN_ADAPTIVE_ERRORS MN_LEARNED(MN_KIND_MATRIX, mn_adaptive_forest, errors, "trees x errors", NULL)

/* The store of the tree that answers. */
static inline size_t mn_front(const mn_adaptive_forest *m, size_t tree)
{
  return 2 * tree + (size_t)m->front.at[tree];
}

/* The columns a new leaf watches, `wanted` of p: drawn without replacement, in their order. */
static inline void mn_draw_watched(mn_rng *rng, size_t p, size_t wanted, int32_t *observed)
{
  const size_t all = wanted;
  for (size_t j = 0; j < p && wanted > 0; j++)
    if (mn_random_below(rng, p - j) < wanted) observed[all - wanted--] = (int32_t)j;
}

/* Slots of each store, and columns that a leaf watches. */
static inline size_t mn_slots(const mn_adaptive_forest *m)
{
  return m->cut.size / m->used.size;
}
static inline size_t mn_watched(const mn_adaptive_forest *m)
{
  return m->observed.size / m->cut.size;
}

mn_status mn_adaptive_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_adaptive_update(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_adaptive_check(mn_context *ctx, const void *self);

#endif
