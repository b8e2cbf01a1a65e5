/* Starts of EM: states of the rows by k-means, by equal parts of each sequence, or as known; the first M step uses
 * them as if they were observed. Without columns of numbers, the emissions are random. */
#include "hmm_fit.h"
#include <string.h>

mn_status mn_hmm_prepare_start(mn_context *ctx, mn_hmm_problem *f)
{
  const mn_data *d = f->data;
  const size_t n = d->rows, p = d->features;
  size_t columns = 0;
  double *x = MN_NEW(ctx, double, n, p);
  f->mean = MN_NEW(ctx, double, p, 1);
  f->variance = MN_NEW(ctx, double, p, 1);
  if (!x || !f->mean || !f->variance) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) columns += !(f->m->column_levels.at[j] > 0);
  for (size_t j = 0, to = 0; j < p; j++) {
    double known = 0, square = 0;
    if (f->m->column_levels.at[j] > 0) continue;
    for (size_t i = 0; i < n; i++) {
      const double value = mn_row(&d->x, i)[j], moved = value - f->mean[j];
      if (isnan(value)) continue;
      f->mean[j] += moved / ++known;
      square += moved * (value - f->mean[j]);
    }
    if (!(known > 0))
      return mn_fail(ctx, MN_BAD_DATA, "HMM: column %zu of X has only missing values; remove it", j + 1);
    if (!isfinite(square))
      return mn_fail(ctx, MN_BAD_DATA, "HMM: the squares of column %zu of X overflow; scale X", j + 1);
    f->variance[j] = square / known;
    const double scale = f->variance[j] > 0 ? 1 / sqrt(f->variance[j]) : 1;
    for (size_t i = 0; i < n; i++) {
      const double value = mn_row(&d->x, i)[j];
      x[i * columns + to] = isnan(value) ? 0 : (value - f->mean[j]) * scale;
    }
    to++;
  }
  f->points = (mn_data){ .rows = n, .features = columns, .x = { .at = x, .rows = n, .cols = columns } };
  return MN_OK;
}

static mn_status check_shape(mn_context *ctx, const char *name, size_t rows, size_t cols, size_t wanted_rows,
                             size_t wanted_cols)
{
  if (rows == 0 || (rows == wanted_rows && cols == wanted_cols)) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: %s must be %zu x %zu, got %zu x %zu", name, wanted_rows, wanted_cols, rows,
                 cols);
}

static mn_status check_sums(mn_context *ctx, const char *name, size_t rows, size_t k, const double *p)
{
  for (size_t r = 0; p && r < rows; r++) {
    double sum = 0;
    for (size_t j = 0; j < k; j++) sum += p[r * k + j];
    if (!(fabs(sum - 1) <= 1e-6))
      return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: row %zu of %s must add up to 1, got %.10g", r + 1, name, sum);
  }
  return MN_OK;
}

mn_status mn_hmm_check_given(mn_context *ctx, const mn_hmm_problem *f)
{
  const mn_hmm_model *m = f->m;
  const mn_hmm_layout *l = &f->layout;
  const size_t blocks = l->diagonal ? l->gaussians : l->gaussians * l->g;
  MN_TRY(check_shape(ctx, "startprob_init", m->startprob_init.size > 0, m->startprob_init.size, 1, f->k));
  MN_TRY(check_shape(ctx, "transmat_init", m->transmat_init.rows, m->transmat_init.cols, f->topology.rows, f->k));
  MN_TRY(check_shape(ctx, "means_init", m->means_init.rows, m->means_init.cols, l->gaussians, l->g));
  MN_TRY(check_shape(ctx, "covariances_init", m->covariances_init.rows, m->covariances_init.cols, blocks, l->g));
  MN_TRY(check_shape(ctx, "emission_init", m->emission_init.rows, m->emission_init.cols, f->k, l->other.shown));
  MN_TRY(check_shape(ctx, "startprob_pseudocounts", m->startprob_pseudocounts.size > 0, m->startprob_pseudocounts.size,
                     1, f->k));
  MN_TRY(check_shape(ctx, "transmat_pseudocounts", m->transmat_pseudocounts.rows, m->transmat_pseudocounts.cols,
                     f->topology.rows, f->k));
  MN_TRY(check_shape(ctx, "emission_pseudocounts", m->emission_pseudocounts.rows, m->emission_pseudocounts.cols, f->k,
                     l->other.shown));
  MN_TRY(check_sums(ctx, "startprob_init", 1, f->k, m->startprob_init.at));
  return check_sums(ctx, "transmat_init", f->topology.rows, f->k, m->transmat_init.at);
}

