#include "density_sum.h"
#include "../core/threads.h"
#include "copies.h"
#include "density_sum_kernel.h"
#include <float.h>
#include <math.h>

enum {
  STRIP = 32, /* points of one task           */
  PIECE = 256 /* rows of a leaf at a time     */
};

/* Smaller sums are computed again, relative to the nearest row. */
static const double UNDERFLOW = 1e-250;

/* Farther than all rows, without overflow. */
static const double FARTHEST = 1e300;

mn_status mn_density_prepare(mn_context *ctx, const mn_space *space, const mn_neighbor_tree *tree,
                             const double *weights, mn_density *density)
{
  const size_t n = (size_t)tree->n;
  double *sums, *ordered = weights ? MN_RAW(ctx, double, n, 1) : NULL;
  size_t *place = MN_RAW(ctx, size_t, n, 1);
  if ((weights && !ordered) || !place) return MN_NO_MEMORY;
  MN_TRY(mn_tree_weight_sums(ctx, tree, weights, &sums));
  for (size_t i = 0; i < n; i++) {
    place[tree->row.at[i]] = i;
    if (weights) ordered[i] = weights[tree->row.at[i]];
  }
  *density = (mn_density){ .space = space, .tree = tree, .weights = ordered, .sums = sums, .place = place };
  density->counts = mn_weights_are_counts(n, weights);
  return MN_OK;
}

struct node {
  double bound;     /* least reduced distance            */
  double high, low; /* the kernels of its rows lie between */
  double weight;
  size_t level, index;
};

struct descent {
  const mn_density *density;
  mn_scaled_shape shape;
  const double *q;
  size_t levels, skip; /* position of the row that is left out; SIZE_MAX: none */
  double sum, least;   /* the estimate and a lower bound of the sum */
  double error;        /* bound on |estimate - sum|                 */
  double done;         /* weight of the rows that are in the sum    */
  double rtol;
};

/* How reduced distances become those that mn_scaled_shape takes. */
static bool converts(const mn_space *s)
{
  return s->form == MN_FORM_POWERS || s->kind == MN_METRIC_COSINE || s->kind == MN_METRIC_CORRELATION ||
         s->kind == MN_METRIC_HAMMING || s->kind == MN_METRIC_HAVERSINE;
}

static void convert(const mn_space *s, size_t n, double *r)
{
  for (size_t i = 0; i < n && converts(s); i++) r[i] = mn_space_distance(s, r[i]);
}

static mn_scaled_shape scaled_shape(const mn_density *d)
{
  const bool squared = d->space->form == MN_FORM_SQUARES && !converts(d->space);
  const double factor = squared ? 1 / d->bandwidth / d->bandwidth : 1 / d->bandwidth;
  return (mn_scaled_shape){ .shape = d->shape, .squared = squared, .factor = fmin(factor, FARTHEST) };
}

static bool holds(const struct descent *s, size_t level, size_t index)
{
  const mn_neighbor_tree *t = s->density->tree;
  return s->skip != SIZE_MAX && s->skip >= mn_tree_begin(t, level, index) &&
         s->skip < mn_tree_begin(t, level, index + 1);
}

/* Reduced distances of rows from..from + n - 1 of a leaf. */
static void leaf_distances(const struct descent *s, size_t leaf, size_t from, double *r)
{
  const mn_density *d = s->density;
  const mn_neighbor_tree *t = d->tree;
  const size_t capacity = (size_t)t->capacity, padded = capacity - from < PIECE ? capacity - from : PIECE;
  mn_block_distances((mn_distance_form)d->space->form, d->space->p, padded, capacity, (size_t)t->width,
                     mn_tree_leaf(t, leaf) + from, s->q, r);
}

static double weight_at(const mn_density *d, size_t place)
{
  return d->weights ? d->weights[place] : 1;
}

static double left_out_at(const mn_density *d, size_t place)
{
  return mn_left_out(weight_at(d, place), d->counts);
}

