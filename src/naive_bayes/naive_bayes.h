/* What the naive Bayes classifiers of counts and categories share: class priors, and the smoothing of frequencies by
 * pseudo-counts.
 *
 * The frequency of value v among the values of a feature in class c, N_cv rows (or counts) of N_c, is estimated by
 *
 *     p(v | c) = (N_cv + a_v) / (N_c + sum_v a_v).
 *
 * a_v = alpha by default, Lidstone's smoothing (alpha = 1: Laplace's). With m the m-estimate, a_v = m q_v, where q is
 * uniform or the distribution in all classes: m rows of a prior distribution q. Over V values, alpha is m = alpha V
 * with a uniform q. Cestnik (1990); Mitchell, Machine Learning (1997), section 6.9.1. */
#ifndef MN_NAIVE_BAYES_NAIVE_BAYES_H
#define MN_NAIVE_BAYES_NAIVE_BAYES_H
#include "../model/class.h"

typedef struct mn_nb {
  mn_estimator base;
  double alpha, m; /* parameters */
  int64_t prior_estimate;
  bool fit_prior;
  mn_vector class_prior;
  mn_vector class_count, class_log_prior; /* learned fields: classes */
} mn_nb;

enum { MN_PRIOR_UNIFORM, MN_PRIOR_MARGINAL };
extern const char *const mn_prior_estimates[];

#define MN_SMOOTHING_PARAMS                                                                                            \
  MN_PENALTY(mn_nb, alpha, 1, MN_AT_LEAST(0), "pseudo-count of each value in each class; not used if m is given"),     \
      MN_REAL(mn_nb, m, MN_UNSET_REAL, MN_AT_LEAST(0),                                                                 \
              "m-estimate: number of pseudo-counts of a class, split by prior_estimate; nil: alpha for each value"),   \
      MN_CHOICE(mn_nb, prior_estimate, MN_PRIOR_UNIFORM, mn_prior_estimates,                                           \
                "how m is split: equally (uniform), or by the frequencies in all classes (marginal)")

#define MN_CLASS_PRIOR_PARAMS                                                                                          \
  MN_FLAG(mn_nb, fit_prior, true, "learn class priors from the class frequencies; false: equal priors"),               \
      MN_REALS(mn_nb, class_prior, MN_CLOSED(0, 1),                                                                    \
               "prior probabilities of the classes, which add up to 1; nil: as fit_prior says")

#define MN_NAIVE_BAYES_FIELDS                                                                                          \
  MN_VECTOR(mn_nb, class_count, "classes", "number of rows (sum of sample weights) of each class"),                    \
      MN_VECTOR(mn_nb, class_log_prior, "classes", "logarithm of the prior probability of each class")

/* Add the rows of `data` to class_count, and set class_log_prior. */
mn_status mn_count_classes(mn_context *ctx, mn_nb *m, const mn_data *data);

/* a[0..n-1]: pseudo-counts of n values, with total[v] = sum_c N_cv, which is read for MN_PRIOR_MARGINAL only. */
void mn_pseudo_counts(const mn_nb *m, size_t n, const double *total, double *a);

/* log p(v | c) of n values from their counts in one class; uniform if there is no count at all. */
void mn_log_frequencies(size_t n, const double *count, const double *a, double *log_p);

/* The same for many values: each row of `count` (classes x values). */
mn_status mn_log_frequency_rows(mn_context *ctx, const mn_matrix *count, const double *a, mn_matrix *log_p);

#endif