/* --- counts of known states --- */

/* Add the ends of a stay of `rows` rows, and what goes on. */
static void count_stay(const mn_hmm_topology *t, size_t state, size_t rows, bool ended, double *counts)
{
  double *exits = counts + t->k + t->rows * t->k + 2 * state * t->durations;
  for (size_t a = 0; a < rows; a++) {
    const size_t at = a < t->durations ? a : t->durations - 1;
    if (a + 1 < rows)
      exits[2 * at + 1]++;
    else if (ended)
      exits[2 * at]++;
  }
}

/* With durations the state before is that of the stay before. */
static void count_sequence(const mn_hmm_topology *t, const int32_t *label, size_t n, double *counts)
{
  const size_t k = t->k;
  size_t entered = 0;
  int32_t before = -1;
  if (n > 0 && label[0] >= 0) counts[label[0]]++;
  for (size_t i = 1; i < n; i++) {
    const int32_t from = label[i - 1], to = label[i];
    if (to != from || from < 0) {
      if (t->durations > 0 && from >= 0) count_stay(t, (size_t)from, i - entered, to >= 0, counts);
    } else if (t->durations > 0) {
      continue;
    }
    if (from >= 0 && to >= 0 && (t->order == 1 || entered == 0))
      counts[k + (size_t)from * k + (size_t)to]++;
    else if (from >= 0 && to >= 0 && before >= 0)
      counts[k + (k + (size_t)before * k + (size_t)from) * k + (size_t)to]++;
    entered = i;
    before = from;
  }
  if (t->durations > 0 && n > 0 && label[n - 1] >= 0) count_stay(t, (size_t)label[n - 1], n - entered, false, counts);
}

/* --- labels --- */

static void equal_parts(const mn_hmm_problem *f, int32_t *label)
{
  const mn_data *d = f->data;
  for (size_t s = 0, first = 0; s < mn_sequences(d); first += mn_sequence_rows(d, s), s++)
    for (size_t i = 0, n = mn_sequence_rows(d, s); i < n; i++) label[first + i] = (int32_t)(i * f->k / n);
}

static mn_status start_labels(mn_context *ctx, const mn_hmm_problem *f, mn_rng *rng, int32_t *label)
{
  if (f->label) {
    memcpy(label, f->label, f->data->rows * sizeof *label);
  } else if (f->m->topology == MN_HMM_LEFT_RIGHT) {
    equal_parts(f, label);
  } else if (f->points.features > 0) {
    return mn_mixture_start_labels(ctx, &f->points, f->k, f->m->init_params, rng, label);
  } else {
    for (size_t i = 0; i < f->data->rows; i++) label[i] = (int32_t)mn_random_below(rng, f->k);
  }
  return MN_OK;
}

