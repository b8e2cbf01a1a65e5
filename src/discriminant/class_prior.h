/* Prior probabilities of classes: their frequencies, equal, or given by the user. */
#ifndef MN_DISCRIMINANT_CLASS_PRIOR_H
#define MN_DISCRIMINANT_CLASS_PRIOR_H
#include "../core/matrix.h"

typedef struct mn_prior_rule {
  const char *who, *param; /* for messages: the estimator and its parameter         */
  const mn_vector *given;  /* probabilities that sum to 1; or empty                  */
  bool fit;                /* if none are given: frequencies; otherwise all are equal */
  bool positive;           /* given probabilities must be > 0                        */
} mn_prior_rule;

/* prior[0..k-1] from the rows (sums of weights) of each class, not all 0. */
mn_status mn_class_priors(mn_context *ctx, const mn_prior_rule *rule, size_t k, const double *count, double *prior);

#endif
