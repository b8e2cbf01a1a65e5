/* ARIMA: seasonal autoregressive integrated moving averages, by exact maximum likelihood. */
#include "arima_form.h"
#include <string.h>

enum { MEAN_AUTO, MEAN_ESTIMATE, MEAN_ZERO };
static const char *const means[] = { "auto", "estimate", "zero", NULL };

struct arima {
  mn_state_space space;
  mn_vector order, seasonal_order; /* parameters */
  int64_t mean, max_iter;
  double tol;
  mn_vector ar, ma, seasonal_ar, seasonal_ma, std_errors; /* learned fields */
  double constant, noise_variance, aic, bic;
};

/* --- parameters --- */

/* Copy the numbers of `given`, `n` whole numbers >= 0, to out; zeros if it is nil. */
static mn_status read_order(mn_context *ctx, const char *name, const mn_vector *given, size_t n, const char *example,
                            size_t *out)
{
  enum { MOST = 1000 };
  for (size_t i = 0; i < n; i++) out[i] = 0;
  if (!given->at) return MN_OK;
  if (given->size != n)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "ARIMA: %s must have %zu values such as %s, got %zu", name, n, example,
                   given->size);
  for (size_t i = 0; i < n; i++) {
    const double v = given->at[i];
    if (!(v >= 0 && v <= MOST && v == floor(v))) {
      char number[MN_NUMBER_SIZE];
      return mn_fail(ctx, MN_BAD_ARGUMENT, "ARIMA: %s must be whole numbers from 0 to %d, got %s at position %zu", name,
                     MOST, mn_format_number(number, v), i + 1);
    }
    out[i] = (size_t)v;
  }
  return MN_OK;
}

static mn_status read_form(mn_context *ctx, const struct arima *m, mn_arima_form *a)
{
  enum { MAX_STATES = 1000 };
  size_t order[3], seasonal[4];
  MN_TRY(read_order(ctx, "order", &m->order, 3, "{1, 1, 1}", order));
  MN_TRY(read_order(ctx, "seasonal_order", &m->seasonal_order, 4, "{0, 1, 1, 12}", seasonal));
  if (!m->order.at) order[0] = 1;
  *a = (mn_arima_form){ .p = order[0],
                        .d = order[1],
                        .q = order[2],
                        .seasonal_p = seasonal[0],
                        .seasonal_d = seasonal[1],
                        .seasonal_q = seasonal[2],
                        .s = seasonal[3] };
  if (a->s < 2 && a->seasonal_p + a->seasonal_d + a->seasonal_q > 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "ARIMA: seasonal_order must end with a period of at least 2 rows, got %zu",
                   a->s);
  if (a->s < 2) a->s = 1;
  a->has_mean = m->mean == MEAN_ESTIMATE || (m->mean == MEAN_AUTO && a->d + a->seasonal_d == 0);
  if (mn_arima_states(a) > MAX_STATES)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "ARIMA: the orders make %zu states; at most %d are possible, use lower orders",
                   mn_arima_states(a), MAX_STATES);
  return MN_OK;
}

/* --- the differenced series --- */

/* w = the differences within each sequence, as data of shorter sequences. */
static mn_status difference(mn_context *ctx, const mn_arima_form *a, const mn_data *data, mn_data *out)
{
  const size_t lags = mn_arima_lags(a), n = mn_sequences(data);
  double *delta = MN_NEW(ctx, double, lags + 1, 1), *w = MN_RAW(ctx, double, data->rows, 1);
  int32_t *lengths = MN_RAW(ctx, int32_t, n, 1);
  if (!delta || !w || !lengths) return MN_NO_MEMORY;
  MN_TRY(mn_arima_differences(ctx, a, delta));
  *out = *data;
  out->rows = 0;
  out->n_lengths = 0;
  for (size_t i = 0, first = 0; i < n; first += mn_sequence_rows(data, i), i++) {
    const size_t rows = mn_sequence_rows(data, i);
    for (size_t t = first + lags; t < first + rows; t++) {
      double value = data->x.at[t];
      for (size_t j = 1; j <= lags; j++)
        if (delta[j - 1] != 0) value -= delta[j - 1] * data->x.at[t - j];
      w[out->rows++] = value;
    }
    if (rows > lags) lengths[out->n_lengths++] = (int32_t)(rows - lags);
  }
  out->lengths = lengths;
  out->x = (mn_matrix){ .at = w, .rows = out->rows, .cols = 1 };
  return MN_OK;
}

