/* The pass over the rows of a Gaussian mixture for few columns and covariances that are not diagonal: tasks of blocks
 * of rows, in strips that stay in the cache. Rows are shifted by a common center, so that z = (x - mean) R is x R -
 * offset without cancellation. With w = r (x - mean), the sums of w_i x_j and of w_i give the scatter about the mean.
 */
#include "gaussian.h"
#include "gaussian_kernel.h"
#include "gaussian_strip_kernel.h"
#include "gaussian_strips.h"
#include <string.h>

enum { STRIP_ROWS = 128, BLOCK_ROWS = 1024, MAX_BLOCKS = 64, PARTS_VALUES = 1 << 22 };

/* The workspace of a worker. */
struct strip {
  double *x, *w;         /* columns + 1 of ones before them, x STRIP_ROWS; rows x STRIP_ROWS */
  double *r;             /* columns of responsibilities x STRIP_ROWS                         */
  double *largest, *log; /* STRIP_ROWS */
  double *sums;          /* k x rows x columns x lanes */
};

struct work {
  const mn_gaussian_pass *pass;
  mn_blocks blocks;
  double *center;         /* p                       */
  double *shift, *offset; /* k x p: mean - center; that times R */
  double *part;           /* blocks x sums->size     */
  struct strip *strip;    /* workers                 */
};

bool mn_gaussian_has_strips(const mn_gaussians *g)
{
  return !g->diagonal && g->k * MN_STRIP_ROWS(g->p) * MN_STRIP_COLUMNS(g->p) <= (size_t)1 << 16;
}

static mn_status make_strip(mn_context *ctx, const mn_gaussian_pass *pass, struct strip *s)
{
  const size_t p = pass->g->p, rows = MN_STRIP_ROWS(p), columns = MN_STRIP_COLUMNS(p);
  s->x = MN_NEW(ctx, double, columns, STRIP_ROWS);
  s->w = MN_NEW(ctx, double, rows, STRIP_ROWS);
  s->r = MN_NEW(ctx, double, pass->columns, STRIP_ROWS);
  s->largest = MN_NEW(ctx, double, STRIP_ROWS, 1);
  s->log = MN_NEW(ctx, double, STRIP_ROWS, 1);
  s->sums = MN_NEW(ctx, double, pass->g->k *rows, columns *MN_STRIP_LANES);
  return s->x && s->w && s->r && s->largest && s->log && s->sums ? MN_OK : MN_NO_MEMORY;
}

/* The center: the mean of the mixture. */
static mn_status prepare(mn_context *ctx, const mn_gaussian_pass *pass, struct work *w)
{
  const mn_gaussians *g = pass->g;
  const size_t k = g->k, p = g->p;
  w->center = MN_NEW(ctx, double, p, 1);
  w->shift = MN_RAW(ctx, double, k, p);
  w->offset = MN_NEW(ctx, double, k, p);
  w->strip = MN_NEW(ctx, struct strip, mn_threads(ctx), 1);
  if (!w->center || !w->shift || !w->offset || !w->strip) return MN_NO_MEMORY;
  for (size_t worker = 0; worker < mn_threads(ctx); worker++) MN_TRY(make_strip(ctx, pass, w->strip + worker));
  if (pass->sums) MN_CHECK_ALLOC(w->part = MN_NEW(ctx, double, w->blocks.count, pass->sums->size));
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) w->center[j] += g->mean[c * p + j] / (double)k;
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) w->shift[c * p + j] = g->mean[c * p + j] - w->center[j];
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++)
      for (size_t i = 0; i <= j; i++) w->offset[c * p + j] += w->shift[c * p + i] * g->root[c * p * p + i * p + j];
  return MN_OK;
}

/* Transpose and shift rows; the first column is 1. Missing rows of the last strip are 0. */
static void load(const struct work *w, size_t begin, size_t n, struct strip *s)
{
  const size_t p = w->pass->g->p;
  for (size_t i = 0; i < STRIP_ROWS; i++) s->x[i] = i < n ? 1 : 0;
  mn_gaussian_transpose(n, p, w->pass->x + begin * p, w->center, STRIP_ROWS, s->x + STRIP_ROWS);
  for (size_t j = 1; n < STRIP_ROWS && j <= p; j++)
    memset(s->x + j * STRIP_ROWS + n, 0, (STRIP_ROWS - n) * sizeof *s->x);
}

