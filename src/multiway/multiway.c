#include "multiway.h"
#include "../core/threads.h"

enum { BLOCK_ROWS = 512 };

size_t mn_multiway_child(const mn_multiway *m, size_t i, double value)
{
  const size_t first = (size_t)m->first.at[i];
  if (!mn_multiway_is_categorical(m, i)) return first + !(value <= m->threshold.at[i]);
  size_t lower = first, upper = first + (size_t)m->children.at[i];
  while (lower < upper) { /* binary search */
    const size_t mid = lower + (upper - lower) / 2;
    if (m->level.at[mid] < value)
      lower = mid + 1;
    else
      upper = mid;
  }
  return lower < first + (size_t)m->children.at[i] && !(m->level.at[lower] > value) ? lower : 0;
}

size_t mn_multiway_depths(const mn_multiway *m, int32_t *depth, int32_t *parent)
{
  int32_t max_depth = 0;
  depth[0] = 0;
  if (parent) parent[0] = 0;
  for (size_t i = 0; i < mn_multiway_nodes(m); i++) {
    const size_t first = (size_t)m->first.at[i];
    for (size_t c = first; c < first + (size_t)m->children.at[i]; c++) {
      depth[c] = depth[i] + 1;
      if (parent) parent[c] = (int32_t)i;
    }
    if (depth[i] > max_depth) max_depth = depth[i];
  }
  return (size_t)max_depth;
}

/* Probability of class c at node i. */
static double class_probability(const mn_multiway *m, size_t i, size_t c)
{
  const double pseudo_count = m->use_laplace ? 1 : 0;
  return (mn_row(&m->counts, i)[c] + pseudo_count) / (m->cover.at[i] + pseudo_count * (double)m->counts.cols);
}

double mn_multiway_entropy(const mn_multiway *m, size_t i)
{
  double sum = 0;
  for (size_t c = 0; c < m->counts.cols; c++) {
    const double p = mn_row(&m->counts, i)[c] / m->cover.at[i];
    if (p > 0) sum -= p * log2(p);
  }
  return sum;
}

/* --- predictions --- */

/* A row that goes to all children of a node with fractional weights; `next` is the next child to be visited. */
struct fractional_branch {
  size_t node, next;
  double weight;
};

struct predict_task {
  const mn_multiway *m;
  const mn_data *data;
  struct fractional_branch *pending; /* workers x depth */
  double *buffer;                    /* workers x features, for sparse rows */
  size_t depth;
  mn_blocks blocks;
  mn_matrix *out;
};

/* Descend from a node to a leaf, or to a node without a child for the row. */
static size_t descend(const mn_multiway *m, const double *x, size_t at, double *weight,
                      struct fractional_branch *pending, size_t *n_pending)
{
  while (!mn_multiway_is_leaf(m, at)) {
    const double value = x[m->feature.at[at]];
    size_t child = 0;
    if (mn_multiway_is_known(m, at, value)) {
      child = mn_multiway_child(m, at, value);
      if (child == 0) break;
    } else {
      child = (size_t)m->first.at[at];
      pending[(*n_pending)++] = (struct fractional_branch){ at, child + 1, *weight };
      *weight *= m->share.at[child];
    }
    at = child;
  }
  return at;
}

/* The next child to be visited with a fractional weight; 0: none. */
static size_t next_branch(const mn_multiway *m, struct fractional_branch *pending, size_t *n_pending, double *weight)
{
  while (*n_pending > 0) {
    struct fractional_branch *f = &pending[*n_pending - 1];
    if (f->next < (size_t)m->first.at[f->node] + (size_t)m->children.at[f->node]) {
      *weight = f->weight * m->share.at[f->next];
      return f->next++;
    }
    --*n_pending;
  }
  return 0;
}

static void predict_row(const mn_multiway *m, const double *x, struct fractional_branch *pending, double *out)
{
  const size_t classes = m->counts.cols;
  size_t n_pending = 0, at = 0;
  double weight = 1, sum = 0;
  do {
    at = descend(m, x, at, &weight, pending, &n_pending);
    for (size_t c = 0; c < classes; c++) out[c] += weight * class_probability(m, at, c);
    at = next_branch(m, pending, &n_pending, &weight);
  } while (at > 0);
  for (size_t c = 0; c < classes; c++) sum += out[c];
  for (size_t c = 0; c < classes; c++) out[c] = log(out[c] / sum);
}

static void predict_block(void *work, size_t block, size_t worker)
{
  const struct predict_task *p = work;
  double *buffer = p->buffer + worker * p->data->features;
  for (size_t i = mn_block_begin(&p->blocks, block); i < mn_block_end(&p->blocks, block); i++)
    predict_row(p->m, mn_dense_row(p->data, i, buffer), p->pending + worker * p->depth, mn_row(p->out, i));
}

mn_status mn_multiway_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const mn_multiway *m = self;
  struct predict_task p = {
    .m = m, .data = data, .out = out, .blocks = mn_make_blocks(data->rows, BLOCK_ROWS, SIZE_MAX)
  };
  int32_t *depth = MN_RAW(ctx, int32_t, mn_multiway_nodes(m), 1);
  MN_CHECK_ALLOC(depth);
  p.depth = mn_multiway_depths(m, depth, NULL) + 1;
  p.pending = MN_RAW(ctx, struct fractional_branch, mn_threads(ctx), p.depth);
  p.buffer = MN_RAW(ctx, double, mn_threads(ctx), data->features);
  if (!p.pending || !p.buffer) return MN_NO_MEMORY;
  return mn_parallel(ctx, p.blocks.count, predict_block, &p);
}