/* Set the unit of the mean: that of the values, and its standard error. MN_BAD_DATA if there are too few values. */
static mn_status check_series(mn_context *ctx, mn_arima_form *a, const mn_data *w)
{
  const size_t needed = mn_arima_coefficients(a) + 2;
  double count = 0, mean = 0, squares = 0;
  for (size_t i = 0; i < w->rows; i++) {
    const double v = w->x.at[i];
    if (isnan(v)) continue;
    count++;
    const double change = v - mean;
    mean += change / count;
    squares += change * (v - mean);
  }
  if (count < (double)needed)
    return mn_fail(ctx, MN_BAD_DATA,
                   "ARIMA: these orders require at least %zu rows with all lags of the differences, got %zu", needed,
                   (size_t)count);
  if (!isfinite(squares)) return mn_fail(ctx, MN_BAD_DATA, "ARIMA: the squares of X overflow; scale X");
  a->center = mean;
  a->scale = sqrt(squares) / count;
  if (squares > 0) return MN_OK;
  return mn_fail(ctx, MN_BAD_DATA, "ARIMA: %s is constant",
                 mn_arima_lags(a) > 0 ? "X, after taking differences," : "X");
}

static bool has_missing(const mn_data *data)
{
  for (size_t i = 0; i < data->rows; i++)
    if (isnan(data->x.at[i])) return true;
  return false;
}

/* --- fit --- */

/* The best of a few starts: no dependence, and partial autocorrelations of tanh(1/2) in one or both polynomials. */
static mn_status choose_start(mn_context *ctx, const mn_series_form *form, const mn_data *data, double *x)
{
  static const double levels[][2] = { { 0, 0 }, { 0.5, 0 }, { 0, 0.5 }, { 0.5, 0.5 } };
  const mn_arima_form *a = form->model;
  double *start = MN_RAW(ctx, double, form->size + 1, 1), best = -INFINITY;
  MN_CHECK_ALLOC(start);
  for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
    const size_t first_of[4] = { 0, a->p, a->p + a->q, a->p + a->q + a->seasonal_p };
    const size_t count[4] = { a->p, a->q, a->seasonal_p, a->seasonal_q };
    mn_series_fit fit;
    memset(start, 0, form->size * sizeof *start);
    for (size_t i = 0; i < 4; i++)
      if (count[i] > 0) start[first_of[i]] = levels[k][i % 2];
    MN_TRY(mn_series_likelihood(ctx, form, data, start, &fit));
    if (k > 0 && !(fit.loglike > best)) continue;
    best = fit.loglike;
    memcpy(x, start, form->size * sizeof *x);
  }
  return MN_OK;
}

static mn_status store_vector(mn_context *ctx, const double *from, size_t n, mn_vector *to)
{
  if (n == 0) return MN_OK;
  MN_TRY(mn_vector_init(ctx, to, n));
  memcpy(to->at, from, n * sizeof *from);
  return MN_OK;
}

static mn_status store_coefficients(mn_context *ctx, const mn_arima_form *a, const double *coef, struct arima *m)
{
  MN_TRY(store_vector(ctx, coef, a->p, &m->ar));
  MN_TRY(store_vector(ctx, coef + a->p, a->q, &m->ma));
  MN_TRY(store_vector(ctx, coef + a->p + a->q, a->seasonal_p, &m->seasonal_ar));
  MN_TRY(store_vector(ctx, coef + a->p + a->q + a->seasonal_p, a->seasonal_q, &m->seasonal_ma));
  m->constant = a->has_mean ? coef[mn_arima_coefficients(a) - 1] : 0;
  return MN_OK;
}

