#include "kernel_model.h"
#include "../kernel/kernel_value.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../model/kernel_program.h"
#include "../model/table.h"

enum { BLOCK_VALUES = 1 << 20, LEAST_ROWS = 96, FEW_ROWS = 8 };

mn_status mn_kernel_model_resolve(mn_context *ctx, mn_kernel_model *m, bool gamma_auto, const mn_data *data)
{
  const mn_kernel_settings settings = {
    .gamma = m->gamma, .gamma_auto = gamma_auto, .degree = m->degree, .coef0 = m->coef0
  };
  return mn_kernel_resolve(ctx, &m->base, &m->kernel, &settings, data, &m->fitted_kernel);
}

mn_status mn_kernel_select_rows(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *rows, size_t n,
                                const size_t *index, mn_kernel_rows *out)
{
  const mn_table all = { .dense = { .at = (double *)rows->x, .rows = rows->n, .cols = rows->d },
                         .sparse = rows->sparse,
                         .rows = rows->n,
                         .cols = rows->d };
  mn_table part;
  MN_TRY(mn_table_rows(ctx, &all, index, n, &part));
  *out = (mn_kernel_rows){ .n = n, .d = rows->d, .x = part.sparse ? NULL : part.dense.at, .sparse = part.sparse };
  if (!mn_kernel_has(k, MN_KERNEL_PRECOMPUTED)) return MN_OK;
  size_t *place = MN_RAW(ctx, size_t, n, 1);
  MN_CHECK_ALLOC(place);
  for (size_t i = 0; i < n; i++) place[i] = rows->place ? rows->place[index[i]] : index[i];
  out->place = place;
  return MN_OK;
}

static mn_status store_places(mn_context *ctx, mn_kernel_model *m, const mn_kernel_rows *rows)
{
  MN_TRY(mn_indexes_init(ctx, &m->place, rows->n));
  for (size_t i = 0; i < rows->n; i++) m->place.at[i] = (int32_t)(rows->place ? rows->place[i] : i);
  return MN_OK;
}

mn_status mn_kernel_model_store(mn_context *ctx, mn_kernel_model *m, const mn_data *data, const size_t *row, size_t n)
{
  mn_kernel_rows rows = mn_kernel_rows_of(data);
  const mn_kernel_rows all = rows;
  if (row) MN_TRY(mn_kernel_select_rows(ctx, &m->fitted_kernel, &all, n, row, &rows));
  if (mn_kernel_has(&m->fitted_kernel, MN_KERNEL_PRECOMPUTED)) return store_places(ctx, m, &rows);
  if (rows.sparse) return mn_value_copy(ctx, MN_KIND_CSR, rows.sparse, &m->sparse_x);
  const mn_matrix x = { .at = (double *)rows.x, .rows = rows.n, .cols = rows.d };
  return mn_value_copy(ctx, MN_KIND_MATRIX, &x, &m->x);
}

size_t mn_kernel_model_count(const mn_kernel_model *m)
{
  return m->place.at ? m->place.size : m->sparse_x.start ? m->sparse_x.rows : m->x.rows;
}

mn_status mn_kernel_model_check(mn_context *ctx, const void *self)
{
  const mn_kernel_model *m = self;
  const char *who = m->base.class->name;
  const bool precomputed = mn_kernel_has(&m->fitted_kernel, MN_KERNEL_PRECOMPUTED), sparse = m->sparse_x.rows > 0;
  const int kinds = (m->x.at != NULL) + sparse + (m->place.at != NULL);
  if (m->fitted_kernel.nodes == 0 || kinds > 1 || (kinds == 1 && precomputed != (m->place.at != NULL)))
    return mn_fail(ctx, MN_BAD_FILE, "%s: the archive has a kernel that does not suit its rows", who);
  return mn_kernel_check(ctx, who, &m->fitted_kernel, m->base.n_features);
}

static mn_status stored_places(mn_context *ctx, const mn_indexes *from, size_t begin, size_t n, const size_t **place)
{
  size_t *to = MN_RAW(ctx, size_t, n, 1);
  MN_CHECK_ALLOC(to);
  for (size_t i = 0; i < n; i++) to[i] = (size_t)from->at[begin + i];
  *place = to;
  return MN_OK;
}

/* Rows begin .. end-1; sparse ones through a view of their row pointers, in scratch. */
static mn_status rows_between(mn_context *ctx, const mn_kernel_rows *all, size_t begin, size_t end,
                              mn_kernel_rows *part)
{
  *part = *all;
  part->n = end - begin;
  if (all->x) part->x = all->x + begin * all->d;
  if (!all->sparse) return MN_OK;
  mn_csr *view = MN_RAW(ctx, mn_csr, 1, 1);
  MN_CHECK_ALLOC(view);
  *view = *all->sparse;
  view->rows = part->n;
  view->start += begin;
  part->sparse = view;
  return MN_OK;
}

