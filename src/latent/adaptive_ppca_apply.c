/* What a fitted AdaptivePPCA does with rows. */
#include "../core/rng.h"
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "../model/program.h"
#include "adaptive_ppca.h"
#include <string.h>

struct apply {
  const struct adaptive_ppca *m;
  const mn_data *data;
  mn_matrix *out;
  mn_subsets subsets;
  double *space; /* workers x (subsets + active + components + features) */
  size_t width;
  mn_blocks blocks;
  mn_action action;
};

static mn_status subsets_of(mn_context *ctx, const struct adaptive_ppca *m, mn_subsets *s)
{
  size_t active = 0;
  for (size_t c = 0; c < m->subsets.cols; c++) active += mn_row(&m->subsets, 0)[c] > 0;
  MN_TRY(mn_subsets_init(ctx, m->subsets.cols, active, s));
  return mn_subsets_prepare(ctx, s, m->mean.size, m->components.at, m->noise_variance, m->weights.at);
}

static void transform_row(const mn_subsets *s, const double *b, const double *log_proba, double *z, double *out)
{
  for (size_t i = 0; i < s->count; i++) {
    const double r = exp(log_proba[i]);
    if (!(r > 0)) continue;
    mn_subset_mean(s, i, b, z);
    for (size_t a = 0; a < s->active; a++) out[s->member[i * s->active + a]] += r * z[a];
  }
}

static void apply_block(void *work, size_t block, size_t worker)
{
  const struct apply *t = work;
  const struct adaptive_ppca *m = t->m;
  const mn_subsets *s = &t->subsets;
  const size_t p = m->mean.size;
  double *log_proba = t->space + worker * t->width, *z = log_proba + s->count, *b = z + s->active, *d = b + s->k;
  for (size_t i = mn_block_begin(&t->blocks, block); i < mn_block_end(&t->blocks, block); i++) {
    double *out = mn_row(t->out, i);
    for (size_t j = 0; j < p; j++) d[j] = mn_row(&t->data->x, i)[j] - m->mean.at[j];
    for (size_t c = 0; c < s->k; c++) b[c] = mn_ordered_dot(p, mn_row(&m->components, c), d);
    const double density = mn_subsets_row(s, m->noise_variance, b, mn_ordered_dot(p, d, d), log_proba);
    if (t->action == MN_SCORE_SAMPLES) *out = density;
    for (size_t c = 0; t->action == MN_PREDICT_PROBA && c < s->count; c++) out[c] = exp(log_proba[c]);
    if (t->action == MN_TRANSFORM_X) transform_row(s, b, log_proba, z, out);
  }
}

static mn_status apply(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out, mn_action action)
{
  struct apply t = { .m = self, .data = data, .out = out, .action = action };
  MN_TRY(subsets_of(ctx, t.m, &t.subsets));
  t.width = t.subsets.count + t.subsets.active + t.subsets.k + data->features;
  t.space = MN_RAW(ctx, double, mn_threads(ctx), t.width);
  MN_CHECK_ALLOC(t.space);
  t.blocks = mn_make_blocks(data->rows, 64, SIZE_MAX);
  return mn_parallel(ctx, t.blocks.count, apply_block, &t);
}

mn_status mn_adaptive_ppca_score(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return apply(ctx, self, data, out, MN_SCORE_SAMPLES);
}

mn_status mn_adaptive_ppca_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return apply(ctx, self, data, out, MN_TRANSFORM_X);
}

/* x = mean + W' z */
mn_status mn_adaptive_ppca_inverse(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct adaptive_ppca *m = self;
  for (size_t i = 0; i < data->rows; i++) {
    double *x = mn_row(out, i);
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    memcpy(x, m->mean.at, out->cols * sizeof *x);
    for (size_t c = 0; c < m->components.rows; c++)
      for (size_t j = 0; j < out->cols; j++) x[j] += mn_row(&data->x, i)[c] * mn_row(&m->components, c)[j];
  }
  return MN_OK;
}

