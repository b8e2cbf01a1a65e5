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

mn_status mn_chain_set_features(mn_context *ctx, mn_chain *chain, const mn_transition_features *features)
{
  const size_t k = chain->classes;
  int32_t *place = MN_RAW(ctx, int32_t, k + k * k, 1);
  MN_CHECK_ALLOC(place);
  for (size_t i = 0; i < k; i++) place[i] = -1; /* a tag */
  for (size_t i = 0; i < k * k; i++) place[k + i] = (int32_t)(i / k * chain->ld + i % k);
  chain->features = *features;
  chain->place = place;
  return MN_OK;
}

mn_status mn_chain_workspace_init(mn_context *ctx, const mn_chain *chain, size_t tokens, mn_chain_workspace *out)
{
  out->score = MN_NEW(ctx, double, tokens, chain->ld);
  out->alpha = MN_NEW(ctx, double, tokens, chain->ld);
  out->p = MN_NEW(ctx, double, tokens, chain->ld);
  out->log_sum = MN_RAW(ctx, double, tokens, 1);
  if (chain->features.x) {
    out->transitions = MN_NEW(ctx, double, chain->classes, chain->ld);
    out->exponentials = MN_NEW(ctx, double, chain->classes, chain->ld);
    out->pairs = MN_NEW(ctx, double, chain->classes, chain->ld);
    if (!out->transitions || !out->exponentials || !out->pairs) return MN_NO_MEMORY;
  }
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

const double *mn_chain_transitions_to(const mn_chain *chain, size_t token, const double *base, mn_chain_workspace *ws)
{
  const mn_transition_features *f = &chain->features;
  if (!f->x || f->x->start[token] == f->x->start[token + 1]) return base;
  const size_t at = f->x->start[token];
  memcpy(ws->transitions, base, chain->classes * chain->ld * sizeof *base);
  mn_chain_add_feature_scores(f->x->start[token + 1] - at, f->col + at, f->x->at + at, f->first, f->label, f->w,
                              f->factor, chain->place, ws->transitions);
  return ws->transitions;
}

/* The exponentials of these scores, less their maximum, which is returned. */
static double exponentials_to(const mn_chain *chain, size_t token, mn_chain_workspace *ws, const double **m)
{
  const double *scores = mn_chain_transitions_to(chain, token, chain->transitions, ws);
  *m = chain->exponentials;
  if (scores == chain->transitions) return chain->most;
  *m = ws->exponentials;
  return mn_chain_exp_transitions(chain->classes, chain->ld, scores, ws->exponentials);
}

/* mn_chain_log_sum for transitions that depend on the token. Their exponentials are made for one token at a time, and
 * again for the way back: those of a long sequence would need much memory. */
static double sum_with_features(const mn_chain *chain, size_t at, size_t n, mn_chain_workspace *ws)
{
  const size_t k = chain->classes, ld = chain->ld;
  const double *m;
  double sum = mn_chain_exp(n, k, ld, ws->score);
  sum += mn_chain_forward(1, k, ld, NULL, ws->score, ws->alpha);
  for (size_t t = 1; t < n; t++) {
    sum += exponentials_to(chain, at + t, ws, &m);
    sum += mn_chain_forward_step(k, ld, m, ws->score + t * ld, ws->alpha + (t - 1) * ld, ws->alpha + t * ld);
  }
  return sum;
}

/* mn_chain_backward for them. gradient and sums: as in mn_chain_add_expectations, or NULL. */
static void go_back(const mn_chain *chain, size_t at, size_t n, mn_chain_workspace *ws, double *gradient, double *sums)
{
  const size_t k = chain->classes, ld = chain->ld;
  const mn_transition_features *f = &chain->features;
  const double *m;
  for (size_t l = 0; l < ld; l++) ws->p[(n - 1) * ld + l] = 1;
  for (size_t t = n - 1; t > 0; t--) {
    const size_t begin = f->x->start[at + t], entries = f->x->start[at + t + 1] - begin;
    exponentials_to(chain, at + t, ws, &m);
    mn_chain_backward_step(k, ld, m, ws->alpha + (t - 1) * ld, ws->score + t * ld, ws->p + t * ld,
                           ws->p + (t - 1) * ld);
    if (!gradient) continue;
    mn_chain_pairs(k, ld, m, ws->alpha + (t - 1) * ld, ws->score + t * ld, ws->pairs, sums);
    mn_chain_add_feature_pairs(entries, f->col + begin, f->x->at + begin, f->first, f->label, chain->place, ws->pairs,
                               gradient);
  }
  for (size_t i = 0; i < n * ld; i++) ws->p[i] *= ws->alpha[i];
}

double mn_chain_log_sum(const mn_chain *chain, size_t at, size_t n, mn_chain_workspace *ws)
{
  const size_t k = chain->classes, ld = chain->ld;
  if (chain->features.x) return sum_with_features(chain, at, n, ws);
  const double shift = mn_chain_exp(n, k, ld, ws->score) + (double)(n - 1) * chain->most;
  return shift + mn_chain_forward(n, k, ld, chain->exponentials, ws->score, ws->alpha);
}

double mn_chain_marginals(const mn_chain *chain, size_t at, size_t n, mn_chain_workspace *ws)
{
  const double log_sum = mn_chain_log_sum(chain, at, n, ws);
  if (chain->features.x)
    go_back(chain, at, n, ws, NULL, NULL);
  else
    mn_chain_backward(n, chain->classes, chain->ld, chain->transposed, ws->alpha, ws->score, ws->p);
  return log_sum;
}

double mn_chain_add_expectations(const mn_chain *chain, size_t at, size_t n, mn_chain_workspace *ws, double *gradient,
                                 double *sums)
{
  if (!chain->features.x) {
    const double log_sum = mn_chain_marginals(chain, at, n, ws);
    mn_chain_add_pairs(n, chain->classes, chain->ld, ws->alpha, ws->score, sums);
    return log_sum;
  }
  const double log_sum = mn_chain_log_sum(chain, at, n, ws);
  go_back(chain, at, n, ws, gradient, sums);
  return log_sum;
}
