#include "nmf_solver.h"
#include "../core/threads.h"
#include "../linalg/csr.h"
#include "../linalg/csr_kernel.h"
#include "../linalg/product.h"
#include "nmf_kernel.h"
#include <string.h>

/* A dense X with at most this fraction of values that are not 0 is compressed: its products are then faster. */
static const double sparse_fraction = 0.4;
/* A squared error below this fraction of |X|^2 is computed from the residuals, since differences lose its digits. */
static const double exact_fraction = 1e-6;

enum { MAX_PARTS = 16, ROWS_PER_BLOCK = 256 };

/* The values of dense X that are not 0. */
static mn_status compress_rows(mn_context *ctx, mn_nmf_problem *s, const mn_matrix *x)
{
  const size_t count = mn_count_nonzeros(x);
  if ((double)count > sparse_fraction * (double)(s->n * s->p) || s->p > INT32_MAX) return MN_OK;
  s->compressed = (mn_csr){ .rows = s->n,
                            .cols = s->p,
                            .start = MN_RAW(ctx, size_t, s->n + 1, 1),
                            .col = MN_RAW(ctx, int32_t, count, 1),
                            .at = MN_RAW(ctx, double, count, 1) };
  if (!s->compressed.start || !s->compressed.col || !s->compressed.at) return MN_NO_MEMORY;
  mn_csr_from_dense(x, count, &s->compressed);
  s->sparse = &s->compressed;
  return MN_OK;
}

mn_status mn_nmf_init(mn_context *ctx, mn_nmf_problem *s, const mn_data *data, bool divergence)
{
  s->dense = data->x.at;
  s->sparse = data->sparse;
  s->ld = (s->k + 7) / 8 * 8;
  if (!s->sparse) MN_TRY(compress_rows(ctx, s, &data->x));
  const size_t values = s->sparse ? s->sparse->start[s->n] : s->n * s->p, longer = s->n > s->p ? s->n : s->p;
  const double *x = s->sparse ? s->sparse->at : s->dense;
  for (size_t i = 0; i < values; i++) {
    s->total += x[i];
    s->square += x[i] * x[i];
  }
  s->parts = s->sparse ? values / (4 * s->p) + 1 : 0;
  if (s->parts > MAX_PARTS) s->parts = MAX_PARTS;
  s->w = MN_NEW(ctx, double, s->n, s->ld);
  s->ht = MN_NEW(ctx, double, s->p, s->ld);
  s->g = MN_NEW(ctx, double, s->ld, s->ld);
  s->c = MN_NEW(ctx, double, longer, s->ld);
  s->fit = MN_RAW(ctx, double, divergence ? values : 0, 1);
  s->part = MN_RAW(ctx, double, s->parts * s->p, s->ld);
  s->buffer = MN_RAW(ctx, double, mn_threads(ctx), 16 * s->ld);
  s->violation = MN_RAW(ctx, double, longer / ROWS_PER_BLOCK + 1, 1);
  return s->w && s->ht && s->g && s->c && s->fit && s->part && s->buffer && s->violation ? MN_OK : MN_NO_MEMORY;
}

/* Work on blocks of rows of W or H. */
struct rows_work {
  const mn_nmf_problem *s;
  const double *at, *other; /* values of the sparse matrix; factor that is multiplied */
  double *target, l1;
  mn_blocks blocks;
};

static void multiply_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct rows_work *r = work;
  const mn_csr *x = r->s->sparse;
  const size_t begin = mn_block_begin(&r->blocks, block), ld = r->s->ld;
  mn_csr_multiply_rows(mn_block_end(&r->blocks, block) - begin, x->start + begin, x->col, r->at, ld, r->other,
                       r->s->c + begin * ld);
}

static void multiply_part(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct rows_work *r = work;
  const mn_csr *x = r->s->sparse;
  const size_t begin = mn_block_begin(&r->blocks, block), ld = r->s->ld;
  double *part = r->s->part + block * r->s->p * ld;
  memset(part, 0, r->s->p * ld * sizeof *part);
  mn_csr_add_transposed_rows(mn_block_end(&r->blocks, block) - begin, x->start + begin, x->col, r->at, ld,
                             r->other + begin * ld, part);
}

/* c = X H' or X'W, where X is dense, or sparse with the values at. */
static mn_status multiply(mn_context *ctx, mn_nmf_problem *s, bool update_h, const double *dense, const double *at)
{
  const size_t rows = update_h ? s->p : s->n, others = update_h ? s->n : s->p, ld = s->ld;
  const double *other = update_h ? s->w : s->ht;
  if (!s->sparse) return mn_gemm(ctx, update_h, false, rows, s->k, others, 1, dense, s->p, other, ld, 0, s->c, ld);
  struct rows_work r = { .s = s, .at = at, .other = other };
  if (!update_h) {
    r.blocks = mn_make_blocks(s->n, ROWS_PER_BLOCK, SIZE_MAX);
    return mn_parallel(ctx, r.blocks.count, multiply_block, &r);
  }
  r.blocks = mn_make_blocks(s->n, 1, s->parts);
  MN_TRY(mn_parallel(ctx, r.blocks.count, multiply_part, &r));
  mn_sum_blocks(r.blocks.count, s->p * ld, s->part, s->c);
  return MN_OK;
}

