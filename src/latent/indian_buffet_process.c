/* The Indian buffet process: what a fitted model does with rows; parameters, learned fields and class table.
 *
 * The posterior of the features of a new row has P(z_k = 1) = counts_k / (n + 1) as prior, and no features of its own.
 * All combinations of few features are summed; of many, Gibbs sampling visits the probable ones, with the same random
 * numbers for every row. */
#include "../core/threads.h"
#include "../linalg/ordered.h"
#include "../model/program.h"
#include "indian_buffet.h"
#include <stdio.h>
#include <string.h>

enum { MAX_SUMMED = 10, BURN_IN = 20, SWEEPS = 200 };

struct apply {
  const struct indian_buffet *m;
  const mn_data *data;
  mn_matrix *out;
  const double *odds, *length; /* k: log prior odds; |a_k|^2         */
  double *space;               /* workers x (3 k + p)                */
  mn_blocks blocks;
};

/* A combination of features of a row. */
struct state {
  double *z, *g, *rest;             /* k; k: covariance z; p: x - A' z */
  double spread, length, log_prior; /* z' covariance z; |rest|^2      */
};

static void begin(const struct apply *w, const double *x, struct state *s)
{
  const size_t k = w->m->components.rows, p = w->m->components.cols;
  memset(s->z, 0, k * sizeof *s->z);
  memset(s->g, 0, k * sizeof *s->g);
  memcpy(s->rest, x, p * sizeof *x);
  s->length = mn_ordered_dot(p, x, x);
  s->spread = s->log_prior = 0;
}

static double log_density(const struct apply *w, double spread, double length)
{
  const double variance = w->m->noise_variance + spread;
  return -(double)w->m->components.cols / 2 * log(variance) - length / (2 * variance);
}

static double flipped_spread(const struct apply *w, const struct state *s, size_t f)
{
  return fmax(s->spread + (s->z[f] > 0 ? -2 : 2) * s->g[f] + mn_row(&w->m->covariance, f)[f], 0);
}

static double flipped_length(const struct apply *w, const struct state *s, size_t f)
{
  const double along = mn_ordered_dot(w->m->components.cols, s->rest, mn_row(&w->m->components, f));
  return fmax(s->length + (s->z[f] > 0 ? 2 : -2) * along + w->length[f], 0);
}

static void flip(const struct apply *w, struct state *s, size_t f)
{
  const struct indian_buffet *m = w->m;
  const double sign = s->z[f] > 0 ? -1 : 1;
  s->spread = flipped_spread(w, s, f);
  s->length = flipped_length(w, s, f);
  s->log_prior += sign * w->odds[f];
  s->z[f] += sign;
  for (size_t d = 0; d < m->components.rows; d++) s->g[d] += sign * mn_row(&m->covariance, f)[d];
  for (size_t j = 0; j < m->components.cols; j++) s->rest[j] -= sign * mn_row(&m->components, f)[j];
}

/* Combinations in the order of the Gray code, of which each differs from the one before in one feature. */
static void sum_all(const struct apply *w, const double *x, struct state *s, double *out)
{
  const size_t k = w->m->components.rows;
  double largest = -INFINITY, total = 0;
  begin(w, x, s);
  for (size_t i = 0; i < (size_t)1 << k; i++) {
    if (i > 0) {
      size_t f = 0;
      while (!(i >> f & 1)) f++;
      flip(w, s, f);
    }
    const double value = s->log_prior + log_density(w, s->spread, s->length);
    const double scale = value > largest ? exp(largest - value) : 1;
    largest = fmax(largest, value);
    const double weight = exp(value - largest);
    total = total * scale + weight;
    for (size_t f = 0; f < k; f++) out[f] = out[f] * scale + weight * s->z[f];
  }
  for (size_t f = 0; f < k; f++) out[f] /= total;
}

