/* Autoregression of a series: x_t = c + sum_k a_k x_{t-k} + e_t, e_t ~ N(0, s^2).
 *
 *   yule_walker    the equations of the sample autocovariances, by Levinson's recursion; always stationary
 *   burg           reflection coefficients that minimize the sum of squared forward and backward errors
 *   least_squares  regression on the lags and a constant, of the rows that have all lags
 *
 * Brockwell & Davis, Time Series: Theory and Methods, 2nd ed. (1991), chapters 5 and 8; Burg (1967). */
#include "../factorization/lapack.h"
#include "../model/class.h"
#include "../model/operation.h"
#include "../stats/special.h"
#include "../sequence/sequences.h"
#include <string.h>

enum { YULE_WALKER, BURG, LEAST_SQUARES };
static const char *const methods[] = { "yule_walker", "burg", "least_squares", NULL };

enum { AIC, BIC, NO_CRITERION };
static const char *const criteria[] = { "aic", "bic", "none", NULL };

struct ar_model {
  mn_estimator base;
  int64_t order, criterion, method;                                        /* parameters */
  mn_vector coef, criterion_values, partial_autocorrelations, last_values; /* learned fields */
  double intercept, mean, row_variance, noise_variance, loglike;
};

/* A series without its mean, and models of the orders 0 .. most. */
struct series {
  const struct ar_model *m;
  const mn_data *data;
  double *x; /* rows */
  size_t most;
  double *coef;                /* (most + 1) x most: row k is the model of order k */
  double *variance, *constant; /* most + 1 */
};

/* a_k of order k from that of order k - 1 and its reflection coefficient. */
static void extend(struct series *s, size_t k, double reflection)
{
  const double *before = s->coef + (k - 1) * s->most;
  double *now = s->coef + k * s->most;
  for (size_t j = 0; j + 1 < k; j++) now[j] = before[j] - reflection * before[k - 2 - j];
  now[k - 1] = reflection;
  s->variance[k] = s->variance[k - 1] * (1 - reflection * reflection);
}

static double autocovariance(const struct series *s, size_t lag)
{
  double sum = 0;
  for (size_t i = 0, first = 0; i < mn_sequences(s->data); first += mn_sequence_rows(s->data, i), i++)
    for (size_t t = first + lag; t < first + mn_sequence_rows(s->data, i); t++) sum += s->x[t] * s->x[t - lag];
  return sum / (double)s->data->rows;
}

static mn_status fit_yule_walker(mn_context *ctx, struct series *s)
{
  double *r = MN_RAW(ctx, double, s->most + 1, 1);
  MN_CHECK_ALLOC(r);
  for (size_t k = 0; k <= s->most; k++) {
    r[k] = autocovariance(s, k);
    MN_TRY(mn_poll(ctx));
  }
  s->variance[0] = r[0];
  for (size_t k = 1; k <= s->most; k++) {
    const double *before = s->coef + (k - 1) * s->most;
    double rest = r[k];
    for (size_t j = 0; j + 1 < k; j++) rest -= before[j] * r[k - 1 - j];
    extend(s, k, s->variance[k - 1] > 0 ? rest / s->variance[k - 1] : 0);
  }
  return MN_OK;
}

