#include "sandwich.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../stats/argsort.h"
#include <math.h>
#include <string.h>

const char *const mn_covariance_names[] = { "classical", "HC0", "HC1", "HC2", "HC3", "cluster", "newey_west", NULL };

mn_status mn_scores_init(mn_context *ctx, size_t rows, size_t k, mn_scores *s)
{
  *s = (mn_scores){ .k = k };
  s->direction = MN_RAW(ctx, double, rows, k);
  s->score = MN_RAW(ctx, double, rows, 1);
  s->leverage = MN_RAW(ctx, double, rows, 1);
  s->place = MN_RAW(ctx, size_t, rows, 1);
  return s->direction && s->score && s->leverage && s->place ? MN_OK : MN_NO_MEMORY;
}

/* The factor of u_i^2. NaN at leverage 1, where the residual is 0 whatever the response is. */
static double row_factor(int64_t kind, double leverage)
{
  const double rest = 1 - leverage;
  if (kind != MN_COVARIANCE_HC2 && kind != MN_COVARIANCE_HC3) return 1;
  if (!(rest > 1e-12)) return (double)NAN;
  return kind == MN_COVARIANCE_HC2 ? 1 / rest : 1 / rest / rest;
}

/* e_i = factor u_i C x_i. */
static mn_status influence(mn_context *ctx, const mn_scores *s, int64_t kind, double **out)
{
  double *e = *out = MN_RAW(ctx, double, s->rows, s->k);
  MN_CHECK_ALLOC(e);
  for (size_t i = 0; i < s->rows; i++) {
    const double u = s->score[i] * sqrt(row_factor(kind, s->leverage[i]));
    for (size_t j = 0; j < s->k; j++) e[i * s->k + j] = u * s->direction[i * s->k + j];
  }
  return MN_OK;
}

static void add_product(size_t k, double factor, const double *a, const double *b, double *v)
{
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) v[i * k + j] += factor * (a[i] * b[j] + b[i] * a[j]) / 2;
}

static mn_status newey_west(mn_context *ctx, const mn_scores *s, mn_covariance_choice *choice, double *v)
{
  const size_t k = s->k;
  double *e;
  MN_TRY(influence(ctx, s, choice->kind, &e));
  if (choice->lags == MN_UNSET) choice->lags = (int64_t)floor(4 * pow((double)s->rows / 100, 2.0 / 9));
  memset(v, 0, k * k * sizeof *v);
  for (size_t l = 0; l <= (size_t)choice->lags && l < s->rows; l++) {
    const double factor = l == 0 ? 1 : 2 * (1 - (double)l / ((double)choice->lags + 1));
    for (size_t i = l; i < s->rows; i++) add_product(k, factor, e + i * k, e + (i - l) * k, v);
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

static mn_status cluster(mn_context *ctx, const mn_scores *s, mn_covariance_choice *choice, double *v)
{
  const size_t k = s->k;
  double *group = MN_RAW(ctx, double, s->rows, 1), *sum = MN_NEW(ctx, double, k, 1);
  size_t *order = MN_RAW(ctx, size_t, s->rows, 1);
  if (!group || !sum || !order) return MN_NO_MEMORY;
  for (size_t i = 0; i < s->rows; i++) group[i] = choice->groups->at[s->place[i]];
  MN_TRY(mn_argsort(ctx, s->rows, group, 1, order));
  memset(v, 0, k * k * sizeof *v);
  choice->group_count = 0;
  for (size_t at = 0; at < s->rows; at++) {
    const size_t i = order[at];
    const double u = s->score[i] * (s->count ? s->count[i] : 1);
    for (size_t j = 0; j < k; j++) sum[j] += u * s->direction[i * k + j];
    if (at + 1 < s->rows && !(group[order[at + 1]] > group[i])) continue;
    add_product(k, 1, sum, sum, v);
    memset(sum, 0, k * sizeof *sum);
    choice->group_count++;
  }
  const double groups = (double)choice->group_count;
  for (size_t e = 0; e < k * k; e++) v[e] *= groups / (groups - 1) * (s->n - 1) / (s->n - s->parameters);
  return MN_OK;
}

static mn_status heteroscedastic(mn_context *ctx, const mn_scores *s, int64_t kind, double *v)
{
  const size_t k = s->k;
  double *e;
  MN_TRY(influence(ctx, s, kind, &e));
  MN_TRY(mn_syrk(ctx, s->rows, k, e, k, s->count, NULL, v, k));
  const double factor = kind == MN_COVARIANCE_HC1 ? s->n / (s->n - s->parameters) : 1;
  for (size_t t = 0; t < k * k; t++) v[t] *= factor;
  return MN_OK;
}

static mn_status check_choice(mn_context *ctx, const char *who, const mn_scores *s, size_t data_rows,
                              const mn_covariance_choice *choice)
{
  const bool cluster = choice->kind == MN_COVARIANCE_CLUSTER;
  if (cluster && choice->groups->size != data_rows)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: covariance 'cluster' requires groups, a number for each of the %zu rows, got %zu", who,
                   data_rows, choice->groups->size);
  if (!cluster && choice->groups->size > 0)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: groups requires covariance = 'cluster', got '%s'", who,
                   mn_covariance_names[choice->kind]);
  if (choice->kind == MN_COVARIANCE_NEWEY_WEST && s->count)
    return mn_fail(ctx, MN_BAD_ARGUMENT,
                   "%s: covariance 'newey_west' requires rows in order of time, which frequency weights do not have",
                   who);
  return MN_OK;
}

