#include "observations.h"
#include <math.h>

const char *const mn_weights_types[] = { "precision", "frequency", NULL };

void mn_count_observations(const mn_data *data, double *rows, double *log_sum)
{
  *rows = *log_sum = 0;
  for (size_t i = 0; i < data->rows; i++) {
    const double w = mn_weight(data, i);
    if (!(w > 0)) continue;
    *rows += 1;
    *log_sum += log(w);
  }
}

bool mn_is_frequency(const mn_observations *o)
{
  return o->type == MN_WEIGHTS_FREQUENCY || isnan(o->rows);
}

double mn_observation_count(const mn_observations *o)
{
  return mn_is_frequency(o) ? o->total : o->rows;
}

bool mn_is_weighted(const mn_observations *o)
{
  return !isnan(o->rows) && (o->rows < o->total || o->rows > o->total || o->log_sum < 0 || o->log_sum > 0);
}

void mn_print_weights_type(mn_text_page *page, const mn_observations *o)
{
  char number[MN_NUMBER_SIZE];
  if (!mn_is_weighted(o)) return;
  if (mn_is_frequency(o))
    mn_print(page, "Weights: frequencies, %s observations in all\n", mn_format_number(number, o->total));
  else
    mn_print(page, "Weights: precisions (variance proportional to 1 / weight), %s rows\n",
             mn_format_number(number, o->rows));
}

mn_status mn_operation_weights(mn_context *ctx, const char *who, const char *operation, const mn_observations *o,
                               const mn_data *data, const mn_vector *weights, bool required, const double **out)
{
  *out = weights->at;
  if (weights->at && weights->size != data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s:%s: weights must have one value for each of the %zu rows, got %zu", who,
                   operation, data->rows, weights->size);
  if (weights->at || !required || mn_is_frequency(o) || !mn_is_weighted(o)) return MN_OK;
  return mn_fail(
      ctx, MN_BAD_ARGUMENT,
      "%s:%s: weights must be given, because the model was fitted with precision weights; give those of the rows, or 1 for new rows",
      who, operation);
}
