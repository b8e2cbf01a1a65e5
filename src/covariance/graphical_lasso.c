/* Covariance with a sparse inverse, for a given penalty or one of cross-validation: graphical.h. */
#include "../linear/folds.h"
#include "estimate.h"
#include "graphical.h"
#include "../stats/special.h"
#include "../model/magnitudes.h"
#include <string.h>

struct graphical_lasso {
  mn_covariance_estimate estimate;
  double alpha, tol, enet_tol; /* parameters; alpha is learned by cross-validation */
  int64_t max_iter;
  mn_vector alphas; /* of GraphicalLassoCV */
  int64_t n_alphas, n_refinements, cv;
  mn_vector grid_alpha, mean_score; /* learned by it */
  mn_matrix scores;
};

/* The model for the empirical covariance of all rows. */
static mn_status fit_alpha(mn_context *ctx, struct graphical_lasso *m, const double *location, const double *s)
{
  mn_graphical g = { .who = m->estimate.base.class->name,
                     .p = m->estimate.base.n_features,
                     .s = s,
                     .alpha = m->alpha,
                     .tol = m->tol,
                     .enet_tol = m->enet_tol,
                     .max_iter = m->max_iter };
  m->estimate.base.report.advice = "increase max_iter or alpha, or scale the columns";
  m->estimate.base.report.scaled_advice = "increase max_iter or alpha";
  MN_TRY(mn_graphical_init(ctx, &g));
  MN_TRY(mn_graphical_solve(ctx, &g, &m->estimate.base.report));
  if (isinf(g.log_det)) return mn_store_covariance(ctx, &m->estimate, location, g.w); /* max_iter was too small */
  return mn_store_precision(ctx, &m->estimate, location, g.w, g.precision);
}

static mn_status all_rows(mn_context *ctx, const struct graphical_lasso *m, const mn_data *data, double **location,
                          double **s)
{
  *location = MN_RAW(ctx, double, data->features, 1);
  *s = MN_RAW(ctx, double, data->features, data->features);
  if (!*location || !*s) return MN_NO_MEMORY;
  MN_TRY(mn_check_magnitudes(ctx, &m->estimate.base, data));
  return mn_sample_covariance(ctx, data, m->estimate.assume_centered, *location, *s, NULL);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  double *location, *s;
  MN_TRY(all_rows(ctx, self, data, &location, &s));
  return fit_alpha(ctx, self, location, s);
}

/* A grid of candidates, all folds of which run in parallel. */
struct search {
  const struct graphical_lasso *m;
  const mn_data *data;
  mn_folds folds;
  size_t count; /* candidates, of this round                */
  const double *alpha;
  double *score; /* count x folds */
};

/* Mean log density of test rows with covariance s. */
static double log_likelihood(const mn_graphical *g, const double *s)
{
  double trace = 0;
  for (size_t i = 0; i < g->p * g->p; i++) trace += s[i] * g->precision[i];
  return (g->log_det - trace - (double)g->p * MN_LOG_2PI) / 2;
}

static mn_status run_fold(mn_context *ctx, void *work, size_t fold)
{
  const struct search *s = work;
  const struct graphical_lasso *m = s->m;
  const size_t p = s->data->features;
  double *weights = MN_RAW(ctx, double, s->data->rows, 1), *location = MN_RAW(ctx, double, p, 1);
  double *train = MN_RAW(ctx, double, p, p), *test = MN_RAW(ctx, double, p, p);
  if (!weights || !location || !train || !test) return MN_NO_MEMORY;
  mn_data rows = mn_fold_train(&s->folds, s->data, fold, weights);
  MN_TRY(mn_sample_covariance(ctx, &rows, m->estimate.assume_centered, location, train, NULL));
  rows = *s->data;
  rows.weights = s->folds.test + fold * s->data->rows;
  MN_TRY(mn_sample_covariance(ctx, &rows, m->estimate.assume_centered, location, test, NULL));
  mn_graphical g = { .who = m->estimate.base.class->name,
                     .p = p,
                     .s = train,
                     .tol = m->tol,
                     .enet_tol = m->enet_tol,
                     .max_iter = m->max_iter < 10 ? 1 : m->max_iter / 10 };
  MN_TRY(mn_graphical_init(ctx, &g));
  for (size_t c = 0; c < s->count; c++) {
    g.alpha = s->alpha[c];
    MN_TRY(mn_graphical_solve(ctx, &g, NULL));
    s->score[c * s->folds.count + fold] = log_likelihood(&g, test);
  }
  return MN_OK;
}

/* The candidates of all rounds, by descending alpha. */
struct grid {
  size_t count;
  double *alpha, *mean, *score; /* count, count, count x folds */
};

