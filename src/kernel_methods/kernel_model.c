#include "kernel_model.h"
#include "../kernel/kernel_value.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"
#include "../model/kernel_program.h"
#include "../model/table.h"

enum { BLOCK_VALUES = 1 << 20, FEW_ROWS = 8 };

mn_status mn_kernel_model_resolve(mn_context *ctx, mn_kernel_model *m, const mn_data *data)
{
  const mn_kernel_settings settings = { .gamma = m->gamma, .gamma_auto = true, .degree = m->degree, .coef0 = m->coef0 };
  return mn_kernel_resolve(ctx, &m->base, &m->kernel, &settings, data, &m->fitted_kernel);
}

static mn_status store_places(mn_context *ctx, mn_kernel_model *m, const mn_data *data, const size_t *row, size_t n)
{
  const size_t *place = mn_kernel_rows_of(data).place;
  MN_TRY(mn_indexes_init(ctx, &m->place, n));
  for (size_t i = 0; i < n; i++) {
    const size_t r = row ? row[i] : i;
    m->place.at[i] = (int32_t)(place ? place[r] : r);
  }
  return MN_OK;
}

mn_status mn_kernel_model_store(mn_context *ctx, mn_kernel_model *m, const mn_data *data, const size_t *row, size_t n)
{
  mn_data subset = *data;
  if (mn_kernel_has(&m->fitted_kernel, MN_KERNEL_PRECOMPUTED)) return store_places(ctx, m, data, row, n);
  if (row) MN_TRY(mn_data_rows(ctx, data, row, n, &subset));
  if (data->sparse) return mn_value_copy(ctx, MN_KIND_CSR, subset.sparse, &m->sparse_x);
  return mn_value_copy(ctx, MN_KIND_MATRIX, &subset.x, &m->x);
}

mn_status mn_kernel_model_check(mn_context *ctx, const void *self)
{
  const mn_kernel_model *m = self;
  const char *who = m->base.class->name;
  const bool precomputed = mn_kernel_has(&m->fitted_kernel, MN_KERNEL_PRECOMPUTED);
  const int kinds = (m->x.at != NULL) + (m->sparse_x.start != NULL && m->sparse_x.rows > 0) + (m->place.at != NULL);
  if (m->fitted_kernel.nodes == 0 || kinds != 1 || precomputed != (m->place.at != NULL))
    return mn_fail(ctx, MN_BAD_FILE, "%s: the archive has a kernel that does not suit its rows", who);
  return mn_kernel_check(ctx, who, &m->fitted_kernel, m->base.n_features);
}

/* The stored rows; of a precomputed kernel only their columns in X. */
static mn_status stored_rows(mn_context *ctx, const mn_kernel_model *m, mn_kernel_rows *rows)
{
  *rows = (mn_kernel_rows){ .n = m->x.rows, .d = m->base.n_features, .x = m->x.at };
  if (m->sparse_x.start) {
    rows->n = m->sparse_x.rows;
    rows->sparse = &m->sparse_x;
  }
  if (!m->place.at) return MN_OK;
  size_t *place = MN_RAW(ctx, size_t, m->place.size, 1);
  MN_CHECK_ALLOC(place);
  for (size_t i = 0; i < m->place.size; i++) place[i] = (size_t)m->place.at[i];
  rows->n = m->place.size;
  rows->place = place;
  return MN_OK;
}

mn_status mn_kernel_model_matrix(mn_context *ctx, const mn_kernel_model *m, const mn_data *data, const size_t *row,
                                 size_t n, double *out)
{
  mn_kernel_rows rows = mn_kernel_rows_of(data);
  if (row) {
    mn_data subset;
    size_t *place = MN_RAW(ctx, size_t, n, 1);
    MN_CHECK_ALLOC(place);
    MN_TRY(mn_data_rows(ctx, data, row, n, &subset));
    for (size_t i = 0; i < n; i++) place[i] = rows.place ? rows.place[row[i]] : row[i];
    rows = (mn_kernel_rows){ .n = n, .d = data->features, .x = subset.x.at, .sparse = subset.sparse, .place = place };
  }
  return mn_kernel_matrix(ctx, &m->fitted_kernel, &rows, out, n);
}

mn_status mn_kernel_model_product(mn_context *ctx, const mn_kernel_model *m, const mn_data *data, size_t width,
                                  const double *coef, double *out)
{
  mn_kernel_rows stored;
  const mn_kernel_rows rows = mn_kernel_rows_of(data);
  MN_TRY(stored_rows(ctx, m, &stored));
  return mn_kernel_product(ctx, &m->fitted_kernel, &rows, &stored, width, coef, out);
}

/* Rows begin .. begin + n - 1. *view holds the row pointers of sparse rows. */
static mn_status rows_between(mn_context *ctx, const mn_kernel_rows *all, size_t begin, size_t n, mn_kernel_rows *part)
{
  *part = *all;
  part->n = n;
  if (!all->sparse) {
    part->x = all->x + begin * all->d;
    return MN_OK;
  }
  mn_csr *view = MN_RAW(ctx, mn_csr, 1, 1);
  MN_CHECK_ALLOC(view);
  *view = *all->sparse;
  view->rows = n;
  view->start += begin;
  part->sparse = view;
  return MN_OK;
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
  const size_t step = b->n < BLOCK_VALUES ? BLOCK_VALUES / (b->n + 1) + 1 : 1;
  for (size_t begin = 0; begin < a->n; begin += step) {
    const mn_mark mark = mn_scratch_mark(ctx);
    const size_t n = a->n - begin < step ? a->n - begin : step;
    double *block = MN_RAW(ctx, double, n, b->n);
    mn_kernel_rows part;
    MN_CHECK_ALLOC(block);
    MN_TRY(rows_between(ctx, a, begin, n, &part));
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
