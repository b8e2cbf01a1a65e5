/* Hoeffding trees for labels: a leaf keeps, for the columns that it watches, the range, and weight, mean and squares of
 * each class. */
#ifndef MN_ONLINE_HOEFFDING_TREE_H
#define MN_ONLINE_HOEFFDING_TREE_H
#include "adaptive_forest.h"

/* Tables of the nodes: weights of the classes; guessed right by counts, by naive Bayes; moments, see below. Errors of a
 * tree: of the detector, then rows and how many of them were guessed right. */
enum { MN_TALLY_TABLE, MN_RIGHT_TABLE, MN_MOMENTS_TABLE };
enum { MN_LABELS_SEEN = MN_DETECTOR, MN_LABELS_RIGHT, MN_LABEL_ERRORS };

/* One store. Moments of a column that a node watches: low, high, then weight, mean, squares of each class. */
typedef struct mn_hoeffding_tree {
  int32_t *used, *child, *feature, *observed;
  double *cut, *looked, *tally, *right, *moments;
  size_t classes, features, watched;
  double grace, delta, tau;
  bool adaptive;
} mn_hoeffding_tree;

/* The numbers with which naive Bayes scores a row: start[k] - sum_j (x_j - mean)^2 scale over the columns watched. */
typedef struct mn_leaf_scores {
  double *start;        /* classes           */
  double *mean, *scale; /* watched x classes */
} mn_leaf_scores;

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

#endif
