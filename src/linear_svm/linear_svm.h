/* Linear support vector machines, for one score: minimize over b and c
 *
 *     F(b, c) = 1/2 |b|^2 + c^2 / (2 scaling^2) + sum_i loss_i(x_i b + c)
 *
 * The second term is absent unless the intercept is penalized. With the residual r = target_i - z of a score z,
 *
 *     loss_i(z) = up_i (r - tube)_+ + down_i (-r - tube)_+,      or the same with both parts squared.
 *
 * The hinge loss of y_i = -1 or 1 is that of target y_i, tube 0 and a cost on one side only; the epsilon-insensitive
 * loss has tube epsilon and equal costs on both sides. The dual of F is
 *
 *     D(g) = sum_i (target_i g_i - tube |g_i| - ridge_i g_i^2 / 2) - |X'g|^2 / 2 - scaling^2 (sum_i g_i)^2 / 2
 *
 * for -down_i <= g_i <= up_i and ridge_i = 0; or, of squared losses, for g_i of these signs and ridge_i = 1 / (2 cost).
 * At the optimum b = X'g. An intercept without penalty (scaling infinite) is the multiplier of sum_i g_i = 0.
 *
 * A pair of rows, for ranking, is a term whose x_i is the difference of two rows. */
#ifndef MN_LINEAR_SVM_LINEAR_SVM_H
#define MN_LINEAR_SVM_LINEAR_SVM_H
#include "../core/threads.h"
#include "../model/data.h"

typedef enum mn_svm_intercept { MN_SVM_NO_INTERCEPT, MN_SVM_PENALIZED, MN_SVM_FREE } mn_svm_intercept;

typedef struct mn_linear_svm {
  const mn_data *data;
  size_t n, p;                /* terms: rows, or pairs; columns */
  const double *target;       /* n */
  const double *up, *down;    /* n: costs, >= 0, of a score below and above the tube */
  const int32_t *row, *less;  /* n: x_i is row[i] - less[i] of the data; NULL: the rows themselves */
  struct mn_svm_pairs *pairs; /* newton: the loss of all pairs instead of terms (linear_svm_pairs.h), or NULL */
  double tube;
  bool squared;
  mn_svm_intercept intercept;
  double scaling; /* of a penalized intercept */
  double tol;     /* stop at a duality gap of tol F */
  int64_t max_iter, seed;
  /* Called after each round with F of the best solution so far; false: stop. */
  bool (*progress)(void *user, double objective);
  void *user;
} mn_linear_svm;

typedef struct mn_linear_svm_result {
  bool converged;
  double objective, gap; /* F, which is at most gap above its minimum */
} mn_linear_svm_result;

/* The cost of term i, on the sides that have one. */
static inline double mn_svm_cost(const mn_linear_svm *s, size_t i)
{
  return s->up[i] > s->down[i] ? s->up[i] : s->down[i];
}

/* The penalty on c, times 2 / c^2. */
static inline double mn_svm_intercept_penalty(const mn_linear_svm *s)
{
  return s->intercept == MN_SVM_PENALIZED ? 1 / (s->scaling * s->scaling) : 0;
}

/* z = X b (n values), without the intercept; out = X'g (p values). */
mn_status mn_svm_scores(mn_context *ctx, const mn_linear_svm *s, const double *b, double *z);
mn_status mn_svm_transposed(mn_context *ctx, const mn_linear_svm *s, const double *g, double *out);

/* A free intercept makes the origin of X arbitrary, and far from the rows the steps of coordinate ascent would be
 * short: *out is a copy of dense data about the means (data.features + targets values, out), all in scratch. */
mn_status mn_svm_center(mn_context *ctx, const mn_data *data, mn_data *out, double **mean);

/* x_i v, and v += a x_i. */
double mn_svm_dot(const mn_linear_svm *s, size_t i, const double *v);
void mn_svm_add(const mn_linear_svm *s, size_t i, double a, double *v);

/* sum_i loss_i(z_i + c); the penalty on b and c. */
double mn_svm_loss(const mn_linear_svm *s, const double *z, double c);
double mn_svm_penalty(const mn_linear_svm *s, const double *b, double c);

/* The c that minimizes sum_i loss_i(z_i + c); the middle of the interval if there are several. */
mn_status mn_svm_best_intercept(mn_context *ctx, const mn_linear_svm *s, const double *z, double *c);

/* D(g) of a g near the given one that satisfies sum g = 0 where that is required: the larger side of g is shrunk. */
mn_status mn_svm_dual_value(mn_context *ctx, const mn_linear_svm *s, const double *g, double *value);

/* Solvers: minimize F; b (p values) and c. */

/* Coordinate ascent on the dual, for any loss; linear_svm_dual.c. */
mn_status mn_svm_solve_dual(mn_context *ctx, const mn_linear_svm *s, double *b, double *c, mn_linear_svm_result *r);

/* Newton's method on F from b and c, in and out, for squared losses; linear_svm_newton.c. */
mn_status mn_svm_solve_newton(mn_context *ctx, const mn_linear_svm *s, double *b, double *c, mn_linear_svm_result *r);

#endif