mn_status mn_kernel_model_rows(mn_context *ctx, const mn_kernel_model *m, size_t begin, size_t end,
                               mn_kernel_rows *rows)
{
  const mn_kernel_rows all = { .n = mn_kernel_model_count(m),
                               .d = m->base.n_features,
                               .x = m->x.at,
                               .sparse = m->sparse_x.start ? &m->sparse_x : NULL };
  MN_TRY(rows_between(ctx, &all, begin, end, rows));
  return m->place.at ? stored_places(ctx, &m->place, begin, end - begin, &rows->place) : MN_OK;
}

mn_status mn_kernel_model_matrix(mn_context *ctx, const mn_kernel_model *m, const mn_data *data, const size_t *row,
                                 size_t n, double *out)
{
  mn_kernel_rows rows = mn_kernel_rows_of(data);
  const mn_kernel_rows all = rows;
  if (row) MN_TRY(mn_kernel_select_rows(ctx, &m->fitted_kernel, &all, n, row, &rows));
  return mn_kernel_matrix(ctx, &m->fitted_kernel, &rows, out, n);
}

mn_status mn_kernel_model_product(mn_context *ctx, const mn_kernel_model *m, const mn_data *data, size_t width,
                                  const double *coef, double *out)
{
  mn_kernel_rows stored;
  const mn_kernel_rows rows = mn_kernel_rows_of(data);
  MN_TRY(mn_kernel_model_rows(ctx, m, 0, mn_kernel_model_count(m), &stored));
  return mn_kernel_product(ctx, &m->fitted_kernel, &rows, &stored, width, coef, out);
}

/* The product for a few dense rows, row by row, as exported programs compute it. */
static mn_status product_by_rows(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *a, const mn_kernel_rows *b,
                                 size_t width, const double *coef, double *out)
{
  double *value = MN_RAW(ctx, double, b->n, 1);
  MN_CHECK_ALLOC(value);
  for (size_t i = 0; i < a->n; i++, out += width) {
    mn_kernel_values(k, a->d, b->n, b->x, a->x + i * a->d, value);
    for (size_t c = 0; c < width; c++) out[c] = 0;
    for (size_t r = 0; r < b->n; r++)
      for (size_t c = 0; c < width; c++) out[c] += value[r] * coef[r * width + c];
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

mn_status mn_kernel_product(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *a, const mn_kernel_rows *b,
                            size_t width, const double *coef, double *out)
{
  if (a->n <= FEW_ROWS && a->x && b->x && mn_kernel_has_values(k))
    return product_by_rows(ctx, k, a, b, width, coef, out);
  const size_t step = BLOCK_VALUES / (b->n + 1) + LEAST_ROWS; /* each block prepares the rows b again */
  for (size_t begin = 0; begin < a->n; begin += step) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const size_t n = a->n - begin < step ? a->n - begin : step;
    double *block = MN_RAW(ctx, double, n, b->n);
    mn_kernel_rows part;
    MN_CHECK_ALLOC(block);
    MN_TRY(rows_between(ctx, a, begin, begin + n, &part));
    MN_TRY(mn_kernel_cross(ctx, k, &part, b, block, b->n));
    MN_TRY(mn_gemm(ctx, false, false, n, width, b->n, 1, block, b->n, coef, width, 0, out + begin * width, width));
    mn_scratch_release(ctx, mark);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

mn_status mn_kernel_export_product(mn_context *ctx, const mn_estimator *model, const mn_kernel *k, const mn_matrix *x,
                                   size_t width, const double *coef, const char *finish, mn_program *program)
{
  mn_program_count(program, "n", x->rows);
  mn_program_reals(program, "coef", x->rows * width, coef);
  mn_program_code(program, "for c < outputs { out[c] = 0.0 } for i < n {");
  MN_TRY(mn_kernel_program(ctx, model, k, x->rows, x->at, program));
  mn_program_code(program, " for c < outputs { out[c] += k * coef[i * outputs + c] } }");
  if (finish) mn_program_code(program, finish);
  return MN_OK;
}

mn_status mn_kernel_model_export(mn_context *ctx, const mn_kernel_model *m, size_t width, const double *coef,
                                 const char *finish, mn_program *program)
{
  if (m->sparse_x.start) return mn_cannot_export(ctx, &m->base, "it was fitted on sparse X");
  return mn_kernel_export_product(ctx, &m->base, &m->fitted_kernel, &m->x, width, coef, finish, program);
}
