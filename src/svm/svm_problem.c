/* The quadratic programs of support vector machines, in the form of smo.h. With sample weights u_i, and W their sum:
 *
 *   C-SVC      s_i = y_i, p_i = -1, c_i = C u_i, from a = 0
 *
 *   nu-SVC     s_i = y_i, p_i = 0, c_i = u_i; the a of each class sum to nu W / 2. Decisions are divided by the
 *              multiplier rho, so that the margin is 1 as in C-SVC
 *
 *   eps-SVR    two variables for each row: s = 1, p = eps - y_i and s = -1, p = eps + y_i; c = C u_i, from a = 0
 *
 *   nu-SVR     the same with eps = 0, and the a of each sign sum to C nu W / 2; eps is half the difference of the
 *              multipliers
 *
 *   one-class  s_i = 1, p_i = 0, c_i = u_i; the a sum to nu W
 *
 *   SVDD       s_i = 1, p_i = -K_ii / 2, c_i = u_i / (nu W); the a sum to 1
 *
 * Schoelkopf, Smola, Williamson & Bartlett, Neural Computation 12 (2000); Schoelkopf et al., Neural Computation 13
 * (2001); Tax & Duin, Machine Learning 54 (2004); Chang & Lin (2011), section 2. */
#include "svm.h"
#include <float.h>

static double weight(const mn_svm_problem *q, size_t i)
{
  return q->weights ? q->weights[i] : 1;
}

static double total_weight(const mn_svm_problem *q)
{
  double total = 0;
  for (size_t i = 0; i < q->rows.n; i++) total += weight(q, i);
  return total;
}

/* Arrays for `copies` variables a row: sign, linear, bound, alpha, and product. */
static mn_status prepare(mn_context *ctx, const mn_svm *m, const mn_svm_problem *q, size_t copies, mn_smo *smo,
                         double **array)
{
  const size_t n = copies * q->rows.n;
  *smo = (mn_smo){ .kernel = &m->model.fitted_kernel,
                   .rows = q->rows,
                   .copies = copies,
                   .tol = m->tol,
                   .max_iter = m->max_iter,
                   .shrinking = m->shrinking,
                   .cache_size = m->cache_size,
                   .report = q->report };
  *array = MN_NEW(ctx, double, 5, n);
  MN_CHECK_ALLOC(*array);
  smo->sign = *array;
  smo->linear = *array + n;
  smo->bound = *array + 2 * n;
  smo->alpha = *array + 3 * n;
  smo->product = *array + 4 * n;
  for (size_t t = 0; t < n; t++) {
    const size_t i = t % q->rows.n;
    (*array)[t] = copies == 2 ? (t < q->rows.n ? 1 : -1) : q->y ? q->y[i] : 1;
    (*array)[2 * n + t] = weight(q, i);
  }
  return MN_OK;
}

/* A factor of the bounds of nu-SVC and one-class, whose solutions have no scale of their own: weights that differ much
 * from 1 would lose it to rounding, or not reach the absolute tolerance of the violation. */
static double unit_of_weights(const mn_svm_problem *q)
{
  static const double far = 1e6;
  double largest = 0;
  for (size_t i = 0; i < q->rows.n; i++) largest = fmax(largest, weight(q, i));
  return largest > far || largest < 1 / far ? largest : 1;
}

static void scale_bounds(const mn_smo *smo, double *array, double factor)
{
  const size_t n = smo->copies * smo->rows.n;
  for (size_t t = 0; t < n; t++) array[2 * n + t] *= factor;
}

/* Give the variables of one sign the sum `total`, the first ones as much as they can have. */
static void distribute(mn_smo *smo, double sign, double total)
{
  for (size_t t = 0; t < smo->copies * smo->rows.n; t++) {
    if (smo->sign[t] != sign) continue;
    smo->alpha[t] = total < smo->bound[t] ? total : smo->bound[t];
    total -= smo->alpha[t];
  }
}

