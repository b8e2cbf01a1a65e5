/* Fit a multiway tree, and store it in the learned fields. */
#include "multiway_grow.h"

static mn_status make_fields(mn_context *ctx, mn_multiway *m, size_t nodes, const mn_multiway_growth *tree)
{
  MN_TRY(mn_indexes_init(ctx, &m->feature, nodes));
  MN_TRY(mn_indexes_init(ctx, &m->first, nodes));
  MN_TRY(mn_indexes_init(ctx, &m->children, nodes));
  MN_TRY(mn_vector_init(ctx, &m->threshold, nodes));
  MN_TRY(mn_vector_init(ctx, &m->level, nodes));
  MN_TRY(mn_vector_init(ctx, &m->share, nodes));
  MN_TRY(mn_vector_init(ctx, &m->cover, nodes));
  MN_TRY(mn_vector_init(ctx, &m->gain, nodes));
  MN_TRY(mn_matrix_init(ctx, &m->counts, nodes, tree->classes));
  return mn_vector_init(ctx, &m->feature_importances, tree->columns->features);
}

/* order: the remaining nodes in breadth-first order. Returns their number. */
static size_t breadth_first(const mn_multiway_growth *tree, uint32_t *order)
{
  size_t n = 0;
  order[n++] = 0;
  for (size_t k = 0; k < n; k++)
    for (int32_t c = tree->node[order[k]].first; c != MN_NO_NODE; c = tree->node[c].next) order[n++] = (uint32_t)c;
  return n;
}

static void store_node(const mn_multiway_growth *tree, size_t from, mn_multiway *m, size_t i, size_t *next)
{
  const mn_multiway_node *s = &tree->node[from];
  const double *counts = mn_growing_counts(tree, from);
  m->level.at[i] = s->level;
  m->share.at[i] = fmin(1, s->share);
  for (size_t c = 0; c < tree->classes; c++) {
    mn_row(&m->counts, i)[c] = counts[c];
    m->cover.at[i] += counts[c];
  }
  if (s->first == MN_NO_NODE) return;
  m->feature.at[i] = (int32_t)s->feature;
  m->first.at[i] = (int32_t)*next;
  m->threshold.at[i] = s->threshold;
  m->gain.at[i] = s->gain;
  for (int32_t c = s->first; c != MN_NO_NODE; c = tree->node[c].next) m->children.at[i]++;
  *next += (size_t)m->children.at[i];
}

/* Information gain of each split, without C4.5's correction for numbers. */
static void compute_importances(mn_multiway *m)
{
  double sum = 0;
  for (size_t i = 0; i < mn_multiway_nodes(m); i++) {
    double gain = m->cover.at[i] * mn_multiway_entropy(m, i);
    if (mn_multiway_is_leaf(m, i)) continue;
    const size_t first = (size_t)m->first.at[i];
    for (size_t c = first; c < first + (size_t)m->children.at[i]; c++)
      gain -= m->cover.at[c] * mn_multiway_entropy(m, c);
    m->feature_importances.at[m->feature.at[i]] += fmax(0, gain);
    sum += fmax(0, gain);
  }
  for (size_t j = 0; j < m->feature_importances.size && sum > 0; j++) m->feature_importances.at[j] /= sum;
}

static mn_status store_tree(mn_context *ctx, const mn_multiway_growth *tree, mn_multiway *m)
{
  uint32_t *order = MN_RAW(ctx, uint32_t, tree->size, 1);
  size_t next = 1;
  MN_CHECK_ALLOC(order);
  const size_t nodes = breadth_first(tree, order);
  MN_TRY(make_fields(ctx, m, nodes, tree));
  for (size_t i = 0; i < nodes; i++) store_node(tree, order[i], m, i, &next);
  compute_importances(m);
  return MN_OK;
}

mn_status mn_multiway_fit(mn_context *ctx, mn_multiway *m, const mn_data *data, const mn_multiway_settings *settings)
{
  mn_tree_columns columns;
  MN_TRY(mn_tree_columns_make(ctx, m->base.class->name, data, MN_COLUMNS_SORTED, &columns));
  mn_multiway_growth tree = { .who = m->base.class->name,
                              .settings = settings,
                              .columns = &columns,
                              .code = data->code,
                              .rows = data->rows,
                              .classes = data->classes };
  MN_TRY(mn_growing_tree_grow(ctx, &tree, data));
  if (settings->by_gain_ratio) MN_TRY(mn_growing_tree_collapse(ctx, &tree));
  if (settings->by_gain_ratio && !m->unpruned) MN_TRY(mn_growing_tree_prune(ctx, &tree, m->confidence_factor));
  return store_tree(ctx, &tree, m);
}
