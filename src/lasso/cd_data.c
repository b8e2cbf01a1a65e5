#include "cd_data.h"
#include "../core/threads.h"
#include "../linalg/csr.h"
#include "../linalg/product.h"
#include "cd_kernel.h"
#include <string.h>

enum { MAX_GRAM_COLUMNS = 500, TILE = 32, SMALL_FLOPS = 1 << 17, ROWS = 256, SPARSE_BLOCKS = 8 };

static mn_status make_gram(mn_context *ctx, bool centered, mn_cd_data *d)
{
  const mn_data *x = d->data;
  const size_t both = d->p + d->q;
  d->gram = MN_RAW(ctx, double, both, both);
  MN_CHECK_ALLOC(d->gram);
  MN_TRY(mn_gram(ctx, x->rows, d->p, x->x.at, d->p, d->q, x->y.at, d->q, x->weights, centered, &d->total, d->mean,
                 d->gram, both));
  if (!centered) memset(d->mean, 0, both * sizeof *d->mean);
  for (size_t i = 0; i < both * both; i++) d->gram[i] /= d->total;
  return MN_OK;
}

/* For small data, where packing for a matrix product would cost more than the product. */
static mn_status small_gram(mn_context *ctx, bool centered, mn_cd_data *d)
{
  const mn_data *x = d->data;
  const size_t p = d->p, both = p + d->q;
  double *deviation = MN_RAW(ctx, double, both, 1);
  d->gram = MN_NEW(ctx, double, both, both);
  if (!deviation || !d->gram) return MN_NO_MEMORY;
  if (centered) MN_TRY(mn_linear_means(ctx, x, d->mean, NULL));
  for (size_t i = 0; i < x->rows; i++) {
    const double w = mn_weight(x, i);
    d->total += w;
    for (size_t j = 0; j < p; j++) deviation[j] = x->x.at[i * p + j] - d->mean[j];
    for (size_t t = 0; t < d->q; t++) deviation[p + t] = x->y.at[i * d->q + t] - d->mean[p + t];
    for (size_t j = 0; j < both; j++) mn_cd_subtract(both, -w * deviation[j], deviation, d->gram + j * both);
  }
  for (size_t i = 0; i < both * both; i++) d->gram[i] /= d->total;
  return MN_OK;
}

static mn_status prepare_gram(mn_context *ctx, bool centered, mn_cd_data *d)
{
  const size_t both = d->p + d->q;
  if (d->data->rows * both * both > SMALL_FLOPS) return make_gram(ctx, centered, d);
  return small_gram(ctx, centered, d);
}

struct rows_work {
  const mn_cd_data *d;
  double *part; /* blocks x (p + q)^2 */
  mn_blocks blocks;
};

/* Sums of products over sparse rows: of X with X and y, and of y with y. */
static void sparse_rows(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct rows_work *w = work;
  const mn_cd_data *d = w->d;
  const mn_csr *x = d->data->sparse;
  const size_t p = d->p, q = d->q, both = p + q;
  double *g = w->part + block * both * both;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double share = mn_weight(d->data, i) / d->total, *y = d->data->y.at + i * q;
    for (size_t e = x->start[i]; e < x->start[i + 1]; e++) {
      double *row = g + (size_t)x->col[e] * both;
      const double weighted = share * x->at[e];
      for (size_t f = x->start[i]; f < x->start[i + 1]; f++) row[x->col[f]] += weighted * x->at[f];
      for (size_t t = 0; t < q; t++) row[p + t] += weighted * (y[t] - d->mean[p + t]);
    }
    for (size_t t = 0; t < q; t++)
      for (size_t u = 0; u < q; u++)
        g[(p + t) * both + p + u] += share * (y[t] - d->mean[p + t]) * (y[u] - d->mean[p + u]);
  }
}

/* The Gram matrix of sparse X with few columns. The means of X are subtracted from the sums; *done is false if that
 * would lose digits. y is centered from the start. */
