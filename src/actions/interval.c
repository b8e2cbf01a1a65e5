#include "interval.h"
#include "../stats/special.h"

const mn_param mn_interval_params[] = {
  MN_REAL(mn_interval_options, level, 0.95, MN_OPEN(0, 1), "probability that y lies in the interval"),
  MN_END,
};

mn_status mn_intervals_make(mn_context *ctx, mn_results *results, size_t rows, mn_intervals *out)
{
  MN_TRY(mn_result_vector(ctx, results, "mean", rows, &out->mean));
  MN_TRY(mn_result_vector(ctx, results, "std", rows, &out->std));
  MN_TRY(mn_result_vector(ctx, results, "low", rows, &out->low));
  return mn_result_vector(ctx, results, "high", rows, &out->high);
}

void mn_intervals_normal(const mn_intervals *intervals, double level)
{
  const double z = mn_normal_quantile((1 + level) / 2);
  for (size_t i = 0; i < intervals->mean->size; i++) {
    intervals->low->at[i] = intervals->mean->at[i] - z * intervals->std->at[i];
    intervals->high->at[i] = intervals->mean->at[i] + z * intervals->std->at[i];
  }
}
