#include "sequences.h"
#include "../model/program.h"

mn_status mn_sequence_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action, (void)program;
  return mn_cannot_export(ctx, self, "exported programs see one row, not those before it");
}

const mn_param mn_forecast_params[] = {
  MN_COUNT(mn_forecast_options, steps, 10, MN_CLOSED(1, 10000000), "number of rows to forecast"),
  MN_REAL(mn_forecast_options, level, 0.95, MN_OPEN(0, 1), "probability of the intervals"),
  MN_END,
};
