/* Operations of kernel interaction regression: effects and prediction intervals.
 *
 * An effect t with prior variance s2 v and covariance s2 g_r with the mean in row r has the posterior (interaction.h)
 * mean g' D P y and variance s2 (v - g' D P D g). Only the requested effects are computed. */
#include "../factorization/lapack.h"
#include "../stats/special.h"
#include "../actions/interval.h"
#include "interaction.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const name = "KernelInteractionRegression";

/* The posterior, recomputed from the stored rows: by all effects of the relevant columns if they are fewer than the
 * rows (then f is empty), and by the kernel otherwise. */
struct posterior {
  bool by_effects;
  mn_interaction_state state;
  mn_interaction_problem problem;
  mn_interaction_solution solution;
  mn_interaction_posterior f;
};

static mn_status rebuild_effects(mn_context *ctx, const mn_interaction *m, struct posterior *r, size_t *minor)
{
  const size_t n = m->z.rows, k = m->relevant.size, q = mn_interaction_count_effects(&r->problem.rows, k);
  mn_interaction_effects *e = &r->problem.effects;
  double *weights = MN_RAW(ctx, double, n, 1);
  e->column = MN_RAW(ctx, size_t, k, 1);
  e->gram = MN_RAW(ctx, double, q + 1, q + 1);
  e->mean = MN_RAW(ctx, double, q + 1, 1);
  if (!weights || !e->column || !e->gram || !e->mean) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) weights[i] = m->root.at[i] * m->root.at[i];
  r->problem.rows.weights = weights;
  return mn_interaction_solve_effects(&r->problem, &r->state, &r->solution, minor);
}

static mn_status rebuild_posterior(mn_context *ctx, const mn_interaction *m, struct posterior *r)
{
  const size_t n = m->z.rows, k = m->relevant.size;
  size_t minor;
  double *zero = MN_NEW(ctx, double, n, 1);
  MN_CHECK_ALLOC(zero);
  *r = (struct posterior){ .problem = { .ctx = ctx } };
  r->problem.rows = (mn_interaction_rows){ .n = n,
                                           .p = k,
                                           .z = m->z.at,
                                           .root = m->root.at,
                                           .y = zero,
                                           .target = zero,
                                           .total_weight = m->n,
                                           .squares = m->squares };
  MN_TRY(mn_interaction_state_init(ctx, k, &r->state));
  for (; r->state.k < k; r->state.k++) {
    r->state.column[r->state.k] = r->state.k;
    r->state.u[r->state.k] = m->u.at[r->state.k];
  }
  r->state.log_omega = log(m->omega);
  r->by_effects = mn_interaction_count_effects(&r->problem.rows, k) < n;
  if (r->by_effects) {
    MN_TRY(rebuild_effects(ctx, m, r, &minor));
  } else {
    MN_TRY(mn_interaction_posterior_init(ctx, n, &r->f));
    MN_TRY(mn_interaction_posterior_compute(ctx, &r->problem.rows, k, m->z.at, m->u.at, m->omega, &r->f, &minor));
  }
  if (minor == 0) return MN_OK;
  return mn_fail(ctx, MN_SINGULAR,
                 "%s: the covariance matrix of the training rows is not positive definite (leading minor %zu)", name,
                 minor);
}

/* The variance that the data explain, g' P g, for the m columns of g (n x m, multiplied by D). g is overwritten. */
static mn_status explained_variance(mn_context *ctx, const mn_interaction *model, const mn_interaction_posterior *f,
                                    size_t m, double *g, double *out)
{
  const size_t n = model->z.rows;
  double *constant = MN_NEW(ctx, double, m, 1);
  MN_CHECK_ALLOC(constant);
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < m; c++) constant[c] += f->ones[i] * g[i * m + c];
  MN_TRY(mn_chol_lower(ctx, n, m, f->factor, g));
  memset(out, 0, m * sizeof *out);
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < m; c++) out[c] += g[i * m + c] * g[i * m + c];
  for (size_t c = 0; c < m; c++) out[c] -= constant[c] * constant[c] / f->total;
  return mn_poll(ctx);
}

/* The main effect of column `first` (second == NONE), or of a product (first <= second); positions among the relevant
 * columns. */
struct effect {
  size_t first, second;
  double estimate, std, size; /* in the units of the data; size: magnitude per standard deviations */
};

enum { NONE = SIZE_MAX };

