/* The working set of a round: its choice, and the minimization over it. */
#include "smo_kernel.h"
#include "smo_state.h"
#include <math.h>

#define OUT 1e300 /* added to v, excludes a variable */

enum { STEPS = 100 }; /* most steps of a round for each variable of the working set */
enum { TURNS = 20 };  /* of moving free variables together, then pairs              */

typedef struct mn_smo_candidate candidate;

mn_status mn_smo_set_init(mn_context *ctx, mn_smo_state *s, size_t limit)
{
  mn_smo_set *w = &s->set;
  const size_t variables = s->p->copies * s->n;
  w->limit = limit;
  w->variable = MN_RAW(ctx, size_t, 5, limit);
  w->candidate = MN_RAW(ctx, candidate, variables, 1);
  w->chosen = MN_NEW(ctx, bool, variables, 1);
  w->a = MN_RAW(ctx, double, 14, limit);
  w->factor = MN_RAW(ctx, double, limit, limit);
  w->k = MN_RAW(ctx, double, limit, limit);
  if (!w->variable || !w->candidate || !w->chosen || !w->a || !w->k || !w->factor) return MN_NO_MEMORY;
  w->position = w->variable + limit;
  w->rows = w->position + limit;
  w->previous = w->rows + limit;
  w->c = w->a + limit;
  w->s = w->c + limit;
  w->v = w->s + limit;
  w->start = w->v + limit;
  w->diagonal = w->start + limit;
  w->gain = w->diagonal + limit;
  w->mask = w->gain + limit;
  w->solved = w->mask + 4 * limit;
  w->free = w->previous + limit;
  return MN_OK;
}

/* --- choice --- */

static inline bool comes_before(candidate a, candidate b)
{
  return a.key > b.key || (a.key == b.key && a.index < b.index);
}

/* Move the k candidates that come first to the front (quickselect with the median of three). */
static void select_first(candidate *list, size_t n, size_t k)
{
  size_t low = 0, high = n;
  while (high - low > 1) {
    const candidate x = list[low], y = list[low + (high - low) / 2], z = list[high - 1];
    const candidate pivot = comes_before(x, y) ? (comes_before(y, z)   ? y
                                                  : comes_before(x, z) ? z
                                                                       : x)
                                               : (comes_before(x, z)   ? x
                                                  : comes_before(y, z) ? z
                                                                       : y);
    size_t i = low, j = high - 1;
    for (;; i++, j--) {
      while (comes_before(list[i], pivot)) i++;
      while (comes_before(pivot, list[j])) j--;
      if (i >= j) break;
      const candidate swap = list[i];
      list[i] = list[j];
      list[j] = swap;
    }
    if (k <= i)
      high = i;
    else if (k > j + 1)
      low = j + 1;
    else
      return;
  }
}

static void add(mn_smo_state *s, size_t t)
{
  mn_smo_set *w = &s->set;
  if (w->chosen[t] || w->count == w->limit) return;
  w->chosen[t] = true;
  w->variable[w->count++] = t;
}

/* Add up to `most` variables of a group that violate the conditions most, in one direction. */
static void add_violators(mn_smo_state *s, unsigned group, unsigned char direction, size_t most)
{
  const mn_smo *p = s->p;
  candidate *list = s->set.candidate;
  size_t count = 0;
  for (size_t copy = 0; copy < p->copies; copy++)
    for (size_t k = 0; k < s->active_rows; k++) {
      const size_t t = copy * s->n + s->active[k];
      const double v = s->v[t];
      if (!(s->free_to[t] & direction) || mn_smo_group(p, t) != group) continue;
      if (direction == MN_SMO_UP ? v > s->down[group] : v < s->up[group])
        list[count++] = (candidate){ direction == MN_SMO_UP ? v : -v, t };
    }
  if (count > most) {
    select_first(list, count, most);
    count = most;
  }
  for (size_t k = 0; k < count; k++) add(s, list[k].index);
}

