/* What fitted mixtures of probabilistic PCA and of factor analyzers do with rows: coordinates and reconstructions. With
 * w_j the loadings of column j and the sums over the observed columns,
 *
 *     E{z | x, k} = inv(I + sum w_j w_j' / psi_j) sum w_j (x_j - mean_j) / psi_j. */
#include "low_rank_mixture.h"
#include "../factorization/lapack.h"
#include <string.h>

double mn_low_rank_noise(const struct mn_low_rank_mixture *m, size_t c, size_t j)
{
  return m->noise_variance.at ? m->noise_variance.at[c] : mn_row(&m->noise_matrix, c)[j];
}

/* The coordinates of a row under component c. system: q x q; the factor of the complete rows if `factored`. */
static mn_status coordinates(mn_context *ctx, const struct mn_low_rank_mixture *m, size_t c, const double *x,
                             bool factored, double *system, double *z)
{
  const size_t p = m->factors.cols, q = (size_t)m->n_factors;
  const double *w = mn_row(&m->factors, c * q), *mean = mn_row(&m->gmm.means, c);
  memset(z, 0, q * sizeof *z);
  if (!factored) memset(system, 0, q * q * sizeof *system);
  for (size_t a = 0; a < q; a++) {
    if (!factored) system[a * q + a] = 1;
    for (size_t j = 0; j < p; j++) {
      const double share = w[a * p + j] / mn_low_rank_noise(m, c, j);
      if (isnan(x[j])) continue;
      z[a] += share * (x[j] - mean[j]);
      for (size_t b = 0; !factored && b <= a; b++) system[a * q + b] += share * w[b * p + j];
    }
  }
  if (!factored) MN_TRY(mn_chol(ctx, q, system, NULL));
  return mn_chol_apply(ctx, q, 1, system, z);
}

/* What to do with the coordinates z of row i under component c, which has probability r. */
typedef void (*use_function)(void *work, size_t i, size_t c, double r, const double *z);

static mn_status for_each_row(mn_context *ctx, const struct mn_low_rank_mixture *m, const mn_data *data,
                              use_function use, void *work)
{
  const size_t k = m->gmm.weights.size, q = (size_t)m->n_factors, p = data->features;
  mn_matrix r = { .at = MN_RAW(ctx, double, data->rows, k), .rows = data->rows, .cols = k };
  double *systems = MN_RAW(ctx, double, k, q *q), *other = MN_RAW(ctx, double, q, q), *z = MN_RAW(ctx, double, q, 1);
  bool factored = false;
  if (!r.at || !systems || !other || !z) return MN_NO_MEMORY;
  MN_TRY(mn_gmm_log_proba(ctx, m, data, &r));
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_row(&data->x, i);
    bool complete = true;
    if (i % 256 == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; complete && j < p; j++) complete = !isnan(x[j]);
    for (size_t c = 0; c < k; c++) {
      MN_TRY(coordinates(ctx, m, c, x, complete && factored, complete ? systems + c * q * q : other, z));
      use(work, i, c, exp(mn_row(&r, i)[c]), z);
    }
    factored = factored || complete;
  }
  return MN_OK;
}

struct target {
  const struct mn_low_rank_mixture *m;
  mn_matrix *out;
};

static void weigh(void *work, size_t i, size_t c, double r, const double *z)
{
  const struct target *t = work;
  const size_t q = (size_t)t->m->n_factors;
  for (size_t a = 0; a < q; a++) mn_row(t->out, i)[c * q + a] = r * z[a];
}

mn_status mn_low_rank_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct target t = { self, out };
  return for_each_row(ctx, self, data, weigh, &t);
}

static void add_reconstruction(void *work, size_t i, size_t c, double r, const double *z)
{
  const struct target *t = work;
  const size_t q = (size_t)t->m->n_factors, p = t->out->cols;
  double *row = mn_row(t->out, i);
  for (size_t j = 0; j < p; j++) row[j] += r * mn_row(&t->m->gmm.means, c)[j];
  for (size_t a = 0; a < q; a++)
    for (size_t j = 0; j < p; j++) row[j] += r * z[a] * mn_row(&t->m->factors, c * q + a)[j];
}

mn_status mn_low_rank_reconstruct(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                  mn_results *results)
{
  (void)options;
  struct target t = { self, NULL };
  MN_TRY(mn_result_matrix(ctx, results, "X", data->rows, data->features, &t.out));
  return for_each_row(ctx, self, data, add_reconstruction, &t);
}

/* Coordinates are gain (x - mean) for each component: gain, components q x features, and gain mean. */
static mn_status export_coordinates(mn_context *ctx, const struct mn_low_rank_mixture *m, mn_program *program)
{
  const size_t k = m->gmm.weights.size, q = (size_t)m->n_factors, p = m->factors.cols;
  double *gain = MN_RAW(ctx, double, k *q, p), *shift = MN_NEW(ctx, double, k, q), *system = MN_RAW(ctx, double, q, q);
  if (!gain || !shift || !system) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++) {
    double *rows = gain + c * q * p;
    for (size_t a = 0; a < q; a++)
      for (size_t j = 0; j < p; j++) rows[a * p + j] = mn_row(&m->factors, c * q + a)[j] / mn_low_rank_noise(m, c, j);
    for (size_t a = 0; a < q; a++)
      for (size_t b = 0; b < q; b++) {
        system[a * q + b] = a == b;
        for (size_t j = 0; j < p; j++) system[a * q + b] += rows[a * p + j] * mn_row(&m->factors, c * q + b)[j];
      }
    MN_TRY(mn_chol_solve(ctx, q, p, system, rows, NULL));
    for (size_t a = 0; a < q; a++)
      for (size_t j = 0; j < p; j++) shift[c * q + a] += rows[a * p + j] * mn_row(&m->gmm.means, c)[j];
  }
  mn_program_reals(program, "gain", k * q * p, gain);
  mn_program_reals(program, "shift", k * q, shift);
  mn_program_count(program, "factors", q);
  mn_program_code(program,
                  "real density = out[0]"
                  " for c < components {"
                  "   real r = exp(score[c] - density)"
                  "   for a < factors {"
                  "     out[c * factors + a] ="
                  "       r * (dot(features, x, 0, gain, (c * factors + a) * features) - shift[c * factors + a])"
                  "   }"
                  " }");
  return MN_OK;
}

mn_status mn_low_rank_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  if (action != MN_TRANSFORM_X) return mn_gmm_export(ctx, self, action, program);
  MN_TRY(mn_gmm_export(ctx, self, MN_SCORE_SAMPLES, program)); /* score, and their sum in out[0] */
  return export_coordinates(ctx, self, program);
}
