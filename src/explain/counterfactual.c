#include "counterfactual.h"
#include "../core/rng.h"
#include <math.h>

static bool is_number(const mn_changes *c, size_t j)
{
  return c->kind[j] == MN_CHANGE_REAL || c->kind[j] == MN_CHANGE_WHOLE;
}

/* --- costs --- */

static double cost_of(const mn_changes *c, size_t j, double value)
{
  if (value == c->row[j] || c->kind[j] == MN_CHANGE_NONE) return 0;
  const double d = is_number(c, j) ? fabs(value - c->row[j]) / c->scale[j] : 1;
  return c->squared ? d * d : d;
}

void mn_change_costs(const mn_changes *c, size_t n, const double *candidate, double *cost, double *count, double *key)
{
  for (size_t i = 0; i < n; i++) {
    uint64_t set = 0;
    cost[i] = count[i] = 0;
    for (size_t j = 0; j < c->p; j++) {
      const double value = candidate[i * c->p + j];
      if (value == c->row[j] || c->kind[j] == MN_CHANGE_NONE) continue;
      cost[i] += cost_of(c, j, value);
      count[i]++;
      set ^= j < 52 ? (uint64_t)1 << j : (j + 1) * 0x9e3779b97f4a7c15;
    }
    if (c->squared) cost[i] = sqrt(cost[i]);
    cost[i] += c->per_change * count[i];
    key[i] = (double)(set & (((uint64_t)1 << 53) - 1));
  }
}

/* --- permitted values --- */

static double permit(const mn_changes *c, size_t j, double value)
{
  const double tiny = 1e-9 * c->scale[j]; /* of bisections, which end next to a limit or to the value of the row */
  if (!is_number(c, j) || fabs(value - c->row[j]) <= tiny) return is_number(c, j) ? c->row[j] : value;
  if (c->kind[j] == MN_CHANGE_WHOLE) value = round(value);
  if (value <= c->low[j] + tiny) return c->low[j];
  return value >= c->high[j] - tiny ? c->high[j] : value;
}

void mn_permit_changes(const mn_changes *c, size_t n, double *candidate)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < c->p; j++) candidate[i * c->p + j] = permit(c, j, candidate[i * c->p + j]);
}

/* --- children --- */

static const double *choose_parent(const mn_matrix *population, mn_rng *rng)
{
  const size_t a = mn_random_below(rng, population->rows), b = mn_random_below(rng, population->rows);
  return mn_row(population, a < b ? a : b);
}

static double mutate(const mn_changes *c, size_t j, double value, const mn_matrix *pool, mn_rng *rng)
{
  const size_t what = mn_random_below(rng, 4);
  if (what == 0) return c->row[j];
  if (what == 1 && is_number(c, j)) return permit(c, j, c->row[j] + mn_random_uniform(rng) * (value - c->row[j]));
  return mn_row(pool, mn_random_below(rng, pool->rows))[j];
}

void mn_breed_changes(const mn_changes *c, const mn_matrix *population, const mn_matrix *pool, int64_t seed,
                      uint64_t generation, mn_matrix *child)
{
  size_t variable = 0;
  for (size_t j = 0; j < c->p; j++) variable += c->kind[j] != MN_CHANGE_NONE;
  mn_rng rng = mn_stream(seed, generation);
  for (size_t i = 0; i < child->rows; i++) {
    const double *mother = choose_parent(population, &rng), *father = choose_parent(population, &rng);
    const bool crosses = mn_random_below(&rng, 2) == 0;
    double *out = mn_row(child, i);
    for (size_t j = 0; j < c->p; j++) {
      out[j] = crosses && mn_random_below(&rng, 2) == 0 ? father[j] : mother[j];
      if (c->kind[j] != MN_CHANGE_NONE && mn_random_below(&rng, variable) == 0)
        out[j] = mutate(c, j, out[j], pool, &rng);
    }
  }
}

/* --- the nearest point of a plane --- */

/* How far column j may move against its gradient. */
static double possible_move(const mn_changes *c, size_t j, double gradient, const double *free)
{
  if (!is_number(c, j) || free[j] == 0 || gradient == 0) return 0;
  return fmax(gradient < 0 ? c->high[j] - c->row[j] : c->row[j] - c->low[j], 0);
}

/* By decreasing |gradient| scale: move as far as the limit or, in the last column, as needed. */
static void fill_columns(const mn_changes *c, const double *gradient, const double *free, double needed, double *out)
{
  double before = HUGE_VAL;
  size_t last = 0; /* columns of equal effect are used by index */
  for (size_t step = 0; step < c->p && needed > 0; step++) {
    double most = -1;
    size_t best = c->p;
    for (size_t j = 0; j < c->p; j++) {
      const double effect = fabs(gradient[j]) * c->scale[j];
      if (effect > before || (effect == before && j <= last) || possible_move(c, j, gradient[j], free) == 0) continue;
      if (effect > most) {
        most = effect;
        best = j;
      }
    }
    if (best == c->p) return;
    const double move = fmin(possible_move(c, best, gradient[best], free), needed / fabs(gradient[best]));
    out[best] = c->row[best] - copysign(move, gradient[best]);
    needed -= move * fabs(gradient[best]);
    before = most;
    last = best;
  }
}

/* Move each column by t |gradient_j| scale_j^2, at most to its limit; returns the sum of |gradient_j| moves. */
static double move_columns(const mn_changes *c, const double *gradient, const double *free, double t, double *out)
{
  double sum = 0;
  for (size_t j = 0; j < c->p; j++) {
    const double reach = possible_move(c, j, gradient[j], free);
    const double move = reach > 0 ? fmin(reach, t * fabs(gradient[j]) * c->scale[j] * c->scale[j]) : 0;
    if (reach > 0) out[j] = c->row[j] - copysign(move, gradient[j]);
    sum += move * fabs(gradient[j]);
  }
  return sum;
}

static void project(const mn_changes *c, const double *gradient, const double *free, double needed, double *out)
{
  double low = 0, high = 1e-300, all = move_columns(c, gradient, free, HUGE_VAL, out);
  if (all <= needed) return;
  while (move_columns(c, gradient, free, high, out) < needed) high *= 16;
  for (int step = 0; step < 200 && low < high; step++) {
    const double t = low > 0 ? sqrt(low) * sqrt(high) : high / 2;
    if (t <= low || t >= high) break;
    if (move_columns(c, gradient, free, t, out) < needed)
      low = t;
    else
      high = t;
  }
  move_columns(c, gradient, free, high, out);
}

void mn_nearest_on_plane(const mn_changes *c, const double *candidate, const double *gradient, const double *free,
                         double *out)
{
  double needed = 0;
  for (size_t j = 0; j < c->p; j++) {
    out[j] = is_number(c, j) ? c->row[j] : candidate[j];
    if (is_number(c, j)) needed -= gradient[j] * (candidate[j] - c->row[j]);
  }
  if (!(needed > 0)) return;
  if (c->squared)
    project(c, gradient, free, needed, out);
  else
    fill_columns(c, gradient, free, needed, out);
}
