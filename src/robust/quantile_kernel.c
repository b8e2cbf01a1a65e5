#include "quantile_kernel.h"
#include "../core/clones.h"

MN_CLONES(void, mn_dual_weights, (const mn_dual_state *d), (d))
{
  const double *restrict x = d->x, *restrict s = d->s, *restrict z = d->z, *restrict w = d->w;
  const double *restrict u = d->u;
  double *restrict q = d->q, *restrict v = d->v, *restrict t = d->t;
  for (size_t i = 0; i < d->n; i++) {
    q[i] = x[i] * s[i] / (z[i] * s[i] + w[i] * x[i]);
    v[i] = u[i] * q[i];
    t[i] = v[i] * (z[i] - w[i]);
  }
}

MN_CLONES(void, mn_dual_predict, (const mn_dual_state *d, const double *restrict a), (d, a))
{
  const double *restrict x = d->x, *restrict s = d->s, *restrict z = d->z, *restrict w = d->w, *restrict q = d->q;
  double *restrict dx = d->dx, *restrict dz = d->dz, *restrict dw = d->dw;
  for (size_t i = 0; i < d->n; i++) {
    const double step = q[i] * (a[i] - z[i] + w[i]);
    dx[i] = step;
    dz[i] = -z[i] * (1 + step / x[i]);
    dw[i] = -w[i] * (1 - step / s[i]);
  }
}

MN_CLONES(void, mn_dual_target, (const mn_dual_state *d, double mu), (d, mu))
{
  const double *restrict x = d->x, *restrict s = d->s, *restrict v = d->v;
  const double *restrict dx = d->dx, *restrict dz = d->dz, *restrict dw = d->dw;
  double *restrict t = d->t, *restrict xz = d->xz, *restrict sw = d->sw;
  for (size_t i = 0; i < d->n; i++) {
    xz[i] = dx[i] * dz[i] / x[i];
    sw[i] = -dx[i] * dw[i] / s[i];
    t[i] += v[i] * (xz[i] - sw[i] - mu * (1 / x[i] - 1 / s[i]));
  }
}

MN_CLONES(void, mn_dual_correct, (const mn_dual_state *d, const double *restrict a, double mu), (d, a, mu))
{
  const double *restrict x = d->x, *restrict s = d->s, *restrict z = d->z, *restrict w = d->w, *restrict q = d->q;
  const double *restrict xz = d->xz, *restrict sw = d->sw;
  double *restrict dx = d->dx, *restrict dz = d->dz, *restrict dw = d->dw;
  for (size_t i = 0; i < d->n; i++) {
    const double step = q[i] * (a[i] + mu * (1 / x[i] - 1 / s[i]) - z[i] + w[i] - xz[i] + sw[i]);
    dx[i] = step;
    dz[i] = mu / x[i] - z[i] - z[i] * step / x[i] - xz[i];
    dw[i] = mu / s[i] - w[i] + w[i] * step / s[i] - sw[i];
  }
}

MN_CLONES(void, mn_dual_bounds, (const mn_dual_state *d, double *primal, double *dual), (d, primal, dual))
{
  const double *restrict x = d->x, *restrict s = d->s, *restrict z = d->z, *restrict w = d->w;
  const double *restrict dx = d->dx, *restrict dz = d->dz, *restrict dw = d->dw;
  double p = 1e-20, m = 1e-20; /* largest relative decrease by a step of length 1 */
  for (size_t i = 0; i < d->n; i++) {
    const double a = -dx[i] / x[i], b = dx[i] / s[i], c = -dz[i] / z[i], e = -dw[i] / w[i];
    const double ab = a > b ? a : b, ce = c > e ? c : e;
    p = ab > p ? ab : p;
    m = ce > m ? ce : m;
  }
  *primal = 1 / p;
  *dual = 1 / m;
}

MN_CLONES(double, mn_dual_gap, (const mn_dual_state *d, double primal, double dual), (d, primal, dual))
{
  const double *restrict x = d->x, *restrict s = d->s, *restrict z = d->z, *restrict w = d->w;
  const double *restrict dx = d->dx, *restrict dz = d->dz, *restrict dw = d->dw;
  const double *restrict u = d->u;
  double sum = 0;
  for (size_t i = 0; i < d->n; i++)
    sum += u[i] * ((z[i] + dual * dz[i]) * (x[i] + primal * dx[i]) + (w[i] + dual * dw[i]) * (s[i] - primal * dx[i]));
  return sum;
}

MN_CLONES(void, mn_dual_move, (const mn_dual_state *d, double primal, double dual), (d, primal, dual))
{
  double *restrict x = d->x, *restrict s = d->s, *restrict z = d->z, *restrict w = d->w;
  const double *restrict dx = d->dx, *restrict dz = d->dz, *restrict dw = d->dw;
  for (size_t i = 0; i < d->n; i++) {
    x[i] += primal * dx[i];
    s[i] -= primal * dx[i];
    z[i] += dual * dz[i];
    w[i] += dual * dw[i];
  }
}