/* Add the rows of a leaf; of the row to skip what is not left out. */
static void add_leaf(struct descent *s, size_t leaf, double weight)
{
  const mn_density *d = s->density;
  const size_t begin = mn_tree_begin(d->tree, s->levels, leaf), n = mn_tree_begin(d->tree, s->levels, leaf + 1) - begin;
  double r[PIECE], sum = 0;
  for (size_t from = 0; from < n; from += PIECE) {
    const size_t rows = n - from < PIECE ? n - from : PIECE, first = begin + from;
    leaf_distances(s, leaf, from, r);
    convert(d->space, rows, r);
    if (s->skip >= first && s->skip < first + rows) {
      double copies = weight_at(d, s->skip) - left_out_at(d, s->skip), value;
      mn_shape_values(&s->shape, 1, r + (s->skip - first), &value);
      sum += copies * value;
      r[s->skip - first] = FARTHEST;
    }
    sum += mn_shape_sum(&s->shape, rows, r, d->weights ? d->weights + first : NULL);
  }
  s->sum += sum;
  s->least += sum;
  s->done += weight;
}

/* Whether the middle of its bounds may stand for a node: errors use up the tolerance in proportion to weights. */
static bool suffices(const struct descent *s, const struct node *node)
{
  const mn_density *d = s->density;
  const double error = s->error + node->weight * (node->high - node->low) / 2;
  const double tolerance = d->atol + s->rtol * (s->least + node->weight * node->low);
  return error <= tolerance * ((s->done + node->weight) / d->sums[0]);
}

static void add_node(struct descent *s, const struct node *node)
{
  s->sum += node->weight * (node->high + node->low) / 2;
  s->least += node->weight * node->low;
  s->error += node->weight * (node->high - node->low) / 2;
  s->done += node->weight;
}

/* Kernels at the bounds of the children; `bound` for their order. */
static void child_bounds(const struct descent *s, size_t level, size_t index, size_t children, double *bound,
                         double *high, double *low)
{
  const mn_density *d = s->density;
  double upper[MN_LANES], lower[MN_LANES];
  mn_tree_lower_bounds(d->tree, d->space, level, index, s->q, bound);
  mn_tree_upper_bounds(d->tree, d->space, level, index, s->q, upper);
  for (size_t i = 0; i < MN_LANES; i++) {
    lower[i] = i >= children ? 0 : bound[i] < FARTHEST ? bound[i] : FARTHEST;
    upper[i] = i >= children ? 0 : upper[i] < FARTHEST ? upper[i] : FARTHEST;
  }
  convert(d->space, children, lower);
  convert(d->space, children, upper);
  mn_shape_values(&s->shape, MN_LANES, lower, high);
  mn_shape_values(&s->shape, MN_LANES, upper, low);
}

/* Push the children that their bounds do not suffice for, the nearest last. */
static size_t push_children(struct descent *s, size_t level, size_t index, struct node *stack, size_t size)
{
  const mn_density *d = s->density;
  const size_t children = mn_tree_children(d->tree, level), bottom = size, first = index * children;
  const double *sums = d->sums + mn_tree_above(d->tree, level + 1) + first;
  const bool has_skipped = s->skip != SIZE_MAX && holds(s, level, index);
  double bound[MN_LANES], high[MN_LANES], low[MN_LANES];
  child_bounds(s, level, index, children, bound, high, low);
  for (size_t i = 0; i < children; i++) {
    struct node node = { bound[i], high[i], low[i] < high[i] ? low[i] : high[i], sums[i], level + 1, first + i };
    if (has_skipped && holds(s, level + 1, first + i))
      node.weight = fmax(node.weight - left_out_at(s->density, s->skip), 0);
    if (suffices(s, &node)) {
      add_node(s, &node);
      continue;
    }
    size_t at = size++;
    for (; at > bottom && stack[at - 1].bound < node.bound; at--) stack[at] = stack[at - 1];
    stack[at] = node;
  }
  return size;
}

static double descend(struct descent *s)
{
  struct node stack[MN_TREE_STACK];
  s->sum = s->least = s->error = s->done = 0;
  size_t size = 0;
  if (s->levels == 0)
    add_leaf(s, 0, s->density->sums[0]);
  else
    size = push_children(s, 0, 0, stack, size);
  while (size > 0) {
    const struct node node = stack[--size];
    if (suffices(s, &node))
      add_node(s, &node);
    else if (node.level == s->levels)
      add_leaf(s, node.index, node.weight);
    else
      size = push_children(s, node.level, node.index, stack, size);
  }
  return s->sum;
}