static void sample(const struct apply *w, const double *x, struct state *s, double *out)
{
  const size_t k = w->m->components.rows;
  mn_rng random = mn_stream(w->m->seed, UINT64_MAX);
  begin(w, x, s);
  for (int round = 0; round < BURN_IN + SWEEPS; round++) {
    for (size_t f = 0; f < k; f++) {
      const double gain =
          log_density(w, flipped_spread(w, s, f), flipped_length(w, s, f)) - log_density(w, s->spread, s->length);
      const bool has = s->z[f] > 0;
      const double chance = 1 / (1 + exp(-(w->odds[f] + (has ? -gain : gain))));
      if (round >= BURN_IN) out[f] += chance / SWEEPS;
      if ((mn_random_uniform(&random) < chance) != has) flip(w, s, f);
    }
  }
}

static void transform_block(void *work, size_t block, size_t worker)
{
  const struct apply *w = work;
  const size_t k = w->m->components.rows, p = w->m->components.cols;
  double *space = w->space + worker * (2 * k + p);
  struct state s = { .z = space, .g = space + k, .rest = space + 2 * k };
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    (k <= MAX_SUMMED ? sum_all : sample)(w, mn_row(&w->data->x, i), &s, mn_row(w->out, i));
}

mn_status mn_buffet_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct indian_buffet *m = self;
  const size_t k = m->components.rows, p = m->components.cols;
  double *odds = MN_RAW(ctx, double, k, 1), *length = MN_RAW(ctx, double, k, 1);
  struct apply w = { .m = m, .data = data, .out = out, .odds = odds, .length = length };
  w.space = MN_RAW(ctx, double, mn_threads(ctx), 2 * k + p);
  if (!odds || !length || !w.space) return MN_NO_MEMORY;
  for (size_t f = 0; f < k; f++) {
    odds[f] = log(m->counts.at[f]) - log((double)m->n + 1 - m->counts.at[f]);
    length[f] = mn_ordered_dot(p, mn_row(&m->components, f), mn_row(&m->components, f));
  }
  w.blocks = mn_make_blocks(data->rows, 8, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, transform_block, &w);
}

mn_status mn_buffet_inverse(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct indian_buffet *m = self;
  for (size_t i = 0; i < data->rows; i++) {
    if (i % MN_CHUNK == 0) MN_TRY(mn_poll(ctx));
    for (size_t f = 0; f < m->components.rows; f++)
      for (size_t j = 0; j < out->cols; j++) mn_row(out, i)[j] += mn_row(&data->x, i)[f] * mn_row(&m->components, f)[j];
  }
  return MN_OK;
}

static size_t outputs(const void *self)
{
  return ((const struct indian_buffet *)self)->components.rows;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self, (void)inputs;
  snprintf(text, size, "feature%zu", j + 1);
}

static mn_status export_program(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct indian_buffet *m = self;
  if (action != MN_INVERSE_TRANSFORM)
    return mn_cannot_export(ctx, self, "the posterior of all combinations of features is found in Lua only");
  mn_program_reals(program, "components", m->components.rows * m->components.cols, m->components.at);
  mn_program_count(program, "width", m->components.cols);
  mn_program_count(program, "k", m->components.rows);
  mn_program_code(program, "for c < k { for j < width { out[j] += x[c] * components[c * width + j] } }");
  return MN_OK;
}

