#include "neighbor_tree.h"
#include "../core/threads.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Values per inner node: lower and upper ends of boxes, or centers and radii of balls, of MN_LANES children. */
static size_t bounds_size(const mn_neighbor_tree *t)
{
  return (size_t)(t->balls ? t->width + 1 : 2 * t->width) * MN_LANES;
}

static const double *node_bounds(const mn_neighbor_tree *t, size_t level, size_t node)
{
  return t->bounds.at + (mn_tree_above(t, level) + node) * bounds_size(t);
}

void mn_tree_free(mn_memory *memory, mn_neighbor_tree *t)
{
  mn_vector_free(memory, &t->points);
  mn_vector_free(memory, &t->bounds);
  mn_indexes_free(memory, &t->row);
}

size_t mn_tree_above(const mn_neighbor_tree *t, size_t level)
{
  if (level == 0) return 0;
  const size_t first = mn_tree_depth(t, 1); /* 1 + 2^first (1 + 8 + 64 + ...) */
  return 1 + (((size_t)1 << (first + 3 * (level - 1))) - ((size_t)1 << first)) / 7;
}

/* The distance of a reduced distance in the units of the embedded rows, which obeys the triangle inequality. */
static double root(const mn_space *space, double reduced)
{
  if (space->form == MN_FORM_SQUARES) return sqrt(reduced);
  return space->form == MN_FORM_POWERS ? pow(reduced, 1 / space->p) : reduced;
}

static double power(const mn_space *space, double distance)
{
  if (space->form == MN_FORM_SQUARES) return distance * distance;
  return space->form == MN_FORM_POWERS ? pow(distance, space->p) : distance;
}

/* Relative rounding error of distances to centers. */
static double slack(const mn_space *space)
{
  return space->form == MN_FORM_POWERS ? 1e-12 : 4 * DBL_EPSILON * (double)(space->width + 8);
}

/* Distances to centers plus (side = 1) or minus (side = -1) the radii. */
static void ball_bounds(const mn_neighbor_tree *t, const mn_space *space, const double *balls, const double *q,
                        double side, double *bound)
{
  const size_t width = (size_t)t->width;
  const double *radius = balls + width * MN_LANES, error = slack(space);
  mn_block_distances((mn_distance_form)space->form, space->p, MN_LANES, MN_LANES, width, balls, q, bound);
  for (size_t c = 0; c < MN_LANES; c++) {
    const double center = root(space, bound[c]);
    bound[c] = power(space, fmax(center * (1 + side * error) + side * radius[c] * (1 + error), 0));
  }
}

void mn_tree_lower_bounds(const mn_neighbor_tree *t, const mn_space *space, size_t level, size_t node, const double *q,
                          double *lower)
{
  const double *bounds = node_bounds(t, level, node);
  if (t->balls)
    ball_bounds(t, space, bounds, q, -1, lower);
  else
    mn_box_lower_bounds((mn_distance_form)space->form, space->p, (size_t)t->width, bounds, q, lower);
  if (level > 0) return;
  for (size_t c = mn_tree_children(t, 0); c < MN_LANES; c++) lower[c] = INFINITY;
}

void mn_tree_upper_bounds(const mn_neighbor_tree *t, const mn_space *space, size_t level, size_t node, const double *q,
                          double *upper)
{
  const double *bounds = node_bounds(t, level, node);
  if (t->balls)
    ball_bounds(t, space, bounds, q, 1, upper);
  else
    mn_box_upper_bounds((mn_distance_form)space->form, space->p, (size_t)t->width, bounds, q, upper);
}

void mn_tree_leaf_box(const mn_neighbor_tree *t, size_t leaf, double *low, double *high)
{
  const size_t level = mn_tree_levels(t) - 1, children = mn_tree_children(t, level);
  const double *box = node_bounds(t, level, leaf / children) + leaf % children;
  for (size_t j = 0; j < (size_t)t->width; j++) {
    low[j] = box[2 * MN_LANES * j];
    high[j] = box[2 * MN_LANES * j + MN_LANES];
  }
}

void mn_tree_gaps(const mn_neighbor_tree *t, const mn_space *space, size_t level, size_t node, const double *low,
                  const double *high, double *gap)
{
  mn_box_gaps((mn_distance_form)space->form, (size_t)t->width, node_bounds(t, level, node), low, high, gap);
  for (size_t c = mn_tree_children(t, level); c < MN_LANES; c++) gap[c] = INFINITY;
}

mn_status mn_tree_weight_sums(mn_context *ctx, const mn_neighbor_tree *t, const double *weights, double **sums)
{
  const size_t levels = mn_tree_levels(t), inner = mn_tree_above(t, levels), leaves = (size_t)1 << t->depth;
  double *sum = MN_NEW(ctx, double, inner + leaves, 1);
  MN_CHECK_ALLOC(sum);
  for (size_t leaf = 0; leaf < leaves; leaf++)
    for (size_t i = mn_tree_begin(t, levels, leaf); i < mn_tree_begin(t, levels, leaf + 1); i++)
      sum[inner + leaf] += weights ? weights[t->row.at[i]] : 1;
  for (size_t level = levels; level-- > 0;) {
    const size_t children = mn_tree_children(t, level), nodes = (size_t)1 << mn_tree_depth(t, level);
    const double *below = sum + mn_tree_above(t, level + 1);
    double *here = sum + mn_tree_above(t, level);
    for (size_t i = 0; i < nodes * children; i++) here[i / children] += below[i];
  }
  *sums = sum;
  return MN_OK;
}