static mn_status solve(mn_context *ctx, const mn_svm *m, mn_svm_problem *q, mn_smo *smo)
{
  MN_TRY(mn_smo_solve(ctx, m->model.base.class->name, smo));
  const size_t n = q->rows.n;
  for (size_t i = 0; i < n; i++) {
    q->coef[i] = smo->sign[i] * smo->alpha[i];
    if (smo->copies == 2) q->coef[i] += smo->sign[n + i] * smo->alpha[n + i];
  }
  q->intercept = (smo->offset[0] + smo->offset[1]) / 2;
  q->start = smo->start;
  q->objective = smo->objective;
  q->gap = smo->gap;
  q->violation = smo->violation;
  q->square = smo->square;
  q->n_iter = smo->n_iter;
  q->converged = smo->converged;
  return MN_OK;
}

/* The solution for bounds that are `unit` times larger. */
static void rescale(mn_svm_problem *q, double unit)
{
  for (size_t i = 0; i < q->rows.n; i++) q->coef[i] *= unit;
  q->intercept *= unit;
  q->violation *= unit;
  double *squares[] = { &q->start, &q->objective, &q->gap, &q->square };
  for (size_t k = 0; k < sizeof squares / sizeof *squares; k++) *squares[k] = fmin(*squares[k] * unit * unit, DBL_MAX);
}

mn_status mn_svm_solve_c_svc(mn_context *ctx, const mn_svm *m, mn_svm_problem *q)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_smo smo;
  double *array;
  MN_TRY(prepare(ctx, m, q, 1, &smo, &array));
  for (size_t i = 0; i < q->rows.n; i++) array[q->rows.n + i] = -1;
  scale_bounds(&smo, array, m->C);
  MN_TRY(solve(ctx, m, q, &smo));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

double mn_svm_most_nu(const mn_svm_problem *q)
{
  double of_class[2] = { 0 };
  for (size_t i = 0; i < q->rows.n; i++) of_class[q->y[i] > 0] += weight(q, i);
  return 2 * fmin(of_class[0], of_class[1]) / (of_class[0] + of_class[1]);
}

/* The share nu / 2 of the weights must fit in each class. */
static mn_status check_nu(mn_context *ctx, const mn_svm *m, const mn_svm_problem *q)
{
  const double most = mn_svm_most_nu(q);
  char limit[MN_NUMBER_SIZE], got[MN_NUMBER_SIZE];
  if (m->nu <= most * (1 + 1e-12)) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s: nu must be at most %s, twice the share of the smaller of two classes, got %s",
                 m->model.base.class->name, mn_format_number(limit, most), mn_format_number(got, m->nu));
}

mn_status mn_svm_solve_nu_svc(mn_context *ctx, const mn_svm *m, mn_svm_problem *q)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_smo smo;
  double *array;
  MN_TRY(check_nu(ctx, m, q));
  MN_TRY(prepare(ctx, m, q, 1, &smo, &array));
  const double unit = unit_of_weights(q), each = m->nu * (total_weight(q) / unit / 2);
  scale_bounds(&smo, array, 1 / unit);
  smo.by_sign = true;
  distribute(&smo, 1, each);
  distribute(&smo, -1, each);
  MN_TRY(solve(ctx, m, q, &smo));
  const double rho = (smo.offset[1] - smo.offset[0]) / 2;
  const bool vanishes = smo.converged && m->tol < 1 && smo.gap >= smo.objective; /* w may be 0 */
  if (!(rho > 0) || vanishes)
    return mn_fail(ctx, MN_SINGULAR, "%s: no margin separates the classes with nu = %g; use a smaller nu",
                   m->model.base.class->name, m->nu);
  for (size_t i = 0; i < q->rows.n; i++) q->coef[i] /= rho;
  q->intercept /= rho;
  q->square /= rho * rho;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The variables of nu-SVR have a fixed sum, so that of large bounds rounding would leave nothing of the differences.
 * *most: the largest C. */
