/* Structural time series: a level, its slope, a season and noise, whose variances are learned by exact maximum
 * likelihood.
 *
 *     y_t = level_t + season_t + e_t
 *     level_{t+1} = level_t + slope_t + u_t,    slope_{t+1} = slope_t + v_t
 *     season_{t+1} = -(season_t + ... + season_{t-s+2}) + w_t                   dummy
 *     season_t = sum_j g_jt,  (g_j, g*_j)_{t+1} = rotation by 2 pi j / s + w_t   trigonometric
 *
 * All states are diffuse at the start. Harvey, Forecasting, Structural Time Series Models and the Kalman Filter (1989),
 * chapters 2 and 4; Durbin & Koopman, Time Series Analysis by State Space Methods, 2nd ed. (2012), chapter 3. */
#include "likelihood_search.h"
#include <stdio.h>
#include <string.h>

enum { LOCAL_LEVEL, LOCAL_LINEAR, SMOOTH, DETERMINISTIC };
static const char *const trends[] = { "local_level", "local_linear", "smooth", "deterministic", NULL };

enum { DUMMY, TRIGONOMETRIC };
static const char *const seasonal_forms[] = { "dummy", "trigonometric", NULL };

enum { NOISE, LEVEL, SLOPE, SEASON, VARIANCES };

struct structural {
  mn_state_space space;
  int64_t trend, seasonal, seasonal_form, max_iter; /* parameters */
  bool noise;
  double tol;
  double noise_variance, level_variance, slope_variance, seasonal_variance, aic, bic; /* learned fields */
};

/* The model as mn_series_form sees it: the variances that are learned, as log variances in units of `unit`. */
struct form {
  size_t trend_states, season_states, period;
  int64_t seasonal_form;
  double unit;
  size_t count, kind[VARIANCES];
};

/* --- system --- */

static void build_season(const struct form *a, size_t first, double variance, mn_series_system *s)
{
  const size_t d = s->d, n = a->season_states;
  double *f = s->f + first * d + first;
  if (a->seasonal_form == DUMMY) {
    for (size_t j = 0; j < n; j++) f[j] = -1;
    for (size_t i = 1; i < n; i++) f[i * d + i - 1] = 1;
    s->q[first * d + first] = variance;
    s->h[first] = 1;
    return;
  }
  for (size_t i = 0; i < n; i += 2) {
    const double angle = 6.283185307179586477 * (double)(i / 2 + 1) / (double)a->period;
    f[i * d + i] = cos(angle);
    s->q[(first + i) * d + first + i] = variance;
    s->h[first + i] = 1;
    if (i + 1 == n) break; /* an even period: the wave of two rows has one state, and cos = -1 */
    f[i * d + i + 1] = sin(angle);
    f[(i + 1) * d + i] = -sin(angle);
    f[(i + 1) * d + i + 1] = cos(angle);
    s->q[(first + i + 1) * d + first + i + 1] = variance;
  }
}

static void build_system(const struct form *a, const double variance[VARIANCES], mn_series_system *s)
{
  const size_t d = s->d;
  s->f[0] = s->h[0] = 1;
  s->q[0] = variance[LEVEL];
  if (a->trend_states == 2) {
    s->f[1] = s->f[d + 1] = 1;
    s->q[d + 1] = variance[SLOPE];
  }
  if (a->season_states > 0) build_season(a, a->trend_states, variance[SEASON], s);
  s->r = variance[NOISE];
  for (size_t i = 0; i < d; i++) s->diffuse[i] = true;
}

static void variances_at(const struct form *a, const double *x, double variance[VARIANCES])
{
  for (size_t k = 0; k < VARIANCES; k++) variance[k] = 0;
  for (size_t j = 0; j < a->count; j++) variance[a->kind[j]] = a->unit * exp(x[j]);
}

static mn_status build(mn_context *ctx, const void *model, const double *x, mn_series_system *s, bool *valid)
{
  (void)ctx;
  double variance[VARIANCES];
  variances_at(model, x, variance);
  build_system(model, variance, s);
  *valid = true;
  return MN_OK;
}

/* --- fit --- */

static void add_variance(struct form *a, bool learned, size_t kind)
{
  if (learned) a->kind[a->count++] = kind;
}

static mn_status make_form(mn_context *ctx, const struct structural *m, struct form *a)
{
  *a = (struct form){ .trend_states = m->trend == LOCAL_LEVEL ? 1 : 2, .seasonal_form = m->seasonal_form };
  if (m->seasonal != MN_UNSET) {
    a->period = (size_t)m->seasonal;
    a->season_states = a->period - 1;
  }
  add_variance(a, m->noise, NOISE);
  add_variance(a, m->trend == LOCAL_LEVEL || m->trend == LOCAL_LINEAR, LEVEL);
  add_variance(a, m->trend == LOCAL_LINEAR || m->trend == SMOOTH, SLOPE);
  add_variance(a, a->season_states > 0, SEASON);
  if (a->count > 0) return MN_OK;
  return mn_fail(
      ctx, MN_BAD_ARGUMENT,
      "StructuralTimeSeries: nothing is random with noise = false and trend = \"deterministic\"; set noise = "
      "true");
}

