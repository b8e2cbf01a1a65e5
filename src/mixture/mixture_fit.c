/* EM for MixtureModel. */
#include "gaussian.h"
#include "mixture_model.h"
#include <string.h>

enum { SMALL_PROBLEM = 1 << 21 };

struct problem {
  const mn_family_mixture *m;
  const mn_data *data;
  mn_data points; /* for the starts: standardized, without missing values */
  mn_mixture_layout layout;
  double *mean, *variance; /* p */
  double total;
};

/* The state: k weights, then k x size parameters. The workspace: sums. */
static mn_status run_pass(mn_context *ctx, const struct problem *f, const double *state, const int32_t *label,
                          double *sums)
{
  const size_t k = f->layout.k;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *log_weight = MN_RAW(ctx, double, k, 1);
  MN_CHECK_ALLOC(log_weight);
  for (size_t c = 0; c < k; c++) log_weight[c] = fmax(log(state[c]), -1e300);
  const mn_mixture_pass pass = {
    .layout = &f->layout, .data = f->data, .log_weight = log_weight, .t = state + k, .label = label, .sums = sums
  };
  MN_TRY(mn_mixture_run_pass(ctx, &pass));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status make_workspace(mn_context *ctx, void *problem, void **out)
{
  const struct problem *f = problem;
  *out = MN_RAW(ctx, double, mn_mixture_sums_size(&f->layout), 1);
  return *out ? MN_OK : MN_NO_MEMORY;
}

static mn_status derive(mn_context *ctx, const struct problem *f, double *state)
{
  const mn_mixture_layout *l = &f->layout;
  for (size_t c = 0; c < l->k; c++)
    for (size_t i = 0; i < l->blocks; i++)
      MN_TRY(l->block[i].family->derive(ctx, l->block + i, state + l->k + c * l->size + l->block[i].first));
  return MN_OK;
}

static mn_status maximize(mn_context *ctx, void *problem, void *workspace, double *state, bool *degenerate)
{
  const struct problem *f = problem;
  const mn_mixture_layout *l = &f->layout;
  const double *sums = workspace;
  double total = 0;
  *degenerate = false;
  for (size_t c = 0; c < l->k; c++) total += sums[c * (1 + l->blocks + l->stats)];
  for (size_t c = 0; c < l->k; c++) {
    const double *s = sums + c * (1 + l->blocks + l->stats);
    state[c] = s[0] / total;
    for (size_t i = 0; i < l->blocks; i++) {
      const mn_mixture_block *b = l->block + i;
      double *t = state + l->k + c * l->size + b->first;
      if (s[1 + i] > 1e-10) MN_TRY(b->family->maximize(ctx, b, s[1 + i], s + 1 + l->blocks + b->first_stat, t));
    }
  }
  return derive(ctx, f, state);
}

static mn_status expect(mn_context *ctx, void *problem, void *workspace, const double *state, double *objective)
{
  const struct problem *f = problem;
  double *sums = workspace;
  MN_TRY(run_pass(ctx, f, state, NULL, sums));
  *objective = -sums[mn_mixture_sums_size(&f->layout) - 2];
  return MN_OK;
}

/* Parameters before the first M step: moments of all rows. A component without rows keeps those of all rows. */
static mn_status begin(mn_context *ctx, const struct problem *f, double *state)
{
  const mn_mixture_layout *l = &f->layout;
  double *moments = MN_RAW(ctx, double, 2, l->p);
  MN_CHECK_ALLOC(moments);
  memset(state, 0, l->k * (1 + l->size) * sizeof *state);
  for (size_t c = 0; c < l->k; c++)
    for (size_t i = 0; i < l->blocks; i++) {
      const mn_mixture_block *b = l->block + i;
      for (size_t j = 0; j < b->d; j++) {
        moments[j] = f->mean[b->column[j]];
        moments[l->p + j] = f->variance[b->column[j]];
      }
      if (b->family->begin) b->family->begin(b, moments, moments + l->p, state + l->k + c * l->size + b->first);
    }
  int32_t *one = MN_NEW(ctx, int32_t, f->data->rows, 1);
  double *sums = MN_RAW(ctx, double, mn_mixture_sums_size(l), 1);
  bool degenerate;
  if (!one || !sums) return MN_NO_MEMORY;
  for (size_t i = 0; i < l->blocks; i++)
    if (l->block[i].family == &mn_family_student_t)
      for (size_t c = 0; c < l->k; c++)
        MN_TRY(l->block[i].family->derive(ctx, l->block + i, state + l->k + c * l->size + l->block[i].first));
  MN_TRY(run_pass(ctx, f, state, one, sums));
  MN_TRY(maximize(ctx, (void *)(uintptr_t)f, sums, state, &degenerate));
  for (size_t c = 1; c < l->k; c++) memcpy(state + l->k + c * l->size, state + l->k, l->size * sizeof *state);
  return derive(ctx, f, state);
}

static mn_status start(mn_context *ctx, void *problem, void *workspace, size_t index, double *state, double *objective)
{
  const struct problem *f = problem;
  const mn_mixture_layout *l = &f->layout;
  mn_rng rng = mn_stream(f->m->seed, index);
  int32_t *label = MN_RAW(ctx, int32_t, f->data->rows, 1);
  bool degenerate;
  MN_CHECK_ALLOC(label);
  MN_TRY(begin(ctx, f, state));
  MN_TRY(mn_mixture_start_labels(ctx, &f->points, l->k, f->m->init_params, &rng, label));
  *objective = INFINITY;
  MN_TRY(run_pass(ctx, f, state, label, workspace));
  MN_TRY(maximize(ctx, problem, workspace, state, &degenerate));
  return run_pass(ctx, f, state, label, workspace); /* again, about the parameters of each component */
}

static mn_status fail(mn_context *ctx, void *problem, size_t index)
{
  (void)problem;
  (void)index;
  return mn_fail(ctx, MN_SINGULAR, "MixtureModel: the likelihood is not finite; increase reg_covar");
}

/* Means and variances of the known values, and standardized columns. */
static mn_status make_points(mn_context *ctx, struct problem *f)
{
  const mn_data *d = f->data;
  const size_t n = d->rows, p = d->features;
  double *x = MN_RAW(ctx, double, n, p);
  f->mean = MN_NEW(ctx, double, p, 1);
  f->variance = MN_NEW(ctx, double, p, 1);
  if (!x || !f->mean || !f->variance) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) {
    double total = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
      const double value = mn_row(&d->x, i)[j], w = mn_weight(d, i);
      if (isnan(value)) continue;
      const double moved = value - f->mean[j];
      total += w;
      f->mean[j] += w / total * moved;
      square += w * moved * (value - f->mean[j]);
    }
    if (!(total > 0)) return mn_fail(ctx, MN_BAD_DATA, "column %zu of X has only missing values; remove it", j + 1);
    f->variance[j] = square / total;
    const double scale = f->variance[j] > 0 ? 1 / sqrt(f->variance[j]) : 1;
    for (size_t i = 0; i < n; i++) {
      const double value = mn_row(&d->x, i)[j];
      x[i * p + j] = isnan(value) ? 0 : (value - f->mean[j]) * scale;
    }
  }
  f->points = *d;
  f->points.x.at = x;
  return MN_OK;
}

