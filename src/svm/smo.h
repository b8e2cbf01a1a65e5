/* Sequential minimal optimization: the quadratic programs of all support vector machines.
 *
 * Given      the kernel matrix K of n rows, and variables a_t that belong to row r(t) and have a sign s_t of 1 or -1, a
 *            linear term p_t and an upper bound c_t
 * Minimize   1/2 b' K b + p' a          with b_r = sum of s_t a_t over the variables of row r
 * Subject to 0 <= a_t <= c_t            and  sum_t s_t a_t as at the start;
 *            with `by_sign`             separately for the variables with s_t = 1 and those with s_t = -1
 * Result     a, the products f = K b, and the multipliers of the sums
 *
 * With v_t = -(f_r(t) + s_t p_t), a is optimal if v_i <= v_j for all variables i that can move in the direction of
 * their sign and all j that can move against it (of the same sign, if `by_sign`). The greatest v_i - v_j is the
 * violation, on which the stopping test of Keerthi et al. (2001) rests. For any multipliers o, with the reduced
 * gradients g_t = s_t (o - v_t),
 *
 *     gap = sum_t a_t max(0, g_t) + (c_t - a_t) max(0, -g_t)
 *
 * is how far the objective is from its minimum at most: the duality gap.
 *
 * Method: each round takes a working set of some hundred variables that violate the conditions most, and some of the
 * last round; computes the rows of K that are not in the cache as one block; minimizes over the working set by SMO with
 * second-order selection of pairs, on a small dense matrix; and updates f by the rows that have changed. Rows whose
 * variables stay at their bounds leave the problem (shrinking). When that takes many rounds, the variables between
 * their bounds are also moved together, by Newton's method (smo_joint.c). Cached rows are rounded to float32 unless all
 * of them fit in float64. When the test holds, f is computed again for all rows in float64, and the rounds go on if it
 * does not hold then; so neither rounding nor shrinking has an influence on the accuracy.
 *
 * Fan, Chen & Lin, JMLR 6 (2005), WSS 2 (pairs); Joachims (1999), Chang & Lin (2011), section 5.1 (shrinking);
 * Wen et al., JMLR 19 (2018) (working sets). */
#ifndef MN_SVM_SMO_H
#define MN_SVM_SMO_H
#include "../kernel/kernel.h"
#include "../model/class.h"

typedef struct mn_smo {
  const mn_kernel *kernel;             /* the problem */
  mn_kernel_rows rows;                 /* n           */
  size_t copies;                       /* 1 or 2 variables a row: variable t belongs to row t mod n */
  const double *sign, *linear, *bound; /* copies * n: s, p, c */
  bool by_sign;

  double tol;       /* bound on the violation, and on the gap relative to the objective */
  int64_t max_iter; /* rounds */
  bool shrinking;
  double cache_size; /* megabytes of cached rows */
  mn_report *report; /* of the model, if this is its only problem: receives rounds and progress. Else NULL */

  double *alpha;   /* copies * n: in, feasible; out, the solution */
  double *product; /* n: out, f                                   */

  double offset[2];                        /* out: multipliers for s = 1 and s = -1, equal unless by_sign */
  double start, objective, gap, violation; /* start: the objective before the first round; gap: NaN if K
                                            is not positive semidefinite */
  double square;                           /* out: b' K b */
  bool converged;                          /* violation <= tol */
  int64_t n_iter;                          /* rounds done */
} mn_smo;

/* Solve the problem. Memory: scratch, which the caller may release after the results are used. MN_BAD_DATA if kernel
 * values are not finite. */
mn_status mn_smo_solve(mn_context *ctx, const char *who, mn_smo *smo);

#endif
