/* Scores of single columns with y, and selection by them: shared by SelectKBest and its relatives, and MRMR. */
#ifndef MN_PREPROCESS_UNIVARIATE_H
#define MN_PREPROCESS_UNIVARIATE_H
#include "mutual_information.h"
#include "selection.h"

enum mn_score_func { MN_F_CLASSIF, MN_F_REGRESSION, MN_CHI2, MN_MI_CLASSIF, MN_MI_REGRESSION };

/* Names of score_func: all of them, and those with p-values. */
extern const char *const mn_score_funcs[], *const mn_test_score_funcs[];

/* The struct of these estimators begins with this. */
typedef struct mn_univariate {
  mn_selector selector;
  int64_t score_func, n_neighbors; /* parameters */
  mn_feature_list discrete;
  mn_vector scores, pvalues; /* learned fields */
} mn_univariate;

#define MN_SCORE_FUNC(names, text)                                                                                     \
  MN_CHOICE(mn_univariate, score_func, MN_F_CLASSIF, names,                                                            \
            "f_classif: F test of class means; f_regression: F test of the correlation with a numeric y; chi2: "       \
            "chi-squared test of counts" text)
#define MN_ALL_SCORE_FUNCS                                                                                             \
  MN_SCORE_FUNC(mn_score_funcs, "; mutual_info_classif, mutual_info_regression: mutual information, in nats")
#define MN_TEST_SCORE_FUNCS MN_SCORE_FUNC(mn_test_score_funcs, "")

/* Parameters of mutual information. */
#define MN_INFORMATION_PARAMS                                                                                          \
  MN_COUNT(mn_univariate, n_neighbors, 3, MN_CLOSED(1, INT32_MAX), "neighbors for mutual information"),                \
      MN_COLUMNS(mn_univariate, discrete,                                                                              \
                 "columns that mutual information treats as discrete, by number or name; nil: none")

#define MN_UNIVARIATE_FIELDS                                                                                           \
  MN_VECTOR(mn_univariate, scores, "features", "score of each column; NaN if undefined"),                              \
      MN_VECTOR(mn_univariate, pvalues, "features?", "p-value of each score; empty for mutual information"),           \
      MN_SUPPORT

/* Compute scores and pvalues. */
mn_status mn_univariate_score(mn_context *ctx, mn_univariate *m, const mn_data *data);

/* Correlations r of the columns of X with y (rows x 1); 0 for a constant column. total: the sum of the weights. */
mn_status mn_correlations(mn_context *ctx, const mn_data *data, const mn_matrix *y, double *r, double *total);

/* Keep the n columns with the highest scores; ties are broken by the lowest index, and NaN is lowest. */
mn_status mn_univariate_keep_best(mn_context *ctx, mn_univariate *m, size_t n);

/* The column indices in the order of keep_best. NULL without memory. */
size_t *mn_rank_scores(mn_context *ctx, size_t n, const double *score);

/* Column j of X for mutual information. */

mn_status mn_univariate_mi_column(mn_context *ctx, const mn_data *data, const bool *discrete, size_t j,
                                  mn_mi_column *column);

/* Which columns are discrete. */
mn_status mn_univariate_discrete(mn_context *ctx, const mn_univariate *m, const mn_data *data, bool **discrete);

/* .target_kind of the class tables. */
unsigned mn_univariate_target(const void *self);

static inline bool mn_scores_information(const mn_univariate *m)
{
  return m->score_func == MN_MI_CLASSIF || m->score_func == MN_MI_REGRESSION;
}

#define MN_UNIVARIATE_CLASS .target_kind = mn_univariate_target, MN_SELECTOR_CLASS

#endif
