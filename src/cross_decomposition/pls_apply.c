/* What fitted models of partial least squares compute: scores of X and y, X from scores, and their export. */
#include "../decomposition/components.h"
#include "../linalg/product.h"
#include "pls.h"
#include <stdio.h>
#include <string.h>

/* Scores are X projection' - shift. */
struct projection {
  mn_matrix rows; /* components x columns: the rotations divided by the scale */
  double *shift;  /* components: the scores of the means */
};

static mn_status make_projection(mn_context *ctx, const mn_pls_side *side, struct projection *f)
{
  const mn_matrix *r = side->rotations.at ? &side->rotations : &side->weights;
  const size_t p = r->rows, k = r->cols;
  f->rows = (mn_matrix){ .at = MN_RAW(ctx, double, k, p), .rows = k, .cols = p };
  f->shift = MN_NEW(ctx, double, k, 1);
  if (!f->rows.at || !f->shift) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++)
    for (size_t j = 0; j < p; j++) {
      const double value = r->at[j * k + c] / side->scale.at[j];
      f->rows.at[c * p + j] = value;
      f->shift[c] += side->mean.at[j] * value;
    }
  return MN_OK;
}

static mn_status project(mn_context *ctx, const mn_pls_side *side, const mn_data *data, mn_matrix *out)
{
  struct projection f;
  MN_TRY(make_projection(ctx, side, &f));
  MN_TRY(mn_project_rows(ctx, data, &f.rows, out));
  for (size_t i = 0; i < out->rows; i++)
    for (size_t c = 0; c < out->cols; c++) mn_row(out, i)[c] -= f.shift[c];
  return MN_OK;
}

mn_status mn_pls_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return project(ctx, &((const mn_pls *)self)->x, data, out);
}

mn_status mn_pls_inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_pls_side *x = &((const mn_pls *)self)->x;
  const size_t n = data->rows, p = out->cols, k = data->features;
  MN_TRY(mn_gemm(ctx, false, true, n, p, k, 1, data->x.at, k, x->loadings.at, k, 0, out->at, p));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < p; j++) mn_row(out, i)[j] = mn_row(out, i)[j] * x->scale.at[j] + x->mean.at[j];
  return MN_OK;
}

/* Scores of rows of X and y. */
static mn_status scores(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results)
{
  (void)options;
  const mn_pls *m = self;
  const size_t k = m->x.weights.cols;
  mn_matrix *x, *y;
  MN_TRY(mn_result_matrix(ctx, results, "x_scores", data->rows, k, &x));
  MN_TRY(project(ctx, &m->x, data, x));
  MN_TRY(mn_result_matrix(ctx, results, "y_scores", data->rows, k, &y));
  const mn_data targets = { .x = data->y, .rows = data->rows, .features = data->y.cols };
  return project(ctx, &m->y, &targets, y);
}

mn_status mn_pls_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_pls *m = self;
  struct projection f;
  if (action == MN_PREDICT) return mn_linear_export(ctx, self, action, program);
  if (action != MN_TRANSFORM_X) return MN_OK;
  MN_TRY(make_projection(ctx, &m->x, &f));
  mn_program_reals(program, "rotations", f.rows.rows * f.rows.cols, f.rows.at);
  mn_program_reals(program, "shift", f.rows.rows, f.shift);
  mn_program_code(program,
                  "for c < outputs { out[c] = 0.0 + dot(features, x, 0, rotations, c * features) - shift[c] }");
  return MN_OK;
}

size_t mn_pls_outputs(const void *self)
{
  return ((const mn_pls *)self)->x.weights.cols;
}

void mn_pls_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)inputs;
  snprintf(text, size, "%s%zu", strcmp(((const mn_pls *)self)->linear.base.class->name, "CCA") == 0 ? "cca" : "pls",
           j + 1);
}

void mn_pls_warning(const void *self, mn_text_buffer *text)
{
  const mn_pls *m = self;
  if (m->n_components != MN_UNSET && m->n_found < m->n_components)
    mn_text_printf(text, "n_components is %lld, but X and y have only %lld in common", (long long)m->n_components,
                   (long long)m->n_found);
}

const mn_param mn_pls_params[] = {
  MN_COUNT(mn_pls, n_components, MN_UNSET, MN_CLOSED(1, 2147483647),
           "number of components; if the data have fewer, those; nil: 2"),
  MN_FLAG(mn_pls, scale, true, "divide each column of X and y by its standard deviation"),
  MN_END,
};

const mn_operation mn_pls_operations[] = {
  { .name = "scores",
    .brief = "scores of rows of X and y in each component",
    .returns = "x_scores, y_scores (Matrix: rows x components)",
    .needs = MN_NEEDS_X | MN_NEEDS_Y,
    .run = scores },
  { .name = NULL },
};
