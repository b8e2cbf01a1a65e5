/* Logistic curves of one or two terms, fitted to class membership: Platt's sigmoid and beta calibration. */
#ifndef MN_CALIBRATION_LOGISTIC_CURVE_H
#define MN_CALIBRATION_LOGISTIC_CURVE_H
#include "../model/data.h"
#include "../core/context.h"

/* Platt's target probability of a row, in place of 1 and 0. count: the weights of the negative and positive rows.
 * Platt (1999), section 2.2. */
static inline double mn_platt_target(bool positive, const double count[2])
{
  return positive ? (count[1] + 1) / (count[1] + 2) : 1 / (count[0] + 2);
}

/* The weights of the rows of code 0 and 1. */
void mn_count_codes(const mn_data *data, double count[2]);

enum { MN_CURVE_TERMS = 2 };

typedef struct mn_logistic_curve {
  size_t n, terms;       /* terms <= MN_CURVE_TERMS                  */
  const double *term;    /* n x terms                                */
  const double *target;  /* n: probabilities                         */
  const double *weights; /* n, or NULL                               */
  double penalty;        /* on the squared coefficients of the terms, each in units of its largest deviation */
} mn_logistic_curve;

/* Minimize sum_i w_i [log(1 + e^z_i) - t_i z_i] + penalty / 2 sum_j b_j^2,  z = sum_j coef_j term_j + coef_terms, by
 * Newton's method with step halving. A constant term has coefficient 0. Lin, Lin & Weng, Machine Learning 68 (2007).
 *
 *   coef   out, terms + 1
 *   loss   out: the minimum, or NULL */
mn_status mn_fit_logistic_curve(mn_context *ctx, const mn_logistic_curve *curve, double *coef, double *loss);

/* Logarithms of the probabilities of two classes, 1 / (1 + e^z) and 1 / (1 + e^-z). */
void mn_log_sigmoid(double z, double log_p[2]);

#endif
