/* Two classes: the solution of a sample of the rows. Where rows are many, a solver of all of them starts there, with
 * the Hessian there, and needs a few passes over X. */
#ifndef MN_LOGISTIC_LOGISTIC_SAMPLE_H
#define MN_LOGISTIC_LOGISTIC_SAMPLE_H
#include "logistic_objective.h"

typedef struct mn_logistic_sample {
  double *b, c;               /* p: the solution                                                         */
  double *factor;             /* p x p: Cholesky factor of the Hessian, from which the intercept is eliminated */
  double *mean;               /* p: means of the columns, weighted by curvature; 0 without an intercept  */
  double intercept_curvature; /* second derivative by the intercept                                      */
} mn_logistic_sample;

/* Whether `rows` are so many that the solution of a sample saves time. A penalty keeps that solution finite. */
bool mn_logistic_prefers_sample(const mn_logistic_objective *o, size_t rows);

/* Every (n / sample)-th of the rows row[0..n-1] (NULL: 0..n-1), so that sorted data are sampled evenly. *out: x, codes
 * and weights of the sample, in scratch. */
mn_status mn_logistic_sample_rows(mn_context *ctx, const mn_data *data, const size_t *row, size_t n, size_t sample,
                                  mn_data *out);

/* The arrays of a solution, in scratch. */
mn_status mn_logistic_sample_init(mn_context *ctx, size_t p, mn_logistic_sample *out);

/* Minimize the objective of the rows row[0..n-1] of o->data (NULL: of all n) over a sample of them. Takes scratch that
 * the caller releases. */
mn_status mn_logistic_solve_sample(mn_context *ctx, const mn_logistic_objective *o, const size_t *row, size_t n,
                                   mn_logistic_sample *out);

#endif
