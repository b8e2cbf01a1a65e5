/* Correlation coefficients of pairs of values. */
#ifndef MN_STATS_CORRELATION_H
#define MN_STATS_CORRELATION_H
#include "../core/context.h"

/* Ranks of n finite values from 1, `step` apart; tied values get the mean of their ranks. *ties, which may be NULL, is
 * the sum of t^3 - t over groups of t tied values. */
mn_status mn_rank_average(mn_context *ctx, size_t n, const double *x, size_t step, double *rank, double *ties);

/* Pearson's r; NaN if a variance is 0. */
double mn_pearson(size_t n, const double *x, const double *y);

/* Kendall's tau-b and what its tests need. */
typedef struct mn_kendall {
  double tau;      /* NaN if all x or all y are equal                              */
  double s;        /* concordant minus discordant pairs                            */
  double variance; /* of s if x and y are independent, given the ties              */
  bool tied;       /* x or y has ties                                              */
} mn_kendall;

/* In O(n log n): Knight, JASA 61 (1966). The variance is that of Kendall, Rank Correlation Methods (1970). */
mn_status mn_kendall_tau(mn_context *ctx, size_t n, const double *x, const double *y, mn_kendall *out);

/* P(S >= s) without ties, by counting permutations; O(n^3), for n up to about 100. NaN without memory. */
double mn_kendall_upper_tail(mn_context *ctx, size_t n, double s);

typedef enum mn_correlation { MN_PEARSON, MN_SPEARMAN, MN_KENDALL } mn_correlation;

/* The correlation of two columns; Spearman's is Pearson's r of the ranks. */
mn_status mn_correlate(mn_context *ctx, mn_correlation kind, size_t n, const double *x, const double *y, double *out);

/* out: p x p correlations of the columns of x (n x p), each from the rows where both are not NaN; 1 on the diagonal. */
mn_status mn_correlation_matrix(mn_context *ctx, mn_correlation kind, size_t n, size_t p, const double *x, double *out);

#endif