/* Responsibilities of the strip, in s->r. */
static void expect(const struct work *w, size_t begin, size_t n, struct strip *s)
{
  const mn_gaussian_pass *pass = w->pass;
  const mn_gaussians *g = pass->g;
  const size_t p = g->p;
  for (size_t c = 0; c < g->k; c++)
    mn_strip_densities(STRIP_ROWS, p, s->x + STRIP_ROWS, g->root + c * p * p, w->offset + c * p, g->start[c],
                       s->r + c * STRIP_ROWS);
  mn_gaussian_finish(pass, begin, n, STRIP_ROWS, s->r, s->largest, s->log);
}

static void add_strip(const struct work *w, size_t n, struct strip *s, double *noise, double *count)
{
  const mn_gaussians *g = w->pass->g;
  const size_t p = g->p, size = MN_STRIP_ROWS(p) * MN_STRIP_COLUMNS(p) * MN_STRIP_LANES;
  for (size_t c = 0; c < g->k; c++) {
    const double *r = s->r + c * STRIP_ROWS;
    mn_gaussian_total(n, r, &count[c]);
    mn_gaussian_weigh(STRIP_ROWS, p, s->x + STRIP_ROWS, w->shift + c * p, r, s->w);
    mn_strip_products(STRIP_ROWS, p, s->w, s->x, s->sums + c * size);
  }
  if (w->pass->columns > g->k) mn_gaussian_total(n, s->r + g->k * STRIP_ROWS, noise);
}

/* The sums of a block in the layout of mn_gaussian_sums: sum of w_i x_j about the center, less shift_j sum of w_i. */
static void finish_block(const struct work *w, const struct strip *s, mn_gaussian_sums *out)
{
  const mn_gaussians *g = w->pass->g;
  const size_t p = g->p, columns = MN_STRIP_COLUMNS(p), size = MN_STRIP_ROWS(p) * columns * MN_STRIP_LANES;
  for (size_t c = 0; c < g->k; c++) {
    const double *shift = w->shift + c * p;
    for (size_t i = 0; i < p; i++)
      for (size_t j = 0; j <= i + 1; j++) {
        const double *lane = s->sums + c * size + (i * columns + j) * MN_STRIP_LANES;
        double total = 0;
        for (size_t l = 0; l < MN_STRIP_LANES; l++) total += lane[l];
        if (j == 0) {
          out->sum[c * p + i] = total;
          continue;
        }
        total -= shift[j - 1] * out->sum[c * p + i];
        out->scatter[c * p * p + i * p + j - 1] = out->scatter[c * p * p + (j - 1) * p + i] = total;
      }
  }
}

static void run_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const mn_gaussian_pass *pass = w->pass;
  const mn_gaussians *g = pass->g;
  struct strip *s = w->strip + worker;
  const size_t size = MN_STRIP_ROWS(g->p) * MN_STRIP_COLUMNS(g->p) * MN_STRIP_LANES;
  mn_gaussian_sums sums = { 0 };
  if (w->part) sums = mn_gaussian_sums_view(g, w->part + block * pass->sums->size);
  if (w->part) memset(s->sums, 0, g->k * size * sizeof *s->sums);
  const size_t end = mn_block_end(&w->blocks, block);
  for (size_t begin = mn_block_begin(&w->blocks, block); begin < end; begin += STRIP_ROWS) {
    const size_t n = end - begin < STRIP_ROWS ? end - begin : STRIP_ROWS;
    load(w, begin, n, s);
    expect(w, begin, n, s);
    if (!w->part) continue;
    mn_gaussian_add_likelihood(pass, begin, n, STRIP_ROWS, s->r, s->largest, s->log, &sums);
    add_strip(w, n, s, sums.noise, sums.count);
  }
  if (w->part) finish_block(w, s, &sums);
}

mn_status mn_gaussian_run_strips(mn_context *ctx, const mn_gaussian_pass *pass)
{
  const size_t size = pass->sums ? pass->sums->size : 1;
  const size_t most = PARTS_VALUES / size > 1 ? PARTS_VALUES / size : 1;
  struct work w = { .pass = pass };
  w.blocks = mn_make_blocks(pass->n, BLOCK_ROWS, pass->sums && most < MAX_BLOCKS ? most : MAX_BLOCKS);
  MN_TRY(prepare(ctx, pass, &w));
  MN_TRY(mn_parallel(ctx, w.blocks.count, run_block, &w));
  if (pass->sums) mn_sum_blocks(w.blocks.count, pass->sums->size, w.part, pass->sums->count);
  return MN_OK;
}
