#include "csr.h"
#include "../core/threads.h"
#include "csr_kernel.h"
#include <string.h>

enum { MIN_PARALLEL = 100000, BLOCK = 16384, MAX_PARTS = 16, TRANSPOSE_MAX_PARTS = 4 };
enum { MIN_LANES = 8 }; /* products with fewer columns are not computed by vectors */

/* Merge the sorted halves [0, split) and [split, n). */
static void merge(int32_t *col, double *at, size_t split, size_t n, int32_t *work_col, double *work_at)
{
  size_t left = 0, right = split;
  for (size_t i = 0; i < n; i++) {
    const bool from_left = left < split && (right >= n || col[left] <= col[right]);
    const size_t from = from_left ? left++ : right++;
    work_col[i] = col[from];
    work_at[i] = at[from];
  }
  memcpy(col, work_col, n * sizeof *col);
  memcpy(at, work_at, n * sizeof *at);
}

static void sort_row(int32_t *col, double *at, size_t n, int32_t *work_col, double *work_at)
{
  enum { RUN = 24 };
  for (size_t i = 0; i < n; i += RUN) mn_csr_sort_row(col + i, at + i, n - i < RUN ? n - i : RUN);
  for (size_t width = RUN; width < n; width *= 2)
    for (size_t i = 0; i + width < n; i += 2 * width)
      merge(col + i, at + i, width, n - i < 2 * width ? n - i : 2 * width, work_col, work_at);
}

/* Sum entries with the same row and column, and close the gaps. */
static void add_repeated(mn_csr *s)
{
  size_t to = 0;
  for (size_t i = 0; i < s->rows; i++) {
    const size_t begin = s->start[i], end = s->start[i + 1], first = to;
    s->start[i] = first;
    for (size_t k = begin; k < end; k++) {
      if (to > first && s->col[to - 1] == s->col[k]) {
        s->at[to - 1] += s->at[k];
        continue;
      }
      s->col[to] = s->col[k];
      s->at[to++] = s->at[k];
    }
  }
  s->start[s->rows] = to;
}

/* On entry start[i + 1] is the number of values of row i; on return it is the index of its first value, so that
 * scattering the values advances it to the end of the row. */
static void accumulate(size_t *start, size_t rows)
{
  size_t before = 0;
  for (size_t i = 0; i < rows; i++) {
    const size_t here = start[i + 1];
    start[i + 1] = before;
    before += here;
  }
}

mn_status mn_csr_from_entries(mn_context *ctx, const mn_entry *entry, size_t n, mn_csr *out)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  int32_t *work_col = MN_RAW(ctx, int32_t, n, 1);
  MN_CHECK_ALLOC(work_col);
  double *work_at = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(work_at);
  memset(out->start, 0, (out->rows + 1) * sizeof *out->start);
  for (size_t k = 0; k < n; k++) out->start[entry[k].row + 1]++;
  accumulate(out->start, out->rows);
  for (size_t k = 0; k < n; k++) {
    const size_t position = out->start[entry[k].row + 1]++;
    out->col[position] = entry[k].col;
    out->at[position] = entry[k].value;
  }
  for (size_t i = 0; i < out->rows; i++) {
    const size_t begin = out->start[i];
    sort_row(out->col + begin, out->at + begin, out->start[i + 1] - begin, work_col, work_at);
  }
  add_repeated(out);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

size_t mn_count_nonzeros(const mn_matrix *x)
{
  size_t count = 0;
  for (size_t i = 0; i < x->rows * x->cols; i++) count += x->at[i] != 0;
  return count;
}

void mn_csr_from_dense(const mn_matrix *x, size_t capacity, mn_csr *out)
{
  size_t count = 0;
  for (size_t i = 0; i < x->rows; i++) {
    out->start[i] = count;
    for (size_t j = 0; j < x->cols; j++) {
      const double value = mn_row(x, i)[j];
      if (value == 0 || count == capacity) continue;
      out->col[count] = (int32_t)j;
      out->at[count++] = value;
    }
  }
  out->start[x->rows] = count;
}

void mn_csr_to_dense(const mn_csr *s, mn_matrix *out)
{
  for (size_t i = 0; i < s->rows; i++)
    for (size_t k = s->start[i]; k < s->start[i + 1]; k++) mn_row(out, i)[s->col[k]] = s->at[k];
}

struct work {
  const mn_csr *s;
  size_t n;
  const double *b;
  double *out; /* of the transposed product: blocks x cols x n */
  mn_blocks blocks;
};

static void times_task(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const mn_csr *s = w->s;
  const size_t begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  (void)worker;
  if (w->n >= MIN_LANES) {
    mn_csr_multiply_rows(end - begin, s->start + begin, s->col, s->at, w->n, w->b, w->out + begin * w->n);
    return;
  }
  for (size_t i = begin; i < end; i++) {
    double *restrict out = w->out + i * w->n;
    memset(out, 0, w->n * sizeof *out);
    for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
      const double value = s->at[k], *restrict b = w->b + (size_t)s->col[k] * w->n;
      for (size_t j = 0; j < w->n; j++) out[j] += value * b[j];
    }
  }
}

