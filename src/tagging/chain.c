#include "chain.h"
#include <math.h>
#include <string.h>

static size_t round_up(size_t n, size_t to)
{
  return (n + to - 1) / to * to;
}

mn_status mn_chain_init(mn_context *ctx, size_t classes, bool transitions, mn_chain *out)
{
  *out = (mn_chain){ .classes = classes, .ld = round_up(classes, MN_TAG_LANES) };
  if (!transitions) return MN_OK;
  const size_t rows = round_up(classes, 4);
  out->transitions = MN_NEW(ctx, double, rows, out->ld);
  out->exponentials = MN_NEW(ctx, double, rows, out->ld);
  out->transposed = MN_NEW(ctx, double, rows, out->ld);
  return out->transitions && out->exponentials && out->transposed ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_chain_workspace_init(mn_context *ctx, const mn_chain *chain, size_t tokens, mn_chain_workspace *out)
{
  out->score = MN_NEW(ctx, double, tokens, chain->ld);
  out->alpha = MN_NEW(ctx, double, tokens, chain->ld);
  out->p = MN_NEW(ctx, double, tokens, chain->ld);
  out->log_sum = MN_RAW(ctx, double, tokens, 1);
  return out->score && out->alpha && out->p && out->log_sum ? MN_OK : MN_NO_MEMORY;
}

void mn_chain_set(mn_chain *chain, const double *transitions)
{
  const size_t k = chain->classes, ld = chain->ld;
  for (size_t i = 0; i < k; i++) memcpy(chain->transitions + i * ld, transitions + i * k, k * sizeof *transitions);
  chain->most = transitions[0];
  for (size_t i = 1; i < k * k; i++) chain->most = fmax(chain->most, transitions[i]);
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) {
      const double m = exp(fmax(transitions[i * k + j] - chain->most, -300)); /* as in mn_chain_exp */
      chain->exponentials[i * ld + j] = m;
      chain->transposed[j * ld + i] = m;
    }
}

double mn_chain_log_sum(const mn_chain *chain, size_t n, mn_chain_workspace *ws)
{
  const size_t k = chain->classes, ld = chain->ld;
  const double shift = mn_chain_exp(n, k, ld, ws->score) + (double)(n - 1) * chain->most;
  return shift + mn_chain_forward(n, k, ld, chain->exponentials, ws->score, ws->alpha);
}

double mn_chain_marginals(const mn_chain *chain, size_t n, mn_chain_workspace *ws)
{
  const double log_sum = mn_chain_log_sum(chain, n, ws);
  mn_chain_backward(n, chain->classes, chain->ld, chain->transposed, ws->alpha, ws->score, ws->p);
  return log_sum;
}
