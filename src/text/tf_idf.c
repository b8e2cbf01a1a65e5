#include "tf_idf.h"
#include "../core/threads.h"

enum { BLOCK_ROWS = 256 };

const char *const mn_row_norm_names[] = { "l2", "l1", "none", NULL };

mn_status mn_learn_idf(mn_context *ctx, size_t rows, size_t n, const double *documents, mn_tf_idf *out)
{
  if (!out->use_idf) return MN_OK;
  const double smooth = out->smooth_idf ? 1 : 0, total = (double)rows + smooth;
  MN_TRY(mn_vector_init(ctx, &out->idf, n));
  for (size_t j = 0; j < n; j++) {
    const double with = documents[j] + smooth;
    out->idf.at[j] = log(total / (with > 0 ? with : 1)) + 1;
  }
  return MN_OK;
}

static double sublinear(double count)
{
  if (count > 0) return log(count) + 1;
  return count < 0 ? -(log(-count) + 1) : 0;
}

static void normalize_row(enum mn_row_norm norm, size_t n, double *at)
{
  double sum = 0;
  if (norm == MN_NORM_NONE) return;
  for (size_t k = 0; k < n; k++) sum += norm == MN_NORM_L1 ? fabs(at[k]) : at[k] * at[k];
  const double size = norm == MN_NORM_L1 ? sum : sqrt(sum);
  for (size_t k = 0; size > 0 && k < n; k++) at[k] /= size;
}

void mn_apply_tf_idf_row(const mn_tf_idf *t, size_t n, const int32_t *col, double *at)
{
  for (size_t k = 0; t->sublinear_tf && k < n; k++) at[k] = sublinear(at[k]);
  for (size_t k = 0; t->idf.at && k < n; k++) at[k] *= t->idf.at[col ? (size_t)col[k] : k];
  normalize_row((enum mn_row_norm)t->norm, n, at);
}

struct work {
  const mn_tf_idf *tf_idf; /* NULL: the norm only */
  enum mn_row_norm norm;
  mn_csr *x;
  mn_blocks blocks;
};

static void work_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct work *w = work;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const size_t begin = w->x->start[i], n = w->x->start[i + 1] - begin;
    if (w->tf_idf)
      mn_apply_tf_idf_row(w->tf_idf, n, w->x->col + begin, w->x->at + begin);
    else
      normalize_row(w->norm, n, w->x->at + begin);
  }
}

static mn_status run(mn_context *ctx, struct work *w)
{
  w->blocks = mn_make_blocks(w->x->rows, BLOCK_ROWS, SIZE_MAX);
  return mn_parallel(ctx, w->blocks.count, work_block, w);
}

mn_status mn_apply_tf_idf(mn_context *ctx, const mn_tf_idf *tf_idf, mn_csr *x)
{
  return run(ctx, &(struct work){ .tf_idf = tf_idf, .x = x });
}

mn_status mn_normalize_rows(mn_context *ctx, enum mn_row_norm norm, mn_csr *x)
{
  return norm == MN_NORM_NONE ? MN_OK : run(ctx, &(struct work){ .norm = norm, .x = x });
}