mn_status mn_adaptive_ppca_assign(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  const struct adaptive_ppca *m = self;
  mn_indexes *subset;
  mn_matrix *proba;
  (void)options;
  MN_TRY(mn_result_indexes(ctx, results, "subset", data->rows, &subset));
  MN_TRY(mn_result_matrix(ctx, results, "proba", data->rows, m->weights.size, &proba));
  MN_TRY(apply(ctx, self, data, proba, MN_PREDICT_PROBA));
  for (size_t i = 0; i < data->rows; i++) {
    const double *row = mn_row(proba, i);
    size_t best = 0;
    for (size_t s = 1; s < proba->cols; s++) best = row[s] > row[best] ? s : best;
    subset->at[i] = (int32_t)best;
  }
  return MN_OK;
}

mn_status mn_adaptive_ppca_sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  (void)data;
  const struct adaptive_ppca *m = self;
  const mn_sample_options *o = options;
  const size_t p = m->mean.size;
  mn_matrix *x;
  MN_TRY(mn_result_matrix(ctx, results, "X", (size_t)o->n, p, &x));
  for (size_t i = 0; i < x->rows; i++) {
    mn_rng rng = mn_stream(o->seed, i);
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    const double *active = mn_row(&m->subsets, mn_random_weighted(&rng, m->weights.at, m->weights.size));
    for (size_t j = 0; j < p; j++) mn_row(x, i)[j] = m->mean.at[j] + sqrt(m->noise_variance) * mn_random_normal(&rng);
    for (size_t c = 0; c < m->components.rows; c++) {
      const double z = active[c] > 0 ? mn_random_normal(&rng) : 0;
      for (size_t j = 0; j < p; j++) mn_row(x, i)[j] += z * mn_row(&m->components, c)[j];
    }
  }
  return MN_OK;
}

static const char *const densities =
    "reals d[features] for j < features { d[j] = x[j] - mean[j] }"
    " reals b[k] for c < k { b[c] = dot(features, d, 0, components, c * features) }"
    " real square = dot(features, d, 0, d, 0)"
    " reals score[subsets] real largest = -1e308 real sum = 0.0"
    " for i < subsets {"
    "   real along = 0.0"
    "   for a < active { for c < active {"
    "     along += inverse[(i * active + a) * active + c] * b[member[i * active + a]] * b[member[i * active + c]]"
    "   } }"
    "   real rest = square > along ? square - along : 0.0"
    "   score[i] = start[i] - rest / (2.0 * noise)"
    "   largest = score[i] > largest ? score[i] : largest"
    " }"
    " for i < subsets { sum += exp(score[i] - largest) }"
    " real density = largest + log(sum)";

static const char *const coordinates =
    "for c < k { out[c] = 0.0 }"
    " for i < subsets {"
    "  real r = exp(score[i] - density)"
    "  for a < active { for c < active {"
    "    out[member[i * active + a]] += r * inverse[(i * active + a) * active + c] * b[member[i * active + c]]"
    "  } }"
    "}";

mn_status mn_adaptive_ppca_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct adaptive_ppca *m = self;
  mn_subsets s;
  MN_TRY(subsets_of(ctx, m, &s));
  mn_program_reals(program, "components", s.k * m->mean.size, m->components.at);
  mn_program_reals(program, "mean", m->mean.size, m->mean.at);
  mn_program_count(program, "width", m->mean.size);
  mn_program_count(program, "k", s.k);
  if (action == MN_INVERSE_TRANSFORM) {
    mn_program_code(program, "for j < width { out[j] = mean[j] }"
                             " for c < k { for j < width { out[j] += x[c] * components[c * width + j] } }");
    return MN_OK;
  }
  mn_program_indexes(program, "member", s.count * s.active, s.member);
  mn_program_reals(program, "inverse", s.count * s.active * s.active, s.inverse);
  mn_program_reals(program, "start", s.count, s.log);
  mn_program_count(program, "subsets", s.count);
  mn_program_count(program, "active", s.active);
  mn_program_real(program, "noise", m->noise_variance);
  mn_program_code(program, densities);
  if (action == MN_SCORE_SAMPLES) mn_program_code(program, "out[0] = density");
  if (action == MN_TRANSFORM_X) mn_program_code(program, coordinates);
  return MN_OK;
}
