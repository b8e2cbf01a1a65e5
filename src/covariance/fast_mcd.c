#include "fast_mcd.h"
#include "../core/rng.h"
#include "../core/worker_pool.h"
#include "../factorization/lapack.h"
#include "../linalg/product.h"
#include "../stats/argsort.h"
#include "../stats/quantile.h"
#include <math.h>
#include <string.h>

enum { FEW_ROWS = 600, GROUP_ROWS = 300, MAX_GROUPS = 5, KEPT = 10, FIRST_STEPS = 2, MAX_STEPS = 200 };

/* Rows among which a subset of h is sought. */
struct rows {
  size_t n, p, h;
  const double *x; /* n x p */
};

/* A subset, by its mean and covariance. */
struct subset {
  double log_det; /* infinity: singular */
  double *mean, *covariance;
};

/* Memory for a step, of one worker. */
struct workspace {
  double *chol, *row, *distance, *sorted, *chosen; /* p x p, p, n, n, n: 1 for rows of the subset */
};

static mn_status make_workspace(mn_context *ctx, size_t n, size_t p, struct workspace *w)
{
  w->chol = MN_RAW(ctx, double, p, p);
  w->row = MN_RAW(ctx, double, p, 1);
  w->distance = MN_RAW(ctx, double, n, 1);
  w->sorted = MN_RAW(ctx, double, n, 1);
  w->chosen = MN_RAW(ctx, double, n, 1);
  return w->chol && w->row && w->distance && w->sorted && w->chosen ? MN_OK : MN_NO_MEMORY;
}

/* Mean, covariance and determinant of the chosen rows; leaves the Cholesky factor in the workspace. */
static mn_status describe(mn_context *ctx, const struct rows *r, const struct workspace *w, struct subset *s)
{
  const size_t p = r->p;
  double total, rcond;
  size_t minor;
  MN_TRY(mn_gram(ctx, r->n, p, r->x, p, 0, NULL, 0, w->chosen, true, &total, s->mean, s->covariance, p));
  for (size_t i = 0; i < p * p; i++) s->covariance[i] /= total;
  memcpy(w->chol, s->covariance, p * p * sizeof *w->chol);
  MN_TRY(mn_chol_try(ctx, p, w->chol, &rcond, &minor));
  s->log_det = minor > 0 || rcond < 1e-14 ? INFINITY : mn_chol_logdet(p, w->chol);
  return MN_OK;
}

/* Choose the h rows with the smallest distances; of equal ones the first. */
static void choose_nearest(const struct rows *r, const struct workspace *w)
{
  size_t left = r->h;
  memcpy(w->sorted, w->distance, r->n * sizeof *w->sorted);
  mn_select(NULL, r->n, w->sorted, r->h - 1);
  const double threshold = w->sorted[r->h - 1];
  for (size_t i = 0; i < r->n; i++) {
    w->chosen[i] = w->distance[i] < threshold;
    left -= w->distance[i] < threshold;
  }
  for (size_t i = 0; left > 0 && i < r->n; i++)
    if (w->distance[i] == threshold) {
      w->chosen[i] = 1;
      left--;
    }
}

