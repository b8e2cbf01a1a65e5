/* A feature map whose inner products approximate a kernel, from m of the training rows (Nystroem's method):
 *
 *     z(x) = k(x, B) K_BB^(-1/2)        so that z(x)'z(y) = k(x, B) inv(K_BB) k(B, y)
 *
 * for a random subset B. It is exact for x or y in B. Williams & Seeger, NIPS 13 (2001). */
#include "../core/rng.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "kernel_model.h"

struct nystroem {
  mn_kernel_model model;
  int64_t n_components, seed;
  mn_indexes component_indices; /* the rows of B             */
  mn_matrix normalization;      /* K_BB^(-1/2), symmetric    */
};

/* The first m rows of a random permutation, in ascending order of the draw. */
static mn_status draw_rows(mn_context *ctx, int64_t seed, size_t n, size_t m, size_t *row)
{
  size_t *all = MN_RAW(ctx, size_t, n, 1);
  mn_rng random = mn_stream(seed, 0);
  MN_CHECK_ALLOC(all);
  for (size_t i = 0; i < n; i++) all[i] = i;
  for (size_t i = 0; i < m; i++) {
    const size_t other = i + mn_random_below(&random, n - i);
    row[i] = all[other];
    all[other] = all[i];
  }
  return MN_OK;
}

/* a := a^(-1/2) by its eigenvectors; eigenvalues that are rounding error count as 0. */
static mn_status inverse_root(mn_context *ctx, size_t m, double *a)
{
  double *values = MN_RAW(ctx, double, m, 1), *vectors = MN_RAW(ctx, double, m, m), *scaled = MN_RAW(ctx, double, m, m);
  if (!values || !vectors || !scaled) return MN_NO_MEMORY;
  MN_TRY(mn_eigh(ctx, m, m, MN_LARGEST, a, values, vectors));
  const double negligible = fmax(values[0], 0) * (double)m * DBL_EPSILON;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      scaled[i * m + j] = values[i] > negligible ? vectors[i * m + j] / sqrt(values[i]) : 0;
  return mn_gemm(ctx, true, false, m, m, m, 1, vectors, m, scaled, m, 0, a, m);
}

/* Check all rows, so that messages give their numbers in X instead of those among the drawn rows. */
static mn_status check_rows(mn_context *ctx, const mn_kernel *k, const mn_data *data)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_kernel_rows rows = mn_kernel_rows_of(data);
  double *diagonal = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(diagonal);
  MN_TRY(mn_kernel_diagonal(ctx, k, &rows, diagonal));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct nystroem *s = self;
  const size_t n = data->rows, m = (size_t)s->n_components < n ? (size_t)s->n_components : n;
  size_t *row = MN_RAW(ctx, size_t, m, 1);
  MN_CHECK_ALLOC(row);
  MN_TRY(draw_rows(ctx, s->seed, n, m, row));
  MN_TRY(mn_kernel_model_resolve(ctx, &s->model, true, data));
  MN_TRY(check_rows(ctx, &s->model.fitted_kernel, data));
  MN_TRY(mn_kernel_model_store(ctx, &s->model, data, row, m));
  MN_TRY(mn_indexes_init(ctx, &s->component_indices, m));
  for (size_t i = 0; i < m; i++) s->component_indices.at[i] = (int32_t)row[i];
  MN_TRY(mn_matrix_init(ctx, &s->normalization, m, m));
  MN_TRY(mn_kernel_model_matrix(ctx, &s->model, data, row, m, s->normalization.at));
  return inverse_root(ctx, m, s->normalization.at);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct nystroem *s = self;
  return mn_kernel_model_product(ctx, &s->model, data, out->cols, s->normalization.at, out->at);
}

static size_t outputs(const void *self)
{
  return ((const struct nystroem *)self)->normalization.rows;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct nystroem *s = self;
  if (action != MN_TRANSFORM_X) return MN_OK;
  return mn_kernel_model_export(ctx, &s->model, s->normalization.cols, s->normalization.at, NULL, program);
}

static const mn_param params[] = {
  MN_KERNEL_MODEL_PARAMS(MN_KERNEL_RBF, MN_GAMMA_TEXT, 1),
  MN_COUNT(struct nystroem, n_components, 100, MN_CLOSED(1, INT32_MAX),
           "number of training rows drawn, and of features returned; at most the number of rows"),
  MN_SEED(struct nystroem, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_INDEXES(struct nystroem, component_indices, "components", "the training rows that were drawn"),
  MN_MATRIX(struct nystroem, normalization, "components x components", "inverse square root of their kernel matrix"),
  MN_KERNEL_MODEL_FIELDS,
  MN_END,
};

const mn_class mn_nystroem = {
  .name = "Nystroem",
  .family = "kernel",
  .brief = "Features whose inner products approximate a kernel, from a subset of the rows.",
  .objective = "z(x) = k(x, B) K_BB^(-1/2), B a random subset of the rows",
  .source = "Williams & Seeger, NIPS 13 (2001)",
  .notes =
      "A linear model on these features approximates the kernel method at a cost that grows linearly with the number "
      "of rows: Nystroem with LinearSVC replaces SVC, Nystroem with Ridge replaces KernelRidge.",
  .example = "local map = ml.Nystroem{ gamma = 0.5, n_components = 2 }\n"
             "print(map:fit{ {0}, {1}, {2}, {3} }:transform{ {1.5} })",
  .capabilities = MN_TRANSFORM | MN_RANDOM,
  .accepts = MN_SPARSE,
  .size = sizeof(struct nystroem),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .export = export,
  .check = mn_kernel_model_check,
  .overwrites = true,
  .outputs = outputs,
};
