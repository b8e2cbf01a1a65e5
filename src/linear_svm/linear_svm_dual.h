/* The state of coordinate ascent (linear_svm_dual.c), shared with the joint steps (linear_svm_joint.c). */
#ifndef MN_LINEAR_SVM_DUAL_H
#define MN_LINEAR_SVM_DUAL_H
#include "linear_svm.h"

/* All that a step needs to know of a term, in one cache line. */
typedef struct mn_svm_term {
  double g, lower, upper; /* the dual variable and its bounds */
  double target, ridge, curvature;
  size_t begin; /* of sparse rows: the place of its values */
  uint32_t size, unused;
} mn_svm_term;

typedef struct mn_svm_dual {
  const mn_linear_svm *s;
  mn_svm_term *term; /* n */
  double *v, c;      /* p: X'g; the intercept */
  double sum, inverse_rho;
} mn_svm_dual;

/* Move all free terms together, to a residual of `tolerance` of the present one. */
mn_status mn_svm_joint_step(mn_context *ctx, mn_svm_dual *w, double tolerance);

#endif