static void insert(struct grid *g, size_t folds, double alpha, const double *score)
{
  size_t at = g->count++;
  for (; at > 0 && g->alpha[at - 1] < alpha; at--) {
    g->alpha[at] = g->alpha[at - 1];
    g->mean[at] = g->mean[at - 1];
    memcpy(g->score + at * folds, g->score + (at - 1) * folds, folds * sizeof *score);
  }
  g->alpha[at] = alpha;
  g->mean[at] = 0;
  for (size_t f = 0; f < folds; f++) g->mean[at] += score[f] / (double)folds;
  memcpy(g->score + at * folds, score, folds * sizeof *score);
}

/* The candidate with the largest score; of equal ones the smallest alpha. */
static size_t best_of(const struct grid *g)
{
  size_t best = 0;
  for (size_t c = 1; c < g->count; c++)
    if (g->mean[c] >= g->mean[best]) best = c;
  return best;
}

/* `count` candidates from high to low, evenly spaced in the logarithm. */
static void space(size_t count, double high, double low, bool ends, double *alpha)
{
  const double gaps = ends ? (double)count - 1 : (double)count + 1;
  for (size_t c = 0; c < count; c++) {
    const double share = gaps > 0 ? (ends ? (double)c : (double)c + 1) / gaps : 0;
    alpha[c] = exp((1 - share) * log(high) + share * log(low));
  }
}

/* Candidates around the best one so far. */
static void refine(const struct grid *g, size_t count, double *alpha)
{
  const size_t best = best_of(g), last = g->count - 1;
  const double high = best > 0 ? g->alpha[best - 1] : g->alpha[0];
  const double low = best == 0 && last > 0 ? g->alpha[1] : best < last ? g->alpha[best + 1] : 0.01 * g->alpha[best];
  space(count, best == last && best > 0 ? g->alpha[best] : high, low, false, alpha);
}

/* The largest covariance of two columns: all candidates from there on have a diagonal precision. */
static double largest_covariance(size_t p, const double *s)
{
  double largest = 0;
  for (size_t i = 0; i < p * p; i++)
    if (i % (p + 1) != 0) largest = fmax(largest, fabs(s[i]));
  return largest;
}

static mn_status first_candidates(const struct graphical_lasso *m, size_t p, const double *s, size_t count,
                                  double *alpha)
{
  const double largest = largest_covariance(p, s);
  if (m->alphas.size > 0)
    memcpy(alpha, m->alphas.at, count * sizeof *alpha);
  else if (largest > 0)
    space(count, largest, largest / 100, true, alpha);
  else
    space(count, 1, 0.01, true, alpha); /* any will do */
  return MN_OK;
}

static mn_status choose(mn_context *ctx, struct graphical_lasso *m, const mn_data *data, const double *s,
                        struct grid *grid)
{
  const size_t count = m->alphas.size > 0 ? m->alphas.size : (size_t)m->n_alphas;
  const size_t rounds = m->alphas.size > 0 ? 1 : (size_t)m->n_refinements;
  struct search search = { .m = m, .data = data, .count = count };
  MN_TRY(mn_folds_make(ctx, m->estimate.base.class->name, data, m->cv, &search.folds));
  const size_t folds = search.folds.count;
  double *alpha = MN_RAW(ctx, double, count, 1);
  search.score = MN_RAW(ctx, double, count, folds);
  *grid = (struct grid){ 0, MN_RAW(ctx, double, rounds, count), MN_RAW(ctx, double, rounds, count),
                         MN_RAW(ctx, double, rounds *count, folds) };
  if (!alpha || !search.score || !grid->alpha || !grid->mean || !grid->score) return MN_NO_MEMORY;
  search.alpha = alpha;
  MN_TRY(first_candidates(m, data->features, s, count, alpha));
  for (size_t r = 0; r < rounds; r++) {
    if (r > 0) refine(grid, count, alpha);
    MN_TRY(mn_folds_run(ctx, folds, run_fold, &search));
    for (size_t c = 0; c < count; c++) insert(grid, folds, alpha[c], search.score + c * folds);
  }
  MN_TRY(mn_vector_init(ctx, &m->grid_alpha, grid->count));
  MN_TRY(mn_vector_init(ctx, &m->mean_score, grid->count));
  MN_TRY(mn_matrix_init(ctx, &m->scores, grid->count, folds));
  memcpy(m->grid_alpha.at, grid->alpha, grid->count * sizeof *grid->alpha);
  memcpy(m->mean_score.at, grid->mean, grid->count * sizeof *grid->mean);
  memcpy(m->scores.at, grid->score, grid->count * folds * sizeof *grid->score);
  return MN_OK;
}

static mn_status fit_cv(mn_context *ctx, void *self, const mn_data *data)
{
  struct graphical_lasso *m = self;
  double *location, *s;
  struct grid grid;
  if (m->alphas.at && m->alphas.size == 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "GraphicalLassoCV: alphas must not be empty; leave it out for the default");
  MN_TRY(all_rows(ctx, m, data, &location, &s));
  MN_TRY(choose(ctx, m, data, s, &grid));
  m->alpha = grid.alpha[best_of(&grid)];
  return fit_alpha(ctx, m, location, s);
}

