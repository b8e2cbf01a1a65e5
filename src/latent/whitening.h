/* Whitening: z = K (x - mean), whose covariance (divisor: the sum of the weights) is the identity. */
#ifndef MN_LATENT_WHITENING_H
#define MN_LATENT_WHITENING_H
#include "../model/data.h"

/* auto: eigh for many rows, if no variance is small enough to suffer from rounding; else svd. */
typedef enum mn_whitening_solver { MN_WHITEN_AUTO, MN_WHITEN_EIGH, MN_WHITEN_SVD } mn_whitening_solver;
extern const char *const mn_whitening_solvers[]; /* for MN_CHOICE */

typedef struct mn_whitening {
  size_t rank;    /* directions whose variance is not rounding error: at most `limit` */
  double total;   /* sum of the weights                                               */
  double *mean;   /* features                                                         */
  double *matrix; /* rank x features: K, by descending variance; the largest element of each row is positive */
} mn_whitening;

/* Scratch memory. */
mn_status mn_whiten(mn_context *ctx, const mn_data *data, mn_whitening_solver solver, size_t limit, mn_whitening *out);

/* z = K (x - mean) for all rows: rows x k. K is k x features; K NULL: z = x - mean. */
mn_status mn_whitened_rows(mn_context *ctx, const mn_data *data, size_t k, const double *matrix, const double *mean,
                           double *z);

#endif
