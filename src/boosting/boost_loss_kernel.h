/* Losses of boosting for n rows: gradient g, Hessian h (or an upper bound of it) and loss l at the raw predictions f.
 */
#ifndef MN_BOOSTING_BOOST_LOSS_KERNEL_H
#define MN_BOOSTING_BOOST_LOSS_KERNEL_H
#include <stddef.h>
#include <stdint.h>

typedef enum mn_boost_loss_kind {
  MN_BOOST_SQUARED,
  MN_BOOST_ABSOLUTE,
  MN_BOOST_HUBER,
  MN_BOOST_QUANTILE,
  MN_BOOST_POISSON,
  MN_BOOST_GAMMA,
  MN_BOOST_TWEEDIE,
  MN_BOOST_LOGISTIC,
  MN_BOOST_SOFTMAX,
  MN_BOOST_RANK /* pairs of rows: lambda_rank.h */
} mn_boost_loss_kind;

/* shape: the quantile level, Huber's delta, or the Tweedie power. losses 0: only g and h are needed, l is workspace. */
void mn_loss_rows(mn_boost_loss_kind kind, double shape, size_t n, const double *restrict y, const double *restrict f,
                  double *restrict g, double *restrict h, double *restrict l, int losses);

/* k classes; class c of row i is at f[c * stride + i]. log_sum_exp: log sum_c exp(f). */
void mn_loss_softmax(size_t n, size_t k, size_t stride, const int32_t *restrict code, const double *restrict f,
                     double *restrict log_sum_exp, double *restrict l);

/* Gradient and Hessian of class c, whose scores are f. */
void mn_loss_softmax_class(size_t n, int32_t c, const int32_t *restrict code, const double *restrict f,
                           const double *restrict log_sum_exp, double *restrict g, double *restrict h);

typedef struct mn_loss_stats {
  double g_max, g_sum, h_max, h_sum; /* maximum and sum of |g| and of h */
} mn_loss_stats;

/* g_max is that of |g| w if `weighted`, h_sum that of h w; weight may be NULL. */
void mn_compute_loss_stats(size_t n, const double *restrict g, const double *restrict h, const double *restrict weight,
                           int weighted, mn_loss_stats *stats);

#endif
