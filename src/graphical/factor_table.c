#include "factor_table.h"
#include "walk.h"
#include <math.h>
#include <string.h>

mn_status mn_table_new(mn_context *ctx, const size_t *card, size_t n, const size_t *scope, mn_factor_table *out)
{
  size_t *own = MN_RAW(ctx, size_t, n + 1, 2), *cards = own ? own + n : NULL;
  MN_CHECK_ALLOC(own);
  size_t size = 1, several = 0;
  for (size_t i = 0; i < n; i++) {
    own[i] = scope[i];
    cards[i] = card[scope[i]];
    several += cards[i] > 1;
    if (several > MN_MAX_SCOPE || size > PTRDIFF_MAX / sizeof(double) / cards[i])
      return mn_fail(ctx, MN_NO_MEMORY, "a table of %zu variables is too large", n);
    size *= cards[i];
  }
  *out = (mn_factor_table){ .n = n, .size = size, .scope = own, .card = cards, .at = MN_NEW(ctx, double, size, 1) };
  MN_CHECK_ALLOC(out->at);
  return MN_OK;
}

/* A walk over t in step with a table of `n` variables, of which t has all that are not observed. */
static mn_status walk_with(mn_context *ctx, const mn_factor_table *t, const size_t *card, size_t n, const size_t *scope,
                           const int32_t *evidence, mn_walk *w)
{
  size_t *stride = MN_NEW(ctx, size_t, t->n + 1, 1), step = 1, base = 0;
  MN_CHECK_ALLOC(stride);
  for (size_t i = n; i-- > 0;) {
    if (mn_is_observed(evidence, scope[i])) base += step * (size_t)evidence[scope[i]];
    for (size_t j = 0; j < t->n; j++)
      if (t->scope[j] == scope[i]) stride[j] = step;
    step *= card[i];
  }
  mn_walk_begin(w, t->n, t->card, stride, base);
  return MN_OK;
}

mn_status mn_table_add(mn_context *ctx, mn_factor_table *t, const mn_factor_table *other)
{
  mn_walk w;
  MN_TRY(walk_with(ctx, t, other->card, other->n, other->scope, NULL, &w));
  return mn_walk_add(ctx, &w, t->at, other->at);
}

/* The variables of a table that are not observed. */
static mn_status free_variables(mn_context *ctx, size_t n, const size_t *scope, const int32_t *evidence, size_t *count,
                                size_t **out)
{
  *out = MN_RAW(ctx, size_t, n + 1, 1);
  MN_CHECK_ALLOC(*out);
  *count = 0;
  for (size_t i = 0; i < n; i++)
    if (!mn_is_observed(evidence, scope[i])) (*out)[(*count)++] = scope[i];
  return MN_OK;
}

mn_status mn_table_reduce(mn_context *ctx, const size_t *card, const mn_factor_table *t, const int32_t *evidence,
                          mn_factor_table *out)
{
  mn_walk w;
  size_t n, *scope;
  MN_TRY(free_variables(ctx, t->n, t->scope, evidence, &n, &scope));
  MN_TRY(mn_table_new(ctx, card, n, scope, out));
  MN_TRY(walk_with(ctx, out, t->card, t->n, t->scope, evidence, &w));
  return mn_walk_add(ctx, &w, out->at, t->at);
}

mn_status mn_table_of_factor(mn_context *ctx, const mn_factor_graph *g, size_t factor, const int32_t *evidence,
                             mn_factor_table *out)
{
  mn_walk w;
  size_t n = mn_scope_size(g, factor), *scope, *card = MN_RAW(ctx, size_t, n + 1, 1), kept;
  MN_CHECK_ALLOC(card);
  for (size_t i = 0; i < n; i++) card[i] = g->card[mn_scope(g, factor)[i]];
  MN_TRY(free_variables(ctx, n, mn_scope(g, factor), evidence, &kept, &scope));
  MN_TRY(mn_table_new(ctx, g->card, kept, scope, out));
  MN_TRY(walk_with(ctx, out, card, n, mn_scope(g, factor), evidence, &w));
  return mn_walk_add(ctx, &w, out->at, g->table + g->table_start[factor]);
}

mn_status mn_table_product(mn_context *ctx, const size_t *card, const mn_factor_table *a, const mn_factor_table *b,
                           mn_factor_table *out)
{
  size_t *scope = MN_RAW(ctx, size_t, a->n + b->n + 1, 1), n = a->n;
  MN_CHECK_ALLOC(scope);
  memcpy(scope, a->scope, n * sizeof *scope);
  for (size_t i = 0; i < b->n; i++) {
    bool is_new = true;
    for (size_t j = 0; j < a->n; j++) is_new = is_new && a->scope[j] != b->scope[i];
    if (is_new) scope[n++] = b->scope[i];
  }
  MN_TRY(mn_table_new(ctx, card, n, scope, out));
  MN_TRY(mn_table_add(ctx, out, a));
  return mn_table_add(ctx, out, b);
}

mn_status mn_table_marginalize(mn_context *ctx, const size_t *card, const mn_factor_table *t, size_t n,
                               const size_t *kept, bool maximum, mn_factor_table *out)
{
  mn_walk w;
  MN_TRY(mn_table_new(ctx, card, n, kept, out));
  for (size_t i = 0; i < out->size; i++) out->at[i] = 2 * MN_LOG_ZERO;
  MN_TRY(walk_with(ctx, t, out->card, n, kept, NULL, &w));
  MN_TRY(mn_walk_max(ctx, &w, t->at, out->at));
  if (maximum) return MN_OK;
  double *sum = MN_NEW(ctx, double, out->size, 1), *p = MN_RAW(ctx, double, t->size, 1);
  if (!sum || !p) return MN_NO_MEMORY;
  for (size_t i = 0; i < out->size; i++) out->at[i] = -out->at[i];
  memcpy(p, t->at, t->size * sizeof *p);
  MN_TRY(walk_with(ctx, t, out->card, n, kept, NULL, &w));
  MN_TRY(mn_walk_add(ctx, &w, p, out->at));
  for (size_t i = 0; i < t->size; i++) p[i] = exp(p[i]);
  MN_TRY(walk_with(ctx, t, out->card, n, kept, NULL, &w));
  MN_TRY(mn_walk_sum(ctx, &w, p, sum));
  for (size_t i = 0; i < out->size; i++) {
    out->at[i] = log(sum[i]) - out->at[i];
    if (mn_is_log_zero(out->at[i])) out->at[i] = MN_LOG_ZERO;
  }
  return MN_OK;
}

double mn_table_normalize(mn_factor_table *t)
{
  double most = t->at[0], sum = 0;
  for (size_t i = 1; i < t->size; i++)
    if (t->at[i] > most) most = t->at[i];
  if (mn_is_log_zero(most)) return MN_LOG_ZERO;
  for (size_t i = 0; i < t->size; i++) sum += exp(t->at[i] - most);
  const double total = most + log(sum);
  for (size_t i = 0; i < t->size; i++) t->at[i] = mn_is_log_zero(t->at[i]) ? MN_LOG_ZERO : t->at[i] - total;
  return total;
}
