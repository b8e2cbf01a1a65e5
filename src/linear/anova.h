/* Analysis of variance of a least squares fit. */
#ifndef MN_LINEAR_ANOVA_H
#define MN_LINEAR_ANOVA_H
#include "../model/operation.h"

typedef struct mn_ols_anova_options {
  int64_t target;
  mn_vector terms;
} mn_ols_anova_options;
extern const mn_param mn_ols_anova_params[];

#define MN_TERMS_PARAM(type)                                                                                           \
  MN_REALS(                                                                                                            \
      type, terms, MN_AT_LEAST(1),                                                                                     \
      "number of the term of each column, ascending from 1: columns of one factor are one term; nil: each column is a term")

mn_status mn_ols_anova(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                       mn_results *results);

/* Check the option terms: columns of a term are adjacent. Sets first[t], the first column of each term (columns + 1
 * values, scratch), and their number. */
mn_status mn_anova_terms(mn_context *ctx, const char *who, const mn_vector *terms, size_t columns, size_t **first,
                         size_t *count);

/* Names (scratch) of the terms: that of a single column, or "first..last". `last` is appended. */
mn_status mn_anova_names(mn_context *ctx, const mn_estimator *model, const int32_t *columns, size_t p,
                         const size_t *first, size_t count, const char *last, const char ***names);

#endif
