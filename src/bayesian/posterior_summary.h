/* The operation `summary` of Bayesian linear models: the posterior of each coefficient, with central intervals. */
#ifndef MN_BAYESIAN_POSTERIOR_SUMMARY_H
#define MN_BAYESIAN_POSTERIOR_SUMMARY_H
#include "../model/operation.h"
#include "../linear/linear.h"
#include "../linear/report.h"

typedef struct mn_posterior_options {
  double level;
} mn_posterior_options;
extern const mn_param mn_posterior_params[];

/* Entry of a table of operations. `more` names further results, "" for none. */
#define MN_POSTERIOR_SUMMARY(more, function)                                                                           \
  {                                                                                                                    \
    .name = "summary",                                                                                                 \
    .brief = "posterior means and standard deviations of the intercept and the coefficients, with central intervals",  \
    .returns = "coefficients (Frame: term, estimate, std, low, high" more "); prints as a table",                      \
    .options = mn_posterior_params, .options_size = sizeof(mn_posterior_options), .run = (function)                    \
  }

/* The Frame `coefficients`: the intercept first if there is one, then all coefficients.
 *
 *   ess, r_hat  of draws; NULL if the posterior is exact */
typedef struct mn_posterior_table {
  size_t rows;
  double level;
  const char **names;
  mn_vector *estimate, *std, *low, *high, *ess, *r_hat;
} mn_posterior_table;

mn_status mn_posterior_make(mn_context *ctx, const mn_linear *m, const void *options, bool intercept, bool sampled,
                            mn_results *results, mn_posterior_table *t);

/* Print the table with an explanation. The caller appends to the page and makes it the result "text". */
mn_status mn_posterior_print(mn_context *ctx, const mn_posterior_table *t, mn_text_page *page);

/* Make and print the table of a normal posterior centered at the coefficients of the model.
 *
 *   variance  of each row of the table */
mn_status mn_posterior_normal(mn_context *ctx, const mn_linear *m, const void *options, bool intercept,
                              const double *variance, mn_results *results, mn_text_page *page);

/* The operation predict_interval of a normal posterior: the variance of y at a row is noise + variance(self, row). */
mn_status mn_posterior_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                double noise, double (*variance)(const void *self, const double *row),
                                mn_results *results);

#endif