/* The unit of the variances: that of the changes between rows, or of the rows. */
static mn_status find_unit(mn_context *ctx, const mn_data *data, const struct form *a, double *unit)
{
  double changes = 0, pairs = 0, values = 0;
  for (size_t i = 0, first = 0; i < mn_sequences(data); first += mn_sequence_rows(data, i), i++)
    for (size_t t = first; t < first + mn_sequence_rows(data, i); t++) {
      values += !isnan(data->x.at[t]);
      if (t == first || isnan(data->x.at[t]) || isnan(data->x.at[t - 1])) continue;
      const double change = data->x.at[t] - data->x.at[t - 1];
      changes += change * change;
      pairs++;
    }
  const size_t states = (a->trend_states + a->season_states) * mn_sequences(data), needed = states + a->count + 1;
  if (values < (double)needed)
    return mn_fail(ctx, MN_BAD_DATA, "StructuralTimeSeries: this model requires at least %zu rows with values, got %zu",
                   needed, (size_t)values);
  if (!isfinite(changes)) return mn_fail(ctx, MN_BAD_DATA, "StructuralTimeSeries: the squares of X overflow; scale X");
  if (!(changes > 0)) return mn_fail(ctx, MN_BAD_DATA, "StructuralTimeSeries: X is constant");
  *unit = changes / pairs;
  return MN_OK;
}

/* Starts: all variances alike, and each 1000 times larger than the others. */
static mn_status choose_start(mn_context *ctx, const mn_series_form *form, const mn_data *data, double *x)
{
  double start[VARIANCES], best = -INFINITY;
  for (size_t k = 0; k <= form->size; k++) {
    mn_series_fit fit;
    for (size_t j = 0; j < form->size; j++) start[j] = k == 0 || k == j + 1 ? -1 : -8;
    MN_TRY(mn_series_likelihood(ctx, form, data, start, &fit));
    if (k > 0 && !(fit.loglike > best)) continue;
    best = fit.loglike;
    memcpy(x, start, form->size * sizeof *x);
  }
  return MN_OK;
}

/* Variances that the likelihood does not need become 0, which their logarithm cannot. */
static mn_status remove_variances(mn_context *ctx, const mn_series_form *form, const mn_data *data, double *x,
                                  mn_series_fit *fit)
{
  for (size_t j = 0; j < form->size; j++) {
    const double kept = x[j];
    mn_series_fit without;
    x[j] = -INFINITY;
    MN_TRY(mn_series_likelihood(ctx, form, data, x, &without));
    if (without.loglike >= fit->loglike - 1e-7 * fmax(1, fabs(fit->loglike)))
      *fit = without;
    else
      x[j] = kept;
  }
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct structural *m = self;
  struct form a;
  double x[VARIANCES], variance[VARIANCES];
  mn_series_fit found;
  mn_series_system system;
  MN_TRY(make_form(ctx, m, &a));
  MN_TRY(find_unit(ctx, data, &a, &a.unit));
  const mn_series_form form = {
    .model = &a, .size = a.count, .d = a.trend_states + a.season_states, .low = -40, .high = 20, .build = build
  };
  MN_TRY(choose_start(ctx, &form, data, x));
  MN_TRY(mn_series_maximize(ctx, &form, data, &m->space.base, m->max_iter, m->tol, x, &found));
  MN_TRY(remove_variances(ctx, &form, data, x, &found));
  variances_at(&a, x, variance);
  m->noise_variance = variance[NOISE];
  m->level_variance = variance[LEVEL];
  m->slope_variance = variance[SLOPE];
  m->seasonal_variance = variance[SEASON];
  MN_TRY(mn_series_system_new(ctx, form.d, &system));
  build_system(&a, variance, &system);
  MN_TRY(mn_series_store(ctx, &system, 1, &m->space));
  MN_TRY(mn_state_space_finish(ctx, &m->space, data));
  const size_t diffuse = form.d * mn_sequences(data), parameters = a.count + form.d;
  m->aic = mn_series_aic(m->space.loglike, parameters);
  m->bic = mn_series_bic(m->space.loglike, parameters, found.values + diffuse);
  return MN_OK;
}

/* --- components --- */

static bool has_slope(const struct structural *m)
{
  return m->trend != LOCAL_LEVEL;
}