/* The system for y, states of past values included, and the state after its last row. */
static mn_status finish(mn_context *ctx, struct arima *m, mn_arima_form a, const double *coef, const mn_data *data)
{
  mn_series_system system;
  bool valid;
  const double loglike = m->space.loglike;
  a.differenced = false;
  MN_TRY(mn_series_system_new(ctx, mn_arima_states(&a), &system));
  MN_TRY(mn_arima_build(ctx, &a, coef, &system, &valid));
  MN_TRY(mn_series_store(ctx, &system, m->noise_variance, &m->space));
  MN_TRY(mn_state_space_finish(ctx, &m->space, data));
  m->space.loglike = loglike;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct arima *m = self;
  mn_arima_form a;
  mn_data w;
  MN_TRY(read_form(ctx, m, &a));
  MN_TRY(difference(ctx, &a, data, &w));
  MN_TRY(check_series(ctx, &a, &w));
  /* Without missing values the likelihood of the differences is the same, and quicker. */
  a.differenced = !has_missing(data);
  const mn_data *series = a.differenced ? &w : data;
  const size_t n = mn_arima_coefficients(&a);
  mn_series_form form = {
    .model = &a, .size = n, .d = mn_arima_states(&a), .build = mn_arima_build_free, .unit_variance = true
  };
  double *x = MN_NEW(ctx, double, n + 1, 1), *coef = MN_NEW(ctx, double, n + 1, 1);
  if (!x || !coef) return MN_NO_MEMORY;
  mn_series_fit found;
  MN_TRY(choose_start(ctx, &form, series, x));
  MN_TRY(mn_series_maximize(ctx, &form, series, &m->space.base, m->max_iter, m->tol, x, &found));
  MN_TRY(mn_arima_constrain(ctx, &a, x, coef));
  MN_TRY(store_coefficients(ctx, &a, coef, m));
  m->noise_variance = found.variance;
  m->space.loglike = found.loglike;
  m->aic = mn_series_aic(found.loglike, n + 1);
  m->bic = mn_series_bic(found.loglike, n + 1, found.values);
  if (n > 0) MN_TRY(mn_vector_init(ctx, &m->std_errors, n));
  form.build = mn_arima_build;
  MN_TRY(mn_series_std_errors(ctx, &form, series, coef, m->std_errors.at));
  return finish(ctx, m, a, coef, data);
}

static const mn_param params[] = {
  MN_REALS(struct arima, order, MN_AT_LEAST(0),
           "p, d, q: lags of the series, number of differences, lags of the errors; nil: {1, 0, 0}"),
  MN_REALS(struct arima, seasonal_order, MN_AT_LEAST(0),
           "P, D, Q, s: the same in steps of a period of s rows; nil: no season"),
  MN_CHOICE(struct arima, mean, MEAN_AUTO, means,
            "mean of the differenced series, which is a drift if d = 1; auto: estimate without differences, else zero"),
  MN_COUNT(struct arima, max_iter, 200, MN_CLOSED(1, INT32_MAX), "maximum number of iterations of BFGS"),
  MN_REAL(struct arima, tol, 1e-10, MN_AT_LEAST(0),
          "stop when the log likelihood increases by less than this, relatively"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct arima, ar, "ar_lags?", "phi, coefficients of the lags of the series"),
  MN_VECTOR(struct arima, ma, "ma_lags?", "theta, coefficients of the lags of the errors"),
  MN_VECTOR(struct arima, seasonal_ar, "seasonal_ar_lags?", "Phi"),
  MN_VECTOR(struct arima, seasonal_ma, "seasonal_ma_lags?", "Theta"),
  MN_VECTOR(struct arima, std_errors, "coefficients?",
            "standard errors of ar, ma, seasonal_ar, seasonal_ma and, if estimated, constant, in this order"),
  MN_NUMBER(struct arima, constant, "mean of the differenced series"),
  MN_NUMBER(struct arima, noise_variance, "variance of the errors, by maximum likelihood"),
  MN_NUMBER(struct arima, aic, "Akaike's criterion"),
  MN_NUMBER(struct arima, bic, "Bayesian criterion"),
  MN_STATE_SPACE_FIELDS,
  MN_END,
};

const mn_class mn_arima = {
  .name = "ARIMA",
  MN_STATE_SPACE_CLASS,
  .brief = "Seasonal autoregressive integrated moving averages of a series.",
  .objective = "phi(B) Phi(B^s) (w[t] - m) = theta(B) Theta(B^s) e[t], w = (1 - B)^d (1 - B^s)^D y",
  .source = "Box & Jenkins (1970); Harvey (1989); Monahan, Biometrika 71 (1984)",
  .notes =
      "X is one column in time order; the option lengths gives the rows of each of several series. The likelihood is "
      "exact, also with missing values, given the first d + D s rows, as in R's arima; signs of coefficients are R's, "
      "too. theta and Theta are invertible. With differences, score_samples counts -log(2 pi F_inf) / 2 for these rows. "
      "transform gives the states. See forecast, filter, smooth, advance.",
  .example = "local X = ml.read_csv('examples/data/airpassengers.csv'):select{'passengers'}:matrix():log()\n"
             "local model = ml.ARIMA{ order = {0, 1, 1}, seasonal_order = {0, 1, 1, 12} }:fit(X)\n"
             "print(model, model:forecast(nil, { steps = 3 }).mean:exp())",
  .capabilities = MN_TRANSFORM | MN_DENSITY | MN_ITERATE,
  .accepts = MN_MISSING | MN_LENGTHS | MN_ONE_COLUMN,
  .size = sizeof(struct arima),
  .params = params,
  .fields = fields,
  .operations = mn_state_space_operations,
  .output_name = mn_state_space_output_name,
  .fit = fit,
};
