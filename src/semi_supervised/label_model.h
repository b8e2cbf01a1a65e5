/* Code shared by LabelPropagation and LabelSpreading: the graph of the training rows, the iteration on it, and the
 * probabilities of new rows.
 *
 * A_ij is the similarity of rows i and j: exp(-gamma |x_i - x_j|^2), or 1 if j is one of the n_neighbors nearest rows
 * of i (itself included), else 0. F (rows x classes) holds the distribution of labels of each row. */
#ifndef MN_SEMI_SUPERVISED_LABEL_MODEL_H
#define MN_SEMI_SUPERVISED_LABEL_MODEL_H
#include "../model/class.h"
#include "../model/program.h"

/* The struct of both estimators. */
typedef struct mn_label_model {
  mn_estimator base;
  int64_t kernel, n_neighbors, max_iter; /* parameters                         */
  double gamma, tol, alpha;              /* alpha: of LabelSpreading           */
  mn_matrix x;                           /* learned: the training rows         */
  mn_matrix label_distributions;         /* rows x classes                     */
  mn_indexes transduction;               /* rows: the most likely class of each */
  bool all_labelled;                     /* no label was missing in the last fit, for its warning */
} mn_label_model;

extern const char *const mn_label_kernels[];

#define MN_LABEL_PARAMS(start_max_iter)                                                                                \
  MN_CHOICE(mn_label_model, kernel, 0, mn_label_kernels,                                                               \
            "similarity of rows. rbf: exp(-gamma d^2) for all pairs; knn: 1 for the n_neighbors nearest rows"),        \
      MN_REAL(mn_label_model, gamma, 20, MN_GREATER_THAN(0), "inverse squared width of the kernel rbf"),               \
      MN_COUNT(mn_label_model, n_neighbors, 7, MN_CLOSED(1, INT32_MAX),                                                \
               "neighbors of each row in the kernel knn, including the row itself"),                                   \
      MN_COUNT(mn_label_model, max_iter, start_max_iter, MN_CLOSED(1, INT32_MAX), "maximum number of iterations"),     \
      MN_REAL(mn_label_model, tol, 1e-3, MN_AT_LEAST(0),                                                               \
              "stop when the sum of the absolute changes of all distributions is less than this")

#define MN_LABEL_FIELDS                                                                                                \
  MN_MATRIX(mn_label_model, label_distributions, "rows x classes", "distribution of labels of each training row"),     \
      MN_INDEXES(mn_label_model, transduction, "rows < classes",                                                       \
                 "index into classes of the most likely label of each training row"),                                  \
      MN_LEARNED(MN_KIND_MATRIX, mn_label_model, x, "rows x features", NULL)

#define MN_LABEL_NOTES                                                                                                 \
  "Rows without a label have a missing value in y: nil in ml.Factor{ ..., n = rows }, nan in a Vector (-1 in "         \
  "scikit-learn); "                                                                                                    \
  "cross-validation never tests them. Scale the columns first. The kernel rbf takes 8 n^2 bytes, knn is sparse. Rows "

/* Fit. `spread`: normalize the graph symmetrically and let labelled rows change by alpha, as in LabelSpreading;
 * otherwise labelled rows keep their labels, as in LabelPropagation. */
mn_status mn_label_model_fit(mn_context *ctx, mn_label_model *m, const mn_data *data, bool spread);

/* Warns of a class -1 where all rows have labels: in scikit-learn -1 marks rows without one. */
void mn_label_model_warning(const void *self, mn_text_buffer *text);

/* log_proba and export of both. */
mn_status mn_label_model_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_label_model_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

#endif
