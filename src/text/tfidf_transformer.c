/* Turns counts into TF-IDF values. */
#include "tf_idf.h"
#include "../linalg/csr.h"
#include "../model/program.h"

struct tfidf_transformer {
  mn_estimator base;
  mn_tf_idf tf_idf;
};

/* The number of rows in which each feature is not 0. */
static void count_rows(const mn_data *data, double *rows)
{
  const mn_csr *s = data->sparse;
  for (size_t k = 0; s && k < s->start[s->rows]; k++)
    if (s->at[k] < 0 || s->at[k] > 0) rows[s->col[k]]++;
  for (size_t i = 0; !s && i < data->rows; i++) {
    const double *x = mn_row(&data->x, i);
    for (size_t j = 0; j < data->features; j++) rows[j] += x[j] < 0 || x[j] > 0;
  }
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct tfidf_transformer *m = self;
  double *rows = MN_NEW(ctx, double, data->features, 1);
  MN_CHECK_ALLOC(rows);
  count_rows(data, rows);
  return mn_learn_idf(ctx, data->rows, data->features, rows, &m->tf_idf);
}

static mn_status transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out)
{
  const struct tfidf_transformer *m = self;
  const mn_csr *x = data->sparse;
  const size_t nonzeros = x->start[x->rows];
  MN_TRY(mn_csr_init(ctx, out, x->rows, x->cols, nonzeros));
  memcpy(out->start, x->start, (x->rows + 1) * sizeof *x->start);
  if (nonzeros > 0) memcpy(out->col, x->col, nonzeros * sizeof *x->col);
  if (nonzeros > 0) memcpy(out->at, x->at, nonzeros * sizeof *x->at);
  return mn_apply_tf_idf(ctx, &m->tf_idf, out);
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct tfidf_transformer *m = self;
  if (data->sparse) {
    mn_csr made = { 0 };
    const mn_status status = transform_sparse(ctx, self, data, &made);
    if (status == MN_OK) {
      memset(out->at, 0, out->rows * out->cols * sizeof *out->at); /* mn_csr_to_dense writes nonzeros only */
      mn_csr_to_dense(&made, out);
    }
    mn_csr_free(mn_context_memory(ctx), &made);
    return status;
  }
  for (size_t i = 0; i < data->rows; i++) {
    memcpy(mn_row(out, i), mn_row(&data->x, i), data->features * sizeof *out->at);
    mn_apply_tf_idf_row(&m->tf_idf, data->features, NULL, mn_row(out, i));
  }
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct tfidf_transformer *m = self;
  if (m->tf_idf.idf.size == 0 || m->tf_idf.idf.size == m->base.n_features) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "TfidfTransformer: idf does not match the columns");
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_tf_idf *t = &((const struct tfidf_transformer *)self)->tf_idf;
  (void)ctx;
  if (action != MN_TRANSFORM_X) return MN_OK;
  mn_program_code(program, "for j < features { out[j] = x[j] }");
  if (t->sublinear_tf)
    mn_program_code(program, "for j < features {"
                             "  if x[j] > 0 { out[j] = log(x[j]) + 1.0 }"
                             "  if x[j] < 0 { out[j] = -(log(-x[j]) + 1.0) }"
                             "}");
  if (t->idf.at) {
    mn_program_reals(program, "idf", t->idf.size, t->idf.at);
    mn_program_code(program, "for j < features { out[j] *= idf[j] }");
  }
  if (t->norm == MN_NORM_NONE) return MN_OK;
  mn_program_code(program, "real size = 0.0");
  mn_program_code(program, t->norm == MN_NORM_L1 ? "for j < features { size += abs(out[j]) }"
                                                 : "for j < features { size += out[j] * out[j] } size = sqrt(size)");
  mn_program_code(program, "if size > 0 { for j < features { out[j] /= size } }");
  return MN_OK;
}

static const mn_param params[] = { MN_TF_IDF_PARAMS(struct tfidf_transformer, tf_idf), MN_END };

static const mn_field fields[] = { MN_TF_IDF_FIELD(struct tfidf_transformer, tf_idf, "features?"), MN_END };

const mn_class mn_tfidf_transformer = {
  .name = "TfidfTransformer",
  .family = "text",
  .brief = "Turns counts into TF-IDF weights.",
  .objective = "z_ij = tf(x_ij) idf_j / |row i|, idf_j = log((1 + n) / (1 + n_j)) + 1",
  .source = "Spärck Jones, Journal of Documentation 28 (1972)",
  .notes = "n_j is the number of rows in which column j is not 0. "
           "Sparse X stays sparse. "
           "Without smooth_idf, a column of zeros gets the idf of a column with one nonzero (inf in scikit-learn); "
           "sublinear_tf keeps the sign of negative values (nan in scikit-learn).",
  .example = "print(ml.TfidfTransformer{}:fit_transform{ {2, 1, 0}, {1, 0, 1} })",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_SPARSE,
  .size = sizeof(struct tfidf_transformer),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .overwrites = true,
  .transform_sparse = transform_sparse,
  .keeps_sparse = true,
  .check = check,
  .export = export,
};
