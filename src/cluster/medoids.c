/* Schubert & Rousseeuw, Information Systems 101 (2021); Kaufman & Rousseeuw (1990), chapter 2. */
#include "medoids.h"
#include "../core/threads.h"
#include "medoids_kernel.h"

enum { MIN_BATCH = 4, MAX_BATCH = 256, CANDIDATES = 16 /* of a block */ };

struct state {
  const mn_medoid_problem *p;
  int32_t *medoid;            /* k                                            */
  bool *is_medoid;            /* n                                            */
  int32_t *nearest, *second;  /* n: indices of the two nearest medoids         */
  double *near, *second_near; /* n: their distances                           */
  double *removal;            /* k: how much L grows if a medoid is taken out */
  double loss;
  size_t first;   /* the first candidate of a batch */
  double *change; /* n: change of L by the best swap with a candidate */
  int32_t *slot;  /* n: the medoid that it replaces */
  double *work;   /* of each worker: k */
  mn_blocks blocks;
};

static const double *row_of(const mn_medoid_problem *p, size_t row)
{
  return p->distance + row * p->n;
}

/* --- the start --- */

struct build {
  const mn_medoid_problem *p;
  const double *near; /* NULL: no medoid yet */
  double *gain;       /* n */
  mn_blocks blocks;
};

static void build_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct build *b = work;
  const mn_medoid_problem *p = b->p;
  for (size_t j = mn_block_begin(&b->blocks, block); j < mn_block_end(&b->blocks, block); j++)
    b->gain[j] = b->near ? mn_medoid_gain(p->n, row_of(p, j), b->near, p->w) : -mn_medoid_sum(p->n, row_of(p, j), p->w);
}

