/* Measures of labels against labels. Codes are places in one list of labels, 0-based; -1 is a label outside of it. A
 * weight stands for as many equal rows; NULL: all 1. */
#ifndef MN_METRICS_CLASSES_H
#define MN_METRICS_CLASSES_H
#include "../core/context.h"

/* What all measures of single classes are made of.
 *
 *   n, k       rows, labels
 *   truth      n codes
 *   guess      n codes
 *   hits       out: k; weight of rows where both are this label
 *   true_sum   out: k; weight of rows with this true label
 *   guess_sum  out: k; weight of rows with this guess
 *
 * Returns the weight of all rows. */
double mn_class_totals(size_t n, size_t k, const int32_t *truth, const int32_t *guess, const double *w, double *hits,
                       double *true_sum, double *guess_sum);

/* The same for tags: y and predicted are n x k, 1 where a row has the tag, 0 where not.
 *
 *   same   out: weight of rows that agree in all tags
 *   wrong  out: weight of single tags that are wrong
 */
double mn_multilabel_totals(size_t n, size_t k, const double *y, const double *predicted, const double *w, double *hits,
                            double *true_sum, double *guess_sum, double *same, double *wrong);

/* count: out, k x k: weight of rows with true label i and guess j; rows with a label outside of the list are left
 * out. */
void mn_confusion(size_t n, size_t k, const int32_t *truth, const int32_t *guess, const double *w, double *count);

/* Cohen's kappa: 1 - sum d n_ij / sum d e_ij, e_ij expected of independent raters. Disagreement d is 1 (power 0),
 * |i - j| (1) or its square (2). NaN when both rate alike always with one label. Time n + k^2.
 *
 * Cohen, Psychological Bulletin 70 (1968). MN_NO_MEMORY for 2 k values. */
mn_status mn_kappa(mn_context *ctx, size_t n, size_t k, const int32_t *truth, const int32_t *guess, const double *w,
                   int power, double *kappa);

#endif
