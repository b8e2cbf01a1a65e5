/* The checks of sample weights and class weights. */
#include "check.h"
#include "table.h"
#include <float.h>

/* Copy the weight of each query to its rows. */
static mn_status spread_weights(mn_context *ctx, mn_data *data)
{
  double *weight = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(weight);
  size_t row = 0;
  for (size_t q = 0; q < data->n_lengths; q++)
    for (int32_t i = 0; i < data->lengths[q]; i++) weight[row++] = data->weights[q];
  data->weights = weight;
  return MN_OK;
}

mn_status mn_check_weights(mn_context *ctx, const mn_class *class, const mn_input *input, mn_data *data)
{
  if (!input->weights) return MN_OK;
  const char *who = class->name;
  if (!(class->accepts & MN_WEIGHTS))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s does not support the option 'weights'", who);
  const bool per_query = class->capabilities & MN_RANK && data->lengths && input->n_weights == data->n_lengths;
  if (!per_query) MN_TRY(mn_check_rows(ctx, who, "weights", input->n_weights, data->rows));
  char number[MN_NUMBER_SIZE];
  double sum = 0;
  for (size_t i = 0; i < input->n_weights; i++) sum += input->weights[i];
  for (size_t i = 0; i < input->n_weights; i++)
    if (!(input->weights[i] >= 0 && input->weights[i] < INFINITY))
      return mn_fail(ctx, MN_BAD_DATA, "%s: weights must be finite and >= 0, got %s in %s %zu", who,
                     mn_format_number(number, input->weights[i]), per_query ? "query" : "row", i + 1);
  if (!(sum < INFINITY)) return mn_fail(ctx, MN_BAD_DATA, "%s: weights must have a finite sum, got inf", who);
  data->weights = input->weights;
  return per_query ? spread_weights(ctx, data) : MN_OK;
}

/* The factor of each class code: 1, as the user set it, or if balanced W / (k W_c), with the sums of weights W and W_c
 * as in compute_class_weight of scikit-learn. */
static mn_status class_factors(mn_context *ctx, const mn_estimator *model, const mn_levels *levels, const mn_data *data,
                               double *factor)
{
  const mn_class_weight *w = &model->class_weight;
  const size_t k = mn_levels_size(levels);
  for (size_t c = 0; c < k; c++) factor[c] = 1;
  if (w->balanced) {
    double *count = MN_NEW(ctx, double, k, 1);
    MN_CHECK_ALLOC(count);
    double present = 0;
    const double total = mn_total_weight(data);
    for (size_t i = 0; i < data->rows; i++) count[data->code[i]] += mn_weight(data, i);
    for (size_t c = 0; c < k; c++) present += count[c] > 0;
    for (size_t c = 0; c < k; c++)
      if (count[c] > 0) factor[c] = total / (present * count[c]);
    return MN_OK;
  }
  for (size_t l = 0; w->labels && l < mn_levels_size(w->labels); l++) {
    const int32_t c = mn_levels_find(levels, mn_levels_at(w->labels, l));
    char text[64];
    if (c < 0)
      return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: class_weight must name classes of y, got %s", model->class->name,
                     mn_format_label(text, sizeof text, mn_levels_at(w->labels, l)));
    factor[c] = w->weight.at[l];
  }
  return MN_OK;
}

mn_status mn_apply_class_weight(mn_context *ctx, const mn_estimator *model, const mn_levels *levels, mn_data *data)
{
  if (!model->class_weight.balanced && !model->class_weight.labels) return MN_OK;
  double *factor = MN_RAW(ctx, double, mn_levels_size(levels), 1), *weight = MN_RAW(ctx, double, data->rows, 1);
  if (!factor || !weight) return MN_NO_MEMORY;
  MN_TRY(class_factors(ctx, model, levels, data, factor));
  double sum = 0;
  for (size_t i = 0; i < data->rows; i++) sum += weight[i] = mn_weight(data, i) * factor[data->code[i]];
  data->weights = weight;
  if (sum < INFINITY) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "%s: weights times class_weight must have a finite sum, got inf",
                 model->class->name);
}

/* The lengths of the sequences without rows of weight 0; sequences without rows are removed. */
static mn_status update_lengths(mn_context *ctx, const double *weights, mn_data *data)
{
  if (!data->lengths) return MN_OK;
  int32_t *lengths = MN_RAW(ctx, int32_t, data->n_lengths, 1);
  MN_CHECK_ALLOC(lengths);
  size_t row = 0, n = 0;
  for (size_t s = 0; s < data->n_lengths; s++) {
    int32_t kept = 0;
    for (int32_t i = 0; i < data->lengths[s]; i++) kept += weights[row++] > 0;
    if (kept > 0) lengths[n++] = kept;
  }
  data->lengths = lengths;
  data->n_lengths = n;
  return MN_OK;
}

/* Remove rows of weight 0, so that they are ignored by every estimator. Weights that are all 1 become no weights. */
static mn_status remove_zero_weights(mn_context *ctx, const char *who, mn_data *data)
{
  if (!data->weights) return MN_OK;
  size_t n = 0;
  bool all_one = true;
  for (size_t i = 0; i < data->rows; i++) {
    n += data->weights[i] > 0;
    all_one = all_one && !(data->weights[i] < 1) && !(data->weights[i] > 1);
  }
  if (all_one) data->weights = NULL;
  if (n == data->rows) return MN_OK;
  if (n == 0) return mn_fail(ctx, MN_BAD_DATA, "%s: weights must have at least one value > 0, got only 0", who);
  MN_TRY(update_lengths(ctx, data->weights, data));
  size_t *kept = MN_RAW(ctx, size_t, n, 1);
  mn_data *unfiltered = MN_RAW(ctx, mn_data, 1, 1);
  if (!kept || !unfiltered) return MN_NO_MEMORY;
  *unfiltered = *data;
  size_t next = 0;
  for (size_t i = 0; i < data->rows; i++)
    if (data->weights[i] > 0) kept[next++] = i;
  MN_TRY(mn_data_rows(ctx, unfiltered, kept, n, data));
  data->unfiltered = unfiltered;
  data->kept_rows = kept;
  return remove_zero_weights(ctx, who, data); /* the remaining weights may all be 1 */
}

/* Scale by a power of two, which is exact, so that the exponent of the largest weight is from -160 to 160. No weight
 * becomes 0. */
static mn_status rescale_weights(mn_context *ctx, const mn_class *class, mn_data *data)
{
  const int max_exponent = 160; /* up to here penalties relative to sums of weights keep their meaning */
  double largest = 0;
  int exponent;
  if (!data->weights || !(class->accepts & MN_WEIGHTS_RATIO)) return MN_OK;
  for (size_t i = 0; i < data->rows; i++) largest = fmax(largest, data->weights[i]);
  (void)frexp(largest, &exponent);
  if (exponent >= -max_exponent && exponent <= max_exponent) return MN_OK;
  const int shift = (exponent > 0 ? max_exponent : -max_exponent) - exponent;
  double *weight = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(weight);
  for (size_t i = 0; i < data->rows; i++) weight[i] = fmax(ldexp(data->weights[i], shift), DBL_MIN);
  data->weights = weight;
  return MN_OK;
}

mn_status mn_finish_weights(mn_context *ctx, const mn_class *class, mn_data *data)
{
  MN_TRY(remove_zero_weights(ctx, class->name, data));
  return rescale_weights(ctx, class, data);
}