mn_status mn_medoids_build(mn_context *ctx, const mn_medoid_problem *p, int32_t *medoid)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  double *near = MN_RAW(ctx, double, p->n, 1);
  bool *taken = MN_NEW(ctx, bool, p->n, 1);
  struct build b = { .p = p,
                     .gain = MN_RAW(ctx, double, p->n, 1),
                     .blocks = mn_make_blocks(p->n, CANDIDATES, SIZE_MAX) };
  if (!near || !taken || !b.gain) return MN_NO_MEMORY;
  for (size_t c = 0; c < p->k; c++) {
    MN_TRY(mn_parallel(ctx, b.blocks.count, build_block, &b));
    size_t best = p->n;
    for (size_t j = 0; j < p->n; j++)
      if (!taken[j] && (best == p->n || b.gain[j] > b.gain[best])) best = j;
    for (size_t o = 0; o < p->n; o++) near[o] = c > 0 ? fmin(near[o], row_of(p, best)[o]) : row_of(p, best)[o];
    taken[best] = true;
    medoid[c] = (int32_t)best;
    b.near = near;
    MN_TRY(mn_poll(ctx));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- the two nearest medoids of each row --- */

static void find_two(struct state *s, size_t o)
{
  double first = INFINITY, second = INFINITY;
  int32_t a = 0, b = 0;
  for (size_t c = 0; c < s->p->k; c++) {
    const double d = row_of(s->p, (size_t)s->medoid[c])[o];
    if (d < first) {
      second = first;
      b = a;
      first = d;
      a = (int32_t)c;
    } else if (d < second) {
      second = d;
      b = (int32_t)c;
    }
  }
  s->near[o] = first;
  s->second_near[o] = second;
  s->nearest[o] = a;
  s->second[o] = b;
}

/* L, and by how much it grows without each medoid. */
static void sum_losses(struct state *s)
{
  s->loss = 0;
  for (size_t c = 0; c < s->p->k; c++) s->removal[c] = 0;
  for (size_t o = 0; o < s->p->n; o++) {
    s->loss += s->p->w[o] * s->near[o];
    s->removal[s->nearest[o]] += s->p->w[o] * (s->second_near[o] - s->near[o]);
  }
}

static void assign_all(struct state *s)
{
  for (size_t o = 0; o < s->p->n; o++) find_two(s, o);
  sum_losses(s);
}

/* Row `to` becomes medoid c. Only rows that had it among their two nearest, or are near to the new one, change. */
static void swap(struct state *s, int32_t c, size_t to)
{
  const double *d = row_of(s->p, to);
  s->is_medoid[s->medoid[c]] = false;
  s->is_medoid[to] = true;
  s->medoid[c] = (int32_t)to;
  for (size_t o = 0; o < s->p->n; o++) {
    if (s->nearest[o] == c || s->second[o] == c) {
      find_two(s, o);
    } else if (d[o] < s->near[o]) {
      s->second[o] = s->nearest[o];
      s->second_near[o] = s->near[o];
      s->nearest[o] = c;
      s->near[o] = d[o];
    } else if (d[o] < s->second_near[o]) {
      s->second[o] = c;
      s->second_near[o] = d[o];
    }
  }
  sum_losses(s);
}

/* The same if it lowers L, which differences of large distances may only have promised. */
static bool try_swap(struct state *s, int32_t c, size_t to)
{
  const double before = s->loss;
  const size_t from = (size_t)s->medoid[c];
  swap(s, c, to);
  if (s->loss < before) return true;
  swap(s, c, from);
  return false;
}

/* --- candidates --- */

static void evaluate(const struct state *s, size_t j, double *loss)
{
  const mn_medoid_problem *p = s->p;
  size_t best = 0;
  s->change[j] = 0;
  if (s->is_medoid[j]) return;
  for (size_t c = 0; c < p->k; c++) loss[c] = s->removal[c];
  const double shared = mn_medoid_swap(p->n, row_of(p, j), s->near, s->second_near, p->w, s->nearest, loss);
  for (size_t c = 1; c < p->k; c++)
    if (loss[c] < loss[best]) best = c;
  s->change[j] = loss[best] + shared;
  s->slot[j] = (int32_t)best;
}

static void evaluate_block(void *work, size_t block, size_t worker)
{
  const struct state *s = work;
  for (size_t i = mn_block_begin(&s->blocks, block); i < mn_block_end(&s->blocks, block); i++)
    evaluate(s, s->first + i, s->work + worker * s->p->k);
}

static mn_status evaluate_batch(mn_context *ctx, struct state *s, size_t first, size_t count)
{
  s->first = first;
  s->blocks = mn_make_blocks(count, count > 4 * CANDIDATES ? CANDIDATES : MIN_BATCH, SIZE_MAX);
  return mn_parallel(ctx, s->blocks.count, evaluate_block, s);
}

/* Whether a swap lowers L by more than rounding. */
static bool improves(const struct state *s, size_t j)
{
  return s->change[j] < -4 * DBL_EPSILON * s->loss;
}

/* --- the methods --- */

/* Swap as soon as a candidate improves. Candidates are evaluated in batches, of which those after a swap are evaluated
 * again; so the swaps are those of a loop over single candidates. */
static mn_status swap_eagerly(mn_context *ctx, struct state *s, int64_t max_iter, mn_report *r)
{
  const size_t n = s->p->n;
  size_t batch = MIN_BATCH, j = 0, since = 0; /* since: candidates after the last swap */
  bool proceed = true;
  while (proceed) {
    size_t count = n - j < batch ? n - j : batch, i = 0;
    MN_TRY(evaluate_batch(ctx, s, j, count));
    while (i < count && !improves(s, j + i)) i++;
    since += i;
    batch = i < count ? MIN_BATCH : (batch < MAX_BATCH ? 2 * batch : batch);
    if (i < count) {
      since = try_swap(s, s->slot[j + i], j + i) ? 0 : since + 1;
      i++;
    }
    j = (j + i) % n;
    r->converged = since >= n;
    r->change = 0;
    if (j == 0 || r->converged) proceed = mn_round(ctx, r, max_iter, s->loss) && !r->converged && r->n_iter < max_iter;
  }
  return mn_error_status(ctx);
}

static mn_status swap_best(mn_context *ctx, struct state *s, int64_t max_iter, mn_report *r)
{
  for (bool proceed = true; proceed;) {
    size_t best = 0;
    MN_TRY(evaluate_batch(ctx, s, 0, s->p->n));
    for (size_t j = 1; j < s->p->n; j++)
      if (s->change[j] < s->change[best]) best = j;
    r->converged = !improves(s, best) || !try_swap(s, s->slot[best], best);
    r->change = -s->change[best];
    proceed = mn_round(ctx, r, max_iter, s->loss) && !r->converged && r->n_iter < max_iter;
  }
  return mn_error_status(ctx);
}

/* The sum of distances of row j to the rows of its cluster. */
static void sum_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct state *s = work;
  for (size_t j = mn_block_begin(&s->blocks, block); j < mn_block_end(&s->blocks, block); j++) {
    const double *d = row_of(s->p, j);
    double sum = 0;
    for (size_t o = 0; o < s->p->n; o++) sum += s->nearest[o] == s->nearest[j] ? s->p->w[o] * d[o] : 0;
    s->change[j] = sum;
  }
}