/* The prior variance v; *factor is the factor of the column values in g_r. */
static double prior_variance(const mn_interaction *m, const struct effect *e, double *factor)
{
  const double u = m->u.at[e->first], square = m->omega * m->omega;
  if (e->second == NONE) return *factor = u;
  return *factor = e->first == e->second ? square / 2 * u * u : square * u * m->u.at[e->second];
}

static double column_scale(const mn_interaction *m, size_t position)
{
  return m->scale.at[m->relevant.at[position]];
}

/* Index of an effect in mn_interaction_expand_row. */
static size_t effect_index(const mn_interaction *m, const struct effect *e)
{
  const size_t k = m->relevant.size;
  size_t position = k;
  if (e->second == NONE) return e->first;
  for (size_t a = 0; a < e->first; a++) position += k - a - !m->squares;
  return position + e->second - e->first - !m->squares;
}

/* Variances of the effects, over s2: v_f inv(M)_ff. */
static mn_status variances_by_effects(mn_context *ctx, const mn_interaction *m, const struct posterior *r, size_t count,
                                      const struct effect *effects, double *out)
{
  const size_t q = r->solution.q;
  double *inverse = MN_RAW(ctx, double, q, q);
  MN_CHECK_ALLOC(inverse);
  memcpy(inverse, r->solution.l, q * q * sizeof *inverse);
  MN_TRY(mn_chol_inverse(ctx, q, inverse));
  for (size_t c = 0; c < count; c++) {
    const size_t f = effect_index(m, &effects[c]);
    out[c] = r->solution.root[f] * r->solution.root[f] * inverse[f * q + f];
  }
  return MN_OK;
}

/* v - g' D P D g. */
static mn_status variances_by_kernel(mn_context *ctx, const mn_interaction *m, const struct posterior *r, size_t count,
                                     const struct effect *effects, double *out)
{
  const size_t n = m->z.rows;
  double *g = MN_RAW(ctx, double, n, count), factor;
  MN_CHECK_ALLOC(g);
  for (size_t c = 0; c < count; c++) {
    const struct effect *e = &effects[c];
    (void)prior_variance(m, e, &factor);
    for (size_t i = 0; i < n; i++) {
      const double *z = mn_row(&m->z, i);
      g[i * count + c] = m->root.at[i] * factor * z[e->first] * (e->second == NONE ? 1 : z[e->second]);
    }
  }
  MN_TRY(explained_variance(ctx, m, &r->f, count, g, out));
  for (size_t c = 0; c < count; c++) out[c] = fmax(prior_variance(m, &effects[c], &factor) - out[c], 0);
  return MN_OK;
}

static mn_status find_effects(mn_context *ctx, const mn_interaction *m, size_t count, struct effect *effects)
{
  struct posterior r;
  double *variance = MN_RAW(ctx, double, count, 1);
  MN_CHECK_ALLOC(variance);
  MN_TRY(rebuild_posterior(ctx, m, &r));
  MN_TRY(r.by_effects ? variances_by_effects(ctx, m, &r, count, effects, variance)
                      : variances_by_kernel(ctx, m, &r, count, effects, variance));
  for (size_t c = 0; c < count; c++) {
    struct effect *e = &effects[c];
    double factor, sum = 0, scale = column_scale(m, e->first);
    if (e->second != NONE) scale *= column_scale(m, e->second);
    (void)prior_variance(m, e, &factor);
    for (size_t i = 0; i < m->z.rows; i++) {
      const double *z = mn_row(&m->z, i);
      sum += m->pull.at[i] * factor * z[e->first] * (e->second == NONE ? 1 : z[e->second]);
    }
    e->size = fabs(sum);
    e->estimate = sum / scale;
    e->std = m->sigma * sqrt(variance[c]) / scale;
  }
  return MN_OK;
}

static int compare_strength(const void *left, const void *right)
{
  const struct effect *a = left, *b = right;
  if (a->size != b->size) return a->size > b->size ? -1 : 1;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return a->second < b->second ? -1 : a->second > b->second;
}

enum { NAME_SIZE = 24 };

static const char *column_name(const mn_interaction *m, size_t position, char text[NAME_SIZE])
{
  const size_t j = (size_t)m->relevant.at[position];
  if (m->linear.base.feature_names.at) return m->linear.base.feature_names.at[j];
  snprintf(text, NAME_SIZE, "x%zu", j + 1);
  return text;
}

