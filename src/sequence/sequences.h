/* Sequences of rows: one, or several whose numbers of rows are the option lengths. */
#ifndef MN_SEQUENCE_SEQUENCES_H
#define MN_SEQUENCE_SEQUENCES_H
#include "../model/class.h"

static inline size_t mn_sequences(const mn_data *data)
{
  return data->lengths ? data->n_lengths : data->rows > 0;
}

/* Rows of sequence s. */
static inline size_t mn_sequence_rows(const mn_data *data, size_t s)
{
  return data->lengths ? (size_t)data->lengths[s] : data->rows;
}

/* Options of operations named forecast. */
typedef struct mn_forecast_options {
  int64_t steps;
  double level;
} mn_forecast_options;
extern const mn_param mn_forecast_params[];

/* A member of class tables: says why models of sequences are not exported. */
mn_status mn_sequence_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);

#endif
