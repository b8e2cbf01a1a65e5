/* QR of many rows (TSQR): every chunk of rows is reduced, a panel at a time, to a triangle of its own; then the
 * triangles are merged in pairs. Y is appended as further columns, which gives Q'Y without forming Q. */
#include "lapack.h"
#include "lapack_table.h"
#include "../core/threads.h"
#include <math.h>
#include <string.h>

enum {
  PANEL_VALUES = 32768, /* 256 KB: a panel stays in the second-level cache */
  MIN_PANEL_ROWS = 256,
  MIN_CHUNK_ROWS = 2048,     /* and at least 8 times the columns, so that the triangles */
  CHUNK_ROWS_PER_COLUMN = 8, /* are at most an eighth of the data */
  MAX_CHUNKS = 64
};

struct reduction {
  const mn_lapack *lapack;
  const mn_rows *rows;
  mn_blocks chunks;
  size_t width, panel; /* columns of x and y; rows of a panel */
  int order, block;    /* width; reflectors applied at once   */
  size_t work_size;
  double *triangles; /* chunks x width x width, column-major, upper */
  double *work;      /* workers x work_size                         */
  size_t stride;     /* distance of the triangles being merged */
};

/* to (column-major, `count` rows) = the rows from `first`, centered and weighted, x next to y. root: workspace of
 * `count` values. */
static void load_panel(const mn_rows *rows, size_t first, size_t count, double *root, double *to)
{
  mn_transpose_into(count, rows->p, rows->x + first * rows->p, rows->p, to, count);
  if (rows->m > 0) mn_transpose_into(count, rows->m, rows->y + first * rows->m, rows->m, to + rows->p * count, count);
  for (size_t i = 0; rows->weights && i < count; i++) root[i] = sqrt(rows->weights[first + i]);
  for (size_t j = 0; j < rows->p + rows->m; j++) {
    const double *const centers = j < rows->p ? rows->x_center : rows->y_center;
    const double center = centers ? centers[j < rows->p ? j : j - rows->p] : 0;
    double *const column = to + j * count;
    for (size_t i = 0; centers && i < count; i++) column[i] -= center;
    for (size_t i = 0; rows->weights && i < count; i++) column[i] *= root[i];
  }
}

/* Layout of the workspace: roots of the weights, panel, T of the reflectors, workspace of LAPACK. */
static void reduce_chunk(void *work, size_t chunk, size_t worker)
{
  const struct reduction *f = work;
  double *const triangle = f->triangles + chunk * f->width * f->width;
  double *const root = f->work + worker * f->work_size;
  double *const panel = root + f->panel;
  double *const t = panel + f->panel * f->width, *const lapack_work = t + (size_t)f->block * f->width;
  const size_t end = mn_block_end(&f->chunks, chunk);
  for (size_t row = mn_block_begin(&f->chunks, chunk); row < end; row += f->panel) {
    const size_t count = end - row < f->panel ? end - row : f->panel;
    const int height = (int)count, rectangular = 0;
    int info;
    load_panel(f->rows, row, count, root, panel);
    f->lapack->dtpqrt(&height, &f->order, &rectangular, &f->block, triangle, &f->order, panel, &height, t, &f->block,
                      lapack_work, &info);
  }
}

static void merge_pair(void *work, size_t pair, size_t worker)
{
  const struct reduction *f = work;
  const size_t size = f->width * f->width, first = 2 * pair * f->stride, second = first + f->stride;
  if (second >= f->chunks.count) return;
  double *const t = f->work + worker * f->work_size, *const lapack_work = t + (size_t)f->block * f->width;
  int info;
  f->lapack->dtpqrt(&f->order, &f->order, &f->order, &f->block, f->triangles + first * size, &f->order,
                    f->triangles + second * size, &f->order, t, &f->block, lapack_work, &info);
}

static mn_status reduce_rows(mn_context *ctx, struct reduction *f)
{
  f->width = f->rows->p + f->rows->m;
  MN_TRY(mn_lapack_int(ctx, "least squares: the number of columns", f->width, &f->order));
  const size_t min_rows = CHUNK_ROWS_PER_COLUMN * f->width;
  f->chunks = mn_make_blocks(f->rows->n, min_rows > MIN_CHUNK_ROWS ? min_rows : MIN_CHUNK_ROWS, MAX_CHUNKS);
  f->panel = PANEL_VALUES / f->width > MIN_PANEL_ROWS ? PANEL_VALUES / f->width : MIN_PANEL_ROWS;
  f->block = f->order < 200 ? 16 : 32;
  if (f->block > f->order) f->block = f->order;
  f->work_size = f->panel + (f->panel + 2 * (size_t)f->block + 8) * f->width;
  /* the same alignment for every worker, because the last bits of LAPACK depend on it */
  f->work_size = (f->work_size + 7) / 8 * 8;
  size_t values;
  if (!mn_checked_size(1, f->width, f->width, &values)) values = SIZE_MAX;
  const size_t triangles = f->chunks.count > 0 ? f->chunks.count : 1;
  MN_CHECK_ALLOC(f->triangles = MN_NEW(ctx, double, triangles, values));
  MN_CHECK_ALLOC(f->work = MN_RAW(ctx, double, mn_threads(ctx), f->work_size));
  MN_TRY(mn_parallel(ctx, f->chunks.count, reduce_chunk, f));
  for (f->stride = 1; f->stride < f->chunks.count; f->stride *= 2)
    MN_TRY(mn_parallel(ctx, (f->chunks.count + 2 * f->stride - 1) / (2 * f->stride), merge_pair, f));
  return MN_OK;
}

/* The first triangle holds R, Q'y and, below Q'y, the triangle of the residual of y. */
static void copy_result(const struct reduction *f, double *r, double *qty, double *residual)
{
  const size_t p = f->rows->p, m = f->rows->m, width = f->width;
  const double *const triangle = f->triangles;
  for (size_t i = 0; i < p; i++) {
    const double sign = triangle[i * width + i] < 0 ? -1 : 1;
    for (size_t j = 0; j < i; j++) r[i * p + j] = 0;
    for (size_t j = i; j < p; j++) r[i * p + j] = sign * triangle[j * width + i];
    for (size_t j = 0; j < m; j++) qty[i * m + j] = sign * triangle[(p + j) * width + i];
  }
  for (size_t j = 0; residual && j < m; j++) {
    residual[j] = 0;
    for (size_t i = p; i <= p + j; i++) residual[j] += triangle[(p + j) * width + i] * triangle[(p + j) * width + i];
  }
}

mn_status mn_tall_qr(mn_context *ctx, const mn_rows *rows, double *r, double *qty, double *residual)
{
  struct reduction f = { .rows = rows };
  if (rows->p + rows->m == 0) return MN_OK;
  MN_TRY(mn_lapack_get(ctx, &f.lapack));
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_status status = reduce_rows(ctx, &f);
  if (status == MN_OK && !mn_all_finite(f.width * f.width, f.triangles))
    status = mn_fail(ctx, MN_BAD_DATA, "least squares: X, y and weights must be finite, got nan or inf");
  if (status == MN_OK) copy_result(&f, r, qty, residual);
  mn_scratch_release(ctx, mark);
  return status;
}