static mn_status sparse_gram(mn_context *ctx, mn_cd_data *d, bool *done)
{
  static const double max_ratio = 1e3; /* of squared mean to variance */
  const size_t p = d->p, both = p + d->q;
  struct rows_work w = { .d = d, .blocks = mn_make_blocks(d->data->rows, ROWS, SPARSE_BLOCKS) };
  d->gram = MN_NEW(ctx, double, both, both);
  w.part = MN_NEW(ctx, double, w.blocks.count, both *both);
  if (!d->gram || !w.part) return MN_NO_MEMORY;
  MN_TRY(mn_parallel(ctx, w.blocks.count, sparse_rows, &w));
  mn_sum_blocks(w.blocks.count, both * both, w.part, d->gram);
  *done = true;
  for (size_t i = 0; i < p; i++) {
    for (size_t j = 0; j < p; j++) d->gram[i * both + j] -= d->mean[i] * d->mean[j];
    for (size_t t = p; t < both; t++) d->gram[t * both + i] = d->gram[i * both + t];
    *done = *done && d->mean[i] * d->mean[i] <= max_ratio * d->gram[i * both + i];
  }
  if (!*done) d->gram = NULL;
  return MN_OK;
}

struct transpose_work {
  const mn_cd_data *d;
  double *dense, *norm;
  const double *root;
  mn_blocks blocks;
  mn_context *ctx;
};

/* Center a block of columns and multiply it by the roots of the weights, in tiles that fit the cache. */
static void transpose_block(void *work, size_t block, size_t worker)
{
  const struct transpose_work *w = work;
  const size_t n = w->d->data->rows, p = w->d->p;
  const size_t begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  const mn_cancel_token token = { .ctx = w->ctx, .worker = worker };
  mn_chunk c = { 0 };
  for (size_t j = begin; j < end; j++) w->norm[j] = 0;
  while (mn_next_chunk(&token, n, &c))
    for (size_t top = c.begin; top < c.end; top += TILE)
      for (size_t j = begin; j < end; j++)
        for (size_t i = top; i < c.end && i < top + TILE; i++) {
          const double z = w->root[i] * (w->d->data->x.at[i * p + j] - w->d->mean[j]);
          w->dense[j * n + i] = z;
          w->norm[j] += z * z;
        }
}

static mn_status dense_columns(mn_context *ctx, mn_cd_data *d, const double *root, double *norm)
{
  const size_t n = d->data->rows;
  struct transpose_work w = {
    .d = d, .norm = norm, .root = root, .blocks = mn_make_blocks(d->p, TILE, SIZE_MAX), .ctx = ctx
  };
  w.dense = MN_RAW(ctx, double, d->p, n);
  MN_CHECK_ALLOC(w.dense);
  d->z->dense = w.dense;
  return mn_parallel(ctx, w.blocks.count, transpose_block, &w);
}

static void sparse_means(mn_cd_data *d)
{
  const mn_csr *x = d->data->sparse;
  for (size_t i = 0; i < x->rows; i++) {
    const double share = mn_weight(d->data, i) / d->total;
    for (size_t e = x->start[i]; e < x->start[i + 1]; e++) d->mean[x->col[e]] += share * x->at[e];
    for (size_t t = 0; t < d->q; t++) d->mean[d->p + t] += share * d->data->y.at[i * d->q + t];
  }
}

struct scale_work {
  const mn_csr *transposed_x;
  const double *root, *mean;
  double *value, *norm;
  mn_blocks blocks;
};

/* Multiply values by the roots of the weights, and compute the norms of the centered columns. */
static void scale_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct scale_work *w = work;
  const mn_csr *t = w->transposed_x;
  for (size_t j = mn_block_begin(&w->blocks, block); j < mn_block_end(&w->blocks, block); j++) {
    double present = 0, norm = 0;
    for (size_t e = t->start[j]; e < t->start[j + 1]; e++) {
      const double r = w->root[t->col[e]], about = r * (t->at[e] - w->mean[j]);
      w->value[e] = r * t->at[e];
      present += r * r;
      norm += about * about;
    }
    w->norm[j] = norm + w->mean[j] * w->mean[j] * fmax(1 - present, 0);
  }
}

