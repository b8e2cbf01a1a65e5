/* Huang, Data Mining and Knowledge Discovery 2 (1998); start of k-modes: Cao, Liang & Bai, Expert Systems with
 * Applications 36 (2009); k-means++: Arthur & Vassilvitskii, SODA (2007). */
#include "prototypes.h"
#include "../core/rng.h"
#include "../core/threads.h"
#include "../stats/argsort.h"
#include "prototypes_kernel.h"
#include <string.h>

enum { BLOCK_ROWS = 256, LANES = 8 };

/* Rows with the numeric columns first. */
struct table {
  size_t n, p, numeric;
  size_t *column; /* p: the feature of each column */
  double *x;      /* n x p; codes of factors + 1   */
};

struct work {
  const mn_prototype_settings *s;
  const mn_data *data;
  struct table t;
  int32_t **code; /* p: the category of each row, below categories[j]; NULL for numbers */
  double **value; /* p: the value of each category in x                                 */
  size_t *categories, most;
  double *centers; /* k x p, columns as in the table */
  double *distance, *counts;
  int32_t *label;
  size_t *order, *start; /* rows by cluster; k + 2 */
  double *tally;         /* of each worker: weights of the categories of a column */
};

/* --- the table --- */

static mn_status make_table(mn_context *ctx, const bool *categorical, const mn_data *data, struct table *t)
{
  const size_t n = data->rows, p = data->features;
  *t = (struct table){ .n = n, .p = p, .column = MN_RAW(ctx, size_t, p, 1), .x = MN_RAW(ctx, double, n, p) };
  if (!t->column || !t->x) return MN_NO_MEMORY;
  size_t filled = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t j = 0; j < p; j++)
      if (categorical[j] == (pass == 1)) t->column[filled++] = j;
    if (pass == 0) t->numeric = filled;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) {
      const size_t from = t->column[j];
      const bool factor = data->levels && data->levels[from];
      t->x[i * p + j] = mn_row(&data->x, i)[from] + (factor ? 1 : 0);
    }
  return MN_OK;
}

/* --- distances --- */

struct measuring {
  const struct table *t;
  size_t k, ld;
  double *across, gamma;
  double *buffer;   /* of each worker: BLOCK_ROWS x ld */
  int32_t *label;   /* n, or NULL */
  double *distance; /* n: to the nearest, or NULL */
  double *all;      /* n x k, or NULL */
  mn_blocks blocks;
};

static void measure_block(void *work, size_t block, size_t worker)
{
  const struct measuring *m = work;
  const size_t begin = mn_block_begin(&m->blocks, block), n = mn_block_end(&m->blocks, block) - begin;
  double *d = m->buffer + worker * BLOCK_ROWS * m->ld;
  mn_prototype_distances(n, m->t->numeric, m->t->p, m->ld, m->t->x + begin * m->t->p, m->across, m->gamma, d);
  for (size_t i = 0; i < n; i++, d += m->ld) {
    size_t best = 0;
    for (size_t c = 1; c < m->k; c++)
      if (d[c] < d[best]) best = c;
    if (m->label) m->label[begin + i] = (int32_t)best;
    if (m->distance) m->distance[begin + i] = d[best];
    if (m->all) memcpy(m->all + (begin + i) * m->k, d, m->k * sizeof *d);
  }
}

/* centers: k x p, in the columns of the table. */
static mn_status measure(mn_context *ctx, const struct table *t, size_t k, const double *centers, double gamma,
                         int32_t *label, double *distance, double *all)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct measuring m = { .t = t,
                         .k = k,
                         .ld = (k + LANES - 1) / LANES * LANES,
                         .gamma = gamma,
                         .label = label,
                         .distance = distance,
                         .all = all,
                         .blocks = mn_make_blocks(t->n, BLOCK_ROWS, SIZE_MAX) };
  m.across = MN_NEW(ctx, double, t->p, m.ld);
  m.buffer = MN_RAW(ctx, double, mn_threads(ctx) * BLOCK_ROWS, m.ld);
  if (!m.across || !m.buffer) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < t->p; j++) m.across[j * m.ld + c] = centers[c * t->p + j];
  MN_TRY(mn_parallel(ctx, m.blocks.count, measure_block, &m));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- categories --- */