static void descend_block(void *work, size_t block, size_t worker)
{
  const struct rows_work *r = work;
  const mn_nmf_problem *s = r->s;
  const size_t begin = mn_block_begin(&r->blocks, block);
  s->violation[block] =
      mn_nmf_descend(mn_block_end(&r->blocks, block) - begin, s->k, s->ld, s->g, r->l1, s->c + begin * s->ld,
                     r->target + begin * s->ld, s->buffer + worker * 16 * s->ld);
}

/* Update W by coordinate descent, or H. */
static mn_status descend(mn_context *ctx, mn_nmf_problem *s, bool update_h, double *violation)
{
  const size_t rows = update_h ? s->p : s->n, others = update_h ? s->n : s->p;
  const mn_nmf_penalty q = update_h ? s->h_penalty : s->w_penalty;
  struct rows_work r = { .s = s, .target = update_h ? s->ht : s->w, .l1 = q.l1 };
  MN_TRY(mn_syrk(ctx, others, s->k, update_h ? s->w : s->ht, s->ld, NULL, NULL, s->g, s->ld));
  for (size_t t = 0; t < s->k; t++) s->g[t * s->ld + t] += q.l2;
  MN_TRY(multiply(ctx, s, update_h, s->dense, s->sparse ? s->sparse->at : NULL));
  r.blocks = mn_make_blocks(rows, ROWS_PER_BLOCK, SIZE_MAX);
  MN_TRY(mn_parallel(ctx, r.blocks.count, descend_block, &r));
  for (size_t b = 0; b < r.blocks.count; b++) *violation += s->violation[b];
  return MN_OK;
}

/* |X - W H|^2 / 2 from all residuals. */
static mn_status sum_residuals(mn_context *ctx, const mn_nmf_problem *s, double *loss)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *row = MN_RAW(ctx, double, s->p, 1), sum = 0;
  MN_CHECK_ALLOC(row);
  for (size_t i = 0; i < s->n; i++) {
    MN_TRY(mn_gemv(ctx, false, s->p, s->k, -1, s->ht, s->ld, s->w + i * s->ld, 0, row));
    if (s->sparse)
      for (size_t e = s->sparse->start[i]; e < s->sparse->start[i + 1]; e++) row[s->sparse->col[e]] += s->sparse->at[e];
    else
      for (size_t j = 0; j < s->p; j++) row[j] += s->dense[i * s->p + j];
    for (size_t j = 0; j < s->p; j++) sum += row[j] * row[j];
  }
  *loss = sum / 2;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* |X - W H|^2 / 2 = |X|^2 / 2 - <X'W, H'> + <W'W, H H'> / 2, after an update of H, with c = X'W and g = W'W + l2 I. */
static mn_status squared_error(mn_context *ctx, mn_nmf_problem *s, double *loss)
{
  const size_t k = s->k, ld = s->ld;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *h = MN_RAW(ctx, double, k, k), cross = 0, fitted = 0;
  MN_CHECK_ALLOC(h);
  MN_TRY(mn_syrk(ctx, s->p, k, s->ht, ld, NULL, NULL, h, k));
  for (size_t i = 0; i < s->p * ld; i++) cross += s->c[i] * s->ht[i];
  for (size_t a = 0; a < k; a++)
    for (size_t b = 0; b < k; b++) fitted += (s->g[a * ld + b] - (a == b ? s->h_penalty.l2 : 0)) * h[a * k + b];
  mn_scratch_release(ctx, mark);
  *loss = (s->square + fitted) / 2 - cross;
  return *loss < exact_fraction * s->square ? sum_residuals(ctx, s, loss) : MN_OK;
}

static double penalty_value(mn_nmf_penalty q, size_t size, const double *w)
{
  double sum = 0, squares = 0;
  for (size_t i = 0; i < size; i++) {
    sum += w[i];
    squares += w[i] * w[i];
  }
  return q.l1 * sum + q.l2 / 2 * squares;
}

static double objective(const mn_nmf_problem *s, double loss)
{
  return loss + penalty_value(s->w_penalty, s->n * s->ld, s->w) + penalty_value(s->h_penalty, s->p * s->ld, s->ht);
}

