/* Adaptive probabilistic PCA: parameters, learned fields and class table. */
#include "adaptive_ppca.h"
#include <stdio.h>
#include <string.h>

static size_t outputs(const void *self)
{
  return ((const struct adaptive_ppca *)self)->components.rows;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  (void)self, (void)inputs;
  snprintf(text, size, "component%zu", j + 1);
}

/* Check a loaded model: the subsets are those of some n_active of the components, in order. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct adaptive_ppca *m = self;
  const size_t k = m->subsets.cols;
  size_t active = 0;
  mn_subsets s;
  bool valid = m->noise_variance > 0 && m->subsets.rows > 0 && k > 0;
  for (size_t c = 0; valid && c < k; c++) active += mn_row(&m->subsets, 0)[c] == 1;
  valid = valid && active > 0 && active <= k && mn_subset_count(k, active) == m->subsets.rows;
  if (valid) MN_TRY(mn_subsets_init(ctx, k, active, &s));
  for (size_t i = 0; valid && i < m->subsets.rows; i++) {
    double sum = 0;
    for (size_t c = 0; c < k; c++) sum += fabs(mn_row(&m->subsets, i)[c]);
    for (size_t a = 0; valid && a < active; a++) valid = mn_row(&m->subsets, i)[s.member[i * active + a]] == 1;
    valid = valid && sum == (double)active && m->weights.at[i] > 0;
  }
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "AdaptivePPCA: subsets, weights or noise are inconsistent");
}

static const mn_operation operations[] = {
  { .name = "assign",
    .brief = "the likeliest subset of each row, and the probability of every subset",
    .returns = "subset (Indexes: rows), proba (Matrix: rows x subsets)",
    .needs = MN_NEEDS_X,
    .run = mn_adaptive_ppca_assign },
  { .name = "sample",
    .brief = "random rows from the model",
    .returns = "Matrix: rows x features",
    .options = mn_sample_params,
    .options_size = sizeof(mn_sample_options),
    .run = mn_adaptive_ppca_sample },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(struct adaptive_ppca, n_components, 3, MN_CLOSED(1, 10000), "number of axes; may exceed the columns of X"),
  MN_COUNT(struct adaptive_ppca, n_active, 2, MN_CLOSED(1, 10000),
           "number of axes that a row uses, less than the columns of X"),
  MN_REAL(struct adaptive_ppca, tol, 1e-5, MN_AT_LEAST(0),
          "stop when an iteration increases the mean log likelihood per row by at most this"),
  MN_COUNT(struct adaptive_ppca, max_iter, 500, MN_AT_LEAST(1), "maximum number of iterations of each start"),
  MN_COUNT(struct adaptive_ppca, n_init, 5, MN_AT_LEAST(1), "random starts, of which the best is kept"),
  MN_SEED(struct adaptive_ppca, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct adaptive_ppca, components, "components x features",
            "rows w_k: axes, as long as the standard deviation along them, by descending length"),
  MN_MATRIX(struct adaptive_ppca, subsets, "subsets x components", "1 where a component is active"),
  MN_VECTOR(struct adaptive_ppca, weights, "subsets", "probability of each subset"),
  MN_VECTOR(struct adaptive_ppca, mean, "features", "where all axes meet"),
  MN_NUMBER(struct adaptive_ppca, noise_variance, "variance of the noise, in all directions"),
  MN_NUMBER(struct adaptive_ppca, loglike, "log likelihood of the rows of fit"),
  MN_INTEGER(struct adaptive_ppca, n_parameters, "number of free parameters"),
  MN_NUMBER(struct adaptive_ppca, aic, "2 n_parameters - 2 loglike"),
  MN_NUMBER(struct adaptive_ppca, bic, "n_parameters log(n) - 2 loglike"),
  MN_NUMBER(struct adaptive_ppca, n, "sum of the sample weights; the number of rows without weights"),
  MN_END,
};

const mn_class mn_adaptive_ppca = {
  .name = "AdaptivePPCA",
  .family = "decomposition",
  .brief = "Probabilistic PCA in which each row uses L of K axes.",
  .objective = "-sum_i w_i log sum_S weight_S N(x_i | mean, W_S' W_S + noise I)",
  .source = "Tipping & Bishop, Neural Computation 11 (1999); Zhou et al., IEEE Trans. Image Process. 21 (2012)",
  .notes = "Three axes of which two are active: rows near three planes that meet. MixturePPCA has axes and a mean for "
           "each plane instead. assign gives the likeliest subset, a row of `subsets`; transform the expected "
           "coordinates, 0 where an axis is not used; inverse_transform of them the row without noise. All subsets "
           "are listed, so there may be at most 10,000. A number of axes that differs by row, and on or off "
           "instead of coordinates: IndianBuffetProcess. EM finds local optima: increase n_init.",
  .example = "local A, Z = ml.Matrix{ {2, 0, 0}, {0, 2, 1} }, {}\n"
             "for i = 1, 60 do Z[i] = i % 2 == 0 and { math.sin(i), 0 } or { 0, math.cos(i) } end\n"
             "local X = ml.Matrix(Z) * A + ml.normal(60, 3, 1) * 0.05\n"
             "local model = ml.AdaptivePPCA{ n_components = 2, n_active = 1 }:fit(X)\n"
             "print(model.components, model.noise_variance)",
  .missing_alternatives = "ProbabilisticPCA and MixturePPCA",
  .capabilities = MN_DENSITY | MN_TRANSFORM | MN_ITERATE | MN_RANDOM | MN_APPROXIMATE_INVERSE | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct adaptive_ppca),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = mn_adaptive_ppca_fit,
  .score_samples = mn_adaptive_ppca_score,
  .transform = mn_adaptive_ppca_transform,
  .inverse_transform = mn_adaptive_ppca_inverse,
  .outputs = outputs,
  .output_name = output_name,
  .export = mn_adaptive_ppca_export,
  .export_tolerance = 1e-9,
  .check = check,
};
