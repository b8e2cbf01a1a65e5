#include "gp_expectation.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../stats/special.h"
#include <math.h>
#include <string.h>

/* Normal factors with precision W_i and W_i times their mean, and the posterior they give. */
struct factors {
  const mn_gp_latent *problem;
  mn_gp_posterior *p;
  size_t n;
  double *precision, *shift; /* of the factors                       */
  double *variance, *work;   /* of the posterior of f_i; n values    */
  double change;             /* the largest of an update, in units of the posterior */
};

/* The cavity distribution of f_i: the posterior without the factor of row i; and the moments of that times p(y_i |
 * f_i). Rasmussen & Williams, equations 3.56 and 3.58. */
struct cavity {
  double precision, shift;      /* of the cavity                */
  double log_z, mean, variance; /* of the product               */
};

static struct cavity cavity_of(const struct factors *s, size_t i)
{
  const double mean = s->p->f[i], y = s->problem->y[i];
  struct cavity c = { .precision = fmax(1 / s->variance[i] - s->precision[i], 1e-300),
                      .shift = mean / s->variance[i] - s->shift[i] };
  const double v = 1 / c.precision, m = c.shift * v + s->problem->offset, root = sqrt(1 + v), z = y * m / root;
  c.log_z = mn_normal_logcdf(z);
  const double ratio = exp(mn_normal_logpdf(z) - c.log_z);
  c.mean = c.shift * v + y * v * ratio / root;
  c.variance = v - v * v * ratio * (z + ratio) / (1 + v);
  return c;
}

/* The posterior from the factors: L, f and variances. v = inv(L) W^(1/2) K, in p->work. */
static mn_status find_posterior(mn_context *ctx, struct factors *s)
{
  mn_gp_posterior *p = s->p;
  const size_t n = s->n;
  double *v = p->work;
  for (size_t i = 0; i < n; i++) p->root[i] = sqrt(s->precision[i]);
  MN_TRY(mn_gp_latent_factor(ctx, s->problem->who, n, p->k, p->root, p->l));
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) v[i * n + j] = p->root[i] * p->k[i * n + j];
    s->variance[i] = p->k[i * n + i];
  }
  MN_TRY(mn_gemm(ctx, false, false, n, 1, n, 1, v, n, s->shift, 1, 0, s->work, 1));
  MN_TRY(mn_chol_apply(ctx, n, 1, p->l, s->work));
  for (size_t i = 0; i < n; i++) p->a[i] = s->shift[i] - p->root[i] * s->work[i];
  MN_TRY(mn_gemm(ctx, false, false, n, 1, n, 1, p->k, n, p->a, 1, 0, p->f, 1));
  MN_TRY(mn_chol_lower(ctx, n, n, p->l, v));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) s->variance[j] -= v[i * n + j] * v[i * n + j];
  for (size_t i = 0; i < n; i++) s->variance[i] = fmax(s->variance[i], 1e-14 * p->k[i * n + i]);
  return MN_OK;
}

/* Equations 3.65, 3.73 and 3.74. */
static double log_likelihood(const struct factors *s)
{
  double sum = -mn_chol_logdet(s->n, s->p->l) / 2;
  for (size_t i = 0; i < s->n; i++) {
    const struct cavity c = cavity_of(s, i);
    const double t = s->precision[i], b = s->shift[i], both = c.precision + t;
    sum += c.log_z + log1p(t / c.precision) / 2 + b * s->p->f[i] / 2 - b * b / (2 * both) +
           c.shift * (t / c.precision * c.shift - 2 * b) / (2 * both);
  }
  return sum;
}

static void update_factors(struct factors *s, double damping)
{
  s->change = 0;
  for (size_t i = 0; i < s->n; i++) {
    const struct cavity c = cavity_of(s, i);
    const double precision = fmax(1 / c.variance - c.precision, 0), shift = c.mean / c.variance - c.shift;
    const double step = precision - s->precision[i];
    s->change = fmax(s->change, fabs(step) * s->variance[i]);
    s->change = fmax(s->change, fabs(shift - s->shift[i]) * sqrt(s->variance[i]));
    s->precision[i] += damping * step;
    s->shift[i] += damping * (shift - s->shift[i]);
  }
}

mn_status mn_gp_expectation_propagation(mn_context *ctx, const mn_gp_latent *problem, mn_gp_posterior *p)
{
  enum { MAX_SWEEPS = 200 };
  const size_t n = problem->rows.n;
  double *space = MN_NEW(ctx, double, n, 4), damping = 1, change = INFINITY;
  MN_CHECK_ALLOC(space);
  struct factors s = { .problem = problem,
                       .p = p,
                       .n = n,
                       .precision = space,
                       .shift = space + n,
                       .variance = space + 2 * n,
                       .work = space + 3 * n };
  for (size_t sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    MN_TRY(mn_poll(ctx));
    MN_TRY(find_posterior(ctx, &s));
    update_factors(&s, sweep == 0 ? 1 : damping);
    if (s.change < 1e-9) {
      p->converged = true;
      break;
    }
    if (s.change > 0.9 * change) damping = fmax(damping / 2, 0.1);
    change = s.change;
  }
  MN_TRY(find_posterior(ctx, &s));
  p->log_likelihood = log_likelihood(&s);
  return MN_OK;
}