/* "age", "age:bmi" or "bmi^2". */
static mn_status term_name(mn_context *ctx, const mn_interaction *m, const struct effect *e, const char **out)
{
  char one[NAME_SIZE], two[NAME_SIZE];
  const char *first = column_name(m, e->first, one), *between = e->second == NONE ? "" : ":", *second = "";
  if (e->second == e->first)
    between = "^2";
  else if (e->second != NONE)
    second = column_name(m, e->second, two);
  const size_t size = strlen(first) + strlen(second) + 3;
  char *text = MN_RAW(ctx, char, size, 1);
  MN_CHECK_ALLOC(text);
  snprintf(text, size, "%s%s%s", first, between, second);
  *out = text;
  return MN_OK;
}

static mn_status write_effects(mn_context *ctx, const mn_interaction *m, size_t count, const struct effect *effects,
                               bool pairs, double level, mn_results *results)
{
  mn_indexes *first, *second = NULL;
  mn_vector *estimate, *std, *low, *high;
  const double z = mn_normal_quantile((1 + level) / 2);
  const char **names = MN_RAW(ctx, const char *, count, 1);
  MN_CHECK_ALLOC(names);
  for (size_t c = 0; c < count; c++) MN_TRY(term_name(ctx, m, &effects[c], &names[c]));
  MN_TRY(mn_result_names(ctx, results, "effects.term", names, count));
  MN_TRY(mn_result_indexes(ctx, results, pairs ? "effects.first" : "effects.column", count, &first));
  if (pairs) MN_TRY(mn_result_indexes(ctx, results, "effects.second", count, &second));
  MN_TRY(mn_result_vector(ctx, results, "effects.estimate", count, &estimate));
  MN_TRY(mn_result_vector(ctx, results, "effects.std", count, &std));
  MN_TRY(mn_result_vector(ctx, results, "effects.low", count, &low));
  MN_TRY(mn_result_vector(ctx, results, "effects.high", count, &high));
  for (size_t c = 0; c < count; c++) {
    first->at[c] = m->relevant.at[effects[c].first];
    if (second) second->at[c] = m->relevant.at[effects[c].second];
    estimate->at[c] = effects[c].estimate;
    std->at[c] = effects[c].std;
    low->at[c] = effects[c].estimate - z * effects[c].std;
    high->at[c] = effects[c].estimate + z * effects[c].std;
  }
  return MN_OK;
}

struct list_options {
  int64_t columns, most;
  double level;
};

static const mn_param list_params[] = {
  MN_COUNT(struct list_options, columns, 50, MN_AT_LEAST(1),
           "number of columns to consider, those with the largest kappa"),
  MN_COUNT(struct list_options, most, 20, MN_AT_LEAST(1), "maximum number of effects to return, the strongest first"),
  MN_REAL(struct list_options, level, 0.95, MN_OPEN(0, 1), "probability of the central interval"),
  MN_END,
};

/* Positions of the *size relevant columns with the largest kappa, in decreasing order. */
static mn_status top_columns(mn_context *ctx, const mn_interaction *m, int64_t max_columns, size_t *size, size_t **out)
{
  const size_t k = m->relevant.size;
  size_t *position = *out = MN_RAW(ctx, size_t, k, 1);
  MN_CHECK_ALLOC(position);
  for (size_t c = 0; c < k; c++) {
    size_t i = c;
    for (; i > 0 && m->u.at[position[i - 1]] < m->u.at[c]; i--) position[i] = position[i - 1];
    position[i] = c;
  }
  *size = (uint64_t)max_columns < k ? (size_t)max_columns : k;
  return MN_OK;
}

static mn_status list_effects(mn_context *ctx, const mn_interaction *m, const struct list_options *o, bool pairs,
                              mn_results *results)
{
  size_t columns, *position, count = 0;
  MN_TRY(top_columns(ctx, m, o->columns, &columns, &position));
  struct effect *effects = MN_NEW(ctx, struct effect, columns, pairs ? columns : 1);
  MN_CHECK_ALLOC(effects);
  for (size_t a = 0; a < columns; a++) {
    if (!pairs) effects[count++] = (struct effect){ .first = position[a], .second = NONE };
    for (size_t b = a; pairs && b < columns; b++) {
      const size_t low = position[a] < position[b] ? position[a] : position[b], high = position[a] + position[b] - low;
      if (a != b || m->squares) effects[count++] = (struct effect){ .first = low, .second = high };
    }
  }
  if (count > 0) MN_TRY(find_effects(ctx, m, count, effects));
  qsort(effects, count, sizeof *effects, compare_strength);
  return write_effects(ctx, m, (uint64_t)o->most < count ? (size_t)o->most : count, effects, pairs, o->level, results);
}

