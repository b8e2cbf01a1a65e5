#include "sparse_values.h"
#include <string.h>

mn_status mn_copy_sparse(mn_context *ctx, const mn_csr *x, mn_csr *out)
{
  const size_t nonzeros = x->start[x->rows];
  MN_TRY(mn_csr_init(ctx, out, x->rows, x->cols, nonzeros));
  memcpy(out->start, x->start, (x->rows + 1) * sizeof *x->start);
  if (nonzeros == 0) return MN_OK;
  memcpy(out->col, x->col, nonzeros * sizeof *x->col);
  memcpy(out->at, x->at, nonzeros * sizeof *x->at);
  return MN_OK;
}

mn_status mn_divide_sparse(mn_context *ctx, const mn_csr *x, const double *scale, mn_csr *out)
{
  MN_TRY(mn_copy_sparse(ctx, x, out));
  for (size_t k = 0; k < out->start[out->rows]; k++) out->at[k] /= scale[out->col[k]];
  return MN_OK;
}

mn_status mn_check_sparse_centering(mn_context *ctx, const char *who, const char *param, bool centers,
                                    const mn_data *data)
{
  if (!data->sparse || !centers) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: %s must be false for a sparse X, whose zeros would be lost", who, param);
}

static void densify(const mn_csr *x, mn_matrix *out)
{
  for (size_t i = 0; i < x->rows; i++) {
    for (size_t j = 0; j < x->cols; j++) mn_row(out, i)[j] = 0;
    for (size_t k = x->start[i]; k < x->start[i + 1]; k++) mn_row(out, i)[x->col[k]] = x->at[k];
  }
}

mn_status mn_dense_transform(mn_context *ctx, const void *self, const mn_data *data,
                             mn_status (*transform_sparse)(mn_context *, const void *, const mn_data *, mn_csr *),
                             mn_matrix *out)
{
  mn_csr made = { 0 };
  const mn_status status = transform_sparse(ctx, self, data, &made);
  if (status == MN_OK) densify(&made, out);
  mn_csr_free(mn_context_memory(ctx), &made);
  return status;
}
