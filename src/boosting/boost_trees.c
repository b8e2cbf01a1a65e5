#include "boost_trees.h"
#include "../tree_structure/append_trees.h"

static size_t grown_capacity(size_t used, size_t more)
{
  return 2 * used > used + more ? 2 * used : used + more;
}

static mn_status reserve_nodes(mn_context *ctx, mn_boost_builder *b, size_t more)
{
  if (b->nodes + more <= b->node_capacity) return MN_OK;
  const size_t capacity = grown_capacity(b->nodes, more);
  int32_t *node = mn_scratch_grow(ctx, b->node, MN_NODE_WORDS * sizeof *b->node, b->nodes, capacity);
  double *cover = MN_GROW(ctx, b->cover, b->nodes, capacity), *gain = MN_GROW(ctx, b->gain, b->nodes, capacity);
  if (!node || !cover || !gain) return MN_NO_MEMORY;
  b->node = node;
  b->cover = cover;
  b->gain = gain;
  b->node_capacity = capacity;
  return MN_OK;
}

static mn_status reserve_words(mn_context *ctx, mn_boost_builder *b, size_t more)
{
  if (b->words + more <= b->word_capacity) return MN_OK;
  const size_t capacity = grown_capacity(b->words, more);
  int32_t *subset = MN_GROW(ctx, b->subset, b->words, capacity);
  MN_CHECK_ALLOC(subset);
  b->subset = subset;
  b->word_capacity = capacity;
  return MN_OK;
}

mn_status mn_boost_begin_tree(mn_context *ctx, mn_boost_builder *b, size_t nodes, bool sets)
{
  MN_TRY(reserve_nodes(ctx, b, nodes));
  if (sets) MN_TRY(reserve_words(ctx, b, nodes / 2 * MN_SET_WORDS));
  if (b->trees == b->tree_capacity) {
    const size_t capacity = grown_capacity(b->trees, 64);
    size_t *first_node = MN_GROW(ctx, b->first_node, b->trees, capacity);
    size_t *first_word = MN_GROW(ctx, b->first_word, b->trees, capacity);
    if (!first_node || !first_word) return MN_NO_MEMORY;
    b->first_node = first_node;
    b->first_word = first_word;
    b->tree_capacity = capacity;
  }
  b->first_node[b->trees] = b->nodes;
  b->first_word[b->trees] = b->words;
  b->trees++;
  return MN_OK;
}

size_t mn_boost_add_leaf(mn_boost_builder *b, double value, double cover)
{
  mn_node_set_leaf(b->node + MN_NODE_WORDS * b->nodes, value);
  b->cover[b->nodes] = cover;
  b->gain[b->nodes] = 0;
  return b->nodes++ - b->first_node[b->trees - 1];
}

mn_trees mn_boost_tree(const mn_boost_builder *b, size_t t)
{
  const size_t first = b->first_node[t], nodes = (t + 1 < b->trees ? b->first_node[t + 1] : b->nodes) - first;
  mn_trees one = { .node = { .at = b->node + MN_NODE_WORDS * first, .size = MN_NODE_WORDS * nodes } };
  if (b->subset) one.subset.at = b->subset + b->first_word[t];
  return one;
}

double mn_boost_tree_value(const mn_trees *tree, const double *x)
{
  const int32_t *w = tree->node.at;
  for (size_t left; (left = mn_node_left(w)) > 0;)
    w = tree->node.at + MN_NODE_WORDS * (mn_value_goes_left(tree, w, x[mn_node_feature(w)]) ? left : left + 1);
  return mn_node_real(w);
}

mn_status mn_boost_store_trees(mn_context *ctx, const char *who, const mn_boost_builder *b, mn_trees *trees,
                               mn_vector *gain)
{
  mn_grown_tree *grown = MN_NEW(ctx, mn_grown_tree, b->trees, 1);
  MN_CHECK_ALLOC(grown);
  for (size_t t = 0; t < b->trees; t++) {
    const size_t node = b->first_node[t], word = b->first_word[t];
    grown[t] = (mn_grown_tree){ .node = b->node + MN_NODE_WORDS * node,
                                .cover = b->cover + node,
                                .nodes = (t + 1 < b->trees ? b->first_node[t + 1] : b->nodes) - node,
                                .levels = (t + 1 < b->trees ? b->first_word[t + 1] : b->words) - word };
    if (grown[t].levels > 0) grown[t].subset = b->subset + word;
  }
  MN_TRY(mn_append_trees(ctx, who, grown, b->trees, 1, trees));
  if (b->nodes == 0) return MN_OK;
  MN_TRY(mn_vector_resize(ctx, gain, gain->size + b->nodes));
  memcpy(gain->at + gain->size - b->nodes, b->gain, b->nodes * sizeof *gain->at);
  return MN_OK;
}
