/* What fitted hidden Markov models do with rows. */
#include "hmm.h"
#include <string.h>

static mn_status view_and_rows(mn_context *ctx, const mn_hmm_model *m, const mn_data *data, mn_hmm_view *view,
                               mn_hmm_data *rows)
{
  MN_TRY(mn_hmm_view_make(ctx, m, view));
  return mn_hmm_data_make(ctx, &view->layout, data, NULL, rows);
}

static mn_status run_pass(mn_context *ctx, const mn_hmm_model *m, const mn_data *data, const mn_hmm_pass *outputs)
{
  mn_hmm_pass pass = *outputs;
  mn_hmm_view view;
  mn_hmm_data rows;
  size_t impossible;
  MN_TRY(view_and_rows(ctx, m, data, &view, &rows));
  pass.view = &view;
  pass.data = &rows;
  pass.impossible = &impossible;
  MN_TRY(mn_hmm_run_pass(ctx, &pass));
  if (impossible != SIZE_MAX && (pass.filtered || pass.posterior))
    return mn_hmm_fail_impossible(ctx, m, data, impossible);
  return MN_OK;
}

mn_status mn_hmm_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_hmm_pass pass = { .posterior = out->at };
  MN_TRY(run_pass(ctx, self, data, &pass));
  for (size_t i = 0; i < out->rows * out->cols; i++) out->at[i] = log(out->at[i]);
  return MN_OK;
}

mn_status mn_hmm_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_hmm_pass pass = { .log_density = out->at };
  return run_pass(ctx, self, data, &pass);
}

static mn_status decode_posterior(mn_context *ctx, const mn_hmm_model *m, const mn_data *data, double *state)
{
  const size_t k = m->startprob.size;
  double *p = MN_RAW(ctx, double, data->rows, k);
  MN_CHECK_ALLOC(p);
  const mn_hmm_pass pass = { .posterior = p };
  MN_TRY(run_pass(ctx, m, data, &pass));
  for (size_t i = 0; i < data->rows; i++) {
    size_t best = 0;
    for (size_t s = 1; s < k; s++) best = p[i * k + s] > p[i * k + best] ? s : best;
    state[i] = (double)best;
  }
  return MN_OK;
}

static mn_status decode_viterbi(mn_context *ctx, const mn_hmm_model *m, const mn_data *data, double *state,
                                double *loglik)
{
  mn_hmm_view view;
  mn_hmm_data rows;
  MN_TRY(view_and_rows(ctx, m, data, &view, &rows));
  return mn_hmm_decode(ctx, &view, &rows, state, loglik);
}

mn_status mn_hmm_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_hmm_model *m = self;
  return m->decoding == MN_HMM_DECODE_POSTERIOR ? decode_posterior(ctx, m, data, out->at)
                                                : decode_viterbi(ctx, m, data, out->at, NULL);
}

/* --- operations --- */

static mn_status filter(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  mn_matrix *out;
  (void)options;
  MN_TRY(
      mn_result_matrix(ctx, results, "probabilities", data->rows, ((const mn_hmm_model *)self)->startprob.size, &out));
  const mn_hmm_pass pass = { .filtered = out->at };
  return run_pass(ctx, self, data, &pass);
}

static mn_status viterbi(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  mn_vector *states, *loglik;
  (void)options;
  MN_TRY(mn_result_vector(ctx, results, "states", data->rows, &states));
  MN_TRY(mn_result_vector(ctx, results, "loglik", mn_sequences(data), &loglik));
  MN_TRY(decode_viterbi(ctx, self, data, states->at, loglik->at));
  for (size_t i = 0; i < data->rows; i++) states->at[i]++;
  return MN_OK;
}

struct duration_options {
  int64_t most;
};

static const mn_param duration_params[] = {
  MN_COUNT(struct duration_options, most, 20, MN_CLOSED(1, 1000000), "longest stay"),
  MN_END,
};

/* Of a stay of d rows: (1 - exit_1) ... (1 - exit_{d-1}) exit_d; of first order exit is 1 - A_ii. */
static mn_status durations(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                           mn_results *results)
{
  const mn_hmm_model *m = self;
  const size_t k = m->startprob.size, most = (size_t)((const struct duration_options *)options)->most;
  mn_matrix *probability;
  mn_vector *mean;
  (void)data;
  if (m->transmat.rows > k && !m->exit.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: durations requires order = 1 or max_duration");
  MN_TRY(mn_result_matrix(ctx, results, "probability", k, most, &probability));
  MN_TRY(mn_result_vector(ctx, results, "mean", k, &mean));
  for (size_t s = 0; s < k; s++) {
    const size_t last = m->exit.cols > 0 ? m->exit.cols - 1 : 0;
    const double *exit = m->exit.cols > 0 ? mn_row(&m->exit, s) : NULL, geometric = 1 - mn_row(&m->transmat, s)[s];
    double stay = 1;
    for (size_t d = 0; d < most; d++) {
      const double end = !exit ? geometric : exit[d < last ? d : last];
      mn_row(probability, s)[d] = stay * end;
      stay *= 1 - end;
    }
    stay = 1;
    for (size_t d = 0; d < last; d++) {
      mean->at[s] += stay;
      stay *= 1 - exit[d];
    }
    mean->at[s] += stay / (exit ? exit[last] : geometric);
  }
  return MN_OK;
}

static const mn_param advance_params[] = {
  MN_OBSERVATION(mn_hmm_advance_options, row, "the next observation, a value for each column; NaN where missing"),
  MN_END,
};

const mn_operation mn_hmm_operations[] = {
  { .name = "filter",
    .brief = "states given the rows up to their own",
    .returns = "Matrix (rows x states)",
    .needs = MN_NEEDS_X,
    .run = filter },
  { .name = "viterbi",
    .brief = "likeliest path of states, and its log probability with the rows of each sequence",
    .returns = "states (Vector: rows), loglik (Vector: sequences)",
    .needs = MN_NEEDS_X,
    .run = viterbi },
  { .name = "forecast",
    .brief = "states and means of the columns after the last row of X, or of fit",
    .returns = "states (Matrix: steps x states), mean, std (Matrix: steps x features; NaN of categorical columns)",
    .needs = MN_NEEDS_X | MN_X_OR_NIL,
    .options = mn_forecast_params,
    .options_size = sizeof(mn_forecast_options),
    .run = mn_hmm_forecast },
  { .name = "durations",
    .brief = "probabilities of the number of rows that a stay in a state lasts",
    .returns = "probability (Matrix: states x most), mean (Vector: states)",
    .options = duration_params,
    .options_size = sizeof(struct duration_options),
    .run = durations },
  { .name = "sample",
    .brief = "a sequence drawn from the model, and its states",
    .returns = "X (Matrix: n x features), states (Vector: n)",
    .options = mn_sample_params,
    .options_size = sizeof(mn_sample_options),
    .run = mn_hmm_sample },
  { .name = "advance",
    .brief = "take one more observation, a Vector, after those of fit: updates state_probabilities",
    .returns = "the model",
    .options = advance_params,
    .options_size = sizeof(mn_hmm_advance_options),
    .modify = mn_hmm_advance },
  { .name = NULL },
};
