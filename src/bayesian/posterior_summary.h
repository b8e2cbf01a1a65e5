/* `summary` of Bayesian linear models: where the posterior has the weights, with central intervals. */
#ifndef MN_BAYESIAN_POSTERIOR_SUMMARY_H
#define MN_BAYESIAN_POSTERIOR_SUMMARY_H
#include "../model/operation.h"
#include "../linear/linear.h"
#include "../linear/report.h"

typedef struct mn_posterior_options {
  double level;
} mn_posterior_options;
extern const mn_param mn_posterior_params[];

/* An element of a table of operations; `more`: further results, "" for none. */
#define MN_POSTERIOR_SUMMARY(more, function)                                                                           \
  {                                                                                                                    \
    .name = "summary",                                                                                                 \
    .brief = "posterior means and standard deviations of the constant and the weights, with central intervals",        \
    .returns = "coefficients (Frame: term, estimate, std, low, high" more "); prints as a table",                      \
    .options = mn_posterior_params, .options_size = sizeof(mn_posterior_options), .run = (function)                    \
  }

/* The Frame `coefficients`: the constant first, where there is one, then all weights.
 *
 *   ess, r_hat  of draws; NULL where there are none */
typedef struct mn_posterior_table {
  size_t rows;
  double level;
  const char **names;
  mn_vector *estimate, *std, *low, *high, *ess, *r_hat;
} mn_posterior_table;

mn_status mn_posterior_make(mn_context *ctx, const mn_linear *m, const void *options, bool constant, bool drawn,
                            mn_results *results, mn_posterior_table *t);

/* The table and what it means; the caller adds to the page and makes it the result "text". */
mn_status mn_posterior_print(mn_context *ctx, const mn_posterior_table *t, mn_text_page *page);

/* Both, where the posterior is normal about the weights of the model: `variance` of the rows of the table. */
mn_status mn_posterior_normal(mn_context *ctx, const mn_linear *m, const void *options, bool constant,
                              const double *variance, mn_results *results, mn_text_page *page);

#endif
