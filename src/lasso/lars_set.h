/* The active columns of a least angle path as an updatable QR factorization: columns are appended one by one, and any
 * may be removed. */
#ifndef MN_LASSO_LARS_SET_H
#define MN_LASSO_LARS_SET_H
#include "../core/context.h"

typedef struct mn_lars_set {
  size_t n, max_size; /* length of a column; maximum number of columns             */
  size_t size;        /* number of columns                                         */
  size_t *column;     /* capacity: indices, in the order in which they were added  */
  double *sign;       /* capacity: -1 or 1                                         */
  double *q, *r;      /* capacity x n: orthonormal rows; capacity x capacity: R    */
  double *qv;         /* capacity: Q v                                             */
  double *part;       /* capacity: workspace                                       */
  const double *v;    /* n */
  size_t capacity;
} mn_lars_set;

/* Initialize an empty set. Memory is scratch. */
mn_status mn_lars_set_init(mn_context *ctx, mn_lars_set *set, size_t n, size_t max_size, const double *v);

/* Prepare to append column z (n values with sum of squares `square`). *independent: the set is not full, and more than
 * the fraction min_fraction of the square is orthogonal to the columns in the set. */
mn_status mn_lars_set_orthogonalize(mn_context *ctx, mn_lars_set *set, const double *z, double square,
                                    double min_fraction, bool *independent);

/* Append the column that was orthogonalized last. */
void mn_lars_set_add(mn_lars_set *set, size_t column, double sign);

/* Remove the column at a position. */
void mn_lars_set_remove(mn_lars_set *set, size_t position);

/* With the matrix A of the columns in the set and their signs s:
 *
 *   u         size, out: least squares, (A'A)^-1 A'v
 *   d         size, out: (A'A)^-1 s
 *   residual  n, out: v - A u
 *   direction n, out: A d */
mn_status mn_lars_set_solve(mn_context *ctx, const mn_lars_set *set, double *u, double *d, double *residual,
                            double *direction);

#endif