/* f_t, b_t: errors of predicting x_t from the k values before it, and x_{t-k} from the k values after it. */
static mn_status fit_burg(mn_context *ctx, struct series *s)
{
  const size_t n = s->data->rows;
  double *f = MN_RAW(ctx, double, n, 1), *b = MN_RAW(ctx, double, n, 1);
  if (!f || !b) return MN_NO_MEMORY;
  memcpy(f, s->x, n * sizeof *f);
  memcpy(b, s->x, n * sizeof *b);
  s->variance[0] = autocovariance(s, 0);
  for (size_t k = 1; k <= s->most; k++) {
    double both = 0, squares = 0;
    for (size_t i = 0, first = 0; i < mn_sequences(s->data); first += mn_sequence_rows(s->data, i), i++)
      for (size_t t = first + k; t < first + mn_sequence_rows(s->data, i); t++) {
        both += f[t] * b[t - 1];
        squares += f[t] * f[t] + b[t - 1] * b[t - 1];
      }
    const double reflection = squares > 0 ? 2 * both / squares : 0;
    for (size_t i = 0, first = 0; i < mn_sequences(s->data); first += mn_sequence_rows(s->data, i), i++)
      for (size_t t = first + mn_sequence_rows(s->data, i); t-- > first + k;) {
        const double forward = f[t];
        f[t] = forward - reflection * b[t - 1];
        b[t] = b[t - 1] - reflection * forward;
      }
    extend(s, k, reflection);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* Of the rows that have `most` lags, so that the criteria of all orders compare. */
static mn_status fit_least_squares(mn_context *ctx, struct series *s)
{
  const size_t n = s->data->rows, most = s->most;
  double *lags = MN_RAW(ctx, double, n, most + 1), *y = MN_RAW(ctx, double, n, 1);
  double *coef = MN_RAW(ctx, double, most + 1, 1), residual;
  size_t rows = 0;
  if (!lags || !y || !coef) return MN_NO_MEMORY;
  for (size_t k = 0; k <= most; k++) {
    const size_t width = k + 1;
    rows = 0;
    for (size_t i = 0, first = 0; i < mn_sequences(s->data); first += mn_sequence_rows(s->data, i), i++)
      for (size_t t = first + most; t < first + mn_sequence_rows(s->data, i); t++, rows++) {
        lags[rows * width] = 1;
        for (size_t j = 1; j <= k; j++) lags[rows * width + j] = s->x[t - j];
        y[rows] = s->x[t];
      }
    if (rows <= width)
      return mn_fail(ctx, MN_BAD_DATA,
                     "ARModel: least squares of order %zu requires more than %zu rows with all lags, got "
                     "%zu; use a lower order, or another method",
                     k, width, rows);
    const mn_rows problem = { .n = rows, .p = width, .m = 1, .x = lags, .y = y };
    MN_TRY(mn_least_squares(ctx, &problem, 0, coef, &residual, NULL));
    s->constant[k] = coef[0];
    memcpy(s->coef + k * most, coef + 1, k * sizeof *coef);
    s->variance[k] = residual / (double)rows;
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* n log(s^2) + penalty (k + 1): the constant counts as a parameter, as in R's ar. */
static size_t choose_order(const struct series *s, double rows, mn_vector *values)
{
  const double penalty = s->m->criterion == BIC ? log(rows) : 2;
  size_t best = 0;
  for (size_t k = 0; k <= s->most; k++) {
    values->at[k] = rows * log(s->variance[k]) + penalty * (double)(k + 1);
    if (values->at[k] < values->at[best]) best = k;
  }
  return s->m->criterion == NO_CRITERION ? s->most : best;
}

/* The orders to try: up to `order`, by default the smaller of n - 1 and 10 log10(n), as in R's ar. */
static mn_status count_orders(mn_context *ctx, const struct ar_model *m, const mn_data *data, size_t *most)
{
  size_t longest = 0;
  for (size_t i = 0; i < mn_sequences(data); i++)
    if (mn_sequence_rows(data, i) > longest) longest = mn_sequence_rows(data, i);
  if (longest < 2)
    return mn_fail(ctx, MN_BAD_DATA, "ARModel: X must have a sequence of at least 2 rows, got %zu", longest);
  const size_t usual = (size_t)(10 * log10((double)data->rows));
  *most = m->order == MN_UNSET ? usual : (size_t)m->order;
  if (m->order != MN_UNSET && *most >= longest)
    return mn_fail(ctx, MN_BAD_DATA, "ARModel: order must be less than the %zu rows of the longest sequence, got %zu",
                   longest, *most);
  if (m->order == MN_UNSET && m->method == LEAST_SQUARES && *most > longest / 3) *most = longest / 3;
  if (*most >= longest) *most = longest - 1;
  return MN_OK;
}

static mn_status make_series(mn_context *ctx, const struct ar_model *m, const mn_data *data, double *mean,
                             struct series *s)
{
  const size_t n = data->rows, most = s->most;
  double sum = 0;
  s->m = m;
  s->data = data;
  s->x = MN_RAW(ctx, double, n, 1);
  s->coef = MN_NEW(ctx, double, most + 1, most + 1);
  s->variance = MN_NEW(ctx, double, most + 1, 1);
  s->constant = MN_NEW(ctx, double, most + 1, 1);
  if (!s->x || !s->coef || !s->variance || !s->constant) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) sum += (data->x.at[i] - sum) / (double)(i + 1);
  *mean = sum;
  for (size_t i = 0; i < n; i++) s->x[i] = data->x.at[i] - sum;
  return MN_OK;
}

/* --- predictions --- */

/* The models of the orders 0 .. k that a stationary model of order k implies, for the first rows of a sequence: rows of
 * coef (k + 1 x k) and variances. *stationary: whether there are such models. */
static mn_status lower_orders(mn_context *ctx, const struct ar_model *m, double **coef, double **variance,
                              bool *stationary)
{
  const size_t k = m->coef.size;
  double *a = MN_NEW(ctx, double, k + 1, k + 1), *v = MN_NEW(ctx, double, k + 1, 1);
  if (!a || !v) return MN_NO_MEMORY;
  if (k > 0) memcpy(a + k * k, m->coef.at, k * sizeof *a);
  v[k] = m->noise_variance;
  *stationary = true;
  for (size_t j = k; j > 0 && *stationary; j--) {
    const double *now = a + j * k, last = now[j - 1], rest = 1 - last * last;
    *stationary = rest > 1e-12;
    v[j - 1] = v[j] / rest;
    for (size_t i = 0; i + 1 < j; i++) a[(j - 1) * k + i] = (now[i] + last * now[j - 2 - i]) / rest;
  }
  *coef = a;
  *variance = v;
  return MN_OK;
}

/* The mean about which the model of all orders predicts: that of the process, or of the rows if it has none. */
static double center_of(const struct ar_model *m)
{
  double sum = 0;
  for (size_t j = 0; j < m->coef.size; j++) sum += m->coef.at[j];
  return fabs(1 - sum) > 1e-8 ? m->intercept / (1 - sum) : m->mean;
}

/* Prediction of each row from those before it in its sequence, and the variance of its error. */
static mn_status predict_rows(mn_context *ctx, const struct ar_model *m, const mn_data *data, double *mean,
                              double *variance)
{
  const size_t k = m->coef.size;
  double *coef, *lower;
  bool stationary;
  MN_TRY(lower_orders(ctx, m, &coef, &lower, &stationary));
  const double center = stationary ? center_of(m) : m->mean;
  for (size_t i = 0, first = 0; i < mn_sequences(data); first += mn_sequence_rows(data, i), i++)
    for (size_t t = first; t < first + mn_sequence_rows(data, i); t++) {
      const size_t known = t - first < k ? t - first : k;
      const double *a = coef + known * k, *x = data->x.at;
      if (known == k) {
        mean[t] = m->intercept;
        variance[t] = m->noise_variance;
        for (size_t j = 0; j < k; j++) mean[t] += m->coef.at[j] * x[t - 1 - j];
        continue;
      }
      mean[t] = center;
      variance[t] = stationary ? lower[known] : m->row_variance;
      for (size_t j = 0; stationary && j < known; j++) mean[t] += a[j] * (x[t - 1 - j] - center);
    }
  return MN_OK;
}

static mn_status fill_scores(mn_context *ctx, const struct ar_model *m, const mn_data *data, double *out)
{
  double *mean = MN_RAW(ctx, double, data->rows, 1), *variance = MN_RAW(ctx, double, data->rows, 1);
  if (!mean || !variance) return MN_NO_MEMORY;
  MN_TRY(predict_rows(ctx, m, data, mean, variance));
  for (size_t i = 0; i < data->rows; i++) {
    const double error = data->x.at[i] - mean[i];
    out[i] = -0.5 * (MN_LOG_2PI + log(variance[i]) + error * error / variance[i]);
  }
  return MN_OK;
}

/* --- fit --- */

/* The last values of the last sequence, the newest first. */
static mn_status keep_last(mn_context *ctx, struct ar_model *m, const mn_data *data)
{
  const size_t k = m->coef.size;
  const size_t n = mn_sequence_rows(data, mn_sequences(data) - 1);
  if (k > 0) MN_TRY(mn_vector_init(ctx, &m->last_values, k));
  for (size_t j = 0; j < k; j++) m->last_values.at[j] = j < n ? data->x.at[data->rows - 1 - j] : m->mean;
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct ar_model *m = self;
  struct series s = { 0 };
  MN_TRY(count_orders(ctx, m, data, &s.most));
  MN_TRY(make_series(ctx, m, data, &m->mean, &s));
  MN_TRY(m->method == YULE_WALKER ? fit_yule_walker(ctx, &s)
         : m->method == BURG      ? fit_burg(ctx, &s)
                                  : fit_least_squares(ctx, &s));
  if (!isfinite(autocovariance(&s, 0))) return mn_fail(ctx, MN_BAD_DATA, "ARModel: the squares of X overflow; scale X");
  if (!(s.variance[0] > 0)) return mn_fail(ctx, MN_BAD_DATA, "ARModel: X is constant");
  double rows = (double)data->rows;
  if (m->method == LEAST_SQUARES) rows -= (double)(s.most * mn_sequences(data));
  MN_TRY(mn_vector_init(ctx, &m->criterion_values, s.most + 1));
  const size_t k = choose_order(&s, rows, &m->criterion_values);
  if (k > 0) MN_TRY(mn_vector_init(ctx, &m->coef, k));
  if (k > 0) memcpy(m->coef.at, s.coef + k * s.most, k * sizeof *m->coef.at);
  if (s.most > 0) MN_TRY(mn_vector_init(ctx, &m->partial_autocorrelations, s.most));
  for (size_t j = 1; j <= s.most; j++) m->partial_autocorrelations.at[j - 1] = s.coef[j * s.most + j - 1];
  m->noise_variance = s.variance[k];
  double sum = 0;
  for (size_t j = 0; j < k; j++) sum += m->coef.at[j];
  m->intercept = s.constant[k] + m->mean * (1 - sum);
  if (!(m->noise_variance > 0)) return mn_fail(ctx, MN_BAD_DATA, "ARModel: the rows of X are predicted without error");
  m->row_variance = autocovariance(&s, 0);
  MN_TRY(keep_last(ctx, m, data));
  double *scores = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(scores);
  MN_TRY(fill_scores(ctx, m, data, scores));
  m->loglike = 0;
  for (size_t i = 0; i < data->rows; i++) m->loglike += scores[i];
  return MN_OK;
}

/* --- actions and operations --- */

static mn_status score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return fill_scores(ctx, self, data, out->at);
}

static mn_status predictions(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  mn_vector *mean, *std;
  (void)options;
  MN_TRY(mn_result_vector(ctx, results, "mean", data->rows, &mean));
  MN_TRY(mn_result_vector(ctx, results, "std", data->rows, &std));
  MN_TRY(predict_rows(ctx, self, data, mean->at, std->at));
  for (size_t i = 0; i < data->rows; i++) std->at[i] = sqrt(std->at[i]);
  return MN_OK;
}

/* Means by recursion; variances s^2 sum_{j < h} psi_j^2, with psi the response to a single error. */
static mn_status forecast(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results)
{
  const struct ar_model *m = self;
  const mn_forecast_options *o = options;
  const size_t n = (size_t)o->steps, k = m->coef.size;
  const size_t rows = data->rows > 0 ? mn_sequence_rows(data, mn_sequences(data) - 1) : 0;
  const double z = mn_normal_quantile(0.5 + o->level / 2);
  mn_matrix *mean, *std, *low, *high;
  double *x = MN_RAW(ctx, double, k + n, 1), *psi = MN_RAW(ctx, double, n, 1), variance = 0;
  if (!x || !psi) return MN_NO_MEMORY;
  MN_TRY(mn_result_matrix(ctx, results, "mean", n, 1, &mean));
  MN_TRY(mn_result_matrix(ctx, results, "std", n, 1, &std));
  MN_TRY(mn_result_matrix(ctx, results, "low", n, 1, &low));
  MN_TRY(mn_result_matrix(ctx, results, "high", n, 1, &high));
  for (size_t j = 0; j < k; j++) {
    const double own = j < rows ? data->x.at[data->rows - 1 - j] : m->mean;
    x[k - 1 - j] = data->rows > 0 ? own : m->last_values.at[j];
  }
  for (size_t t = 0; t < n; t++) {
    x[k + t] = m->intercept;
    psi[t] = t == 0;
    for (size_t j = 0; j < k; j++) {
      x[k + t] += m->coef.at[j] * x[k + t - 1 - j];
      if (j < t) psi[t] += m->coef.at[j] * psi[t - 1 - j];
    }
    variance += m->noise_variance * psi[t] * psi[t];
    mean->at[t] = x[k + t];
    std->at[t] = sqrt(variance);
    low->at[t] = mean->at[t] - z * std->at[t];
    high->at[t] = mean->at[t] + z * std->at[t];
    if (t % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

struct spectrum_options {
  int64_t n;
};

static const mn_param spectrum_params[] = {
  MN_COUNT(struct spectrum_options, n, 500, MN_CLOSED(2, 10000000), "number of frequencies"),
  MN_END,
};

/* s^2 / |1 - sum_k a_k exp(-2 pi i f k)|^2, as R's spec.ar. */
static mn_status spectrum(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results)
{
  const struct ar_model *m = self;
  const size_t n = (size_t)((const struct spectrum_options *)options)->n;
  const double pi = 3.14159265358979323846;
  mn_vector *frequency, *density;
  (void)data;
  MN_TRY(mn_result_vector(ctx, results, "frequency", n, &frequency));
  MN_TRY(mn_result_vector(ctx, results, "density", n, &density));
  for (size_t i = 0; i < n; i++) {
    const double f = 0.5 * (double)i / (double)(n - 1);
    double real = 1, imaginary = 0;
    for (size_t j = 0; j < m->coef.size; j++) {
      real -= m->coef.at[j] * cos(2 * pi * f * (double)(j + 1));
      imaginary += m->coef.at[j] * sin(2 * pi * f * (double)(j + 1));
    }
    frequency->at[i] = f;
    density->at[i] = m->noise_variance / (real * real + imaginary * imaginary);
  }
  return MN_OK;
}

static const mn_operation operations[] = {
  { .name = "predictions",
    .brief = "each row from those before it in its sequence",
    .returns = "mean, std (Vector: rows)",
    .needs = MN_NEEDS_X,
    .run = predictions },
  { .name = "forecast",
    .brief = "values after the last row of X, or of fit",
    .returns = "mean, std, low, high (Matrix: steps x features)",
    .needs = MN_NEEDS_X | MN_X_OR_NIL,
    .options = mn_forecast_params,
    .options_size = sizeof(mn_forecast_options),
    .run = forecast },
  { .name = "spectrum",
    .brief = "spectral density of the model, frequencies in cycles per row",
    .returns = "frequency, density (Vector: n)",
    .options = spectrum_params,
    .options_size = sizeof(struct spectrum_options),
    .run = spectrum },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(struct ar_model, order, MN_UNSET, MN_CLOSED(0, 100000),
           "largest order that is tried; nil: 10 log10(rows), of least_squares at most a third of the rows"),
  MN_CHOICE(struct ar_model, criterion, AIC, criteria, "chooses the order, from 0; none: the order is `order`"),
  MN_CHOICE(struct ar_model, method, YULE_WALKER, methods,
            "yule_walker: from autocovariances, always stationary; burg: sharper for short series; least_squares: also "
            "for series that grow"),
  MN_END,
};

static const mn_field fields[] = {
  MN_VECTOR(struct ar_model, coef, "order?", "coefficients of the lags, the latest row first"),
  MN_NUMBER(struct ar_model, intercept, "constant term"),
  MN_NUMBER(struct ar_model, noise_variance, "variance of the errors; sums of squares are divided by rows"),
  MN_VECTOR(struct ar_model, criterion_values, "orders", "criterion of each order, from 0"),
  MN_VECTOR(struct ar_model, partial_autocorrelations, "lags?", "last coefficient of each order, from 1"),
  MN_VECTOR(struct ar_model, last_values, "order?", "last rows of fit, the latest first"),
  MN_NUMBER(struct ar_model, mean, "mean of the rows"),
  MN_NUMBER(struct ar_model, row_variance, "variance of the rows"),
  MN_NUMBER(struct ar_model, loglike, "log likelihood of the rows of fit"),
  MN_END,
};

const mn_class mn_ar_model = {
  .name = "ARModel",
  .family = "sequence",
  .brief = "Autoregression: each value of a series from those before it.",
  .objective = "x[t] = c + sum_k a[k] x[t-k] + e[t], e[t] ~ N(0, s^2)",
  .source = "Brockwell & Davis, Time Series: Theory and Methods, 2nd ed. (1991); Burg (1967)",
  .notes =
      "X is one column in time order; the option lengths gives the rows of each of several series. The order is chosen by "
      "AIC, as in R's ar. score_samples gives log p(row | rows before) and predictions their means, for the first rows "
      "from the stationary distribution. Missing values: LinearGaussianStateSpace.",
  .example = "local passengers = ml.read_csv('examples/data/airpassengers.csv'):select{'passengers'}\n"
             "local model = ml.ARModel{ method = 'burg' }:fit(passengers)\n"
             "print(model, model:forecast(nil, { steps = 3 }).mean)",
  .missing_alternatives = "LinearGaussianStateSpace",
  .capabilities = MN_DENSITY,
  .accepts = MN_LENGTHS | MN_ONE_COLUMN,
  .size = sizeof(struct ar_model),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .score_samples = score_samples,
  .export = mn_sequence_export,
};
