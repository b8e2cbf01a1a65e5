/* Hoeffding trees for classification: a leaf keeps, for each observed feature, the range, and weight, mean and squares
 * of each class. */
#ifndef MN_ONLINE_HOEFFDING_TREE_H
#define MN_ONLINE_HOEFFDING_TREE_H
#include "adaptive_forest.h"

/* Tables of the nodes: class weights; weight predicted correctly by the majority class, and by naive Bayes; moments,
 * see below. Errors of a tree: of the detector, then rows and correct predictions. */
enum { MN_COUNTS_TABLE, MN_CORRECT_TABLE, MN_MOMENTS_TABLE };
enum { MN_CLASSIFICATION_ROWS = MN_DETECTOR, MN_CLASSIFICATION_CORRECT, MN_CLASSIFICATION_ERRORS };

/* View of one store. Moments of an observed feature: minimum, maximum, then weight, mean and squares of each class. */
typedef struct mn_hoeffding_tree {
  int32_t *used, *child, *feature, *observed;
  double *threshold, *last_weight, *counts, *correct, *moments;
  size_t classes, features, n_observed;
  double grace, delta, tau;
  bool adaptive;
} mn_hoeffding_tree;

/* Coefficients of naive Bayes in a leaf: score of class k = start[k] - sum_j (x_j - mean)^2 scale over the observed
 * features. */
typedef struct mn_naive_bayes {
  double *start;        /* classes */
  double *mean, *scale; /* n_observed x classes */
} mn_naive_bayes;

static inline size_t mn_moments_per_leaf(size_t n_observed, size_t classes)
{
  return n_observed * (2 + 3 * classes);
}
mn_hoeffding_tree mn_hoeffding_tree_view(const mn_adaptive_forest *m, size_t store);

/* Make a tree of one leaf. */
void mn_hoeffding_init(const mn_hoeffding_tree *t, mn_rng *rng);

/* Learn one row. Requires two free slots. */
void mn_hoeffding_learn(const mn_hoeffding_tree *t, mn_rng *rng, const double *x, size_t code, double weight,
                        mn_naive_bayes *bayes, double *p);

/* Whether naive Bayes predicts in this leaf. */
bool mn_leaf_uses_naive_bayes(const mn_hoeffding_tree *t, int32_t leaf);
void mn_naive_bayes_fit(const mn_hoeffding_tree *t, int32_t leaf, mn_naive_bayes *bayes);

/* Class probabilities by the class weights of a leaf. */
void mn_leaf_probabilities(const mn_hoeffding_tree *t, int32_t leaf, double *p);

/* Class probabilities of one row. */
void mn_hoeffding_predict(const mn_hoeffding_tree *t, const double *x, mn_naive_bayes *bayes, double *p);

/* Workspace for one thread: naive Bayes, and class probabilities. */
mn_status mn_naive_bayes_make(mn_context *ctx, size_t n_observed, size_t classes, mn_naive_bayes *bayes, double **p);

/* Weight of the vote of a tree. */
double mn_vote_weight(const mn_adaptive_forest *m, size_t tree);

#endif
