/* The state of the solver for k classes at once (linear_svm_multiclass.c), shared with its joint steps
 * (linear_svm_multiclass_joint.c). */
#ifndef MN_LINEAR_SVM_MULTICLASS_H
#define MN_LINEAR_SVM_MULTICLASS_H
#include "linear_svm_model.h"

typedef struct mn_svm_multiclass {
  const struct mn_linear_svm_model *m;
  const mn_data *data;
  size_t n, p, k;
  bool crammer_singer, squared;
  mn_svm_intercept intercept;
  double *a;       /* n x k; of the class of the row: 0 */
  double *v;       /* p x k: the coefficients */
  double *c, *sum; /* k: intercepts, and sums of g */
  double *square;  /* n: |x_i|^2 + inverse_rho */
  double inverse_rho;
  double *z, *step, *old; /* k: of one row */
  size_t *order, active;
  double threshold;
  double damping;         /* of joint steps, as a fraction of the largest diagonal */
  double rise;            /* of the dual in the last round */
  double best, best_dual; /* objective and dual of the best solutions so far */
  double *best_v, *best_c;
} mn_svm_multiclass;

/* The values and columns of row i; their number. */
size_t mn_svm_multiclass_row(const mn_svm_multiclass *w, size_t i, const double **at, const int32_t **col);

/* C_i and ridge_i */
double mn_svm_multiclass_cost(const mn_svm_multiclass *w, size_t i);
double mn_svm_multiclass_ridge(const mn_svm_multiclass *w, size_t i);

/* g (k) = the point nearest to target with sum 0, g_y <= limit and all other g_m <= 0. */
void mn_svm_project_row(size_t k, size_t y, double limit, const double *target, double *g);

/* Move all free variables together, to a residual of `tolerance` of the present one. *gain is the increase of the dual
 * per round that would have taken as long, infinite if the step was cheap. */
mn_status mn_svm_multiclass_joint_step(mn_context *ctx, mn_svm_multiclass *w, double tolerance, double *gain);

/* Solve the dual of a loss that is not squared by an interior point method, whose cost grows with
 * the cube of columns times classes, until its estimate of the duality gap is at most `tolerance`. *steps, out: of
 * Newton's method. */
bool mn_svm_multiclass_suits_interior(const mn_svm_multiclass *w);
mn_status mn_svm_multiclass_interior(mn_context *ctx, mn_svm_multiclass *w, double tolerance, int64_t max_steps,
                                     int64_t *steps);

#endif
