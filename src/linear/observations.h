/* What sample weights mean for inference: the parameter weights_type. */
#ifndef MN_LINEAR_OBSERVATIONS_H
#define MN_LINEAR_OBSERVATIONS_H
#include "../model/data.h"
#include "report.h"

enum mn_weights_type { MN_WEIGHTS_PRECISION, MN_WEIGHTS_FREQUENCY };
extern const char *const mn_weights_types[]; /* for MN_CHOICE, ending with NULL */

/* The parameter; `effect`: what it changes, and what not. */
#define MN_WEIGHTS_TYPE_PARAM(type, effect)                                                                            \
  MN_CHOICE(                                                                                                           \
      type, weights_type, MN_WEIGHTS_PRECISION, mn_weights_types,                                                      \
      "what sample weights mean for inference; precision: the variance of a row is proportional to 1 / weight, as in R; frequency: a weight counts repeated rows. " effect)

/* The sample weights of a fit. `rows` is NaN for models of archives without it; their weights are frequencies. */
typedef struct mn_observations {
  int64_t type;
  double rows;    /* number of rows with a weight > 0 */
  double total;   /* sum of the weights               */
  double log_sum; /* sum of their logarithms          */
} mn_observations;

/* Number and log sum of the weights > 0. */
void mn_count_observations(const mn_data *data, double *rows, double *log_sum);

bool mn_is_frequency(const mn_observations *o);

/* The number of observations: of rows, or the sum of frequency weights. */
double mn_observation_count(const mn_observations *o);

/* Whether there are weights other than 1. */
bool mn_is_weighted(const mn_observations *o);

/* Print what weights mean, if there are any. */
void mn_print_weights_type(mn_text_page *page, const mn_observations *o);

/* The option `weights` of an operation on the rows of fit, or on new rows: NULL in *out for weights of 1.
 * MN_BAD_ARGUMENT if their number is not that of the rows, or if `required` and the model was fitted with precision
 * weights but they are absent. */
mn_status mn_operation_weights(mn_context *ctx, const char *who, const char *operation, const mn_observations *o,
                               const mn_data *data, const mn_vector *weights, bool required, const double **out);

#define MN_OPERATION_WEIGHTS(type, text) MN_REALS(type, weights, MN_AT_LEAST(0), text)

#endif
