/* Orthogonal matching pursuit: columns are added one by one, each the one with the largest product with the residual,
 * and after each the coefficients of all columns so far are least squares. With columns z_j and target v centered and
 * multiplied by sqrt(w_i / sum w), and the residual r = v - A u of the active columns A,
 *
 *     add argmax_j |z_j' r|,     u = (A'A)^-1 A'v
 *
 * The factorization is that of least angle regression (lars_set.h). In the estimator with cross-validation, the number
 * of columns is that of the smallest mean squared error on held-out folds.
 *
 * Pati, Rezaiifar & Krishnaprasad, 27th Asilomar Conference (1993); Mallat & Zhang, IEEE Trans. Signal Process. 41
 * (1993). */
#include "../linalg/product.h"
#include "../linalg/reduce.h"
#include "../linear/coef_summary.h"
#include "../linear/folds.h"
#include "cd_data.h"
#include "lars_set.h"
#include <string.h>

/* Relative size of products with the residual that is rounding; those that differ by less are ties. */
static const double rounding = 1e-12;

struct omp {
  mn_linear linear;
  int64_t n_nonzero_coefs, max_iter, cv; /* parameters; n_nonzero_coefs of the estimator with cv is learned */
  double tol;
  bool fit_intercept;
  mn_indexes active; /* learned */
  mn_vector rss;
  mn_vector mse;      /* of the estimator with cv */
  mn_matrix mse_path; /* the same for each fold   */
};

struct pursuit {
  size_t n, p;
  const double *z, *norm; /* p x n: columns; p: their squares */
  double vv;              /* |v|^2 */
  mn_lars_set set;
  bool *active;                         /* p */
  double *u, *d, *residual, *direction; /* see lars_set.h */
  double *product;                      /* p: z_j' r */
};

static mn_status pursuit_init(mn_context *ctx, const mn_cd_data *d, size_t max_size, struct pursuit *s)
{
  mn_cd problem;
  MN_TRY(mn_cd_target(ctx, d, 0, &problem));
  *s = (struct pursuit){ .n = d->z->n, .p = d->p, .z = d->z->dense, .norm = d->z->norm, .vv = problem.yy };
  if (max_size > s->p) max_size = s->p;
  if (max_size > s->n) max_size = s->n;
  s->active = MN_NEW(ctx, bool, s->p, 1);
  s->u = MN_RAW(ctx, double, max_size, 1);
  s->d = MN_RAW(ctx, double, max_size, 1);
  s->residual = MN_RAW(ctx, double, s->n, 1);
  s->direction = MN_RAW(ctx, double, s->n, 1);
  s->product = MN_RAW(ctx, double, s->p, 1);
  if (!s->active || !s->u || !s->d || !s->residual || !s->direction || !s->product) return MN_NO_MEMORY;
  memcpy(s->residual, problem.v, s->n * sizeof *s->residual);
  return mn_lars_set_init(ctx, &s->set, s->n, max_size, problem.v);
}

static double residual_square(const struct pursuit *s)
{
  return mn_dot_values(s->n, s->residual, s->residual);
}

/* The column to add; p if the residual is orthogonal to all, or the set is full. */
static mn_status choose(mn_context *ctx, struct pursuit *s, size_t *best)
{
  double largest = 0;
  *best = s->p;
  if (s->set.size == s->set.max_size) return MN_OK;
  MN_TRY(mn_gemv(ctx, false, s->p, s->n, 1, s->z, s->n, s->residual, 0, s->product));
  for (size_t j = 0; j < s->p; j++) {
    const double size = fabs(s->product[j]);
    if (s->active[j] || size <= rounding * sqrt(s->norm[j] * s->vv) || size <= largest * (1 + rounding)) continue;
    largest = size;
    *best = j;
  }
  return MN_OK;
}

/* Add a column; *done if there is none to add. */
static mn_status step(mn_context *ctx, struct pursuit *s, bool *done)
{
  size_t j;
  bool independent;
  MN_TRY(mn_poll(ctx));
  MN_TRY(choose(ctx, s, &j));
  *done = j == s->p;
  if (*done) return MN_OK;
  MN_TRY(mn_lars_set_orthogonalize(ctx, &s->set, s->z + j * s->n, s->norm[j], DBL_EPSILON, &independent));
  *done = !independent;
  if (*done) return MN_OK;
  mn_lars_set_add(&s->set, j, 1);
  s->active[j] = true;
  return mn_lars_set_solve(ctx, &s->set, s->u, s->d, s->residual, s->direction);
}

/* Set b to the coefficients (p), which were 0 or those of an earlier step. */
static void expand(const struct pursuit *s, double *b)
{
  for (size_t k = 0; k < s->set.size; k++) b[s->set.column[k]] = s->u[k];
}