#define SOLVER_PARAMS                                                                                                  \
  MN_ASSUME_CENTERED(struct graphical_lasso),                                                                          \
      MN_REAL(struct graphical_lasso, tol, 1e-4, MN_AT_LEAST(0), "stop when the duality gap is less"),                 \
      MN_REAL(struct graphical_lasso, enet_tol, 1e-4, MN_AT_LEAST(0),                                                  \
              "of the lasso of each column: stop when no covariance changes by more than this fraction of alpha"),     \
      MN_COUNT(struct graphical_lasso, max_iter, 100, MN_AT_LEAST(1), "maximum number of sweeps over the columns")

static const mn_param params[] = {
  MN_PENALTY(struct graphical_lasso, alpha, 0.01, MN_AT_LEAST(0),
             "penalty on the elements of the precision off the diagonal; larger gives more zeros"),
  SOLVER_PARAMS,
  MN_END,
};

static const mn_param cv_params[] = {
  MN_REALS(struct graphical_lasso, alphas, MN_GREATER_THAN(0), "candidate penalties; nil: n_alphas, refined"),
  MN_COUNT(struct graphical_lasso, n_alphas, 4, MN_CLOSED(2, 100), "number of candidates in each round"),
  MN_COUNT(struct graphical_lasso, n_refinements, 4, MN_CLOSED(1, 20),
           "number of rounds, each with candidates around the best so far"),
  MN_COUNT(struct graphical_lasso, cv, 5, MN_CLOSED(2, 100000),
           "number of folds, which are runs of consecutive rows; the fit option folds replaces them"),
  SOLVER_PARAMS,
  MN_END,
};

static const mn_field fields[] = { MN_COVARIANCE_FIELDS(struct graphical_lasso), MN_END };

static const mn_field cv_fields[] = {
  MN_COVARIANCE_FIELDS(struct graphical_lasso),
  MN_NUMBER(struct graphical_lasso, alpha, "selected penalty"),
  MN_VECTOR(struct graphical_lasso, grid_alpha, "candidates", "candidate penalties, descending"),
  MN_VECTOR(struct graphical_lasso, mean_score, "candidates", "mean log density on held-out rows, over the folds"),
  MN_MATRIX(struct graphical_lasso, scores, "candidates x folds", "mean log density on the held-out rows of each fold"),
  MN_END,
};

#define OBJECTIVE "-log det P + trace(S P) + alpha sum_{i != j} |P_ij|"

const mn_class mn_graphical_lasso = {
  .name = "GraphicalLasso",
  .family = "covariance",
  .brief = "Covariance with a sparse inverse: which columns depend on each other directly.",
  .objective = OBJECTIVE,
  .source = "Friedman, Hastie & Tibshirani, Biostatistics 9 (2008); Banerjee, El Ghaoui & d'Aspremont, JMLR 9 (2008)",
  .notes = "A zero of the precision means: the two columns are independent given all others, if rows are normal. The "
           "diagonal is not penalized, as in scikit-learn. alpha has the unit of covariances, so scale columns of "
           "different units first; from the largest covariance of two columns on, the precision is diagonal.",
  .example = "local X = ml.normal(100, 4, 1)\n"
             "local model = ml.GraphicalLasso{ alpha = 0.1 }:fit(X)\n"
             "print(model.precision)",
  .capabilities = MN_DENSITY | MN_ITERATE | MN_NOISY_OBJECTIVE,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct graphical_lasso),
  .params = params,
  .fields = fields,
  .fit = fit,
  MN_COVARIANCE_ACTIONS,
};

const mn_class mn_graphical_lasso_cv = {
  .name = "GraphicalLassoCV",
  .family = "covariance",
  .brief = "Graphical lasso with alpha chosen by cross-validation.",
  .objective = OBJECTIVE ", with alpha of largest likelihood on held-out folds",
  .source = "Friedman, Hastie & Tibshirani, Biostatistics 9 (2008)",
  .notes =
      "Candidates start between the largest covariance of two columns and a hundredth of it, and are refined around "
      "the best, as in scikit-learn. Folds are runs of consecutive rows: shuffle rows that are sorted. The final model "
      "is fitted to all rows.",
  .example = "local X = ml.normal(100, 4, 1)\n"
             "local model = ml.GraphicalLassoCV{}:fit(X)\n"
             "print(model.alpha, model.precision)",
  .capabilities = MN_DENSITY | MN_ITERATE | MN_NOISY_OBJECTIVE,
  .accepts = MN_WEIGHTS | MN_FOLDS,
  .size = sizeof(struct graphical_lasso),
  .params = cv_params,
  .fields = cv_fields,
  .fit = fit_cv,
  MN_COVARIANCE_ACTIONS,
};
