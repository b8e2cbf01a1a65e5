/* Divides each row by its norm; a row of zeros is unchanged.
 *
 *     z_i = x_i / |x_i| */
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "../model/class.h"
#include "../model/program.h"
#include "columns_kernel.h"
#include "sparse_values.h"

enum norm { NORM_L1, NORM_L2, NORM_MAX };
enum { BLOCK_VALUES = 1 << 16 };

struct normalizer {
  mn_estimator base;
  int64_t norm;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  (void)ctx;
  (void)self;
  (void)data;
  return MN_OK;
}

static double norm_of(enum norm norm, size_t p, const double *x)
{
  switch (norm) {
  case NORM_L1: return mn_ordered_abs_sum(p, x);
  case NORM_L2: return sqrt(mn_ordered_dot(p, x, x));
  case NORM_MAX: break;
  }
  return mn_largest_absolute(p, x);
}

/* Whether the norm is far from overflow and underflow. */
static bool is_safe(double norm)
{
  return norm >= 0x1p-400 && norm <= 0x1p400;
}

/* Not in a kernel, where fast math multiplies by the reciprocal: 3 / 5 would not be exactly 0.6. */
static void divide(size_t p, const double *x, double divisor, double *out)
{
  for (size_t j = 0; j < p; j++) out[j] = x[j] / divisor;
}

static void normalize_row(enum norm norm, size_t p, const double *x, double *out)
{
  const double size = norm_of(norm, p, x), largest = is_safe(size) ? size : mn_largest_absolute(p, x);
  divide(p, x, largest > 0 ? largest : 1, out); /* zeros stay zero */
  if (is_safe(size) || !(largest > 0)) return;
  const double rest = norm_of(norm, p, out); /* between 1 and p */
  divide(p, out, rest, out);
}

struct work {
  enum norm norm;
  const mn_matrix *x;
  mn_matrix *out;
  mn_blocks blocks;
};

static void normalize_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    normalize_row(w->norm, w->x->cols, mn_row(w->x, i), mn_row(w->out, i));
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  const struct normalizer *m = self;
  MN_TRY(mn_copy_sparse(ctx, data->sparse, out));
  for (size_t i = 0; i < out->rows; i++) {
    double *row = out->at + out->start[i];
    normalize_row((enum norm)m->norm, out->start[i + 1] - out->start[i], row, row);
  }
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct normalizer *m = self;
  if (data->sparse) return mn_dense_transform(ctx, self, data, transform_sparse, out);
  struct work w = { .norm = (enum norm)m->norm, .x = &data->x, .out = out };
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / data->features, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, normalize_block, &w);
}

static const char *const norms[] = { "l1", "l2", "max", NULL };

/* Like normalize_row: in two steps if the norm itself would overflow or underflow. */
static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  static const char *const of_x[] = { "real size = absolutes(features, x)",
                                      "real size = sqrt(dot(features, x, 0, x, 0))", "real size = largest" };
  static const char *const of_out[] = { "size = absolutes(features, out)", "size = sqrt(dot(features, out, 0, out, 0))",
                                        "size = largest_absolute(features, out)" };
  const enum norm norm = (enum norm)((const struct normalizer *)self)->norm;
  (void)ctx;
  if (action != MN_TRANSFORM_X) return MN_OK;
  mn_program_real(program, "least", 0x1p-400);
  mn_program_real(program, "most", 0x1p400);
  mn_program_code(program, "real largest = largest_absolute(features, x)");
  mn_program_code(program, of_x[norm]);
  mn_program_code(program, "if size >= least and size <= most {"
                           "  for j < features { out[j] = x[j] / size }"
                           "} else {"
                           "  real divisor = largest > 0 ? largest : 1.0"
                           "  for j < features { out[j] = x[j] / divisor }"
                           "  if largest > 0 {");
  mn_program_code(program, of_out[norm]);
  mn_program_code(program, "for j < features { out[j] /= size } } }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_CHOICE(struct normalizer, norm, NORM_L2, norms,
            "norm of a row: sum of absolute values, Euclidean length, or largest absolute value"),
  MN_END,
};

static const mn_field fields[] = { MN_END };

const mn_class mn_normalizer = {
  .name = "Normalizer",
  .family = "preprocess",
  .brief = "Scales each row to norm 1.",
  .objective = "z = x / |x|",
  .source = "Pedregosa et al., JMLR 12 (2011)",
  .notes = "Requires no fit. "
           "A row of zeros is unchanged. "
           "Rows of any magnitude are handled without overflow. "
           "Sparse X stays sparse.",
  .example = "print(ml.Normalizer{}:transform{ {3, 4}, {0, 0} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_STATELESS | MN_SPARSE,
  .size = sizeof(struct normalizer),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .overwrites = true,
  .transform_sparse = transform_sparse,
  .keeps_sparse = true,
  .export = export,
};
