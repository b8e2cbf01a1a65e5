#include "matrix.h"
#include <string.h>

/* Lasting memory, zeroed, with the text set on failure. */
static void *lasting(mn_context *ctx, size_t size, size_t rows, size_t cols)
{
  size_t bytes;
  void *taken = mn_size(size, rows, cols, &bytes) ? mn_take(mn_context_memory(ctx), bytes) : NULL;
  if (taken)
    memset(taken, 0, bytes);
  else
    mn_fail(ctx, MN_NO_MEMORY, "not enough memory for %zu x %zu values of %zu bytes", rows, cols, size);
  return taken;
}

mn_status mn_matrix_init(mn_context *ctx, mn_matrix *m, size_t rows, size_t cols)
{
  *m = (mn_matrix){ 0 };
  double *at = lasting(ctx, sizeof *at, rows, cols);
  MN_NEED(at);
  *m = (mn_matrix){ .at = at, .rows = rows, .cols = cols };
  return MN_OK;
}

mn_status mn_vector_init(mn_context *ctx, mn_vector *v, size_t size)
{
  *v = (mn_vector){ 0 };
  double *at = lasting(ctx, sizeof *at, size, 1);
  MN_NEED(at);
  *v = (mn_vector){ .at = at, .size = size };
  return MN_OK;
}

mn_status mn_indexes_init(mn_context *ctx, mn_indexes *v, size_t size)
{
  *v = (mn_indexes){ 0 };
  int32_t *at = lasting(ctx, sizeof *at, size, 1);
  MN_NEED(at);
  *v = (mn_indexes){ .at = at, .size = size };
  return MN_OK;
}

mn_status mn_csr_init(mn_context *ctx, mn_csr *s, size_t rows, size_t cols, size_t nonzeros)
{
  *s = (mn_csr){ 0 };
  mn_csr made = { .rows = rows, .cols = cols };
  made.start = rows < SIZE_MAX ? lasting(ctx, sizeof *made.start, rows + 1, 1) : NULL;
  made.col = made.start ? lasting(ctx, sizeof *made.col, nonzeros, 1) : NULL;
  made.at = made.col ? lasting(ctx, sizeof *made.at, nonzeros, 1) : NULL;
  if (made.at)
    *s = made;
  else
    mn_csr_free(mn_context_memory(ctx), &made);
  return s->at ? MN_OK : MN_NO_MEMORY;
}

void mn_matrix_free(mn_memory *memory, mn_matrix *m)
{
  mn_give(memory, m->at);
  *m = (mn_matrix){ 0 };
}

void mn_vector_free(mn_memory *memory, mn_vector *v)
{
  mn_give(memory, v->at);
  *v = (mn_vector){ 0 };
}

void mn_indexes_free(mn_memory *memory, mn_indexes *v)
{
  mn_give(memory, v->at);
  *v = (mn_indexes){ 0 };
}

void mn_csr_free(mn_memory *memory, mn_csr *s)
{
  mn_give(memory, s->start);
  mn_give(memory, s->col);
  mn_give(memory, s->at);
  *s = (mn_csr){ 0 };
}

void mn_take_rows(const mn_matrix *x, const size_t *rows, size_t n, mn_matrix *out)
{
  for (size_t i = 0; i < n; i++) memcpy(mn_row(out, i), mn_row(x, rows[i]), x->cols * sizeof *x->at);
}