static size_t outputs(const void *self)
{
  const struct structural *m = self;
  return 1 + (size_t)has_slope(m) + (m->seasonal != MN_UNSET);
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  static const char *const names[] = { "level", "slope", "seasonal" };
  const size_t kind = j == 1 && !has_slope(self) ? 2 : j;
  (void)inputs;
  snprintf(text, size, "%s", names[kind]);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct structural *m = self;
  const size_t d = m->space.start_mean.size, trend = 1 + (size_t)has_slope(m);
  const double *h = m->space.observation_matrix.at;
  mn_matrix states = { .at = MN_RAW(ctx, double, data->rows, d), .rows = data->rows, .cols = d };
  MN_CHECK_ALLOC(states.at);
  MN_TRY(mn_state_space_transform(ctx, self, data, &states));
  for (size_t t = 0; t < data->rows; t++) {
    const double *x = mn_row(&states, t);
    double *row = mn_row(out, t), season = 0;
    for (size_t i = 0; i < trend; i++) row[i] = x[i];
    for (size_t i = trend; i < d; i++) season += h[i] * x[i];
    if (d > trend) row[trend] = season;
  }
  return MN_OK;
}

/* --- tables --- */

static mn_status check(mn_context *ctx, const void *self)
{
  const struct structural *m = self;
  const size_t season = m->seasonal == MN_UNSET ? 0 : (size_t)m->seasonal - 1;
  MN_TRY(mn_state_space_check_loaded(ctx, self));
  if (m->space.start_mean.size == 1 + (size_t)has_slope(m) + season) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "StructuralTimeSeries: the states do not fit the parameters");
}

static const mn_param params[] = {
  MN_CHOICE(
      struct structural, trend, LOCAL_LINEAR, trends,
      "local_level: a random walk; local_linear: with a slope that is a random walk, too; smooth: only the slope is "
      "random; deterministic: a straight line"),
  MN_COUNT(struct structural, seasonal, MN_UNSET, MN_CLOSED(2, 500), "rows of a period of the season; nil: no season"),
  MN_CHOICE(struct structural, seasonal_form, DUMMY, seasonal_forms,
            "dummy: effects that add up to 0; trigonometric: waves, which change more smoothly"),
  MN_FLAG(struct structural, noise, true, "observations have noise of their own"),
  MN_COUNT(struct structural, max_iter, 200, MN_CLOSED(1, INT32_MAX), "maximum number of iterations of BFGS"),
  MN_REAL(struct structural, tol, 1e-10, MN_AT_LEAST(0),
          "stop when the log likelihood increases by less than this, relatively"),
  MN_END,
};

static const mn_field fields[] = {
  MN_NUMBER(struct structural, noise_variance, "variance of the noise of observations"),
  MN_NUMBER(struct structural, level_variance, "variance of the changes of the level, beside its slope"),
  MN_NUMBER(struct structural, slope_variance, "variance of the changes of the slope"),
  MN_NUMBER(struct structural, seasonal_variance, "variance of the changes of the season"),
  MN_NUMBER(struct structural, aic, "Akaike's criterion; diffuse states count as parameters"),
  MN_NUMBER(struct structural, bic, "Bayesian criterion"),
  MN_STATE_SPACE_FIELDS,
  MN_END,
};

const mn_class mn_structural_time_series = {
  .name = "StructuralTimeSeries",
  .family = "sequence",
  .brief = "A series as level, slope, season and noise, which change at random.",
  .objective = "y[t] = level[t] + season[t] + e[t]",
  .source = "Harvey (1989), chapters 2 and 4; Durbin & Koopman (2012), chapter 3",
  .notes =
      "X is one column in time order; the option lengths gives the rows of each of several series. Variances are learned "
      "by exact maximum likelihood with diffuse states, also with missing values; one that does not help is 0. transform "
      "gives level, slope and season given all rows; see smooth, forecast, filter, advance. R: StructTS (trend = "
      "\"local_linear\", seasonal = s is type \"BSM\").",
  .example = "local X = ml.read_csv('examples/data/airpassengers.csv'):select{'passengers'}:matrix():log()\n"
             "local model = ml.StructuralTimeSeries{ seasonal = 12 }:fit(X)\n"
             "print(model.level_variance, model:forecast(nil, { steps = 3 }).mean:exp())",
  .capabilities = MN_TRANSFORM | MN_DENSITY | MN_ITERATE,
  .accepts = MN_MISSING | MN_LENGTHS | MN_ONE_COLUMN,
  .size = sizeof(struct structural),
  .params = params,
  .fields = fields,
  .operations = mn_state_space_operations,
  .fit = fit,
  .transform = transform,
  .score_samples = mn_state_space_score_samples,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .export = mn_sequence_export,
};