static mn_status check_size(mn_context *ctx, const mn_svm *m, const mn_svm_problem *q, double *most)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *diagonal = MN_RAW(ctx, double, q->rows.n, 1), largest = 0;
  char text[MN_NUMBER_SIZE];
  MN_CHECK_ALLOC(diagonal);
  MN_TRY(mn_kernel_diagonal(ctx, &m->model.fitted_kernel, &q->rows, diagonal));
  for (size_t i = 0; i < q->rows.n; i++) largest = fmax(largest, diagonal[i]);
  mn_scratch_release(ctx, mark);
  *most = m->tol / (m->nu * total_weight(q) * fmax(largest, DBL_MIN) * DBL_EPSILON);
  if (m->C <= *most) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "%s: C must be at most %s for these rows and weights, where rounding errors reach tol, got %g; use a "
                 "smaller C, or SVR",
                 m->model.base.class->name, mn_format_number(text, *most), m->C);
}

static mn_status solve_regression(mn_context *ctx, const mn_svm *m, mn_svm_problem *q, double epsilon, bool by_sign)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = q->rows.n;
  mn_smo smo;
  double *array;
  MN_TRY(prepare(ctx, m, q, 2, &smo, &array));
  for (size_t i = 0; i < n; i++) {
    array[2 * n + i] = epsilon - q->y[i];
    array[3 * n + i] = epsilon + q->y[i];
  }
  scale_bounds(&smo, array, m->C);
  smo.by_sign = by_sign;
  for (int sign = 1; by_sign && sign >= -1; sign -= 2) distribute(&smo, sign, m->C * m->nu * total_weight(q) / 2);
  MN_TRY(solve(ctx, m, q, &smo));
  q->epsilon = by_sign ? (smo.offset[0] - smo.offset[1]) / 2 : epsilon;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_svm_solve_svr(mn_context *ctx, const mn_svm *m, mn_svm_problem *q)
{
  return solve_regression(ctx, m, q, m->epsilon, false);
}

/* The sum of the variables of nu-SVR is the constraint sum <= C nu W where epsilon = 0 is best. So the solution for
 * epsilon = 0 is that of nu-SVR if it has at most this sum; with large C it is found sooner. */
mn_status mn_svm_solve_nu_svr(mn_context *ctx, const mn_svm *m, mn_svm_problem *q)
{
  static const double large = 1e-4; /* share of the largest C */
  double most, sum = 0;
  MN_TRY(check_size(ctx, m, q, &most));
  if (m->C > large * most) {
    MN_TRY(solve_regression(ctx, m, q, 0, false));
    for (size_t i = 0; i < q->rows.n; i++) sum += fabs(q->coef[i]);
    if (sum <= m->C * m->nu * total_weight(q)) return MN_OK;
  }
  return solve_regression(ctx, m, q, 0, true);
}

mn_status mn_svm_solve_one_class(mn_context *ctx, const mn_svm *m, mn_svm_problem *q)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_smo smo;
  double *array;
  MN_TRY(prepare(ctx, m, q, 1, &smo, &array));
  const double unit = unit_of_weights(q);
  scale_bounds(&smo, array, 1 / unit);
  distribute(&smo, 1, m->nu * (total_weight(q) / unit));
  MN_TRY(solve(ctx, m, q, &smo));
  q->intercept = -q->intercept; /* v = -f: the decision rho - f has rho = -v */
  if (unit != 1) rescale(q, unit);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_svm_solve_svdd(mn_context *ctx, const mn_svm *m, mn_svm_problem *q)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t n = q->rows.n;
  mn_smo smo;
  double *array;
  MN_TRY(prepare(ctx, m, q, 1, &smo, &array));
  MN_TRY(mn_kernel_diagonal(ctx, &m->model.fitted_kernel, &q->rows, array + n));
  for (size_t i = 0; i < n; i++) array[n + i] /= -2;
  scale_bounds(&smo, array, 1 / (m->nu * total_weight(q)));
  distribute(&smo, 1, 1);
  MN_TRY(solve(ctx, m, q, &smo));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
