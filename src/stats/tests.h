/* Hypothesis tests of samples and tables.
 *
 * Values are finite; the caller checks sizes. Fields of the result that a test does not have are NaN. */
#ifndef MN_STATS_TESTS_H
#define MN_STATS_TESTS_H
#include "../core/context.h"

/* In order of the names in Lua. */
typedef enum mn_alternative { MN_TWO_SIDED, MN_LESS, MN_GREATER } mn_alternative;

typedef struct mn_test {
  double statistic, p, df;
  double estimate, low, high; /* with its confidence interval */
  bool exact;                 /* p from the exact distribution, not from an approximation */
} mn_test;

typedef struct mn_test_options {
  double mu; /* the value of the estimate under the hypothesis */
  mn_alternative alternative;
  double level;   /* of the confidence interval                   */
  bool pooled;    /* t test of two samples: equal variances       */
  bool corrected; /* continuity correction, also of Yates         */
  int exact;      /* 1: always, 0: never, -1: if n is small and there are no ties */
} mn_test_options;

mn_test mn_test_none(void);

/* The p-value from both tails of an exact distribution, P(T <= t) and P(T >= t). */
double mn_test_from_tails(double lower, double upper, mn_alternative alternative);

/* --- tests_mean.c: n >= 2 and, in the test of two samples, m >= 2 --- */

/* Student's t test of the mean of x. */
mn_test mn_t_test(size_t n, const double *x, const mn_test_options *options);

/* Welch's t test of mean(x) - mean(y), or Student's with `pooled`. */
mn_test mn_t_test_two(size_t n, const double *x, size_t m, const double *y, const mn_test_options *options);

/* Pearson's r, n >= 3: t test, and the interval by Fisher's transformation (n >= 4). */
mn_status mn_pearson_test(mn_context *ctx, size_t n, const double *x, const double *y, const mn_test_options *options,
                          mn_test *out);
/* Spearman's rho by the t distribution; Kendall's tau-b, exact without ties up to n = 50, else normal. */
mn_status mn_spearman_test(mn_context *ctx, size_t n, const double *x, const double *y, const mn_test_options *options,
                           mn_test *out);
mn_status mn_kendall_test(mn_context *ctx, size_t n, const double *x, const double *y, const mn_test_options *options,
                          mn_test *out);

/* --- tests_rank.c --- */

/* Wilcoxon's signed rank test: V, the sum of the ranks of the positive x - mu. The estimate is the median of the means
 * of pairs (Hodges & Lehmann). Values equal to mu are left out. */
mn_status mn_signed_rank_test(mn_context *ctx, size_t n, const double *x, const mn_test_options *options, mn_test *out);

/* Wilcoxon's rank sum test, of Mann and Whitney: U of x. The estimate is the median of the differences x_i - y_j. */
mn_status mn_rank_sum_test(mn_context *ctx, size_t n, const double *x, size_t m, const double *y,
                           const mn_test_options *options, mn_test *out);

/* Kruskal and Wallis: group[i] in 0..groups-1. */
mn_status mn_kruskal_test(mn_context *ctx, size_t n, const double *x, size_t groups, const int32_t *group,
                          mn_test *out);

/* --- tests_table.c --- */

/* Pearson's chi-squared test of independence of a table of counts (rows x cols, no row or column of zeros), with the
 * correction of Yates for 2 x 2. expected: rows x cols, out. */
mn_test mn_chi2_table_test(size_t rows, size_t cols, const double *counts, bool corrected, double *expected);

/* Goodness of fit of counts to probabilities, which sum to 1. */
mn_test mn_chi2_fit_test(size_t n, const double *counts, const double *probability);

/* Fisher's exact test of a 2 x 2 table. The estimate is the conditional maximum likelihood estimate of the odds ratio.
 */
mn_status mn_fisher_test(mn_context *ctx, const double counts[4], const mn_test_options *options, mn_test *out);

/* --- tests_fit.c --- */

/* Shapiro and Wilk's test of normality, 3 <= n <= 5000: Royston, Applied Statistics 44 (1995), AS R94. x ascending, not
 * all equal. */
mn_status mn_shapiro_test(mn_context *ctx, size_t n, const double *x, mn_test *out);

/* Kolmogorov and Smirnov's tests, of the sorted values u of the hypothetical distribution function at n points, and of
 * two samples. MN_GREATER: the distribution function of x lies above. */
mn_status mn_ks_test(mn_context *ctx, size_t n, const double *u, mn_alternative alternative, mn_test *out);
mn_status mn_ks_test_two(mn_context *ctx, size_t n, const double *x, size_t m, const double *y,
                         const mn_test_options *options, mn_test *out);

#endif