/* Emission parameters of all states: those of all rows. */
static mn_status begin_emissions(mn_context *ctx, const mn_hmm_problem *f, double *emission)
{
  const mn_hmm_layout *l = &f->layout;
  double *moments = MN_RAW(ctx, double, 2, l->p);
  bool degenerate;
  MN_CHECK_ALLOC(moments);
  if (l->g > 0) {
    const mn_gaussians g = mn_hmm_gaussians(l, emission);
    for (size_t c = 0; c < g.k; c++) {
      g.weight[c] = 1 / (double)l->mix;
      for (size_t j = 0; j < l->g; j++) {
        g.mean[c * l->g + j] = f->mean[l->g_column[j]];
        g.covariance[c * g.width + (l->diagonal ? j : j * (l->g + 1))] = fmax(f->variance[l->g_column[j]], DBL_MIN);
      }
    }
  }
  for (size_t s = 0; s < l->k; s++)
    for (size_t i = 0; i < l->other.blocks; i++) {
      const mn_mixture_block *b = l->other.block + i;
      for (size_t j = 0; j < b->d; j++) {
        moments[j] = f->mean[b->column[j]];
        moments[l->p + j] = f->variance[b->column[j]];
      }
      for (size_t v = 0; v < b->levels; v++) mn_hmm_block(l, emission, s, i)[v] = 1 / (double)b->levels;
      if (b->family->begin) b->family->begin(b, moments, moments + l->p, mn_hmm_block(l, emission, s, i));
    }
  return mn_hmm_derive_emissions(ctx, l, emission, &degenerate);
}