/* Add variables between their bounds. */
static void add_free(mn_smo_state *s, size_t most)
{
  const mn_smo *p = s->p;
  for (size_t copy = 0; copy < p->copies; copy++)
    for (size_t k = 0; k < s->active_rows && s->set.count < most; k++) {
      const size_t t = copy * s->n + s->active[k];
      if (p->alpha[t] > 0 && p->alpha[t] < p->bound[t]) add(s, t);
    }
}

static void find_rows(mn_smo_state *s)
{
  mn_smo_set *w = &s->set;
  w->n_rows = 0;
  for (size_t k = 0; k < w->count; k++) {
    const size_t t = w->variable[k], other = t < s->n ? t + s->n : t - s->n;
    w->position[k] = s->position[t % s->n];
    if (s->p->copies == 1 || t < s->n || !w->chosen[other]) w->rows[w->n_rows++] = w->position[k];
  }
}

void mn_smo_choose(mn_smo_state *s, bool together)
{
  mn_smo_set *w = &s->set;
  size_t *swap = w->previous;
  w->previous = w->variable;
  w->variable = swap;
  w->n_previous = w->count;
  for (size_t k = 0; k < w->n_previous; k++) w->chosen[w->previous[k]] = false;
  w->count = 0;
  if (together) add_free(s, w->limit / 4 * 3);
  const size_t share = w->n_previous > 0 ? w->limit / 2 : w->limit, quota = share / (2 * s->groups);
  for (unsigned g = 0; g < s->groups; g++) {
    add_violators(s, g, MN_SMO_UP, quota > 0 ? quota : 1);
    add_violators(s, g, MN_SMO_DOWN, quota > 0 ? quota : 1);
  }
  for (size_t k = 0; k < w->n_previous; k++)
    if (s->position[w->previous[k] % s->n] != SIZE_MAX) add(s, w->previous[k]);
  find_rows(s);
}

/* --- minimization --- */

static void gather_matrix(mn_smo_state *s)
{
  mn_smo_set *w = &s->set;
  for (size_t i = 0; i < w->count; i++) {
    const void *row = mn_row_cache_row(&s->cache, w->position[i]);
    double *out = w->k + i * w->count;
    if (s->cache.single)
      for (size_t j = 0; j < w->count; j++) out[j] = (double)((const float *)row)[w->position[j]];
    else
      for (size_t j = 0; j < w->count; j++) out[j] = ((const double *)row)[w->position[j]];
  }
}

/* The masks of variable k: for each group those of UP, 0 or -OUT, and of DOWN, 0 or OUT. */
static void set_mask(mn_smo_set *w, size_t groups, const unsigned char *group, size_t k)
{
  const bool plus = w->s[k] > 0, grows = w->a[k]<w->c[k], shrinks = w->a[k]> 0;
  for (size_t g = 0; g < groups; g++) {
    const bool member = group[k] == g;
    w->mask[2 * g * w->limit + k] = member && (plus ? grows : shrinks) ? 0 : -OUT;
    w->mask[(2 * g + 1) * w->limit + k] = member && (plus ? shrinks : grows) ? 0 : OUT;
  }
}

static void load(mn_smo_state *s, unsigned char *group)
{
  mn_smo_set *w = &s->set;
  const mn_smo *p = s->p;
  for (size_t k = 0; k < w->count; k++) {
    const size_t t = w->variable[k];
    w->a[k] = w->start[k] = p->alpha[t];
    w->c[k] = p->bound[t];
    w->s[k] = p->sign[t];
    w->v[k] = s->v[t];
    w->diagonal[k] = s->diagonal[t % s->n];
    group[k] = (unsigned char)mn_smo_group(p, t);
    set_mask(w, s->groups, group, k);
  }
  gather_matrix(s);
}

struct pair {
  size_t i, j;
  double excess, gain; /* v_i - v_j; (v_i - v_j)^2 / eta */
};

