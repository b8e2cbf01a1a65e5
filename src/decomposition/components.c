#include "components.h"
#include "../linalg/csr.h"
#include "../linalg/ordered.h"
#include "../linalg/product.h"

enum { MAX_DOT_ROWS = 8 };

static mn_status project_sparse(mn_context *ctx, const mn_csr *x, const mn_matrix *components, mn_matrix *out)
{
  const size_t k = components->rows, p = components->cols;
  double *columns = MN_RAW(ctx, double, p, k);
  MN_CHECK_ALLOC(columns);
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) columns[j * k + c] = components->at[c * p + j];
  return mn_csr_multiply(ctx, x, k, columns, out->at);
}

mn_status mn_project_rows(mn_context *ctx, const mn_data *data, const mn_matrix *components, mn_matrix *out)
{
  const size_t n = data->rows, p = components->cols, k = components->rows;
  if (data->sparse) return project_sparse(ctx, data->sparse, components, out);
  if (n > MAX_DOT_ROWS) return mn_gemm(ctx, false, true, n, k, p, 1, data->x.at, p, components->at, p, 0, out->at, k);
  for (size_t c = 0; c < k; c++) mn_ordered_dots(n, p, data->x.at, mn_row(components, c), 0, out->at + c, k);
  return MN_OK;
}
