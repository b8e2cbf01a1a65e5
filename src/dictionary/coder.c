#include "coder.h"
#include "../decomposition/components.h"
#include "../linalg/product.h"
#include <stdio.h>

const char *const mn_coder_algorithms[] = { "omp", "lars", "lasso_lars", "lasso_cd", "threshold", NULL };

mn_status mn_coder_check(mn_context *ctx, const mn_coder *m)
{
  if (!m->positive_code || m->transform_algorithm > MN_CODE_LARS) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s: transform_algorithm = \"%s\" has no positive codes; use \"lasso_lars\", \"lasso_cd\" or "
                 "\"threshold\", or positive_code = false",
                 m->base.class->name, mn_coder_algorithms[m->transform_algorithm]);
}

static mn_code_settings settings_of(const mn_coder *m)
{
  const size_t k = m->components.rows, tenth = m->components.cols / 10 > 0 ? m->components.cols / 10 : 1;
  const size_t given = m->transform_n_nonzero_coefs == MN_UNSET ? tenth : (size_t)m->transform_n_nonzero_coefs;
  return (mn_code_settings){ .algorithm = m->transform_algorithm,
                             .count = given < k ? given : k,
                             .alpha = isnan(m->transform_alpha) ? m->alpha : m->transform_alpha,
                             .positive = m->positive_code,
                             .max_iter = (size_t)m->transform_max_iter };
}

mn_status mn_coder_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_coder *m = self;
  const size_t n = data->rows, k = m->components.rows, p = m->components.cols;
  const mn_code_settings settings = settings_of(m);
  MN_TRY(mn_coder_check(ctx, m));
  mn_matrix products = { .at = MN_RAW(ctx, double, n, k), .rows = n, .cols = k };
  double *gram = MN_RAW(ctx, double, k, k), *code = m->split_sign ? MN_NEW(ctx, double, n, k) : out->at;
  if (!products.at || !gram || !code) return MN_NO_MEMORY;
  MN_TRY(mn_project_rows(ctx, data, &m->components, &products));
  MN_TRY(mn_gemm(ctx, false, true, k, k, p, 1, m->components.at, p, m->components.at, p, 0, gram, k));
  MN_TRY(mn_sparse_code(ctx, &settings, n, k, k < p ? k : p, products.at, gram, code));
  for (size_t i = 0; m->split_sign && i < n; i++)
    for (size_t c = 0; c < k; c++) {
      const double value = code[i * k + c];
      mn_row(out, i)[value > 0 ? c : k + c] = fabs(value);
    }
  return MN_OK;
}

mn_status mn_coder_inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_coder *m = self;
  const size_t n = data->rows, k = m->components.rows, p = m->components.cols, width = data->features;
  MN_TRY(mn_gemm(ctx, false, false, n, p, k, 1, data->x.at, width, m->components.at, p, 0, out->at, p));
  if (!m->split_sign) return MN_OK;
  return mn_gemm(ctx, false, false, n, p, k, -1, data->x.at + k, width, m->components.at, p, 1, out->at, p);
}

mn_status mn_coder_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action;
  (void)program;
  return mn_cannot_export(ctx, self, "transform solves a problem of sparse coding for each row");
}

size_t mn_coder_outputs(const void *self)
{
  const mn_coder *m = self;
  return m->components.rows * (m->split_sign ? 2 : 1);
}

void mn_coder_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)inputs;
  const mn_coder *m = self;
  const size_t k = m->components.rows;
  if (m->split_sign)
    snprintf(text, size, "atom%zu%s", j % k + 1, j < k ? "+" : "-");
  else
    snprintf(text, size, "atom%zu", j + 1);
}