/* Pursue until there are `steps` columns, or the weighted residual sum of squares is at most tol. */
static mn_status run(mn_context *ctx, struct omp *m, const mn_data *data, size_t steps, double tol)
{
  mn_cd_data d;
  struct pursuit s;
  bool done = false;
  MN_TRY(mn_cd_prepare_columns(ctx, data, m->fit_intercept, &d));
  MN_TRY(pursuit_init(ctx, &d, steps, &s));
  double *rss = MN_RAW(ctx, double, s.set.max_size + 1, 1);
  MN_CHECK_ALLOC(rss);
  rss[0] = s.vv * d.total;
  while (!done && s.set.size < s.set.max_size && !(rss[s.set.size] <= tol)) {
    MN_TRY(step(ctx, &s, &done));
    if (!done) rss[s.set.size] = residual_square(&s) * d.total;
  }
  MN_TRY(mn_linear_init(ctx, &m->linear, 1, s.p));
  expand(&s, m->linear.coef.at);
  m->linear.intercept.at[0] = mn_cd_intercept(&d, 0, m->linear.coef.at);
  MN_TRY(mn_vector_init(ctx, &m->rss, s.set.size + 1));
  memcpy(m->rss.at, rss, (s.set.size + 1) * sizeof *rss);
  if (s.set.size > 0) MN_TRY(mn_indexes_init(ctx, &m->active, s.set.size)); /* otherwise absent */
  for (size_t k = 0; k < s.set.size; k++) m->active.at[k] = (int32_t)s.set.column[k];
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct omp *m = self;
  const size_t p = data->features, tenth = p / 10 > 0 ? p / 10 : 1;
  const size_t given = m->n_nonzero_coefs == MN_UNSET ? tenth : (size_t)m->n_nonzero_coefs;
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  return isnan(m->tol) ? run(ctx, m, data, given, -1) : run(ctx, m, data, p, m->tol);
}

struct search {
  struct omp *m;
  const mn_data *data;
  mn_folds folds;
  size_t steps;    /* of each path                                    */
  size_t *reached; /* folds: steps done                               */
  double *error;   /* folds x steps: mean squared errors of the folds */
};

/* Mean squared error on the test rows of a fold, of coefficients b and intercept c. */
static mn_status test_error(mn_context *ctx, const struct search *w, size_t fold, const double *b, double c,
                            double *out)
{
  const mn_data *d = w->data;
  const double *test = w->folds.test + fold * d->rows;
  double total = 0, sum = 0;
  for (size_t i = 0; i < d->rows; i++) {
    const double *x = mn_row(&d->x, i);
    double r = d->y.at[i] - c;
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
    if (!(test[i] > 0)) continue;
    for (size_t j = 0; j < d->features; j++) r -= x[j] * b[j];
    total += test[i];
    sum += test[i] * r * r;
  }
  *out = sum / total;
  return MN_OK;
}

static mn_status run_fold(mn_context *ctx, void *work, size_t fold)
{
  const struct search *w = work;
  double *weights = MN_RAW(ctx, double, w->data->rows, 1), *b = MN_NEW(ctx, double, w->data->features, 1);
  bool done = false;
  mn_cd_data d;
  struct pursuit s;
  if (!weights || !b) return MN_NO_MEMORY;
  const mn_data train = mn_fold_train(&w->folds, w->data, fold, weights);
  MN_TRY(mn_cd_prepare_columns(ctx, &train, w->m->fit_intercept, &d));
  MN_TRY(pursuit_init(ctx, &d, w->steps, &s));
  while (!done && s.set.size < s.set.max_size) {
    MN_TRY(step(ctx, &s, &done));
    if (done) break;
    expand(&s, b);
    MN_TRY(test_error(ctx, w, fold, b, mn_cd_intercept(&d, 0, b), &w->error[fold * w->steps + s.set.size - 1]));
  }
  w->reached[fold] = s.set.size;
  return MN_OK;
}

/* Means over the folds for the numbers of columns that all folds reached; ties: the smaller number. */
static mn_status choose_number(mn_context *ctx, const struct search *w, size_t *best)
{
  struct omp *m = w->m;
  size_t steps = w->steps;
  for (size_t f = 0; f < w->folds.count; f++) steps = w->reached[f] < steps ? w->reached[f] : steps;
  *best = 0;
  if (steps == 0) return MN_OK;
  MN_TRY(mn_vector_init(ctx, &m->mse, steps));
  MN_TRY(mn_matrix_init(ctx, &m->mse_path, steps, w->folds.count));
  for (size_t k = 0; k < steps; k++) {
    for (size_t f = 0; f < w->folds.count; f++) {
      mn_row(&m->mse_path, k)[f] = w->error[f * w->steps + k];
      m->mse.at[k] += w->error[f * w->steps + k] / (double)w->folds.count;
    }
    if (k == 0 || m->mse.at[k] < m->mse.at[*best - 1]) *best = k + 1;
  }
  return MN_OK;
}

