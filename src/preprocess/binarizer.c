/* Sets values above a threshold to 1 and all others to 0. */
#include "../core/threads.h"
#include "../model/class.h"
#include "../model/program.h"
#include "columns_kernel.h"
#include "sparse_values.h"

enum { BLOCK_VALUES = 1 << 16 };

struct binarizer {
  mn_estimator base;
  double threshold;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  (void)ctx;
  (void)self;
  (void)data;
  return MN_OK;
}

struct work {
  double threshold;
  const double *x;
  double *out;
  mn_blocks blocks;
};

static void binarize_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  const size_t begin = mn_block_begin(&w->blocks, block);
  mn_exceeds(mn_block_end(&w->blocks, block) - begin, w->x + begin, w->threshold, w->out + begin);
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  const struct binarizer *m = self;
  if (m->threshold < 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "Binarizer: threshold must be >= 0 for a sparse X, whose zeros stay zero; convert X by todense()");
  MN_TRY(mn_copy_sparse(ctx, data->sparse, out));
  for (size_t k = 0; k < out->start[out->rows]; k++) out->at[k] = out->at[k] > m->threshold ? 1 : 0;
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct binarizer *m = self;
  if (data->sparse) return mn_dense_transform(ctx, self, data, transform_sparse, out);
  struct work w = { .threshold = m->threshold, .x = data->x.at, .out = out->at };
  w.blocks = mn_make_blocks(data->rows * data->features, BLOCK_VALUES, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, binarize_block, &w);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  if (action != MN_TRANSFORM_X) return MN_OK;
  mn_program_real(program, "threshold", ((const struct binarizer *)self)->threshold);
  mn_program_code(program, "for j < features { out[j] = x[j] > threshold ? 1.0 : 0.0 }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_REAL(struct binarizer, threshold, 0, MN_NO_LIMITS(), "values above it become 1, all others 0"),
  MN_END,
};

static const mn_field fields[] = { MN_END };

const mn_class mn_binarizer = {
  .name = "Binarizer",
  .family = "preprocess",
  .brief = "Sets values above a threshold to 1 and all others to 0.",
  .objective = "z = 1 if x > threshold else 0",
  .source = "Pedregosa et al., JMLR 12 (2011)",
  .notes = "Requires no fit. "
           "A value equal to the threshold becomes 0. "
           "Sparse X stays sparse; its threshold must be >= 0.",
  .example = "print(ml.Binarizer{ threshold = 1.5 }:transform{ {1, 2}, {3, 0} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_STATELESS | MN_SPARSE,
  .size = sizeof(struct binarizer),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .outputs_whole = mn_all_outputs_whole,
  .overwrites = true,
  .transform_sparse = transform_sparse,
  .keeps_sparse = true,
  .export = export,
};
