/* Measures of predicted against true labels. Codes are 0-based indices into one list of labels, -1 for a label that is
 * not in it. A weight k counts as k equal rows; NULL: all 1. */
#ifndef MN_METRICS_CLASSES_H
#define MN_METRICS_CLASSES_H
#include "../core/context.h"

/* The weights from which precision, recall, F1 and accuracy are computed.
 *
 *   n, k           rows, labels
 *   truth          n codes
 *   predicted      n codes
 *   hits           out, k: weight of the rows where both are this label
 *   true_sum       out, k: weight of the rows with this true label
 *   predicted_sum  out, k: weight of the rows with this predicted label
 *
 * Returns the weight of all rows. */
double mn_class_totals(size_t n, size_t k, const int32_t *truth, const int32_t *predicted, const double *w,
                       double *hits, double *true_sum, double *predicted_sum);

/* The same for multilabel targets: y and predicted are n x k, 1 if a row has the label, else 0.
 *
 *   same   out: weight of the rows that agree in all labels
 *   wrong  out: weight of the elements that differ
 */
double mn_multilabel_totals(size_t n, size_t k, const double *y, const double *predicted, const double *w, double *hits,
                            double *true_sum, double *predicted_sum, double *same, double *wrong);

/* count: out, k x k: weight of the rows with true label i and predicted label j. Rows with code -1 are skipped. */
mn_status mn_confusion(mn_context *ctx, size_t n, size_t k, const int32_t *truth, const int32_t *predicted,
                       const double *w, double *count);

/* Cohen's kappa: 1 - sum d_ij n_ij / sum d_ij e_ij, with counts n_ij, and e_ij those expected of independent raters.
 * The disagreement d_ij for i != j is 1 (power 0), |i - j| (1) or its square (2). NaN if all codes are equal. O(n +
 * k^2).
 *
 * Cohen, Psychological Bulletin 70 (1968). MN_NO_MEMORY for 2 k values. */
mn_status mn_kappa(mn_context *ctx, size_t n, size_t k, const int32_t *truth, const int32_t *predicted, const double *w,
                   int power, double *kappa);

#endif
