#include "matrix.h"
#include <string.h>

/* Zero in pieces, since the first write to much fresh memory takes too long to leave it uncancellable. */
static mn_status zero(mn_context *ctx, char *at, size_t bytes)
{
  enum { PIECE = 1 << 23 };
  while (bytes > PIECE) {
    memset(at, 0, PIECE);
    at += PIECE;
    bytes -= PIECE;
    MN_TRY(mn_poll(ctx));
  }
  memset(at, 0, bytes);
  return MN_OK;
}

/* Memory of the account, with the error set on failure. */
static mn_status allocate_raw(mn_context *ctx, size_t size, size_t rows, size_t cols, void **out)
{
  size_t bytes;
  *out = mn_checked_size(size, rows, cols, &bytes) ? mn_alloc(mn_context_memory(ctx), bytes) : NULL;
  if (*out) return MN_OK;
  return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu x %zu values of %zu bytes", rows, cols, size);
}

static mn_status allocate(mn_context *ctx, size_t size, size_t rows, size_t cols, void **out)
{
  MN_TRY(allocate_raw(ctx, size, rows, cols, out));
  const mn_status status = zero(ctx, *out, size * rows * cols);
  if (status == MN_OK) return MN_OK;
  mn_free(mn_context_memory(ctx), *out);
  *out = NULL;
  return status;
}

bool mn_matrix_size_allowed(size_t rows, size_t cols)
{
  return (rows > 0 && cols > 0) || (rows <= MN_MAX_EMPTY && cols <= MN_MAX_EMPTY);
}

mn_status mn_matrix_init(mn_context *ctx, mn_matrix *m, size_t rows, size_t cols)
{
  *m = (mn_matrix){ 0 };
  void *at;
  if (!mn_matrix_size_allowed(rows, cols))
    return mn_fail(ctx, MN_NO_MEMORY, "a matrix without values can have at most %d rows and columns, got %zu x %zu",
                   MN_MAX_EMPTY, rows, cols);
  MN_TRY(allocate(ctx, sizeof(double), rows, cols, &at));
  *m = (mn_matrix){ .at = at, .rows = rows, .cols = cols };
  return MN_OK;
}

mn_status mn_vector_init(mn_context *ctx, mn_vector *v, size_t size)
{
  *v = (mn_vector){ 0 };
  void *at;
  MN_TRY(allocate(ctx, sizeof(double), size, 1, &at));
  *v = (mn_vector){ .at = at, .size = size };
  return MN_OK;
}

mn_status mn_indexes_init(mn_context *ctx, mn_indexes *v, size_t size)
{
  *v = (mn_indexes){ 0 };
  void *at;
  MN_TRY(allocate(ctx, sizeof(int32_t), size, 1, &at));
  *v = (mn_indexes){ .at = at, .size = size };
  return MN_OK;
}

static mn_status resize(mn_context *ctx, size_t size, size_t n, void *old, void **out)
{
  size_t bytes;
  if (!old) return allocate_raw(ctx, size, n, 1, out);
  *out = mn_checked_size(size, n, 1, &bytes) ? mn_realloc(mn_context_memory(ctx), old, bytes) : NULL;
  if (*out) return MN_OK;
  return mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu values of %zu bytes", n, size);
}

mn_status mn_vector_resize(mn_context *ctx, mn_vector *v, size_t size)
{
  void *at;
  MN_TRY(resize(ctx, sizeof(double), size, v->at, &at));
  *v = (mn_vector){ .at = at, .size = size };
  return MN_OK;
}

mn_status mn_indexes_resize(mn_context *ctx, mn_indexes *v, size_t size)
{
  void *at;
  MN_TRY(resize(ctx, sizeof(int32_t), size, v->at, &at));
  *v = (mn_indexes){ .at = at, .size = size };
  return MN_OK;
}

mn_status mn_csr_init(mn_context *ctx, mn_csr *s, size_t rows, size_t cols, size_t nonzeros)
{
  *s = (mn_csr){ 0 };
  void *start = NULL, *col = NULL, *at = NULL;
  mn_status status = rows < SIZE_MAX ? allocate(ctx, sizeof(size_t), rows + 1, 1, &start) : MN_NO_MEMORY;
  if (status == MN_OK) status = allocate_raw(ctx, sizeof(int32_t), nonzeros, 1, &col);
  if (status == MN_OK) status = allocate_raw(ctx, sizeof(double), nonzeros, 1, &at);
  mn_csr made = { .rows = rows, .cols = cols, .start = start, .col = col, .at = at };
  if (status == MN_OK)
    *s = made;
  else
    mn_csr_free(mn_context_memory(ctx), &made);
  return status;
}

void mn_matrix_free(mn_memory *memory, mn_matrix *m)
{
  mn_free(memory, m->at);
  *m = (mn_matrix){ 0 };
}

void mn_vector_free(mn_memory *memory, mn_vector *v)
{
  mn_free(memory, v->at);
  *v = (mn_vector){ 0 };
}

void mn_indexes_free(mn_memory *memory, mn_indexes *v)
{
  mn_free(memory, v->at);
  *v = (mn_indexes){ 0 };
}

void mn_csr_free(mn_memory *memory, mn_csr *s)
{
  mn_free(memory, s->start);
  mn_free(memory, s->col);
  mn_free(memory, s->at);
  *s = (mn_csr){ 0 };
}

void mn_csr_sort_row(int32_t *col, double *at, size_t n)
{
  for (size_t i = 1; i < n; i++) {
    const int32_t c = col[i];
    const double value = at[i];
    size_t j = i;
    for (; j > 0 && col[j - 1] > c; j--) {
      col[j] = col[j - 1];
      at[j] = at[j - 1];
    }
    col[j] = c;
    at[j] = value;
  }
}

/* Fetch the beginning of a row, from which on the hardware continues. */
static void prefetch_row(const mn_matrix *x, size_t row)
{
  enum { MOST = 64, CACHE_LINE = 8 }; /* values */
  const double *at = mn_row(x, row);
  const size_t n = x->cols < MOST ? x->cols : MOST;
  for (size_t j = 0; j < n; j += CACHE_LINE) __builtin_prefetch(at + j);
}

void mn_gather_rows(const mn_matrix *x, const size_t *rows, size_t n, mn_matrix *out)
{
  enum { ROWS_AHEAD = 12 };
  for (size_t i = 0; i < n; i++) {
    if (i + ROWS_AHEAD < n) prefetch_row(x, rows[i + ROWS_AHEAD]);
    memcpy(mn_row(out, i), mn_row(x, rows[i]), x->cols * sizeof *x->at);
  }
}