static mn_status store(mn_context *ctx, mn_family_mixture *m, const struct problem *f, double *state)
{
  const mn_mixture_layout *l = &f->layout;
  const size_t size = mn_mixture_sums_size(l);
  double *sums = MN_RAW(ctx, double, size, 1);
  MN_CHECK_ALLOC(sums);
  MN_TRY(run_pass(ctx, f, state, NULL, sums));
  MN_TRY(mn_vector_init(ctx, &m->weights, l->k));
  MN_TRY(mn_matrix_init(ctx, &m->parameters, l->k, l->shown));
  memcpy(m->weights.at, state, l->k * sizeof *state);
  m->n_parameters = (int64_t)l->k - 1;
  size_t at = 0;
  for (size_t i = 0; i < l->blocks; i++) {
    const mn_mixture_block *b = l->block + i;
    for (size_t c = 0; c < l->k; c++)
      memcpy(mn_row(&m->parameters, c) + at, state + l->k + c * l->size + b->first, b->shown * sizeof *state);
    at += b->shown;
    m->n_parameters += (int64_t)l->k * b->family->free_parameters(b);
  }
  m->loglik = sums[size - 2];
  m->aic = 2 * (double)m->n_parameters - 2 * m->loglik;
  m->bic = log(f->total) * (double)m->n_parameters - 2 * m->loglik;
  m->icl = m->bic - 2 * sums[size - 1];
  return MN_OK;
}

mn_status mn_mixture_model_fit(mn_context *ctx, void *self, const mn_data *data)
{
  mn_family_mixture *m = self;
  struct problem f = { .m = m, .data = data, .total = mn_total_weight(data) };
  if ((uint64_t)m->n_components > data->rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "MixtureModel: n_components must be at most the number of rows, %zu, got %lld",
                   data->rows, (long long)m->n_components);
  MN_TRY(mn_mixture_choose_families(ctx, "MixtureModel: family", &m->family.name, data, &m->column_family,
                                    &m->column_levels));
  MN_TRY(mn_mixture_make_layout(ctx, m, &f.layout));
  MN_TRY(mn_mixture_check_values(ctx, &f.layout, data));
  MN_TRY(make_points(ctx, &f));
  const mn_em em = { .problem = &f,
                     .state_size = f.layout.k * (1 + f.layout.size),
                     .starts = (size_t)m->n_init,
                     .starts_in_threads = data->rows * f.layout.k * f.layout.size < SMALL_PROBLEM,
                     .max_iter = m->max_iter,
                     .tol = m->tol,
                     .scale = f.total,
                     .advice = "increase max_iter or tol; EM is slow if components overlap",
                     .make_workspace = make_workspace,
                     .start = start,
                     .maximize = maximize,
                     .expect = expect,
                     .fail = fail };
  double *state = MN_RAW(ctx, double, em.state_size, 1);
  MN_CHECK_ALLOC(state);
  MN_TRY(mn_em_fit(ctx, &em, state, &m->base.report));
  return store(ctx, m, &f, state);
}

mn_status mn_mixture_view(mn_context *ctx, const mn_family_mixture *m, mn_mixture_layout *l, double **t,
                          double **log_weight)
{
  MN_TRY(mn_mixture_make_layout(ctx, m, l));
  l->k = m->weights.size;
  *t = MN_NEW(ctx, double, l->k, l->size);
  *log_weight = MN_RAW(ctx, double, l->k, 1);
  if (!*t || !*log_weight) return MN_NO_MEMORY;
  for (size_t c = 0; c < l->k; c++) {
    size_t at = 0;
    (*log_weight)[c] = fmax(log(m->weights.at[c]), -1e300);
    for (size_t i = 0; i < l->blocks; i++) {
      const mn_mixture_block *b = l->block + i;
      double *to = *t + c * l->size + b->first;
      memcpy(to, mn_row(&m->parameters, c) + at, b->shown * sizeof *to);
      at += b->shown;
      MN_TRY(b->family->derive(ctx, b, to));
    }
  }
  return MN_OK;
}
