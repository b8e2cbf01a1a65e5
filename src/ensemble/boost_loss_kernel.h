/* Losses of boosting over n rows: gradient g, Hessian h (or an upper bound of it) and loss l of the raw predictions f.
 */
#ifndef MN_BOOST_LOSS_KERNEL_H
#define MN_BOOST_LOSS_KERNEL_H
#include <stddef.h>
#include <stdint.h>

typedef enum mn_boost_loss_kind {
  MN_LOSS_SQUARED,
  MN_LOSS_ABSOLUTE,
  MN_LOSS_HUBER,
  MN_LOSS_QUANTILE,
  MN_LOSS_POISSON,
  MN_LOSS_GAMMA,
  MN_LOSS_TWEEDIE,
  MN_LOSS_LOGISTIC,
  MN_LOSS_SOFTMAX
} mn_boost_loss_kind;

/* shape: the quantile, the delta of huber, the power of tweedie. */
void mn_loss_rows(mn_boost_loss_kind kind, double shape, size_t n, const double *restrict y, const double *restrict f,
                  double *restrict g, double *restrict h, double *restrict l);

/* k classes; f, g and h hold class c of row i at c * stride + i. */
void mn_loss_softmax(size_t n, size_t k, size_t stride, const int32_t *restrict code, const double *restrict f,
                     double *restrict g, double *restrict h, double *restrict l);

/* The largest |g|, times w where `weighted`, and the sum of h w; weight may be NULL. */
void mn_loss_size(size_t n, const double *restrict g, const double *restrict h, const double *restrict weight,
                  int weighted, double *largest, double *sum);

#endif
