/* Counts of features by class, and scores that are linear in the counts of a row: shared by the naive Bayes classifiers
 * of documents. X is dense or sparse. */
#ifndef MN_NAIVE_BAYES_FEATURE_COUNTS_H
#define MN_NAIVE_BAYES_FEATURE_COUNTS_H
#include "../model/program.h"
#include "naive_bayes.h"

/* What a value of X adds to the count of its feature. */
typedef enum mn_counting {
  MN_COUNT_VALUES,  /* its value                                   */
  MN_COUNT_ABOVE,   /* 1 if it is above the threshold              */
  MN_COUNT_MISSING, /* 1 if it is NaN                              */
} mn_counting;

/* count (classes x features) += what the values of X add, times the sample weights. */
mn_status mn_count_features(mn_context *ctx, const mn_data *data, mn_counting what, double threshold, mn_matrix *count);

/* total[j] = sum over classes of count (k x p). */
void mn_sum_classes(const mn_matrix *count, double *total);

/* Scores start[c] + sum_j x_j table[c, j], normalized to log probabilities. A zero adds nothing, even if the table
 * holds -inf for it. */
typedef struct mn_linear_scores {
  double *start;          /* classes            */
  const mn_matrix *table; /* classes x features */
} mn_linear_scores;

mn_status mn_linear_score_proba(mn_context *ctx, const mn_linear_scores *scores, const mn_data *data, mn_matrix *out);
mn_status mn_linear_score_export(mn_context *ctx, const mn_linear_scores *scores, mn_program *program);

#endif
