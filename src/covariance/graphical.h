/* The sparse precision matrix P of a covariance S (p x p):
 *
 *     minimize  -log det P + trace(S P) + alpha sum_{i != j} |P_ij|
 *
 * by block coordinate descent on W = inv(P): for each column j, the coefficients b of a lasso with Gram matrix W
 * without row and column j give w_j = W b and P_jj = 1 / (W_jj - w_j b), P_j = -P_jj b.
 *
 * Friedman, Hastie & Tibshirani, Biostatistics 9 (2008). */
#ifndef MN_COVARIANCE_GRAPHICAL_H
#define MN_COVARIANCE_GRAPHICAL_H
#include "../model/class.h"

typedef struct mn_graphical {
  const char *who; /* for messages                                                    */
  size_t p;
  const double *s;                /* p x p                                                           */
  double alpha, tol, enet_tol;    /* tol: of the duality gap; enet_tol: of coefficients, see below   */
  int64_t max_iter;               /* sweeps over the columns                                         */
  double *w, *precision, *coef;   /* p x p each                                                      */
  double *residual;               /* p                                                               */
  double objective, gap, log_det; /* log_det: of P                                                   */
} mn_graphical;

/* Allocate scratch, and start from 0.95 S with the diagonal of S. */
mn_status mn_graphical_init(mn_context *ctx, mn_graphical *g);

/* Iterate from the w and coef that are there. report NULL: none. */
mn_status mn_graphical_solve(mn_context *ctx, mn_graphical *g, mn_report *report);

#endif
