/* Logistic regression with an elastic net penalty: minimize over B and c
 *
 *     F(B, c) = C sum_i w_i loss(y_i, x_i B + c) + l1 |B|_1 + l2 / 2 |B|^2
 *
 * loss is that of the softmax over k classes, or with two classes that of the logistic function of one score. */
#ifndef MN_LOGISTIC_LOGISTIC_PROBLEM_H
#define MN_LOGISTIC_LOGISTIC_PROBLEM_H
#include "../model/class.h"

typedef struct mn_logistic_problem {
  const mn_data *data;
  double C, l1, l2, tol; /* tol: stop when a round can lower F by at most this share */
  bool fit_intercept;
  size_t decisions;         /* 1 for two classes, else k */
  int64_t max_iter;         /* maximum number of rounds */
  bool saga;                /* two classes: use SAGA; F may rise then */
  const mn_csr *transposed; /* of sparse data; NULL: computed when needed */
} mn_logistic_problem;

#endif