/* The categories of a column of numbers: its distinct values. */
static mn_status list_values(mn_context *ctx, struct work *w, size_t j)
{
  const struct table *t = &w->t;
  size_t *order = MN_RAW(ctx, size_t, t->n, 1), count = 0;
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_argsort(ctx, t->n, t->x + j, t->p, order));
  for (size_t i = 0; i < t->n; i++) {
    const double value = t->x[order[i] * t->p + j];
    if (count == 0 || w->value[j][count - 1] < value) w->value[j][count++] = value;
    w->code[j][order[i]] = (int32_t)count - 1;
  }
  w->categories[j] = count;
  return MN_OK;
}

static mn_status list_categories(mn_context *ctx, struct work *w)
{
  const struct table *t = &w->t;
  w->code = MN_NEW(ctx, int32_t *, t->p, 1);
  w->value = MN_NEW(ctx, double *, t->p, 1);
  w->categories = MN_NEW(ctx, size_t, t->p, 1);
  if (!w->code || !w->value || !w->categories) return MN_NO_MEMORY;
  for (size_t j = t->numeric; j < t->p; j++) {
    const mn_levels *levels = w->data->levels ? w->data->levels[t->column[j]] : NULL;
    const size_t most = levels ? mn_levels_size(levels) : t->n;
    w->code[j] = MN_RAW(ctx, int32_t, t->n, 1);
    w->value[j] = MN_RAW(ctx, double, most, 1);
    if (!w->code[j] || !w->value[j]) return MN_NO_MEMORY;
    w->categories[j] = most;
    for (size_t v = 0; levels && v < most; v++) w->value[j][v] = (double)v + 1;
    for (size_t i = 0; levels && i < t->n; i++) w->code[j][i] = (int32_t)t->x[i * t->p + j] - 1;
    if (!levels) MN_TRY(list_values(ctx, w, j));
    w->most = w->categories[j] > w->most ? w->categories[j] : w->most;
  }
  return MN_OK;
}

/* --- the start --- */

static void copy_row(const struct work *w, size_t c, size_t row)
{
  memcpy(w->centers + c * w->t.p, w->t.x + row * w->t.p, w->t.p * sizeof *w->centers);
}