static mn_status sparse_columns(mn_context *ctx, const mn_csr *transposed, mn_cd_data *d, const double *root,
                                double *norm)
{
  mn_csr transposed_x;
  if (transposed)
    transposed_x = *transposed;
  else
    MN_TRY(mn_csr_transpose_scratch(ctx, d->data->sparse, &transposed_x));
  struct scale_work w = { .transposed_x = &transposed_x, .root = root, .mean = d->mean, .norm = norm };
  w.blocks = mn_make_blocks(d->p, TILE, SIZE_MAX);
  w.value = transposed ? MN_RAW(ctx, double, transposed_x.start[d->p], 1) : transposed_x.at;
  MN_CHECK_ALLOC(w.value);
  d->z->start = transposed_x.start;
  d->z->row = transposed_x.col;
  d->z->value = w.value;
  return mn_parallel(ctx, w.blocks.count, scale_block, &w);
}

static mn_status make_columns(mn_context *ctx, const mn_csr *transposed, mn_cd_data *d)
{
  const size_t n = d->data->rows;
  double *root = MN_RAW(ctx, double, n, 1), *norm = MN_RAW(ctx, double, d->p, 1);
  d->z = MN_NEW(ctx, mn_cd_columns, 1, 1);
  if (!root || !norm || !d->z) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) root[i] = sqrt(mn_weight(d->data, i) / d->total);
  MN_TRY(d->data->sparse ? sparse_columns(ctx, transposed, d, root, norm) : dense_columns(ctx, d, root, norm));
  d->z->n = n;
  d->z->p = d->p;
  d->z->mean = d->mean;
  d->z->root = root;
  d->z->norm = norm;
  return MN_OK;
}

static mn_status begin(mn_context *ctx, const mn_data *data, mn_cd_data *out)
{
  const size_t p = data->features, q = data->y.cols;
  *out = (mn_cd_data){ .data = data, .p = p, .q = q, .mean = MN_NEW(ctx, double, p + q, 1) };
  return out->mean ? MN_OK : MN_NO_MEMORY;
}

static mn_status find_means(mn_context *ctx, bool fit_intercept, mn_cd_data *d)
{
  d->total = mn_total_weight(d->data);
  if (fit_intercept && !d->data->sparse) return mn_linear_means(ctx, d->data, d->mean, NULL);
  if (fit_intercept) sparse_means(d);
  return MN_OK;
}

mn_status mn_cd_prepare_gram(mn_context *ctx, const mn_data *data, bool fit_intercept, mn_cd_data *out)
{
  MN_TRY(begin(ctx, data, out));
  return prepare_gram(ctx, fit_intercept, out);
}

mn_status mn_cd_prepare_columns(mn_context *ctx, const mn_data *data, bool fit_intercept, mn_cd_data *out)
{
  MN_TRY(begin(ctx, data, out));
  MN_TRY(find_means(ctx, fit_intercept, out));
  return make_columns(ctx, NULL, out);
}

mn_status mn_cd_prepare(mn_context *ctx, const mn_data *data, bool fit_intercept, const mn_csr *transposed,
                        mn_cd_data *out)
{
  const size_t p = data->features;
  bool done = false;
  MN_TRY(begin(ctx, data, out));
  if (!data->sparse && (p <= data->rows || p <= MAX_GRAM_COLUMNS)) return prepare_gram(ctx, fit_intercept, out);
  MN_TRY(find_means(ctx, fit_intercept, out));
  if (data->sparse && p <= MAX_GRAM_COLUMNS) MN_TRY(sparse_gram(ctx, out, &done));
  return done ? MN_OK : make_columns(ctx, transposed, out);
}