/* Concentration steps from a subset, until the determinant stays. The workspace has the rows of the result. */
static mn_status concentrate(mn_context *ctx, const struct rows *r, const struct workspace *w, int steps,
                             struct subset *s)
{
  const size_t p = r->p;
  double before = INFINITY;
  memcpy(w->chol, s->covariance, p * p * sizeof *w->chol);
  MN_TRY(mn_chol(ctx, p, w->chol, NULL));
  for (int step = 0; step < steps; step++) {
    for (size_t i = 0; i < r->n; i++) {
      w->distance[i] = 0;
      for (size_t a = 0; a < p; a++) {
        double z = r->x[i * p + a] - s->mean[a];
        for (size_t b = 0; b < a; b++) z -= w->chol[a * p + b] * w->row[b];
        w->row[a] = z / w->chol[a * p + a];
        w->distance[i] += w->row[a] * w->row[a];
      }
    }
    choose_nearest(r, w);
    MN_TRY(describe(ctx, r, w, s));
    if (!(s->log_det < before) || isinf(s->log_det)) break;
    before = s->log_det;
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

/* p + 1 random rows, and more as long as their covariance is singular. */
static mn_status random_subset(mn_context *ctx, const struct rows *r, const struct workspace *w, mn_rng *rng,
                               struct subset *s)
{
  size_t *order = MN_RAW(ctx, size_t, r->n, 1), count = 0;
  MN_CHECK_ALLOC(order);
  for (size_t i = 0; i < r->n; i++) order[i] = i;
  memset(w->chosen, 0, r->n * sizeof *w->chosen);
  s->log_det = INFINITY;
  while (count < r->n && (count < r->p + 1 || isinf(s->log_det))) {
    const size_t other = count + mn_random_below(rng, r->n - count), row = order[other];
    order[other] = order[count];
    order[count++] = row;
    w->chosen[row] = 1;
    if (count > r->p) MN_TRY(describe(ctx, r, w, s));
  }
  return MN_OK;
}

/* The search on all levels. */
struct search {
  const struct rows *groups; /* of the random starts        */
  size_t group_count;
  const struct rows *rows; /* of refined subsets            */
  int steps;
  int64_t seed;
  struct subset *subsets;
};

static mn_status start_one(mn_context *ctx, void *work, size_t item, size_t worker)
{
  (void)worker;
  const struct search *search = work;
  const struct rows *r = &search->groups[item % search->group_count];
  struct subset *s = &search->subsets[item];
  const mn_mark mark = mn_scratch_mark(ctx);
  struct workspace w;
  mn_rng rng = mn_stream(search->seed, item + 1);
  MN_TRY(make_workspace(ctx, r->n, r->p, &w));
  MN_TRY(random_subset(ctx, r, &w, &rng, s));
  if (!isinf(s->log_det)) MN_TRY(concentrate(ctx, r, &w, FIRST_STEPS, s));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status refine_one(mn_context *ctx, void *work, size_t item, size_t worker)
{
  (void)worker;
  const struct search *search = work;
  const struct rows *r = search->rows;
  const mn_mark mark = mn_scratch_mark(ctx);
  struct workspace w;
  if (isinf(search->subsets[item].log_det)) return MN_OK;
  MN_TRY(make_workspace(ctx, r->n, r->p, &w));
  MN_TRY(concentrate(ctx, r, &w, search->steps, &search->subsets[item]));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* Move the `kept` subsets with the smallest determinants to the front, in this order; ties keep theirs. */
static void keep_best(size_t count, size_t kept, size_t step, struct subset *s)
{
  for (size_t c = 0; c < kept; c++) {
    size_t best = c * step;
    for (size_t i = best + step; i < count; i += step)
      if (s[i].log_det < s[best].log_det) best = i;
    const struct subset found = s[best];
    for (size_t i = best; i > c * step; i -= step) s[i] = s[i - step];
    s[c * step] = found;
  }
}

/* Keep the best subsets of each group; all of them to the front. Returns their number. */
static size_t keep_best_of_groups(size_t count, size_t groups, struct subset *s)
{
  size_t kept = 0;
  for (size_t g = 0; g < groups; g++) {
    const size_t members = (count - g + groups - 1) / groups, best = members < KEPT ? members : KEPT;
    keep_best(count - g, best, groups, s + g);
  }
  for (size_t i = 0; i < count; i++) {
    if (i / groups >= KEPT) break;
    const struct subset found = s[i];
    s[i] = s[kept];
    s[kept++] = found;
  }
  return kept;
}

/* Random groups of about GROUP_ROWS rows, and their union. */
static mn_status make_groups(mn_context *ctx, const struct rows *all, int64_t seed, size_t count, struct rows *groups,
                             struct rows *joined)
{
  const size_t n = all->n < (size_t)MAX_GROUPS * GROUP_ROWS ? all->n : (size_t)MAX_GROUPS * GROUP_ROWS, p = all->p;
  size_t *order = MN_RAW(ctx, size_t, all->n, 1);
  double *x = MN_RAW(ctx, double, n, p);
  mn_rng rng = mn_stream(seed, 0);
  if (!order || !x) return MN_NO_MEMORY;
  for (size_t i = 0; i < all->n; i++) order[i] = i;
  for (size_t i = 0; i < n; i++) {
    const size_t other = i + mn_random_below(&rng, all->n - i), row = order[other];
    order[other] = order[i];
    memcpy(x + i * p, all->x + row * p, p * sizeof *x);
  }
  const double share = (double)all->h / (double)all->n;
  *joined = (struct rows){ n, p, (size_t)ceil(share * (double)n), x };
  for (size_t g = 0; g < count; g++) {
    const size_t first = g * n / count, size = (g + 1) * n / count - first;
    groups[g] = (struct rows){ size, p, (size_t)ceil(share * (double)size), x + first * p };
  }
  return MN_OK;
}

static mn_status search_subsets(mn_context *ctx, const struct rows *all, size_t starts, int64_t seed, double *support)
{
  const size_t p = all->p, wanted = all->n / GROUP_ROWS;
  const size_t count = all->n <= FEW_ROWS || p + 1 > GROUP_ROWS / 2 ? 1 : wanted < MAX_GROUPS ? wanted : MAX_GROUPS;
  struct rows groups[MAX_GROUPS] = { *all }, joined = *all;
  struct subset *s = MN_RAW(ctx, struct subset, starts, 1);
  struct workspace w;
  MN_CHECK_ALLOC(s);
  for (size_t i = 0; i < starts; i++) {
    s[i].mean = MN_RAW(ctx, double, p, 1);
    s[i].covariance = MN_RAW(ctx, double, p, p);
    if (!s[i].mean || !s[i].covariance) return MN_NO_MEMORY;
  }
  if (count > 1) MN_TRY(make_groups(ctx, all, seed, count, groups, &joined));
  struct search search = { groups, count, &joined, FIRST_STEPS, seed, s };
  MN_TRY(mn_pool_run(ctx, starts, start_one, &search));
  size_t kept = keep_best_of_groups(starts, count, s);
  if (count > 1) {
    MN_TRY(mn_pool_run(ctx, kept, refine_one, &search));
    const size_t best = kept < KEPT ? kept : KEPT;
    keep_best(kept, best, 1, s);
    kept = best;
  }
  search.rows = all;
  search.steps = MAX_STEPS;
  MN_TRY(mn_pool_run(ctx, kept, refine_one, &search));
  keep_best(kept, 1, 1, s);
  if (isinf(s[0].log_det)) return MN_SINGULAR;
  MN_TRY(make_workspace(ctx, all->n, p, &w));
  MN_TRY(concentrate(ctx, all, &w, 1, s));
  memcpy(support, w.chosen, all->n * sizeof *support);
  return isinf(s[0].log_det) ? MN_SINGULAR : MN_OK;
}

/* One column: of the n - h + 1 runs of h sorted values, the one with the smallest variance. */
static mn_status search_runs(mn_context *ctx, const struct rows *r, double *support)
{
  size_t *order = MN_RAW(ctx, size_t, r->n, 1), best = 0;
  double sum = 0, square = 0, least = INFINITY;
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_argsort(ctx, r->n, r->x, 1, order));
  for (size_t i = 0; i < r->n; i++) {
    const double value = r->x[order[i]], leaves = i >= r->h ? r->x[order[i - r->h]] : 0;
    sum += value - leaves;
    square += value * value - leaves * leaves;
    const double spread = square - sum * sum / (double)r->h;
    if (i + 1 < r->h || !(spread < least)) continue;
    least = spread;
    best = i + 1 - r->h;
  }
  memset(support, 0, r->n * sizeof *support);
  for (size_t i = 0; i < r->h; i++) support[order[best + i]] = 1;
  return r->x[order[best]] < r->x[order[best + r->h - 1]] ? MN_OK : MN_SINGULAR;
}

mn_status mn_fast_mcd(mn_context *ctx, const mn_data *data, size_t h, size_t starts, int64_t seed, double *support)
{
  const size_t n = data->rows, p = data->features;
  const mn_mark mark = mn_scratch_mark(ctx);
  double *x = MN_RAW(ctx, double, n, p), *scatter = MN_RAW(ctx, double, p, p), *mean = MN_RAW(ctx, double, p, 1);
  if (!x || !scatter || !mean) return MN_NO_MEMORY;
  MN_TRY(mn_gram(ctx, n, p, data->x.at, p, 0, NULL, 0, NULL, true, NULL, mean, scatter, p));
  for (size_t j = 0; j < p; j++) {
    const double deviation = sqrt(scatter[j * p + j] / (double)n);
    if (!(deviation > 0)) return MN_SINGULAR;
    for (size_t i = 0; i < n; i++) x[i * p + j] = (data->x.at[i * p + j] - mean[j]) / deviation;
  }
  const struct rows all = { n, p, h, x };
  MN_TRY(p == 1 ? search_runs(ctx, &all, support) : search_subsets(ctx, &all, starts, seed, support));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
