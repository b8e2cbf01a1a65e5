/* Logistic regression with an elastic net penalty (logistic_problem.h), by Newton's method whose quadratic models are
 * minimized by coordinate descent (cd.h).
 *
 * Two classes are one problem. With more, the classes take turns: with the scores of the others fixed, the softmax of
 * one class is a logistic regression with an offset. Every few rounds, and before the end, a Newton step updates all
 * classes at once (logistic_joint.h). Steps are backtracked until F falls. Two classes of sparse rows are solved by
 * descent.h, whose sweeps skip columns that stay 0.
 *
 * For two classes of dense rows descent_coordinates.c solves the same problem. With few columns this one
 * is faster, since its sweeps use a Gram matrix: with l1, 13 against 32 ms for 20000 x 20, but 53 against 16 ms for
 * 2000 x 300.
 *
 * Friedman, Hastie & Tibshirani, J. Stat. Software 33 (2010), section 3; Lee, Sun & Saunders, SIAM J. Optim. 24 (2014),
 * proximal Newton methods. */
#ifndef MN_LOGISTIC_LOGISTIC_CD_H
#define MN_LOGISTIC_LOGISTIC_CD_H
#include "logistic_problem.h"

/* Minimize from b (decisions x p) and c, in and out.
 *
 *   r         out: n_iter, converged, objective, change
 *   progress  called after each round with F; false: stop. NULL: none */
mn_status mn_logistic_fit_cd(mn_context *ctx, const mn_logistic_problem *problem, double *b, double *c, mn_report *r,
                             bool (*progress)(void *user, double objective), void *user);

#endif