/* Each further center is a row drawn with probability proportional to its distance from the centers so far. */
static mn_status draw_far_rows(mn_context *ctx, struct work *w, mn_rng *rng)
{
  double *share = MN_RAW(ctx, double, w->t.n, 1), *distance = MN_RAW(ctx, double, w->t.n, 1);
  if (!share || !distance) return MN_NO_MEMORY;
  for (size_t i = 0; i < w->t.n; i++) w->distance[i] = DBL_MAX;
  for (size_t c = 0; c < w->s->k; c++) {
    double total = 0;
    for (size_t i = 0; i < w->t.n; i++) {
      share[i] = mn_weight(w->data, i) * (c > 0 ? w->distance[i] : 1);
      total += share[i];
    }
    for (size_t i = 0; !(total > 0) && i < w->t.n; i++) share[i] = mn_weight(w->data, i);
    copy_row(w, c, mn_random_weighted(rng, share, w->t.n));
    MN_TRY(measure(ctx, &w->t, 1, w->centers + c * w->t.p, w->s->gamma, NULL, distance, NULL));
    for (size_t i = 0; i < w->t.n; i++) w->distance[i] = fmin(w->distance[i], distance[i]);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status draw_rows(mn_context *ctx, struct work *w, mn_rng *rng)
{
  double *left = MN_RAW(ctx, double, w->t.n, 1);
  MN_CHECK_ALLOC(left);
  for (size_t i = 0; i < w->t.n; i++) left[i] = mn_weight(w->data, i);
  for (size_t c = 0; c < w->s->k; c++) {
    const size_t row = mn_random_weighted(rng, left, w->t.n);
    copy_row(w, c, row);
    left[row] = 0;
  }
  return MN_OK;
}

/* The density of a row is the mean frequency of its categories. The first center is the row of the highest density;
 * further ones have the largest product of density and distance from the nearest center so far. */
static mn_status choose_dense_rows(mn_context *ctx, struct work *w)
{
  const size_t n = w->t.n;
  double *density = MN_NEW(ctx, double, n, 1), *tally = MN_RAW(ctx, double, w->most, 1);
  double *distance = MN_RAW(ctx, double, n, 1);
  if (!density || !tally || !distance) return MN_NO_MEMORY;
  for (size_t j = 0; j < w->t.p; j++) {
    memset(tally, 0, w->categories[j] * sizeof *tally);
    for (size_t i = 0; i < n; i++) tally[w->code[j][i]] += mn_weight(w->data, i);
    for (size_t i = 0; i < n; i++) density[i] += tally[w->code[j][i]];
  }
  for (size_t i = 0; i < n; i++) w->distance[i] = 1;
  for (size_t c = 0; c < w->s->k; c++) {
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
      if (density[i] * w->distance[i] > density[best] * w->distance[best]) best = i;
    copy_row(w, c, best);
    MN_TRY(measure(ctx, &w->t, 1, w->centers + c * w->t.p, w->s->gamma, NULL, distance, NULL));
    for (size_t i = 0; i < n; i++) w->distance[i] = c > 0 ? fmin(w->distance[i], distance[i]) : distance[i];
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status choose_start(mn_context *ctx, struct work *w, int64_t run)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_rng rng = mn_stream(w->s->seed, (uint64_t)run);
  switch (w->s->init) {
  case MN_PROTOTYPES_PLUS_PLUS: MN_TRY(draw_far_rows(ctx, w, &rng)); break;
  case MN_PROTOTYPES_RANDOM: MN_TRY(draw_rows(ctx, w, &rng)); break;
  default: MN_TRY(choose_dense_rows(ctx, w));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- iterations --- */

/* The mean of column j in each cluster, or the category of the largest weight; ties are broken by the lowest. */
static void update_column(void *work, size_t j, size_t worker)
{
  const struct work *w = work;
  const size_t p = w->t.p;
  double *tally = w->tally + worker * w->most;
  for (size_t c = 0; c < w->s->k; c++) {
    double sum = 0, total = 0;
    size_t best = 0;
    if (w->start[c] == w->start[c + 1]) continue;
    if (j >= w->t.numeric) memset(tally, 0, w->categories[j] * sizeof *tally);
    for (size_t s = w->start[c]; s < w->start[c + 1]; s++) {
      const size_t i = w->order[s];
      const double weight = mn_weight(w->data, i);
      total += weight;
      if (j < w->t.numeric)
        sum += weight * w->t.x[i * p + j];
      else
        tally[w->code[j][i]] += weight;
    }
    for (size_t v = 1; j >= w->t.numeric && v < w->categories[j]; v++)
      if (tally[v] > tally[best]) best = v;
    w->centers[c * p + j] = j < w->t.numeric ? sum / total : w->value[j][best];
  }
}

/* A cluster without rows gets the row farthest from its own center, unless that is alone or all distances are 0. */
static void fill_empty(struct work *w)
{
  for (size_t c = 0; c < w->s->k; c++) {
    if (w->counts[c] > 0) continue;
    size_t row = 0;
    for (size_t i = 1; i < w->t.n; i++)
      if (w->distance[i] > w->distance[row]) row = i;
    const double weight = mn_weight(w->data, row);
    if (!(w->distance[row] > 0) || !(w->counts[w->label[row]] > weight)) return;
    w->counts[w->label[row]] -= weight;
    w->counts[c] = weight;
    w->label[row] = (int32_t)c;
    w->distance[row] = 0;
  }
}

static mn_status assign(mn_context *ctx, struct work *w, double *cost)
{
  MN_TRY(measure(ctx, &w->t, w->s->k, w->centers, w->s->gamma, w->label, w->distance, NULL));
  memset(w->counts, 0, w->s->k * sizeof *w->counts);
  *cost = 0;
  for (size_t i = 0; i < w->t.n; i++) {
    *cost += mn_weight(w->data, i) * w->distance[i];
    w->counts[w->label[i]] += mn_weight(w->data, i);
  }
  return MN_OK;
}

static mn_status update_centers(mn_context *ctx, struct work *w)
{
  memset(w->start, 0, (w->s->k + 2) * sizeof *w->start);
  for (size_t i = 0; i < w->t.n; i++) w->start[(size_t)w->label[i] + 2]++;
  for (size_t c = 2; c < w->s->k + 2; c++) w->start[c] += w->start[c - 1];
  for (size_t i = 0; i < w->t.n; i++) w->order[w->start[(size_t)w->label[i] + 1]++] = i;
  return mn_parallel(ctx, w->t.p, update_column, w);
}

static mn_status iterate(mn_context *ctx, struct work *w, mn_report *r)
{
  double cost, before;
  MN_TRY(assign(ctx, w, &before));
  for (bool proceed = true; proceed;) {
    fill_empty(w);
    MN_TRY(update_centers(ctx, w));
    MN_TRY(assign(ctx, w, &cost));
    r->converged = !(cost < before);
    r->change = before - cost;
    before = cost;
    proceed = mn_round(ctx, r, w->s->max_iter, cost) && !r->converged && r->n_iter < w->s->max_iter;
  }
  return mn_error_status(ctx);
}

static mn_status make_work(mn_context *ctx, struct work *w)
{
  const size_t n = w->data->rows, k = w->s->k;
  MN_TRY(make_table(ctx, w->s->categorical, w->data, &w->t));
  MN_TRY(list_categories(ctx, w));
  w->centers = MN_RAW(ctx, double, k, w->t.p);
  w->distance = MN_RAW(ctx, double, n, 1);
  w->counts = MN_RAW(ctx, double, k, 1);
  w->label = MN_RAW(ctx, int32_t, n, 1);
  w->order = MN_RAW(ctx, size_t, n, 1);
  w->start = MN_RAW(ctx, size_t, k + 2, 1);
  w->tally = MN_RAW(ctx, double, mn_threads(ctx), w->most);
  return w->centers && w->distance && w->counts && w->label && w->order && w->start && w->tally ? MN_OK : MN_NO_MEMORY;
}

static void keep(mn_context *ctx, const struct work *w, mn_report *r, mn_prototype_result *out)
{
  for (size_t c = 0; c < w->s->k; c++)
    for (size_t j = 0; j < w->t.p; j++) out->centers[c * w->t.p + w->t.column[j]] = w->centers[c * w->t.p + j];
  memcpy(out->counts, w->counts, w->s->k * sizeof *out->counts);
  memcpy(out->label, w->label, w->t.n * sizeof *out->label);
  out->cost = r->objective;
  mn_vector_free(mn_context_memory(ctx), &out->report.trace);
  out->report = *r;
  r->trace = (mn_vector){ 0 };
}

mn_status mn_prototypes_run(mn_context *ctx, const mn_prototype_settings *s, const mn_data *data,
                            mn_prototype_result *out)
{
  struct work w = { .s = s, .data = data };
  const int64_t runs = s->init == MN_PROTOTYPES_CAO ? 1 : s->n_init;
  mn_status status = make_work(ctx, &w);
  *out = (mn_prototype_result){ .centers = MN_RAW(ctx, double, s->k, data->features),
                                .counts = MN_RAW(ctx, double, s->k, 1),
                                .label = MN_RAW(ctx, int32_t, data->rows, 1) };
  if (!out->centers || !out->counts || !out->label) return MN_NO_MEMORY;
  for (int64_t run = 0; status == MN_OK && run < runs && mn_should_continue(ctx); run++) {
    mn_report r = { .advice = "increase max_iter" };
    if (runs > 1) mn_progress_part(ctx, (size_t)run, (size_t)runs);
    status = choose_start(ctx, &w, run);
    if (status == MN_OK) status = iterate(ctx, &w, &r);
    if (status == MN_OK && (run == 0 || r.objective < out->cost)) keep(ctx, &w, &r, out);
    mn_vector_free(mn_context_memory(ctx), &r.trace);
  }
  if (status != MN_OK) mn_vector_free(mn_context_memory(ctx), &out->report.trace);
  return status;
}

/* --- new rows --- */

static mn_status measure_new(mn_context *ctx, const mn_matrix *centers, const bool *categorical, double gamma,
                             const mn_data *data, int32_t *label, double *all)
{
  struct table t;
  const size_t p = data->features;
  double *reordered = MN_RAW(ctx, double, centers->rows, p);
  MN_CHECK_ALLOC(reordered);
  MN_TRY(make_table(ctx, categorical, data, &t));
  for (size_t c = 0; c < centers->rows; c++)
    for (size_t j = 0; j < p; j++) reordered[c * p + j] = mn_row(centers, c)[t.column[j]];
  return measure(ctx, &t, centers->rows, reordered, gamma, label, NULL, all);
}

mn_status mn_prototypes_distances(mn_context *ctx, const mn_matrix *centers, const bool *categorical, double gamma,
                                  const mn_data *data, mn_matrix *out)
{
  return measure_new(ctx, centers, categorical, gamma, data, NULL, out->at);
}

mn_status mn_prototypes_nearest(mn_context *ctx, const mn_matrix *centers, const bool *categorical, double gamma,
                                const mn_data *data, mn_matrix *out)
{
  int32_t *label = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(label);
  MN_TRY(measure_new(ctx, centers, categorical, gamma, data, label, NULL));
  for (size_t i = 0; i < data->rows; i++) out->at[i] = label[i];
  return MN_OK;
}
