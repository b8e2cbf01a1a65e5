/* What all estimators of a covariance matrix learn and do. */
#ifndef MN_COVARIANCE_ESTIMATE_H
#define MN_COVARIANCE_ESTIMATE_H
#include "../model/class.h"
#include "../model/operation.h"

/* The struct of each of them begins with this. */
typedef struct mn_covariance_estimate {
  mn_estimator base;
  bool assume_centered; /* parameter */
  mn_matrix covariance, precision;
  mn_vector location;
  double log_det; /* of the covariance: the product of its nonzero eigenvalues */
  int64_t rank;   /* number of nonzero eigenvalues                             */
} mn_covariance_estimate;

/* The location (features; 0 if assume_centered) and the covariance about it (features x features), with divisor the sum
 * of the weights. total may be NULL. */
mn_status mn_sample_covariance(mn_context *ctx, const mn_data *data, bool assume_centered, double *location,
                               double *covariance, double *total);

/* Learn location and covariance, and from it precision, log_det and rank. */
mn_status mn_store_covariance(mn_context *ctx, mn_covariance_estimate *m, const double *location,
                              const double *covariance);

/* The same if the precision is known already, which is positive definite. */
mn_status mn_store_precision(mn_context *ctx, mn_covariance_estimate *m, const double *location,
                             const double *covariance, const double *precision);

/* Squared distances (x - location)' precision (x - location) of n rows. */
mn_status mn_mahalanobis(mn_context *ctx, size_t n, size_t p, const double *x, const double *location,
                         const double *precision, double *out);

mn_status mn_covariance_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_covariance_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
extern const mn_operation mn_covariance_operations[];

#define MN_ASSUME_CENTERED(type)                                                                                       \
  {                                                                                                                    \
    .name = "assume_centered", .kind = MN_KIND_FLAG, .offset = offsetof(type, estimate.assume_centered), .high = 1,    \
    .brief = "use 0 as the mean of each column"                                                                        \
  }

#define MN_COVARIANCE_FIELD(kind_, type, member, shape_, text)                                                         \
  {                                                                                                                    \
    .name = #member, .kind = (kind_), .offset = offsetof(type, estimate.member), .shape = (shape_), .brief = (text)    \
  }

#define MN_COVARIANCE_FIELDS(type)                                                                                     \
  MN_COVARIANCE_FIELD(MN_KIND_MATRIX, type, covariance, "features x features", "estimated covariance"),                \
      MN_COVARIANCE_FIELD(MN_KIND_MATRIX, type, precision, "features x features",                                      \
                          "inverse of covariance; its pseudoinverse if it is singular"),                               \
      MN_COVARIANCE_FIELD(MN_KIND_VECTOR, type, location, "features", "estimated mean of each column"),                \
      MN_COVARIANCE_FIELD(MN_KIND_REAL, type, log_det, "",                                                             \
                          "logarithm of the determinant of covariance, zero eigenvalues left out"),                    \
      MN_COVARIANCE_FIELD(MN_KIND_COUNT, type, rank, "", "rank of covariance")

#define MN_COVARIANCE_ACTIONS                                                                                          \
  .operations = mn_covariance_operations, .score_samples = mn_covariance_score_samples, .export = mn_covariance_export

#endif
