/* The active columns of a least angle path, as the Q R of their matrix: columns come one by one, and any may leave. */
#ifndef MN_LASSO_LARS_SET_H
#define MN_LASSO_LARS_SET_H
#include "../core/context.h"

typedef struct mn_lars_set {
  size_t n, most;  /* values in a column; columns there can be at most         */
  size_t size;     /* columns there are                                        */
  size_t *column;  /* room: which, in the order of their coming                */
  double *sign;    /* room: of each, -1 or 1                                   */
  double *q, *r;   /* room x n: orthonormal rows; room x room: upper triangle  */
  double *qv;      /* room: Q v                                                */
  double *part;    /* room: scratch                                            */
  const double *v; /* n */
  size_t room;
} mn_lars_set;

/* Empty; memory is scratch. */
mn_status mn_lars_set_init(mn_context *ctx, mn_lars_set *set, size_t n, size_t most, const double *v);

/* Make ready for column z (n values, of square `square`) to come. *fits: there is room, and more than the share `least`
 * of its square lies outside the columns that are there. */
mn_status mn_lars_set_orthogonalize(mn_context *ctx, mn_lars_set *set, const double *z, double square, double least, bool *fits);

/* The column that was tried last comes. */
void mn_lars_set_add(mn_lars_set *set, size_t column, double sign);

/* The column at a position leaves. */
void mn_lars_set_remove(mn_lars_set *set, size_t position);

/* With the matrix A of the columns that are there and their signs s:
 *
 *   u         size, out: least squares, (A'A)^-1 A'v
 *   d         size, out: (A'A)^-1 s
 *   residual  n, out: v - A u
 *   toward    n, out: A d, along which the residual shrinks */
mn_status mn_lars_set_solve(mn_context *ctx, const mn_lars_set *set, double *u, double *d, double *residual,
                            double *toward);

#endif