mn_status mn_cd_target(mn_context *ctx, const mn_cd_data *d, size_t target, mn_cd *out)
{
  const size_t n = d->data->rows, p = d->p, both = p + d->q;
  double *own = MN_RAW(ctx, double, d->gram ? p : n, 1);
  MN_CHECK_ALLOC(own);
  if (d->gram) {
    for (size_t j = 0; j < p; j++) own[j] = d->gram[j * both + p + target];
    return mn_cd_from_gram(ctx, out, p, d->gram, both, own, d->gram[(p + target) * both + p + target]);
  }
  for (size_t i = 0; i < n; i++) own[i] = d->z->root[i] * (d->data->y.at[i * d->q + target] - d->mean[p + target]);
  return mn_cd_from_columns(ctx, out, d->z, own);
}

mn_status mn_cd_target_at(mn_context *ctx, const mn_cd_data *d, size_t target, const double *b, mn_cd *out)
{
  MN_TRY(mn_cd_target(ctx, d, target, out));
  memcpy(out->b, b, d->p * sizeof *b);
  return d->gram ? mn_cd_gram_refresh(ctx, out, true) : mn_cd_columns_refresh(ctx, out);
}

double mn_cd_intercept(const mn_cd_data *d, size_t target, const double *b)
{
  double intercept = d->mean[d->p + target];
  for (size_t j = 0; j < d->p; j++) intercept -= d->mean[j] * b[j];
  return intercept;
}

/* Progress of the fit of several targets. */
struct progress {
  mn_context *ctx;
  mn_report *report;
  int64_t max_iter;
  double others; /* sum of the objectives of the other targets: final, or at b = 0 */
};

static bool report_sweep(void *user, double objective)
{
  struct progress *l = user;
  return mn_round(l->ctx, l->report, l->max_iter, objective + l->others);
}

/* 1/2 |v|^2 of a target, its objective at b = 0. */
static double initial_loss(const mn_cd_data *d, size_t target)
{
  const size_t at = d->p + target;
  double sum = 0;
  if (d->gram) return d->gram[at * (d->p + d->q) + at] / 2;
  for (size_t i = 0; i < d->data->rows; i++) {
    const double v = d->z->root[i] * (d->data->y.at[i * d->q + target] - d->mean[at]);
    sum += v * v / 2;
  }
  return sum;
}

mn_status mn_cd_fit(mn_context *ctx, const mn_cd_data *d, const mn_cd_settings *settings, mn_linear *m, mn_vector *gap)
{
  const size_t p = d->p;
  const double l1 = settings->alpha * settings->l1_ratio, l2 = settings->alpha - l1;
  const mn_cd_penalty penalty = { .l1 = l1, .l2 = l2, .factor = settings->factor, .positive = settings->positive };
  mn_report *report = &m->base.report;
  struct progress l = { .ctx = ctx, .report = report, .max_iter = settings->max_iter * (int64_t)d->q };
  MN_TRY(mn_linear_init(ctx, m, d->q, p));
  MN_TRY(mn_vector_init(ctx, gap, d->q));
  report->converged = true;
  for (size_t t = 0; t < d->q; t++) l.others += initial_loss(d, t);
  for (size_t t = 0; t < d->q; t++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    mn_cd_report r;
    mn_cd s;
    MN_TRY(mn_cd_target(ctx, d, t, &s));
    l.others = fmax(l.others - initial_loss(d, t), 0);
    s.progress = report_sweep;
    s.user = &l;
    MN_TRY(mn_cd_solve(ctx, &s, &penalty, (double)NAN, settings->tol, settings->max_iter, &r));
    memcpy(m->coef.at + t * p, s.b, p * sizeof *s.b);
    m->intercept.at[t] = mn_cd_intercept(d, t, s.b);
    gap->at[t] = r.gap;
    l.others += r.objective;
    report->converged = report->converged && r.converged;
    report->change = fmax(report->change, s.yy > 0 ? r.gap / s.yy : 0);
    mn_scratch_release(ctx, mark);
  }
  report->objective = l.others;
  return MN_OK;
}

void mn_cd_alpha_grid(double largest, double eps, size_t n, double *alpha)
{
  for (size_t k = 0; k < n; k++) alpha[k] = largest * (n > 1 ? pow(eps, (double)k / (double)(n - 1)) : 1);
}