/* The M step of the emissions for labels as states. */
static mn_status learn_emissions(mn_context *ctx, const mn_hmm_problem *f, const int32_t *label, double *emission,
                                 bool *degenerate)
{
  enum { ROWS = 1024 };
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_hmm_layout *l = &f->layout;
  mn_hmm_densities d;
  MN_TRY(mn_hmm_densities_make(ctx, l, &f->rows, emission, &d));
  double *gamma = MN_RAW(ctx, double, ROWS, l->w), *work = MN_RAW(ctx, double, mn_hmm_emission_workspace(l), 1);
  double *sums = MN_NEW(ctx, double, l->stats, 1);
  double *given = MN_NEW(ctx, double, f->rows.incomplete.rows + 1, l->gaussians + 1);
  if (!gamma || !work || !sums || !given) return MN_NO_MEMORY;
  for (size_t begin = 0; begin < f->data->rows; begin += ROWS) {
    const size_t end = f->data->rows - begin < ROWS ? f->data->rows : begin + ROWS;
    memset(gamma, 0, ROWS * l->w * sizeof *gamma);
    for (size_t i = begin; i < end; i++)
      if (label[i] >= 0) gamma[(i - begin) * l->w + (size_t)label[i]] = 1;
    mn_hmm_add_emissions(&d, begin, end, gamma, work, sums, given);
    MN_TRY(mn_poll(ctx));
  }
  MN_TRY(mn_hmm_finish_sums(ctx, &d, sums, given));
  MN_TRY(mn_hmm_maximize_emissions(ctx, l, sums, emission, degenerate));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Move apart what would be equal: the components of a state, and categories that began with random states. */
static void disturb(const mn_hmm_problem *f, mn_rng *rng, double *emission)
{
  const mn_hmm_layout *l = &f->layout;
  const mn_gaussians g = mn_hmm_gaussians(l, emission);
  for (size_t c = 0; l->mix > 1 && c < l->gaussians; c++)
    for (size_t j = 0; j < l->g; j++)
      g.mean[c * l->g + j] +=
          sqrt(g.covariance[c * g.width + (l->diagonal ? j : j * (l->g + 1))]) * mn_random_normal(rng);
  for (size_t s = 0; !f->label && f->points.features == 0 && s < l->k; s++)
    for (size_t i = 0; i < l->other.blocks; i++) {
      double *t = mn_hmm_block(l, emission, s, i), total = 0;
      for (size_t v = 0; v < l->other.block[i].levels; v++) total += t[v] *= 0.25 + mn_random_uniform(rng);
      for (size_t v = 0; v < l->other.block[i].levels; v++) t[v] /= total;
    }
}

static void use_given(const mn_hmm_problem *f, double *state)
{
  const mn_hmm_model *m = f->m;
  const mn_hmm_layout *l = &f->layout;
  double *emission = state + f->topology.size;
  const mn_gaussians g = mn_hmm_gaussians(l, emission);
  if (m->startprob_init.at) memcpy(state, m->startprob_init.at, f->k * sizeof *state);
  if (m->transmat_init.at) memcpy(state + f->k, m->transmat_init.at, f->topology.rows * f->k * sizeof *state);
  if (m->means_init.at) memcpy(g.mean, m->means_init.at, l->gaussians * l->g * sizeof *state);
  if (m->covariances_init.at) memcpy(g.covariance, m->covariances_init.at, l->gaussians * g.width * sizeof *state);
  for (size_t s = 0; m->emission_init.at && s < f->k; s++) {
    const double *from = mn_row(&m->emission_init, s);
    for (size_t b = 0; b < l->other.blocks; from += l->other.block[b].shown, b++)
      memcpy(mn_hmm_block(l, emission, s, b), from, l->other.block[b].shown * sizeof *from);
  }
}

bool mn_hmm_is_given(const mn_hmm_problem *f)
{
  const mn_hmm_model *m = f->m;
  return m->startprob_init.at && m->transmat_init.at && f->topology.durations == 0 && f->layout.mix == 1 &&
         (f->layout.g == 0 || (m->means_init.at && m->covariances_init.at)) &&
         (f->layout.other.blocks == 0 || m->emission_init.at);
}

/* The chain of labels; those that are guesses count with one more transition of each kind. */
static mn_status learn_chain(mn_context *ctx, const mn_hmm_problem *f, const int32_t *label, double *chain)
{
  const mn_hmm_topology *t = &f->topology;
  const mn_data *d = f->data;
  double *counts = MN_RAW(ctx, double, t->size, 1);
  MN_CHECK_ALLOC(counts);
  bool whole = f->label != NULL;
  for (size_t i = 0; whole && i < d->rows; i++) whole = f->label[i] >= 0;
  for (size_t i = 0; i < t->size; i++) counts[i] = whole ? 0 : 1;
  for (size_t s = 0, first = 0; s < mn_sequences(d); first += mn_sequence_rows(d, s), s++)
    count_sequence(t, label + first, mn_sequence_rows(d, s), counts);
  for (size_t i = 0; i < t->size; i++) chain[i] = 1 / (double)t->k;
  for (size_t i = t->k + t->rows * t->k; i < t->size; i++) chain[i] = 0.5;
  for (size_t r = 0; r < t->rows; r++) { /* of states that no row follows: the allowed ones */
    double total = 0;
    for (size_t j = 0; j < t->k; j++) total += f->pattern[r * t->k + j] > 0;
    for (size_t j = 0; j < t->k; j++) chain[t->k + r * t->k + j] = f->pattern[r * t->k + j] > 0 ? 1 / total : 0;
  }
  return mn_hmm_maximize_chain(ctx, f->m, t, f->pattern, counts, chain);
}

mn_status mn_hmm_start(mn_context *ctx, void *problem, void *workspace, size_t index, double *state, double *objective)
{
  const mn_hmm_problem *f = problem;
  mn_rng rng = mn_stream(f->m->seed, index);
  double *emission = state + f->topology.size;
  int32_t *label = MN_RAW(ctx, int32_t, f->data->rows, 1);
  bool degenerate;
  MN_CHECK_ALLOC(label);
  memset(emission, 0, f->layout.size * sizeof *emission);
  MN_TRY(begin_emissions(ctx, f, emission));
  if (!mn_hmm_is_given(f)) {
    MN_TRY(start_labels(ctx, f, &rng, label));
    MN_TRY(learn_chain(ctx, f, label, state));
    MN_TRY(learn_emissions(ctx, f, label, emission, &degenerate));
    if (!degenerate) MN_TRY(learn_emissions(ctx, f, label, emission, &degenerate)); /* about their own parameters */
    disturb(f, &rng, emission);
  }
  use_given(f, state);
  MN_TRY(mn_hmm_derive_emissions(ctx, &f->layout, emission, &degenerate));
  *objective = INFINITY;
  if (degenerate && f->m->covariances_init.at)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "HMM: covariances_init must be positive definite");
  if (degenerate) { /* the first iteration finds this again */
    const mn_hmm_view view = mn_hmm_view_of(f, state);
    memset(workspace, 0, mn_hmm_sums_size(&view) * sizeof *state);
    return MN_OK;
  }
  return mn_hmm_expect(ctx, problem, workspace, state, objective);
}