/* Coordinate descent until the violation is at most tol times that of the first iteration. */
mn_status mn_nmf_fit_frobenius(mn_context *ctx, mn_nmf_problem *s, mn_report *report, int64_t max_iter, double tol,
                               double *loss)
{
  double first = 0;
  for (int64_t iter = 0; iter < max_iter; iter++) {
    double violation = 0;
    MN_TRY(descend(ctx, s, false, &violation));
    MN_TRY(descend(ctx, s, true, &violation));
    MN_TRY(squared_error(ctx, s, loss));
    if (iter == 0) first = violation;
    report->change = first > 0 ? violation / first : 0;
    report->converged = report->change <= tol;
    if (!mn_round(ctx, report, max_iter, objective(s, *loss)) || report->converged) break;
  }
  return MN_OK;
}

static void column_sums(size_t count, size_t ld, const double *w, double *sums)
{
  memset(sums, 0, ld * sizeof *sums);
  for (size_t i = 0; i < count; i++)
    for (size_t t = 0; t < ld; t++) sums[t] += w[i * ld + t];
}

/* Column sums of W and H', in g. */
static void factor_sums(const mn_nmf_problem *s, double **w, double **h)
{
  *w = s->g;
  *h = s->g + s->ld;
  column_sums(s->n, s->ld, s->w, *w);
  column_sums(s->p, s->ld, s->ht, *h);
}

/* The divergence of X from W H, which is left in s->fit, at the values of sparse X. */
static mn_status divergence(mn_context *ctx, mn_nmf_problem *s, double *loss)
{
  const size_t values = s->sparse ? s->sparse->start[s->n] : s->n * s->p;
  const double *x = s->sparse ? s->sparse->at : s->dense;
  double *w_sums, *h_sums, fitted = 0;
  factor_sums(s, &w_sums, &h_sums);
  for (size_t t = 0; t < s->k; t++) fitted += w_sums[t] * h_sums[t];
  if (s->sparse)
    mn_nmf_fit_values(s->n, s->sparse->start, s->sparse->col, s->ld, s->w, s->ht, s->fit);
  else
    MN_TRY(mn_gemm(ctx, false, true, s->n, s->p, s->k, 1, s->w, s->ld, s->ht, s->ld, 0, s->fit, s->p));
  double sum = 0;
  for (size_t i = 0; i < values; i++) {
    if (x[i] > 0) sum += x[i] * log(x[i] / fmax(s->fit[i], DBL_MIN)) - x[i];
    if (!s->sparse) sum += s->fit[i];
  }
  *loss = fmax(s->sparse ? sum + fitted : sum, 0);
  return mn_poll(ctx);
}

/* Update W by multiplication, or H. s->fit holds W H, and then X / (W H). */
static mn_status scale(mn_context *ctx, mn_nmf_problem *s, bool update_h)
{
  const size_t rows = update_h ? s->p : s->n, values = s->sparse ? s->sparse->start[s->n] : s->n * s->p;
  const mn_nmf_penalty q = update_h ? s->h_penalty : s->w_penalty;
  const double *x = s->sparse ? s->sparse->at : s->dense;
  double *target = update_h ? s->ht : s->w, *w_sums, *h_sums;
  for (size_t i = 0; i < values; i++) s->fit[i] = x[i] / fmax(s->fit[i], DBL_MIN);
  MN_TRY(multiply(ctx, s, update_h, s->fit, s->fit));
  factor_sums(s, &w_sums, &h_sums);
  const double *sums = update_h ? w_sums : h_sums;
  for (size_t i = 0; i < rows; i++)
    for (size_t t = 0; t < s->k; t++) {
      double *value = &target[i * s->ld + t];
      *value = mn_nmf_minimize_bound(q, sums[t], *value * s->c[i * s->ld + t]);
    }
  return MN_OK;
}

/* Multiplicative updates until ten of them lower sqrt(2 D) by at most tol times its value at the start. */
mn_status mn_nmf_fit_kullback_leibler(mn_context *ctx, mn_nmf_problem *s, mn_report *report, int64_t max_iter,
                                      double tol, double *loss)
{
  MN_TRY(divergence(ctx, s, loss));
  const double start = sqrt(2 * *loss);
  double previous = start, unused;
  for (int64_t iter = 1; iter <= max_iter; iter++) {
    MN_TRY(scale(ctx, s, false));
    MN_TRY(divergence(ctx, s, &unused));
    MN_TRY(scale(ctx, s, true));
    MN_TRY(divergence(ctx, s, loss));
    if (iter % MN_NMF_CHECK_EVERY == 0 || !(start > 0)) {
      report->change = start > 0 ? (previous - sqrt(2 * *loss)) / start : 0;
      report->converged = report->change <= tol;
      previous = sqrt(2 * *loss);
    }
    if (!mn_round(ctx, report, max_iter, objective(s, *loss)) || report->converged) break;
  }
  return MN_OK;
}
