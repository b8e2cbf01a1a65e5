/* Logistic regression with an elastic net penalty, by Newton's method whose quadratic models are minimised by
 * coordinate descent (cd.h):
 *
 *     F(B, c) = C sum_i w_i loss(y_i, x_i B + c) + l1 |B|_1 + l2 / 2 |B|^2
 *
 * Two classes are one problem. Of more, the classes take turns: with the scores of the others held, the softmax of one
 * class is a logistic regression with an offset; now and then, and before the end, a step of Newton's method takes them
 * all at once (logistic_joint.h). A step is shortened until F falls as it should. Two classes of sparse rows go by
 * descent.h, whose sweeps leave out columns that stay 0.
 *
 * Friedman, Hastie & Tibshirani, J. Stat. Software 33 (2010), section 3; Lee, Sun & Saunders, SIAM J. Optim. 24 (2014),
 * proximal Newton methods. */
#ifndef MN_LOGISTIC_LOGISTIC_CD_H
#define MN_LOGISTIC_LOGISTIC_CD_H
#include "../model/class.h"

typedef struct mn_logistic_cd {
  const mn_data *data;
  double C, l1, l2, tol; /* tol: of what a round can lower F, as a share of F */
  bool fit_intercept;
  size_t decisions;         /* 1 for two classes, else k */
  int64_t max_iter;         /* most rounds               */
  bool saga;                /* of two classes: by SAGA instead; F may rise then */
  const mn_csr *transposed; /* of sparse data; NULL: made here */
} mn_logistic_cd;

/* From b (decisions x p) and c, in and out.
 *
 *   r     out: n_iter, converged, objective, change
 *   note  called after each round with F; false: stop. NULL: nobody wants to know */
mn_status mn_logistic_by_cd(mn_context *ctx, const mn_logistic_cd *problem, double *b, double *c, mn_report *r,
                            bool (*note)(void *user, double objective), void *user);

#endif
