/* Linear Gaussian state space models: fit and the class tables. */
#include "state_space.h"
#include <stdio.h>
#include <string.h>

static const char *const initializations[] = { "learned", "stationary", "diffuse", NULL };
static const char *const known_initializations[] = { "known", "stationary", "diffuse", NULL };
static const char *const forms[] = { "full", "diagonal", NULL };

/* --- fit --- */

mn_status mn_state_space_finish(mn_context *ctx, mn_state_space *m, const mn_data *data)
{
  const size_t d = m->start_mean.size;
  mn_linear_system system;
  mn_filter k;
  double *loglike = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(loglike);
  MN_TRY(mn_state_space_system(ctx, m, data->rows, &system));
  MN_TRY(mn_filter_new(ctx, &system, &k));
  for (size_t s = 0, first = 0; s < mn_sequences(data); first += mn_sequence_rows(data, s), s++)
    MN_TRY(mn_filter_rows(&k, first, mn_sequence_rows(data, s), data->x.at, NULL, loglike + first, NULL, NULL));
  m->loglike = 0;
  for (size_t i = 0; i < data->rows; i++) m->loglike += loglike[i];
  if (!isfinite(m->loglike))
    return mn_fail(ctx, MN_BAD_DATA, "%s: the log likelihood overflows; scale the columns of X",
                   mn_state_space_name(m));
  MN_TRY(mn_filter_predict(&k, data->rows - 1));
  if (k.state.is_diffuse)
    return mn_fail(ctx, MN_BAD_DATA,
                   "%s: the rows of X do not determine all states; use more rows, or initialization other than "
                   "\"diffuse\"",
                   mn_state_space_name(m));
  memcpy(m->next_mean.at, k.state.mean, d * sizeof *m->next_mean.at);
  memcpy(m->next_covariance.at, k.state.cov, d * d * sizeof *m->next_covariance.at);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_state_space *m = self;
  bool known;
  MN_TRY(mn_state_space_check(ctx, m, data->features, data->rows));
  MN_TRY(mn_state_space_is_known(ctx, m, &known));
  MN_TRY(known ? mn_state_space_adopt(ctx, m, data) : mn_state_space_learn(ctx, m, data));
  MN_TRY(mn_state_space_start(ctx, m));
  MN_TRY(mn_state_space_finish(ctx, m, data));
  if (!known || !(m->base.class->capabilities & MN_ITERATE)) return MN_OK;
  m->base.report.converged = true;
  return mn_record_round(ctx, &m->base.report, -m->loglike) ? MN_OK : MN_NO_MEMORY;
}

size_t mn_state_space_outputs(const void *self)
{
  return ((const mn_state_space *)self)->start_mean.size;
}

void mn_state_space_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self;
  (void)inputs;
  snprintf(text, size, "state%zu", j + 1);
}

/* --- tables --- */

mn_status mn_state_space_check_loaded(mn_context *ctx, const void *self)
{
  const mn_state_space *m = self;
  const size_t d = m->start_mean.size, p = m->observation_intercept.size;
  const bool valid = d > 0 && p > 0 && m->transition_matrix.rows % d == 0 && m->state_covariance.rows % d == 0 &&
                     m->observation_matrix.rows % p == 0 && m->observation_covariance.rows % p == 0;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s: the matrices do not fit each other", mn_state_space_name(m));
}

#define GIVEN                                                                                                          \
  MN_TABLE(mn_state_space, transition, MN_NO_LIMITS(), "F, states x states" STACKED),                                  \
      MN_TABLE(mn_state_space, observation, MN_NO_LIMITS(), "H, features x states" STACKED),                           \
      MN_TABLE(mn_state_space, state_cov, MN_NO_LIMITS(), "Q, states x states" STACKED),                               \
      MN_TABLE(mn_state_space, observation_cov, MN_NO_LIMITS(), "R, features x features" STACKED),                     \
      MN_REALS(mn_state_space, state_offset, MN_NO_LIMITS(), "b, one value for each state; nil: 0"),                   \
      MN_REALS(mn_state_space, observation_offset, MN_NO_LIMITS(), "c, one value for each column; nil: " OFFSET),      \
      MN_REALS(mn_state_space, initial_mean, MN_NO_LIMITS(), "mean of the first state; nil: by initialization"),       \
      MN_TABLE(mn_state_space, initial_cov, MN_NO_LIMITS(),                                                            \
               "covariance of the first state, states x states; nil: by initialization")

#define FORM                                                                                                           \
  MN_FLAG(mn_state_space, square_root, false, "propagate factors of covariances, for badly conditioned models")

