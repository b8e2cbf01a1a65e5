/* Losses of boosting over n rows: gradient g, Hessian h (or an upper bound of it) and loss l of the raw predictions f.
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

/* shape: the quantile, the delta of huber, the power of tweedie. losses 0: g and h are wanted, and l is room only. */
void mn_loss_rows(mn_boost_loss_kind kind, double shape, size_t n, const double *restrict y, const double *restrict f,
                  double *restrict g, double *restrict h, double *restrict l, int losses);

/* k classes; f holds class c of row i at c * stride + i. level: log sum_c exp(f). */
void mn_loss_softmax(size_t n, size_t k, size_t stride, const int32_t *restrict code, const double *restrict f,
                     double *restrict level, double *restrict l);

/* Of class c, whose scores are f. */
void mn_loss_softmax_class(size_t n, int32_t c, const int32_t *restrict code, const double *restrict f,
                           const double *restrict level, double *restrict g, double *restrict h);

typedef struct mn_loss_sizes {
  double g_most, g_sum, h_most, h_sum; /* largest and sum of |g| and of h */
} mn_loss_sizes;

/* g_most is of |g| w where `weighted`, h_sum of h w; weight may be NULL. */
void mn_loss_size(size_t n, const double *restrict g, const double *restrict h, const double *restrict weight,
                  int weighted, mn_loss_sizes *sizes);

#endif
