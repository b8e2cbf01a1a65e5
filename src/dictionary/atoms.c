#include "atoms.h"
#include "../decomposition/singular.h"
#include "../linalg/product.h"
#include <math.h>
#include <string.h>

const char *const mn_fit_algorithms[] = { "lars", "cd", NULL };

/* An atom whose codes have a smaller sum of squares is replaced, as in SPAMS and scikit-learn. */
static const double least_use = 1e-6;

mn_code_settings mn_atoms_coding(int64_t fit_algorithm, double alpha, bool positive, size_t max_iter)
{
  return (mn_code_settings){ .algorithm = fit_algorithm == MN_FIT_CD ? MN_CODE_LASSO_CD : MN_CODE_LASSO_LARS,
                             .alpha = alpha,
                             .positive = positive,
                             .max_iter = max_iter };
}

mn_status mn_atoms_init(mn_context *ctx, mn_atoms *s)
{
  const size_t n = s->n, p = s->p, k = s->k;
  s->atoms = MN_NEW(ctx, double, k, p);
  s->code = MN_NEW(ctx, double, n, k);
  s->products = MN_RAW(ctx, double, n, k);
  s->gram = MN_RAW(ctx, double, k, k);
  s->residual = MN_RAW(ctx, double, n, p);
  s->a = MN_NEW(ctx, double, k, k);
  s->b = MN_NEW(ctx, double, k, p);
  return s->atoms && s->code && s->products && s->gram && s->residual && s->a && s->b ? MN_OK : MN_NO_MEMORY;
}

/* Multiply the rows of v by s, and by -1 where the element of u = X v of largest magnitude is negative. */
static mn_status scale_singular(mn_context *ctx, const mn_atoms *s, const struct mn_svd_operand *x, size_t k,
                                const double *singular, double *v)
{
  double *u = MN_RAW(ctx, double, k, s->n);
  MN_CHECK_ALLOC(u);
  MN_TRY(mn_svd_multiply(ctx, x, true, k, v, u));
  for (size_t c = 0; c < k; c++) {
    const double *row = u + c * s->n;
    size_t largest = 0;
    for (size_t i = 1; i < s->n; i++)
      if (fabs(row[i]) > fabs(row[largest])) largest = i;
    const double factor = row[largest] < 0 ? -singular[c] : singular[c];
    for (size_t j = 0; j < s->p; j++) v[c * s->p + j] *= factor;
  }
  return MN_OK;
}