mn_status mn_robust_covariance(mn_context *ctx, const char *who, const mn_scores *s, size_t data_rows,
                               mn_covariance_choice *choice, double *v, double *df)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(check_choice(ctx, who, s, data_rows, choice));
  for (size_t i = 0; i < s->rows; i++)
    if (isnan(row_factor(choice->kind, s->leverage[i]))) choice->full_leverage++;
  if (choice->kind == MN_COVARIANCE_NEWEY_WEST)
    MN_TRY(newey_west(ctx, s, choice, v));
  else if (choice->kind == MN_COVARIANCE_CLUSTER)
    MN_TRY(cluster(ctx, s, choice, v));
  else
    MN_TRY(heteroscedastic(ctx, s, choice->kind, v));
  mn_scratch_release(ctx, mark);
  if (choice->kind != MN_COVARIANCE_CLUSTER) return MN_OK;
  if (choice->group_count < 2)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: groups must hold at least 2 groups, got %zu", who, choice->group_count);
  if (isfinite(*df)) *df = (double)choice->group_count - 1;
  return MN_OK;
}

mn_status mn_wald_statistic(mn_context *ctx, size_t k, const double *v, const double *b, size_t q, const size_t *list,
                            double *f)
{
  double *a = MN_RAW(ctx, double, q, q), *z = MN_RAW(ctx, double, q, 1), *scale = MN_RAW(ctx, double, q, 1);
  size_t minor;
  *f = (double)NAN;
  if (!a || !z || !scale) return MN_NO_MEMORY;
  for (size_t i = 0; i < q; i++) scale[i] = sqrt(v[list[i] * k + list[i]]);
  for (size_t i = 0; i < q; i++) {
    z[i] = b[list[i]] / scale[i];
    for (size_t j = 0; j < q; j++) a[i * q + j] = v[list[i] * k + list[j]] / scale[i] / scale[j];
  }
  for (size_t e = 0; e < q * q; e++)
    if (!isfinite(a[e])) return MN_OK;
  double rcond;
  MN_TRY(mn_chol_try(ctx, q, a, &rcond, &minor));
  if (q == 0 || minor > 0 || !(rcond > 1e-14)) return MN_OK;
  MN_TRY(mn_chol_lower(ctx, q, 1, a, z));
  *f = 0;
  for (size_t i = 0; i < q; i++) *f += z[i] * z[i] / (double)q;
  return MN_OK;
}

void mn_print_covariance(mn_text_page *page, const mn_covariance_choice *choice)
{
  switch (choice->kind) {
  case MN_COVARIANCE_CLASSICAL: return;
  case MN_COVARIANCE_CLUSTER: mn_print(page, "Covariance: clustered, %zu groups\n", choice->group_count); return;
  case MN_COVARIANCE_NEWEY_WEST:
    mn_print(page, "Covariance: Newey-West, %lld lag%s\n", (long long)choice->lags, choice->lags == 1 ? "" : "s");
    return;
  default:
    mn_print(page, "Covariance: %s, robust to errors of unequal variance\n", mn_covariance_names[choice->kind]);
    if (choice->full_leverage > 0)
      mn_print(page, "%s is not defined: %zu row%s of leverage 1; use HC1\n", mn_covariance_names[choice->kind],
               choice->full_leverage, choice->full_leverage == 1 ? "" : "s");
  }
}
