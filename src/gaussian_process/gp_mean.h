/* The mean function of a fitted Gaussian process, and the units of y. */
#ifndef MN_GAUSSIAN_PROCESS_GP_MEAN_H
#define MN_GAUSSIAN_PROCESS_GP_MEAN_H
#include "../model/program.h"
#include "gp_regression.h"

/* The parameter `mean`: names of mn_gp_mean. */
extern const char *const mn_gp_mean_names[];

typedef struct mn_gp_mean_model {
  mn_gp_mean kind;
  const mn_matrix *coef;             /* columns of the mean function x targets; empty: none */
  const mn_vector *y_mean, *y_scale; /* targets */
} mn_gp_mean_model;

/* That of a model with the learned fields mean_coef, y_mean and y_scale; kind_: its mean function. */
#define MN_GP_MEAN_OF(m, kind_)                                                                                        \
  {                                                                                                                    \
    .kind = (mn_gp_mean)(kind_), .coef = &(m)->mean_coef, .y_mean = &(m)->y_mean, .y_scale = &(m)->y_scale             \
  }

/* out = y_mean + y_scale (out + H coef) */
mn_status mn_gp_finish_means(mn_context *ctx, const mn_gp_mean_model *m, const mn_data *data, mn_matrix *out);

/* The variance that the estimated coefficients add to that of a prediction: |inv(L) r|^2 with L L' = H' inv(A) H and r
 * the row of the mean function less what the data explain of it, which is overwritten. */
double mn_gp_mean_variance(const mn_matrix *l, double *r);

/* mn_gp_finish_means for an exported program: adds its constants, and returns the statements. */
const char *mn_gp_export_mean(const mn_gp_mean_model *m, mn_program *program);

/* Fails where y, in units of the fit, is so large that its squares overflow. */
mn_status mn_gp_check_size(mn_context *ctx, const char *who, size_t n, const double *y);

/* The mean and standard deviation of column t of y, n x q, with weights w or NULL: all 1. The standard deviation is 1
 * if y is constant to rounding. */
void mn_gp_moments(size_t n, size_t q, const double *y, const double *w, size_t t, double *mean, double *sd);

/* The mean and standard deviation of each target if `normalize`, else 0 and 1: empty vectors in. */
mn_status mn_gp_find_units(mn_context *ctx, const mn_data *data, bool normalize, mn_vector *mean, mn_vector *scale);

/* y in these units, rows x targets, in scratch; checked by mn_gp_check_size. */
mn_status mn_gp_to_units(mn_context *ctx, const char *who, const mn_data *data, const mn_vector *mean,
                         const mn_vector *scale, double **y);

/* Generalized least squares from R = r' inv(A) r for the columns r = [y h] of q targets and the mean function (columns
 * x columns):
 *
 *   precision  out: the factor of R_hh
 *   b          out: columns - q x q, the coefficients of the mean function
 *   square     out: the sum over the targets of (y - H b)' inv(A) (y - H b)
 *   failed     out: R is not finite */
mn_status mn_gp_eliminate_mean(mn_context *ctx, size_t q, size_t columns, const double *r, double *precision, double *b,
                               double *square, bool *failed);

#endif