/* Check a loaded model. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct indian_buffet *m = self;
  const size_t k = m->components.rows;
  bool valid = k > 0 && m->noise_variance > 0 && m->feature_variance > 0 && m->n > 0 && m->covariance.rows == k &&
               m->covariance.cols == k && m->assignments.cols == k && (size_t)m->n == m->assignments.rows;
  for (size_t f = 0; valid && f < k; f++) valid = m->counts.at[f] > 0 && m->counts.at[f] <= (double)m->n;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "IndianBuffetProcess: counts or variances are inconsistent");
}

static const mn_param params[] = {
  MN_REAL(struct indian_buffet, concentration, MN_UNSET_REAL, MN_OPEN(0, INFINITY),
          "alpha: expected number of features of a row; nil: sampled, with prior Gamma(1, 1)"),
  MN_COUNT(struct indian_buffet, max_components, 50, MN_CLOSED(1, 1000), "largest number of features"),
  MN_COUNT(struct indian_buffet, max_iter, 500, MN_AT_LEAST(1), "maximum number of sweeps over the rows"),
  MN_COUNT(struct indian_buffet, n_iter_no_change, 50, MN_AT_LEAST(1),
           "stop after so many sweeps in which the largest joint density did not rise"),
  MN_REAL(struct indian_buffet, tol, 1e-3, MN_AT_LEAST(0), "a rise is larger than this times the number of rows"),
  MN_COUNT(struct indian_buffet, n_init, 4, MN_CLOSED(1, 32),
           "chains, which are held at the same time and whose most probable state is kept"),
  MN_SEED(struct indian_buffet, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct indian_buffet, components, "components x features",
            "expectation of A: the features, by descending number of rows"),
  MN_MATRIX(struct indian_buffet, assignments, "samples x components",
            "Z of the rows of fit: 1 where a row has a feature"),
  MN_MATRIX(struct indian_buffet, covariance, "components x components",
            "covariance of each column of A given X and Z"),
  MN_VECTOR(struct indian_buffet, counts, "components", "number of rows that have each feature"),
  MN_VECTOR(struct indian_buffet, count_distribution, "counts",
            "share of the sweeps since the last rise with 1, 2, ... features"),
  MN_NUMBER(struct indian_buffet, alpha, "concentration of the state that was kept"),
  MN_NUMBER(struct indian_buffet, noise_variance, "variance of the noise"),
  MN_NUMBER(struct indian_buffet, feature_variance, "variance of the values of A"),
  MN_NUMBER(struct indian_buffet, log_joint, "log p(X, Z, alpha, variances) of the state that was kept"),
  MN_INTEGER(struct indian_buffet, n, "number of rows"),
  MN_END,
};

const mn_class mn_indian_buffet_process = {
  .name = "IndianBuffetProcess",
  .family = "decomposition",
  .brief = "Latent features that rows have or lack; their number is found.",
  .objective = "-log p(X, Z, alpha, variances), X = Z A + E, Z ~ IBP(alpha)",
  .source = "Griffiths & Ghahramani, JMLR 12 (2011); Doshi-Velez & Ghahramani, ICML (2009)",
  .notes = "A row is the sum of the features that it has, plus noise. X is not centered: what all rows share becomes a "
           "feature of nearly all of them. Gibbs sampling with A integrated out, from n_init starts; the trace is "
           "minus the log joint density and rises and falls. transform gives the probability of each feature. More "
           "starts find better states. A known number of features with coordinates: AdaptivePPCA.",
  .example = "local A = ml.Matrix{ {3, 3, 0, 0}, {0, 0, 2, 2} }\n"
             "local Z = {}\n"
             "for i = 1, 40 do Z[i] = { i % 2, i // 2 % 2 } end\n"
             "local X = ml.Matrix(Z) * A + ml.normal(40, 4, 1) * 0.3\n"
             "local model = ml.IndianBuffetProcess{}:fit(X)\n"
             "print(model.components, model:transform(X:slice(1, 4)))",
  .missing_alternatives = "ProbabilisticPCA and MixturePPCA",
  .capabilities = MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_NOISY_OBJECTIVE | MN_APPROXIMATE_INVERSE,
  .size = sizeof(struct indian_buffet),
  .params = params,
  .fields = fields,
  .fit = mn_buffet_fit,
  .transform = mn_buffet_transform,
  .inverse_transform = mn_buffet_inverse,
  .outputs = outputs,
  .output_name = output_name,
  .export = export_program,
  .check = check,
};