mn_status mn_atoms_start(mn_context *ctx, mn_atoms *s, const char *class, const mn_matrix *given)
{
  const size_t shorter = s->n < s->p ? s->n : s->p, k = s->k < shorter ? s->k : shorter;
  if (given && given->at) {
    if (given->rows != s->k || given->cols != s->p)
      return mn_fail(ctx, MN_BAD_ARGUMENT,
                     "%s: dict_init must have %zu rows, the components, and %zu columns, got %zu x %zu", class, s->k,
                     s->p, given->rows, given->cols);
    memcpy(s->atoms, given->at, s->k * s->p * sizeof *s->atoms);
    return MN_OK;
  }
  const mn_mark mark = mn_scratch_mark(ctx);
  struct mn_svd_operand x = { .rows = s->n, .cols = s->p, .dense = s->x };
  double *singular = MN_RAW(ctx, double, k, 1);
  MN_CHECK_ALLOC(singular);
  MN_TRY(mn_largest_singular(ctx, &x, k, singular, s->atoms));
  MN_TRY(scale_singular(ctx, s, &x, k, singular, s->atoms));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_atoms_code(mn_context *ctx, mn_atoms *s)
{
  const size_t n = s->n, p = s->p, k = s->k;
  MN_TRY(mn_gemm(ctx, false, true, n, k, p, 1, s->x, p, s->atoms, p, 0, s->products, k));
  MN_TRY(mn_gemm(ctx, false, true, k, k, p, 1, s->atoms, p, s->atoms, p, 0, s->gram, k));
  return mn_sparse_code(ctx, &s->coding, n, k, k < p ? k : p, s->products, s->gram, s->code);
}

mn_status mn_atoms_objective(mn_context *ctx, mn_atoms *s, double *objective)
{
  const size_t size = s->n * s->p;
  double squares = 0, magnitudes = 0;
  memcpy(s->residual, s->x, size * sizeof *s->x);
  MN_TRY(mn_gemm(ctx, false, false, s->n, s->p, s->k, -1, s->code, s->k, s->atoms, s->p, 1, s->residual, s->p));
  for (size_t i = 0; i < size; i++) squares += s->residual[i] * s->residual[i];
  for (size_t i = 0; i < s->n * s->k; i++) magnitudes += fabs(s->code[i]);
  *objective = squares / 2 + s->coding.alpha * magnitudes;
  return MN_OK;
}

mn_status mn_atoms_statistics(mn_context *ctx, mn_atoms *s, double keep, double scale)
{
  MN_TRY(mn_gemm(ctx, true, false, s->k, s->k, s->n, scale, s->code, s->k, s->code, s->k, keep, s->a, s->k));
  return mn_gemm(ctx, true, false, s->k, s->p, s->n, scale, s->code, s->k, s->x, s->p, keep, s->b, s->p);
}

/* A row of X, plus noise of a hundredth of its standard deviation, so that atoms stay independent. */
static void replace_atom(mn_atoms *s, size_t c)
{
  const double *row = s->x + mn_random_below(&s->rng, s->n) * s->p;
  double mean = 0, variance = 0, *atom = s->atoms + c * s->p;
  for (size_t j = 0; j < s->p; j++) mean += row[j] / (double)s->p;
  for (size_t j = 0; j < s->p; j++) variance += (row[j] - mean) * (row[j] - mean) / (double)s->p;
  const double noise = 0.01 * (variance > 0 ? sqrt(variance) : 1);
  for (size_t j = 0; j < s->p; j++) atom[j] = row[j] + noise * mn_random_normal(&s->rng);
  for (size_t i = 0; i < s->n; i++) s->code[i * s->k + c] = 0;
}

/* The closest atom of norm at most 1, and of numbers >= 0 if the atoms are positive. */
static void constrain(const mn_atoms *s, double *atom)
{
  double square = 0;
  for (size_t j = 0; j < s->p; j++) {
    if (s->positive && atom[j] < 0) atom[j] = 0;
    square += atom[j] * atom[j];
  }
  for (size_t j = 0; square > 1 && j < s->p; j++) atom[j] /= sqrt(square);
}

mn_status mn_atoms_update(mn_context *ctx, mn_atoms *s)
{
  const size_t p = s->p, k = s->k;
  double *fit = s->residual; /* p values */
  for (size_t c = 0; c < k; c++) {
    double *atom = s->atoms + c * p;
    const double use = s->a[c * k + c];
    if (use > least_use) {
      MN_TRY(mn_gemv(ctx, true, k, p, 1, s->atoms, p, s->a + c * k, 0, fit));
      for (size_t j = 0; j < p; j++) atom[j] += (s->b[c * p + j] - fit[j]) / use;
    } else {
      replace_atom(s, c);
    }
    constrain(s, atom);
  }
  return mn_poll(ctx);
}

mn_status mn_atoms_alternate(mn_context *ctx, mn_atoms *s, mn_report *report, int64_t max_iter, double tol,
                             double *objective)
{
  *objective = INFINITY;
  for (int64_t iter = 0; iter < max_iter; iter++) {
    const double before = *objective;
    MN_TRY(mn_atoms_code(ctx, s));
    MN_TRY(mn_atoms_statistics(ctx, s, 0, 1));
    MN_TRY(mn_atoms_update(ctx, s));
    MN_TRY(mn_atoms_objective(ctx, s, objective));
    report->change = before - *objective;
    report->converged = iter > 0 && report->change <= tol * *objective;
    if (!mn_round(ctx, report, max_iter, *objective) || report->converged) break;
  }
  return MN_OK;
}