static mn_status main_effects(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                              mn_results *results)
{
  (void)data;
  return list_effects(ctx, self, options, false, results);
}

static mn_status interactions(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                              mn_results *results)
{
  (void)data;
  return list_effects(ctx, self, options, true, results);
}

struct pair_options {
  int64_t first, second;
};

static const mn_param pair_params[] = {
  MN_COUNT(struct pair_options, first, MN_UNSET, MN_AT_LEAST(1), "column of X, from 1"),
  MN_COUNT(struct pair_options, second, MN_UNSET, MN_AT_LEAST(1),
           "another column of X, from 1; the same one for squares"),
  MN_END,
};

static mn_status check_column(mn_context *ctx, const mn_interaction *m, const char *which, int64_t column)
{
  const size_t p = m->kappa.size;
  if (column == MN_UNSET)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: interaction: %s must be a column of X (1 to %zu), got none", name, which,
                   p);
  if (column <= (int64_t)p) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: interaction: %s must be a column of X (1 to %zu), got %lld", name, which, p,
                 (long long)column);
}

static size_t find_relevant(const mn_interaction *m, int64_t column)
{
  for (size_t c = 0; c < m->relevant.size; c++)
    if (m->relevant.at[c] == column - 1) return c;
  return NONE;
}

static mn_status interaction(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                             mn_results *results)
{
  (void)data;
  const mn_interaction *m = self;
  const struct pair_options *o = options;
  MN_TRY(check_column(ctx, m, "first", o->first));
  MN_TRY(check_column(ctx, m, "second", o->second));
  if (o->first == o->second && !m->squares)
    return mn_fail(
        ctx, MN_BAD_ARGUMENT,
        "%s: interaction: first and second must be two columns, got %lld for both; fit with squares = true for squares",
        name, (long long)o->first);
  const int64_t low = o->first < o->second ? o->first : o->second, high = o->first + o->second - low;
  struct effect e = { .first = find_relevant(m, low), .second = find_relevant(m, high) };
  if (e.first != NONE && e.second != NONE) MN_TRY(find_effects(ctx, m, 1, &e));
  mn_result_real(results, "estimate", e.estimate);
  mn_result_real(results, "std", e.std);
  return MN_OK;
}

/* Covariances of a row of X with the training rows, times their roots, into g (step apart). Returns its prior variance.
 */
static double covariances(const mn_interaction *m, const double *x, double *v, double *g, size_t step)
{
  const size_t k = m->relevant.size;
  const double half = m->omega * m->omega / 2;
  double s = 0, q = 0;
  for (size_t c = 0; c < k; c++) {
    const size_t j = (size_t)m->relevant.at[c];
    const double z = (x[j] - m->center.at[j]) / m->scale.at[j];
    v[c] = m->u.at[c] * z;
    s += v[c] * z;
    q += v[c] * z * v[c] * z;
  }
  const double own = s + half * (s * s - (m->squares ? 0 : q));
  for (size_t i = 0; i < m->z.rows; i++) {
    const double *z = mn_row(&m->z, i);
    s = q = 0;
    for (size_t c = 0; c < k; c++) {
      s += v[c] * z[c];
      q += v[c] * z[c] * v[c] * z[c];
    }
    g[i * step] = m->root.at[i] * (s + half * (s * s - (m->squares ? 0 : q)));
  }
  return own;
}