static void transposed_task(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const mn_csr *s = w->s;
  double *part = w->out + block * s->cols * w->n;
  (void)worker;
  const size_t begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  memset(part, 0, s->cols * w->n * sizeof *part);
  if (w->n >= MIN_LANES) {
    mn_csr_add_transposed_rows(end - begin, s->start + begin, s->col, s->at, w->n, w->b + begin * w->n, part);
    return;
  }
  for (size_t i = begin; i < end; i++) {
    const double *restrict b = w->b + i * w->n;
    for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
      double *restrict out = part + (size_t)s->col[k] * w->n;
      for (size_t j = 0; j < w->n; j++) out[j] += s->at[k] * b[j];
    }
  }
}

/* Runs in parallel if the work repays it. */
static mn_status run_blocks(mn_context *ctx, size_t blocks, size_t work_size, mn_task task, void *work)
{
  if (work_size >= MIN_PARALLEL) return mn_parallel(ctx, blocks, task, work);
  for (size_t block = 0; block < blocks; block++) task(work, block, 0);
  return MN_OK;
}

static mn_status run(mn_context *ctx, struct work *w, mn_task task)
{
  return run_blocks(ctx, w->blocks.count, w->s->start[w->s->rows] * w->n, task, w);
}

/* Rows per block, for about BLOCK multiplications. */
static size_t block_rows(const mn_csr *s, size_t n)
{
  const size_t row_work = s->rows > 0 ? s->start[s->rows] / s->rows * n : 0;
  return row_work < BLOCK ? BLOCK / (row_work + 1) : 1;
}

mn_status mn_csr_multiply(mn_context *ctx, const mn_csr *s, size_t n, const double *b, double *out)
{
  struct work w = { .s = s, .n = n, .b = b, .out = out, .blocks = mn_make_blocks(s->rows, block_rows(s, n), SIZE_MAX) };
  return run(ctx, &w, times_task);
}

/* Each part holds a value for every column, so there are few parts, and one if there are fewer values than columns. */
static mn_blocks make_parts(const mn_csr *s, size_t n, size_t max_parts)
{
  const size_t per_part = s->start[s->rows] / (s->cols + 1);
  if (per_part < max_parts) max_parts = per_part < 1 ? 1 : per_part;
  return mn_make_blocks(s->rows, block_rows(s, n), max_parts);
}

mn_status mn_csr_multiply_transposed(mn_context *ctx, const mn_csr *s, size_t n, const double *b, double *out)
{
  struct work w = { .s = s, .n = n, .b = b, .blocks = make_parts(s, n, MAX_PARTS) };
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t width;
  if (!mn_checked_size(1, s->cols, n, &width))
    return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu x %zu values", s->cols, n);
  w.out = MN_RAW(ctx, double, w.blocks.count, width);
  MN_CHECK_ALLOC(w.out);
  const mn_status status = run(ctx, &w, transposed_task);
  if (status == MN_OK) mn_sum_blocks(w.blocks.count, width, w.out, out);
  mn_scratch_release(ctx, mark);
  return status;
}

struct transposition {
  const mn_csr *s;
  mn_csr *out;
  size_t *position; /* parts x cols: the number of values of a column in each part, then the index of the next one */
  mn_blocks parts;
};

static void count_task(void *work, size_t block, size_t worker)
{
  const struct transposition *t = work;
  const size_t *start = t->s->start;
  size_t *count = t->position + block * t->s->cols;
  (void)worker;
  memset(count, 0, t->s->cols * sizeof *count);
  for (size_t k = start[mn_block_begin(&t->parts, block)]; k < start[mn_block_end(&t->parts, block)]; k++)
    count[t->s->col[k]]++;
}

static void find_positions(struct transposition *t)
{
  size_t before = 0;
  for (size_t j = 0; j < t->s->cols; j++) {
    t->out->start[j] = before;
    for (size_t block = 0; block < t->parts.count; block++) {
      size_t *position = t->position + block * t->s->cols + j;
      const size_t here = *position;
      *position = before;
      before += here;
    }
  }
  t->out->start[t->s->cols] = before;
}

static void scatter_task(void *work, size_t block, size_t worker)
{
  const struct transposition *t = work;
  const mn_csr *s = t->s;
  size_t *position = t->position + block * s->cols;
  (void)worker;
  for (size_t i = mn_block_begin(&t->parts, block); i < mn_block_end(&t->parts, block); i++)
    for (size_t k = s->start[i]; k < s->start[i + 1]; k++) {
      const size_t to = position[s->col[k]]++;
      t->out->col[to] = (int32_t)i;
      t->out->at[to] = s->at[k];
    }
}

mn_status mn_csr_transpose(mn_context *ctx, const mn_csr *s, mn_csr *out)
{
  struct transposition t = { .s = s, .out = out, .parts = make_parts(s, 1, TRANSPOSE_MAX_PARTS) };
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t work_size = s->start[s->rows];
  t.position = MN_RAW(ctx, size_t, t.parts.count, s->cols);
  MN_CHECK_ALLOC(t.position);
  MN_TRY(run_blocks(ctx, t.parts.count, work_size, count_task, &t));
  find_positions(&t);
  MN_TRY(run_blocks(ctx, t.parts.count, work_size, scatter_task, &t));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_csr_transpose_scratch(mn_context *ctx, const mn_csr *s, mn_csr *out)
{
  *out = (mn_csr){ .rows = s->cols, .cols = s->rows, .start = MN_NEW(ctx, size_t, s->cols + 1, 1) };
  out->col = MN_RAW(ctx, int32_t, s->start[s->rows], 1);
  out->at = MN_RAW(ctx, double, s->start[s->rows], 1);
  if (!out->start || !out->col || !out->at) return MN_NO_MEMORY;
  return mn_csr_transpose(ctx, s, out);
}