/* --- for programs --- */

static mn_status add_tables(mn_context *ctx, const mn_multiway *m, mn_program *program)
{
  const size_t nodes = mn_multiway_nodes(m), classes = m->counts.cols;
  int32_t *depth = MN_RAW(ctx, int32_t, nodes, 2);
  double *value = MN_RAW(ctx, double, nodes, classes + 1);
  if (!depth || !value) return MN_NO_MEMORY;
  const size_t max_depth = mn_multiway_depths(m, depth, NULL);
  int32_t *is_categorical = depth + nodes;
  double *threshold = value + nodes * classes;
  for (size_t i = 0; i < nodes; i++) {
    is_categorical[i] = mn_multiway_is_categorical(m, i);
    threshold[i] = is_categorical[i] ? 0 : m->threshold.at[i];
    for (size_t c = 0; c < classes; c++) value[i * classes + c] = class_probability(m, i, c);
  }
  mn_program_count(program, "depth", max_depth + 1);
  mn_program_indexes(program, "feature", nodes, m->feature.at);
  mn_program_indexes(program, "first", nodes, m->first.at);
  mn_program_indexes(program, "children", nodes, m->children.at);
  mn_program_indexes(program, "by_levels", nodes, is_categorical);
  mn_program_reals(program, "cut", nodes, threshold);
  mn_program_reals(program, "level", nodes, m->level.at);
  mn_program_reals(program, "share", nodes, m->share.at);
  mn_program_reals(program, "value", nodes * classes, value);
  return MN_OK;
}

/* The algorithm of descend, next_branch and predict_row. */
mn_status mn_multiway_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  MN_TRY(add_tables(ctx, self, program));
  mn_program_code(program, "ints fork[depth] ints follows[depth] reals kept[depth]"
                           " for c < outputs { out[c] = 0.0 }"
                           " int open = 0 int at = 0 real part = 1.0 int going = 1"
                           " while going > 0 {"
                           "   int down = first[at]"
                           "   while down > 0 {"
                           "     real v = x[feature[at]]"
                           "     if v >= 0.0 or (by_levels[at] == 0 and !isnan(v)) {"
                           "       if by_levels[at] > 0 {"
                           "         int place = count_at_most(level, down, children[at], v)"
                           "         int fits = 0"
                           "         if place > 0 { if level[down + place - 1] == v { fits = 1 } }"
                           "         down = fits > 0 ? down + place - 1 : 0"
                           "       } else { down = down + (v <= cut[at] ? 0 : 1) }");
  mn_program_code(program, "     } else {"
                           "       fork[open] = at follows[open] = down + 1 kept[open] = part open += 1"
                           "       part *= share[down]"
                           "     }"
                           "     if down > 0 { at = down down = first[at] }"
                           "   }"
                           "   for c < outputs { out[c] += part * value[at * outputs + c] }"
                           "   at = 0"
                           "   while open > 0 and at == 0 {"
                           "     int node = fork[open - 1] int child = follows[open - 1]"
                           "     if child < first[node] + children[node] {"
                           "       part = kept[open - 1] * share[child] follows[open - 1] = child + 1 at = child"
                           "     } else { open -= 1 }"
                           "   }"
                           "   going = at"
                           " }"
                           " real sum = 0.0"
                           " for c < outputs { sum += out[c] }"
                           " for c < outputs { out[c] = log(out[c] / sum) }");
  return MN_OK;
}

/* --- after loading --- */

/* The children have ascending levels of a factor. */
static bool levels_are_valid(const mn_multiway *m, size_t i, size_t first, size_t children)
{
  const size_t feature = (size_t)m->feature.at[i];
  const mn_levels *levels = feature < m->base.feature_levels.size ? m->base.feature_levels.at[feature] : NULL;
  if (!levels || !(m->level.at[first] >= 0)) return false;
  for (size_t c = first + 1; c < first + children; c++)
    if (!(m->level.at[c] > m->level.at[c - 1])) return false;
  return m->level.at[first + children - 1] < (double)mn_levels_size(levels);
}

static bool node_is_valid(const mn_multiway *m, size_t i, size_t next)
{
  const int32_t first = m->first.at[i], children = m->children.at[i];
  if (!(m->cover.at[i] > 0 && isfinite(m->cover.at[i]))) return false;
  if (!(m->share.at[i] >= 0 && m->share.at[i] <= 1)) return false;
  for (size_t c = 0; c < m->counts.cols; c++)
    if (!(mn_row(&m->counts, i)[c] >= 0 && isfinite(mn_row(&m->counts, i)[c]))) return false;
  if (first == 0) return children == 0;
  if ((size_t)first != next || children < 2 || (size_t)children > mn_multiway_nodes(m) - next) return false;
  if (!mn_multiway_is_categorical(m, i)) return children == 2 && isfinite(m->threshold.at[i]);
  return levels_are_valid(m, i, next, (size_t)children);
}

mn_status mn_multiway_check(mn_context *ctx, const void *self)
{
  const mn_multiway *m = self;
  size_t next = 1; /* the children of each node follow those of earlier nodes */
  bool valid = true;
  for (size_t i = 0; valid && i < mn_multiway_nodes(m); i++) {
    valid = i < next && node_is_valid(m, i, next);
    next += valid ? (size_t)m->children.at[i] : 0;
  }
  if (valid && next == mn_multiway_nodes(m)) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: the nodes do not form a tree", m->base.class->name);
}
