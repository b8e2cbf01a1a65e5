/* The sparse code b of one row x over the atoms d_1, ..., d_k, given only G = D D' and c = D x:
 *
 *   orthogonal matching pursuit   atoms are added by their products with the residual; b is least squares
 *   least angle regression        the path b(alpha) from 0, piecewise linear, where all active atoms have products of
 *                                 magnitude alpha with the residual; for the lasso, 1/2 |x - b D|^2 + alpha |b|_1
 *
 * With the active atoms A and their signs s, b(alpha) = u - alpha v, G_AA u = c_A, G_AA v = s, from the Cholesky
 * factorization of G_AA, to which atoms are appended.
 *
 * Rubinstein, Zibulevsky & Elad, Technion CS-2008-08 (2008); Efron et al., Ann. Stat. 32 (2004). */
#ifndef MN_DICTIONARY_CODE_PATH_H
#define MN_DICTIONARY_CODE_PATH_H
#include "../core/context.h"

typedef struct mn_code_path {
  size_t k, max_size;       /* atoms; most active atoms */
  const double *gram;       /* k x k */
  size_t size;              /* active atoms */
  size_t *atom;             /* max_size + 1 */
  double *sign, *u, *v;     /* max_size + 1 */
  double *chol;             /* max_size x max_size: L of G_AA, by rows */
  double *rest, *rate;      /* k: the products of the residual with the atoms are rest + alpha rate */
  bool *active, *dependent; /* k */
} mn_code_path;

/* Workspace for rows with the same dictionary; scratch. */
mn_status mn_code_path_init(mn_context *ctx, mn_code_path *s, size_t k, size_t max_size, const double *gram);

/* b (k, out) with at most `count` atoms by orthogonal matching pursuit. */
void mn_code_pursue(mn_code_path *s, size_t count, const double *c, double *b);

/* b at the end of the path: of the lasso at alpha, after at most max_steps; or of least angle regression without
 * removals when `count` atoms are active and the next one would join (count 0: the lasso). */
void mn_code_follow(mn_code_path *s, size_t count, double alpha, bool positive, size_t max_steps, const double *c,
                    double *b);

#endif
