/* Emissions: parameters, and the M step. The densities are in hmm_density.c. */
#include "hmm_emission.h"
#include <string.h>

mn_status mn_hmm_make_layout(mn_context *ctx, size_t k, size_t mix, int64_t covariance_type, double reg_covar,
                             double prior, const mn_indexes *family, const mn_vector *levels, mn_hmm_layout *l)
{
  mn_indexes others = { .at = MN_RAW(ctx, int32_t, family->size, 1), .size = family->size };
  *l = (mn_hmm_layout){
    .k = k, .w = mn_hmm_lanes(k), .p = family->size, .mix = mix, .floor = reg_covar, .prior = prior
  };
  l->g_column = MN_RAW(ctx, size_t, family->size, 1);
  if (!others.at || !l->g_column) return MN_NO_MEMORY;
  for (size_t j = 0; j < family->size; j++) {
    others.at[j] = family->at[j] == 0 ? -1 : family->at[j];
    if (family->at[j] == 0) l->g_column[l->g++] = j;
  }
  MN_TRY(mn_mixture_make_blocks(ctx, &others, levels, reg_covar, &l->other));
  l->other.k = k;
  l->other.p = family->size;
  l->model = mn_covariance_model(covariance_type);
  l->diagonal = mn_covariance_is_diagonal(l->model);
  l->gaussians = l->g > 0 ? k * mix : 0;
  l->gaussian_size = l->g > 0 ? mn_gaussians_size(l->gaussians, l->g, l->diagonal) : 0;
  l->size = l->gaussian_size + k * l->other.size;
  const size_t triangle = l->diagonal ? l->g : l->g * (l->g + 1) / 2, lanes = mix * l->w;
  const size_t in_lanes = l->g > 0 ? lanes * (1 + l->g + triangle) : 0;
  const size_t sums = l->g > 0 ? l->gaussians * (1 + l->g + (l->diagonal ? l->g : l->g * l->g)) + 3 : 0;
  MN_CHECK_ALLOC(l->table = MN_RAW(ctx, size_t, l->other.blocks + 1, 1));
  for (size_t b = 0; b < l->other.blocks; b++) {
    l->table[b] = (in_lanes > sums ? in_lanes : sums) + l->tables;
    l->tables += l->other.block[b].levels > 0 ? (l->other.block[b].levels + 2) * l->w : 0;
  }
  l->stats = (in_lanes > sums ? in_lanes : sums) + l->tables + k * (l->other.blocks + l->other.stats);
  return MN_OK;
}

mn_gaussians mn_hmm_gaussians(const mn_hmm_layout *l, const double *parameters)
{
  return mn_gaussians_view(l->gaussians, l->g, l->diagonal, (double *)(uintptr_t)parameters);
}

mn_status mn_hmm_derive_emissions(mn_context *ctx, const mn_hmm_layout *l, double *parameters, bool *degenerate)
{
  *degenerate = false;
  if (l->g > 0) {
    const mn_gaussians g = mn_hmm_gaussians(l, parameters);
    size_t singular;
    *g.noise = 0;
    MN_TRY(mn_gaussians_factor(ctx, &g, &singular));
    *degenerate = singular > 0;
  }
  for (size_t s = 0; s < l->k; s++)
    for (size_t b = 0; b < l->other.blocks; b++)
      MN_TRY(l->other.block[b].family->derive(ctx, l->other.block + b, mn_hmm_block(l, parameters, s, b)));
  return MN_OK;
}

/* Means, and scatter matrices about them, for statistics about the means before. A component without rows keeps what it
 * had. */
static mn_status maximize_gaussians(mn_context *ctx, const mn_hmm_layout *l, double *sums, double *parameters)
{
  const mn_gaussians g = mn_hmm_gaussians(l, parameters);
  const mn_gaussian_sums s = mn_gaussian_sums_view(&g, sums);
  const size_t p = l->g;
  for (size_t c = 0; c < g.k; c++) {
    double *scatter = s.scatter + c * g.width, *sum = s.sum + c * p;
    const double n = s.count[c] += 10 * DBL_EPSILON;
    const bool keeps = n < 1e-8;
    for (size_t i = 0; i < p; i++) {
      g.mean[c * p + i] += keeps ? 0 : sum[i] / n;
      const double *before = g.covariance + c * g.width;
      if (g.diagonal) {
        scatter[i] = keeps ? n * before[i] : fmax(scatter[i] - sum[i] * sum[i] / n, 0) + n * l->floor;
        continue;
      }
      for (size_t j = 0; j < p; j++)
        scatter[i * p + j] = keeps ? n * before[i * p + j] : scatter[i * p + j] - sum[i] * sum[j] / n;
      if (!keeps) scatter[i * (p + 1)] = fmax(scatter[i * (p + 1)], 0) + n * l->floor;
    }
  }
  for (size_t state = 0; state < l->k; state++) {
    double total = 0;
    for (size_t m = 0; m < l->mix; m++) total += s.count[state * l->mix + m];
    for (size_t m = 0; m < l->mix; m++) g.weight[state * l->mix + m] = s.count[state * l->mix + m] / total;
  }
  return mn_fit_covariances(ctx, l->model, &g, s.count, s.scatter);
}

/* The prior count of level i of a block whose values begin at column `at` of those that are shown. */
static double prior_count(const mn_hmm_layout *l, size_t state, size_t at, size_t i)
{
  return l->prior - 1 + (l->pseudocounts ? l->pseudocounts[state * l->other.shown + at + i] : 0);
}

/* Probabilities of the levels: the mode of the posterior under a Dirichlet prior. */
static void maximize_categories(const mn_hmm_layout *l, const mn_mixture_block *b, size_t state, size_t at,
                                const double *stats, double *t)
{
  double total = 0;
  for (size_t i = 0; i < b->levels; i++) total += stats[i] + prior_count(l, state, at, i);
  for (size_t i = 0; total > 0 && i < b->levels; i++) t[i] = (stats[i] + prior_count(l, state, at, i)) / total;
}

mn_status mn_hmm_maximize_emissions(mn_context *ctx, const mn_hmm_layout *l, double *sums, double *parameters,
                                    bool *degenerate)
{
  const double *others = sums + l->stats - l->k * (l->other.blocks + l->other.stats);
  if (l->g > 0) MN_TRY(maximize_gaussians(ctx, l, sums, parameters));
  for (size_t s = 0; s < l->k; s++, others += l->other.blocks + l->other.stats)
    for (size_t i = 0, at = 0; i < l->other.blocks; at += l->other.block[i++].shown) {
      const mn_mixture_block *b = l->other.block + i;
      const double *stats = others + l->other.blocks + b->first_stat;
      if (b->levels > 0)
        maximize_categories(l, b, s, at, stats, mn_hmm_block(l, parameters, s, i));
      else if (others[i] > 1e-10)
        MN_TRY(b->family->maximize(ctx, b, others[i], stats, mn_hmm_block(l, parameters, s, i)));
    }
  return mn_hmm_derive_emissions(ctx, l, parameters, degenerate);
}

double mn_hmm_emission_log_prior(const mn_hmm_layout *l, const double *parameters)
{
  double sum = 0;
  for (size_t s = 0; s < l->k; s++)
    for (size_t b = 0, at = 0; b < l->other.blocks; at += l->other.block[b++].shown)
      for (size_t i = 0; i < l->other.block[b].levels; i++) {
        const double count = prior_count(l, s, at, i);
        if (count > 0) sum += count * log(mn_hmm_block(l, parameters, s, b)[i]);
      }
  return sum;
}