static mn_status move_centers(mn_context *ctx, struct state *s, int64_t max_iter, mn_report *r)
{
  for (bool proceed = true; proceed;) {
    bool moved = false;
    s->blocks = mn_make_blocks(s->p->n, CANDIDATES, SIZE_MAX);
    MN_TRY(mn_parallel(ctx, s->blocks.count, sum_block, s));
    for (size_t j = 0; j < s->p->n; j++) {
      int32_t *medoid = &s->medoid[s->nearest[j]];
      /* a medoid at distance 0 from an earlier one is in the cluster of that one */
      if (s->nearest[*medoid] != s->nearest[j] || !(s->change[j] < s->change[*medoid] * (1 - 4 * DBL_EPSILON)))
        continue;
      *medoid = (int32_t)j;
      moved = true;
    }
    if (moved) assign_all(s);
    r->converged = !moved;
    r->change = 0;
    proceed = mn_round(ctx, r, max_iter, s->loss) && !r->converged && r->n_iter < max_iter;
  }
  return mn_error_status(ctx);
}

static mn_status make_state(mn_context *ctx, const mn_medoid_problem *p, int32_t *medoid, struct state *s)
{
  *s = (struct state){ .p = p, .medoid = medoid };
  s->is_medoid = MN_NEW(ctx, bool, p->n, 1);
  s->nearest = MN_RAW(ctx, int32_t, p->n, 1);
  s->second = MN_RAW(ctx, int32_t, p->n, 1);
  s->near = MN_RAW(ctx, double, p->n, 1);
  s->second_near = MN_RAW(ctx, double, p->n, 1);
  s->removal = MN_RAW(ctx, double, p->k, 1);
  s->change = MN_RAW(ctx, double, p->n, 1);
  s->slot = MN_NEW(ctx, int32_t, p->n, 1);
  s->work = MN_RAW(ctx, double, mn_threads(ctx), p->k);
  if (!s->is_medoid || !s->nearest || !s->second || !s->near || !s->second_near || !s->removal || !s->change ||
      !s->slot || !s->work)
    return MN_NO_MEMORY;
  for (size_t c = 0; c < p->k; c++) s->is_medoid[medoid[c]] = true;
  return MN_OK;
}

/* One medoid: the row with the least sum of distances. */
static mn_status find_median(mn_context *ctx, struct state *s, int64_t max_iter, mn_report *r)
{
  MN_TRY(mn_medoids_build(ctx, s->p, s->medoid));
  assign_all(s);
  r->converged = true;
  r->change = 0;
  mn_round(ctx, r, max_iter, s->loss);
  return mn_error_status(ctx);
}

mn_status mn_medoids_improve(mn_context *ctx, const mn_medoid_problem *p, int64_t method, int64_t max_iter,
                             int32_t *medoid, int32_t *label, mn_report *report)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct state s;
  MN_TRY(make_state(ctx, p, medoid, &s));
  assign_all(&s);
  if (p->k == 1)
    MN_TRY(find_median(ctx, &s, max_iter, report));
  else if (method == MN_MEDOIDS_FASTERPAM)
    MN_TRY(swap_eagerly(ctx, &s, max_iter, report));
  else
    MN_TRY((method == MN_MEDOIDS_PAM ? swap_best : move_centers)(ctx, &s, max_iter, report));
  assign_all(&s);
  for (size_t o = 0; o < p->n; o++) label[o] = s.nearest[o];
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
