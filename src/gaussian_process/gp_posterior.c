#include "gp_posterior.h"
#include "../factorization/lapack.h"

mn_status mn_gp_posterior_new(mn_context *ctx, size_t n, mn_gp_posterior *p)
{
  *p = (mn_gp_posterior){ .a = MN_NEW(ctx, double, n, 1),
                          .root = MN_RAW(ctx, double, n, 1),
                          .k = MN_RAW(ctx, double, n, n),
                          .l = MN_RAW(ctx, double, n, n),
                          .work = MN_RAW(ctx, double, n, n),
                          .f = MN_RAW(ctx, double, n, 1) };
  return p->a && p->root && p->k && p->l && p->work && p->f ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_gp_latent_factor(mn_context *ctx, const char *who, size_t n, const double *k, const double *root,
                              double *l)
{
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j <= i; j++) l[i * n + j] = root[i] * k[i * n + j] * root[j];
    l[i * n + i] += 1;
  }
  size_t minor;
  MN_TRY(mn_chol_try(ctx, n, l, NULL, &minor));
  return minor == 0 ? MN_OK
                    : mn_fail(ctx, MN_SINGULAR,
                              "%s: the kernel matrix is not positive semidefinite; choose another kernel", who);
}