static struct pair choose_pair(mn_smo_set *w, size_t groups, double tol)
{
  struct pair best = { 0 };
  for (size_t g = 0; g < groups; g++) {
    const double *up = w->mask + 2 * g * w->limit, *down = up + w->limit;
    struct pair one = { 0 };
    double violation;
    const double vi = mn_smo_largest(w->count, w->v, up, &one.i);
    if (vi <= -OUT / 2) continue;
    one.gain = mn_smo_second(w->count, vi, w->diagonal[one.i], w->k + one.i * w->count, w->diagonal, w->v, down,
                             w->gain, &one.j, &violation);
    one.excess = vi - w->v[one.j];
    if (violation > tol && one.gain > best.gain) best = one;
  }
  return best;
}

/* Move the variable: s_k a_k += step, within its bounds. */
static void move(mn_smo_set *w, size_t k, double step, bool to_bound)
{
  const bool grows = (w->s[k] > 0) == (step > 0);
  w->a[k] = to_bound ? (grows ? w->c[k] : 0) : w->a[k] + w->s[k] * step;
}

/* Minimize over the pair. Returns the decrease of the objective. */
static double step_pair(mn_smo_set *w, struct pair pair, double *length)
{
  const size_t i = pair.i, j = pair.j;
  const double curvature = w->diagonal[i] + w->diagonal[j] - 2 * w->k[i * w->count + j];
  const double most_i = w->s[i] > 0 ? w->c[i] - w->a[i] : w->a[i], most_j = w->s[j] > 0 ? w->a[j] : w->c[j] - w->a[j];
  w->indefinite = w->indefinite || curvature < -1e-7 * (fabs(w->diagonal[i]) + fabs(w->diagonal[j]));
  double step = pair.excess / (curvature > 1e-12 ? curvature : 1e-12);
  const bool stop_i = step >= most_i && most_i <= most_j, stop_j = step >= most_j && most_j <= most_i;
  if (stop_i) step = most_i;
  if (stop_j) step = most_j;
  move(w, i, step, stop_i);
  move(w, j, -step, stop_j);
  *length = step;
  return step * (pair.excess - curvature * step / 2);
}

/* At most `steps` steps of pairs; whether the violation is then at most tol. */
static bool minimize_pairs(mn_smo_state *s, const unsigned char *group, size_t steps, double tol, double *decrease)
{
  mn_smo_set *w = &s->set;
  for (size_t n = 0; n < steps; n++) {
    const struct pair pair = choose_pair(w, s->groups, tol);
    double length;
    if (!(pair.gain > 0)) return true;
    *decrease += step_pair(w, pair, &length);
    mn_smo_move(w->count, length, w->k + pair.i * w->count, w->k + pair.j * w->count, w->v);
    set_mask(w, s->groups, group, pair.i);
    set_mask(w, s->groups, group, pair.j);
  }
  return false;
}

mn_status mn_smo_minimize(mn_context *ctx, mn_smo_state *s, double tol, bool together, double *decrease)
{
  mn_smo_set *w = &s->set;
  unsigned char *group = (unsigned char *)w->candidate;
  load(s, group);
  *decrease = 0;
  bool done = !together && minimize_pairs(s, group, STEPS * w->count, tol, decrease);
  for (int turn = 0; together && !done && turn < TURNS; turn++) {
    MN_TRY(mn_smo_move_together(ctx, s, group, decrease));
    for (size_t k = 0; k < w->count; k++) set_mask(w, s->groups, group, k);
    done = minimize_pairs(s, group, w->count, tol, decrease);
  }
  bool moved = false; /* steps below the precision of large variables have no effect */
  for (size_t k = 0; k < w->count; k++) {
    s->step[k] = w->s[k] * (w->a[k] - w->start[k]);
    s->p->alpha[w->variable[k]] = w->a[k];
    moved = moved || s->step[k] != 0;
  }
  if (!moved) *decrease = 0;
  return MN_OK;
}