/* The least reduced distance of a row of a leaf that is not left out. */
static double nearest_in_leaf(const struct descent *s, size_t leaf, double nearest)
{
  const mn_neighbor_tree *t = s->density->tree;
  const size_t begin = mn_tree_begin(t, s->levels, leaf), n = mn_tree_begin(t, s->levels, leaf + 1) - begin;
  double r[PIECE];
  for (size_t from = 0; from < n; from += PIECE) {
    const size_t rows = n - from < PIECE ? n - from : PIECE;
    leaf_distances(s, leaf, from, r);
    for (size_t i = 0; i < rows; i++) {
      const size_t at = begin + from + i;
      const bool left_out = at == s->skip && !(weight_at(s->density, at) > left_out_at(s->density, at));
      if (!left_out) nearest = fmin(nearest, r[i]);
    }
  }
  return nearest;
}

static double nearest_reduced(const struct descent *s)
{
  const mn_density *d = s->density;
  struct node stack[MN_TREE_STACK] = { { 0 } };
  double nearest = FARTHEST, bound[MN_LANES];
  for (size_t size = 1; size > 0;) {
    const struct node node = stack[--size];
    if (node.bound > nearest) continue;
    if (node.level == s->levels) {
      nearest = nearest_in_leaf(s, node.index, nearest);
      continue;
    }
    const size_t children = mn_tree_children(d->tree, node.level), bottom = size;
    mn_tree_lower_bounds(d->tree, d->space, node.level, node.index, s->q, bound);
    for (size_t i = 0; i < children; i++) {
      size_t at = size++;
      for (; at > bottom && stack[at - 1].bound < bound[i]; at--) stack[at] = stack[at - 1];
      stack[at] = (struct node){ .bound = bound[i], .level = node.level + 1, .index = node.index * children + i };
    }
  }
  return nearest;
}

/* The exponent of the Gaussian or exponential kernel at a reduced distance. */
static double exponent(const struct descent *s, double reduced)
{
  double r = reduced;
  convert(s->density->space, 1, &r);
  r *= s->shape.factor;
  if (s->shape.shape == MN_SHAPE_GAUSSIAN) return (s->shape.squared ? r : r * r) / 2;
  return s->shape.squared ? sqrt(r) : r;
}

static double log_sum_at(const mn_density *d, const double *q, size_t skip)
{
  struct descent s = { .density = d,
                       .shape = scaled_shape(d),
                       .q = q,
                       .levels = mn_tree_levels(d->tree),
                       .skip = skip,
                       .rtol = fmax(d->rtol, DBL_EPSILON) };
  if (skip != SIZE_MAX && !(d->sums[0] > left_out_at(d, skip))) return -INFINITY; /* no row is left */
  if (descend(&s) > UNDERFLOW || mn_shape_is_compact(d->shape)) return log(s.sum);
  mn_density shifted = *d;
  const double shift = exponent(&s, nearest_reduced(&s));
  if (!(shift > 0 && shift <= DBL_MAX)) return shift > 0 ? -shift : log(s.sum);
  s.shape.shift = shift;
  shifted.atol = d->atol > 0 ? exp(log(d->atol) + shift) : 0;
  s.density = &shifted;
  return log(descend(&s)) - shift;
}

struct sums {
  mn_context *ctx;
  const mn_density *density;
  mn_blocks strips;
  const double *points;
  bool leave_out;
  double *log_sum;
};

static void sum_strip(void *work, size_t strip, size_t worker)
{
  const struct sums *w = work;
  const mn_density *d = w->density;
  const mn_cancel_token token = { w->ctx, worker };
  const size_t end = mn_block_end(&w->strips, strip);
  for (size_t i = mn_block_begin(&w->strips, strip); i < end && mn_task_should_continue(&token); i++)
    w->log_sum[i] = log_sum_at(d, w->points + i * (size_t)d->tree->width, w->leave_out ? d->place[i] : SIZE_MAX);
}

mn_status mn_density_log_sums(mn_context *ctx, const mn_density *density, size_t n, const double *points,
                              bool leave_out, double *log_sum)
{
  struct sums w = { .ctx = ctx, .density = density, .points = points, .leave_out = leave_out, .log_sum = log_sum };
  w.strips = mn_make_blocks(n, STRIP, SIZE_MAX);
  return mn_parallel(ctx, w.strips.count, sum_strip, &w);
}
