/* Ordinal regression as its fit and its summary share it. */
#ifndef MN_LOGISTIC_ORDINAL_REGRESSION_H
#define MN_LOGISTIC_ORDINAL_REGRESSION_H
#include "../model/operation.h"

struct mn_ordinal {
  mn_estimator base;
  int64_t link, max_iter; /* parameters */
  double alpha, tol;
  mn_feature_list order;
  mn_vector coef, thresholds; /* learned */
  mn_indexes ranks;           /* classes: position of each in the order          */
  mn_matrix covariance;       /* of the coefficients, then the thresholds; absent with a penalty, NaN for collinear X */
  mn_vector figures;          /* indexed by mn_ordinal_figure */
};

enum mn_ordinal_figure {
  MN_ORDINAL_LOGLIK,
  MN_ORDINAL_NULL_LOGLIK, /* of the thresholds alone */
  MN_ORDINAL_TOTAL,       /* sum of the weights      */
  MN_ORDINAL_FIGURES
};

extern const mn_operation mn_ordinal_operations[];

#endif
