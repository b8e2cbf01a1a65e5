/* Adaptive random forests: Hoeffding trees that learn a stream of rows, each row once.
 *
 * A leaf keeps, for a few columns drawn when it was made, weight, mean and squares of each class, and the range. It is
 * split when it is sure enough that the best split is better than the second best (Domingos & Hulten, KDD 2000). Trees
 * see a row Poisson(lambda) times. Each watches its own errors: when they grow, another tree begins to learn beside it,
 * and takes its place when it is sure that they have grown (Gomes et al., Machine Learning 106, 2017). */
#ifndef MN_ADAPTIVE_FOREST_H
#define MN_ADAPTIVE_FOREST_H
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
  mn_matrix tally;          /* slots x classes: weights                              */
  mn_matrix right;          /* slots x 2: guessed right by counts, by naive Bayes    */
  mn_matrix moments;        /* slots x moments, see MN_OBSERVER                      */
  mn_matrix errors;         /* trees x 6: of the detector 4, then rows and right     */
} mn_adaptive_forest;

enum { MN_LEAF_ADAPTIVE, MN_LEAF_MAJORITY };
enum { MN_ERRORS = 6 };

/* One store. Moments of a column that a node watches: low, high, then weight, mean, squares of each class. */
typedef struct mn_hoeffding_tree {
  int32_t *used, *child, *feature, *observed;
  double *cut, *looked, *tally, *right, *moments;
  size_t classes, features, watched, slots;
  double grace, delta, tau;
  bool adaptive;
} mn_hoeffding_tree;

/* The numbers with which naive Bayes scores a row: start[k] - sum_j (x_j - mean)^2 scale over the columns watched. */
typedef struct mn_leaf_scores {
  double *start;        /* classes           */
  double *mean, *scale; /* watched x classes */
} mn_leaf_scores;

/* Columns that a leaf watches, of p. */
size_t mn_watched(const mn_adaptive_forest *m, size_t p);
static inline size_t mn_moments(size_t watched, size_t classes)
{
  return watched * (2 + 3 * classes);
}
mn_hoeffding_tree mn_hoeffding_tree_of(const mn_adaptive_forest *m, size_t store);

/* A tree of one leaf. */
void mn_hoeffding_begin(const mn_hoeffding_tree *t, mn_rng *rng);

/* Learn one row. There are two slots free. */
void mn_hoeffding_learn(const mn_hoeffding_tree *t, mn_rng *rng, const double *x, size_t code, double weight,
                        mn_leaf_scores *scores, double *p);

int32_t mn_hoeffding_leaf(const mn_hoeffding_tree *t, const double *x);

/* Does naive Bayes answer in this leaf? */
bool mn_leaf_is_bayes(const mn_hoeffding_tree *t, int32_t leaf);
void mn_leaf_scores_of(const mn_hoeffding_tree *t, int32_t leaf, mn_leaf_scores *scores);

/* Shares of the classes by the counts of a leaf. */
void mn_leaf_shares(const mn_hoeffding_tree *t, int32_t leaf, double *p);

/* Probabilities of one row. */
void mn_hoeffding_predict(const mn_hoeffding_tree *t, const double *x, mn_leaf_scores *scores, double *p);

/* Scores for one thread, and classes numbers more. */
mn_status mn_leaf_scores_make(mn_context *ctx, size_t watched, size_t classes, mn_leaf_scores *scores, double **p);

/* The weight of a tree's vote. */
double mn_vote_of(const mn_adaptive_forest *m, size_t tree);

mn_status mn_adaptive_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_adaptive_update(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_adaptive_check(mn_context *ctx, const void *self);

#endif