#define STACKED "; nil: learned"
#define OFFSET "learned"
static const mn_param learned_params[] = {
  MN_COUNT(mn_state_space, n_states, MN_UNSET, MN_CLOSED(1, 1000),
           "number of states; nil: that of given matrices, or 1"),
  GIVEN,
  MN_CHOICE(mn_state_space, initialization, MN_START_DEFAULT, initializations,
            "the first state: learned; stationary, or diffuse (infinite variance), if all matrices are given"),
  MN_CHOICE(mn_state_space, state_noise, MN_COV_FULL, forms, "form of a learned Q"),
  MN_CHOICE(mn_state_space, observation_noise, MN_COV_DIAGONAL, forms, "form of a learned R"),
  MN_COUNT(mn_state_space, max_iter, 200, MN_CLOSED(1, INT32_MAX), "maximum number of iterations of EM"),
  MN_REAL(mn_state_space, tol, 1e-5, MN_AT_LEAST(0),
          "stop when an iteration increases the log likelihood per row by at most this"),
  FORM,
  MN_END,
};
#undef STACKED
#undef OFFSET

#define STACKED ", or one for each row of X, stacked; nil: the identity"
#define OFFSET "0"
static const mn_param given_params[] = {
  MN_COUNT(mn_state_space, n_states, MN_UNSET, MN_CLOSED(1, 1000),
           "number of states; nil: that of given matrices, or of columns"),
  GIVEN,
  MN_CHOICE(mn_state_space, initialization, MN_START_DEFAULT, known_initializations,
            "the first state: known (mean 0 and covariance the identity if not given), stationary, or diffuse: of "
            "infinite variance"),
  FORM,
  MN_END,
};

static const mn_field fields[] = { MN_STATE_SPACE_FIELDS, MN_END };

#define COMMON                                                                                                         \
  MN_STATE_SPACE_CLASS, .accepts = MN_MISSING | MN_LENGTHS, .size = sizeof(mn_state_space), .fields = fields,          \
                        .operations = mn_state_space_operations, .output_name = mn_state_space_output_name

#define MODEL "x[t+1] = F x[t] + b + w, w ~ N(0, Q); y[t] = H x[t] + c + e, e ~ N(0, R)"

const mn_class mn_linear_gaussian_state_space = {
  .name = "LinearGaussianStateSpace",
  .brief = "Linear dynamics of hidden states, observed with noise; learned by EM.",
  .objective = MODEL,
  .source = "Shumway & Stoffer, J. Time Ser. Anal. 3 (1982); Durbin & Koopman (2012)",
  .notes =
      "Rows of X are in time order; the option lengths gives the rows of each of several sequences. What is not given "
      "is learned; states are determined up to a change of basis unless observation is given. Missing values are "
      "exact. transform gives the means of the states given all rows, score_samples log p(row | rows before), "
      "whose sum is the log likelihood. See filter, smooth, forecast, advance.",
  .example = "local X = ml.read_csv('examples/data/airpassengers.csv'):select{'passengers'}:matrix():log()\n"
             "local model = ml.LinearGaussianStateSpace{ n_states = 2 }:fit(X)\n"
             "print(model.loglike, model:forecast(nil, { steps = 3 }).mean)",
  .capabilities = MN_TRANSFORM | MN_DENSITY | MN_ITERATE,
  .params = learned_params,
  .fit = fit,
  COMMON,
};

const mn_class mn_kalman_filter = {
  .name = "KalmanFilter",
  .brief = "Kalman filter and smoother of a given linear Gaussian state space model.",
  .objective = MODEL,
  .source = "Kalman, J. Basic Eng. 82 (1960); Koopman & Durbin, J. Time Ser. Anal. 21 (2000), 24 (2003)",
  .notes =
      "fit learns nothing: it checks the matrices, and filters X, so that forecast continues after its last row. Matrices "
      "may vary: matrix t leads from row t to row t + 1, or observes row t. Infinite variances of the first state are "
      "exact; rows that end them count -log(2 pi F_inf) / 2 in the log likelihood. Missing values are skipped. See "
      "filter, smooth, forecast, advance.",
  .example = "local model = ml.KalmanFilter{ transition = {{1}}, observation = {{1}}, state_cov = {{1}}, "
             "observation_cov = {{4}} }\n"
             "model:fit{ {1}, {3}, {2}, {0/0}, {5} }\n"
             "print(model.loglike, model:smooth{ {1}, {3}, {2} }.mean)",
  .capabilities = MN_TRANSFORM | MN_DENSITY,
  .params = given_params,
  .fit = fit,
  COMMON,
};