/* Variances of the mean at the rows over s2: k(x, x) - g' inv(B) g + (1 - e' inv(B) g)^2 / (e' inv(B) e). */
static mn_status variance_by_kernel(mn_context *ctx, const mn_interaction *m, const mn_interaction_posterior *f,
                                    const mn_data *data, double *out)
{
  enum { BLOCK = 256 };
  const size_t n = m->z.rows;
  double *v = MN_RAW(ctx, double, m->relevant.size, 1), *g = MN_RAW(ctx, double, n, BLOCK);
  double *explained = MN_RAW(ctx, double, BLOCK, 1);
  if (!v || !g || !explained) return MN_NO_MEMORY;
  for (size_t from = 0; from < data->rows; from += BLOCK) {
    const size_t count = data->rows - from < BLOCK ? data->rows - from : BLOCK;
    const mn_mark mark = mn_scratch_mark(ctx);
    for (size_t c = 0; c < count; c++) {
      double cross = 0;
      out[from + c] = covariances(m, mn_row(&data->x, from + c), v, g + c, count);
      for (size_t i = 0; i < n; i++) cross += f->ones[i] * g[i * count + c];
      out[from + c] += (1 - 2 * cross) / f->total;
    }
    MN_TRY(explained_variance(ctx, m, f, count, g, explained));
    /* explained_variance subtracts cross^2 / total, which completes the square */
    for (size_t c = 0; c < count; c++) out[from + c] = fmax(out[from + c] - explained[c], 0);
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

/* The same by the centered effects w of a row, times the roots of their prior variances: w' inv(M) w + 1 / W. */
static mn_status variance_by_effects(mn_context *ctx, const mn_interaction *m, const struct posterior *r,
                                     const mn_data *data, double *out)
{
  const size_t q = r->solution.q, k = m->relevant.size;
  double *z = MN_RAW(ctx, double, k, 1), *w = MN_RAW(ctx, double, q, 1);
  if (!z || !w) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    for (size_t c = 0; c < k; c++) {
      const size_t j = (size_t)m->relevant.at[c];
      z[c] = (mn_row(&data->x, i)[j] - m->center.at[j]) / m->scale.at[j];
    }
    mn_interaction_expand_row(&r->state, m->squares, z, w);
    for (size_t f = 0; f < q; f++) w[f] = r->solution.root[f] * (w[f] - r->problem.effects.mean[f]);
    MN_TRY(mn_chol_lower(ctx, q, 1, r->solution.l, w));
    out[i] = 1 / m->n;
    for (size_t f = 0; f < q; f++) out[i] += w[f] * w[f];
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status mean_variance(mn_context *ctx, const mn_interaction *m, const mn_data *data, double *out)
{
  struct posterior r;
  MN_TRY(rebuild_posterior(ctx, m, &r));
  return r.by_effects ? variance_by_effects(ctx, m, &r, data, out) : variance_by_kernel(ctx, m, &r.f, data, out);
}

static mn_status predict_interval(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  const mn_interaction *m = self;
  const size_t n = data->rows;
  mn_intervals out;
  MN_TRY(mn_intervals_make(ctx, results, n, &out));
  double *std = out.std->at;
  MN_TRY(m->linear.base.class->predict(ctx, self, data, &(mn_matrix){ .at = out.mean->at, .rows = n, .cols = 1 }));
  for (size_t i = 0; i < n; i++) std[i] = 1 / m->n;
  if (m->relevant.size > 0) MN_TRY(mean_variance(ctx, m, data, std));
  for (size_t i = 0; i < n; i++) std[i] = m->sigma * sqrt(1 + std[i]);
  mn_intervals_normal(&out, ((const mn_interval_options *)options)->level);
  return mn_poll(ctx);
}

#define MN_LIST_RETURNS "estimate, std, low and high: posterior mean, standard deviation and central interval"

const mn_operation mn_interaction_operations[] = {
  { .name = "main_effects",
    .brief = "strongest main effects, per unit of the column, at the means of the others",
    .returns = "Frame, ordered by magnitude per standard deviation of the column: term, column, " MN_LIST_RETURNS,
    .options = list_params,
    .options_size = sizeof(struct list_options),
    .run = main_effects },
  { .name = "interactions",
    .brief = "strongest products of two centered columns, among those with the largest kappa",
    .returns =
        "Frame, ordered by magnitude per standard deviations of the columns: term (\"a:b\"; \"a^2\" for squares), first and second (columns), " MN_LIST_RETURNS,
    .options = list_params,
    .options_size = sizeof(struct list_options),
    .run = interactions },
  { .name = "interaction",
    .brief = "effect of the product of two centered columns; 0 if a kappa is 0",
    .returns = "estimate and std: posterior mean and standard deviation",
    .options = pair_params,
    .options_size = sizeof(struct pair_options),
    .run = interaction },
  MN_PREDICT_INTERVAL("", predict_interval),
  { .name = NULL },
};