static mn_status fit_cv(mn_context *ctx, void *self, const mn_data *data)
{
  struct omp *m = self;
  const size_t p = data->features, tenth = p / 10 > 5 ? p / 10 : 5;
  struct search w = { .m = m, .data = data, .steps = m->max_iter == MN_UNSET ? tenth : (size_t)m->max_iter };
  size_t best;
  if (w.steps > p) w.steps = p;
  MN_TRY(mn_check_magnitudes(ctx, &m->linear.base, data));
  MN_TRY(mn_folds_make(ctx, m->linear.base.class->name, data, m->cv, &w.folds));
  w.reached = MN_NEW(ctx, size_t, w.folds.count, 1);
  w.error = MN_NEW(ctx, double, w.folds.count, w.steps);
  if (!w.reached || !w.error) return MN_NO_MEMORY;
  MN_TRY(mn_folds_run(ctx, w.folds.count, run_fold, &w));
  MN_TRY(choose_number(ctx, &w, &best));
  m->n_nonzero_coefs = (int64_t)best;
  return run(ctx, m, data, best, -1);
}

static const mn_param params[] = {
  MN_COUNT(struct omp, n_nonzero_coefs, MN_UNSET, MN_AT_LEAST(1),
           "number of columns to select; nil: a tenth of the columns, at least 1"),
  MN_REAL(struct omp, tol, MN_UNSET_REAL, MN_AT_LEAST(0),
          "select columns until the weighted residual sum of squares is at most this, instead of n_nonzero_coefs"),
  MN_FLAG(struct omp, fit_intercept, true, "fit an intercept"),
  MN_END,
};

static const mn_param cv_params[] = {
  MN_COUNT(struct omp, max_iter, MN_UNSET, MN_AT_LEAST(1),
           "maximum number of columns to select; nil: a tenth of the columns, at least 5"),
  MN_COUNT(struct omp, cv, 5, MN_CLOSED(2, 100000),
           "number of folds, of consecutive rows; fit { folds = ... } gives others"),
  MN_FLAG(struct omp, fit_intercept, true, "fit an intercept"),
  MN_END,
};

#define SHARED_FIELDS                                                                                                  \
  MN_INDEXES(struct omp, active, "active? < features", "selected columns, in the order in which they were added"),     \
      MN_VECTOR(struct omp, rss, "steps", "weighted residual sum of squares without columns, and after each step"),    \
      MN_LINEAR_FIELDS("targets")

static const mn_field fields[] = { SHARED_FIELDS, MN_END };

static const mn_field cv_fields[] = {
  MN_INTEGER(struct omp, n_nonzero_coefs, "number of columns with the smallest mean squared error"),
  MN_VECTOR(struct omp, mse, "numbers?", "mean squared error of 1, 2, ... columns on the held-out folds"),
  MN_MATRIX(struct omp, mse_path, "numbers? x folds?", "the same for each fold"),
  SHARED_FIELDS,
  MN_END,
};

const mn_class mn_orthogonal_matching_pursuit = {
  .name = "OrthogonalMatchingPursuit",
  .family = "linear",
  .brief = "Least squares on few columns, added by their products with the residual.",
  .objective = "sum_i w_i (y_i - x_i b - c)^2 subject to at most n_nonzero_coefs nonzero b_j, greedily",
  .source = "Pati, Rezaiifar & Krishnaprasad, 27th Asilomar Conference (1993)",
  .notes =
      "Columns are not scaled: scale them first if their units differ. The pursuit ends early when the residual is "
      "orthogonal to all columns, or no further column is independent of those selected. "
      "Lars and Lasso reach columns gradually instead.",
  .example = "local X = ml.normal(60, 20, 1)\n"
             "local model = ml.OrthogonalMatchingPursuit{ n_nonzero_coefs = 2 }:fit(X, X:col(3) * 2 - X:col(7))\n"
             "print(model.active, model.rss)",
  .capabilities = MN_REGRESS,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct omp),
  .params = params,
  .fields = fields,
  .operations = mn_coef_operations,
  .fit = fit,
  MN_LINEAR_PREDICTION,
};

const mn_class mn_orthogonal_matching_pursuit_cv = {
  .name = "OrthogonalMatchingPursuitCV",
  .family = "linear",
  .brief = "Orthogonal matching pursuit, the number of columns chosen by cross-validation.",
  .objective = "sum_i w_i (y_i - x_i b - c)^2 subject to at most k nonzero b_j, greedily; k of smallest held-out error",
  .source = "Pati, Rezaiifar & Krishnaprasad, 27th Asilomar Conference (1993)",
  .notes =
      "Columns are not scaled: scale them first if their units differ. Folds are runs of consecutive rows, as in "
      "scikit-learn; shuffle sorted rows first. Numbers of columns that some fold cannot reach are not considered.",
  .example = "local X = ml.normal(60, 20, 1)\n"
             "local model = ml.OrthogonalMatchingPursuitCV{}:fit(X, X:col(3) * 2 - X:col(7))\n"
             "print(model.n_nonzero_coefs, model.active, model.mse)",
  .capabilities = MN_REGRESS,
  .accepts = MN_FOLDS | MN_WEIGHTS,
  .size = sizeof(struct omp),
  .params = cv_params,
  .fields = cv_fields,
  .operations = mn_coef_operations,
  .fit = fit_cv,
  MN_LINEAR_PREDICTION,
};
