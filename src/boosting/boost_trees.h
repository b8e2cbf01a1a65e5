/* The trees of a boosted model while they grow, in scratch: node words as in tree.h, tree after tree. */
#ifndef MN_BOOSTING_BOOST_TREES_H
#define MN_BOOSTING_BOOST_TREES_H
#include "../tree_structure/tree.h"

enum { MN_SET_WORDS = 8 }; /* of 32 levels each */

typedef struct mn_boost_builder {
  int32_t *node;        /* nodes x 4 words; children and sets are counted from the tree's own first one */
  double *cover, *gain; /* nodes; gain 0 for a leaf */
  int32_t *subset;      /* words */
  size_t nodes, words, node_room, word_room;
  size_t *first_node, *first_word; /* trees */
  size_t trees, tree_room;
} mn_boost_builder;

/* Begin a tree of at most `nodes` nodes, with a set for each split where `sets`: growing it needs no more memory. */
mn_status mn_boost_begin(mn_context *ctx, mn_boost_builder *b, size_t nodes, bool sets);

/* A new leaf of the tree that grows; counted from its root. */
size_t mn_boost_add_leaf(mn_boost_builder *b, double value, double cover);

/* The words and the gain of a node of the tree that grows. */
static inline int32_t *mn_boost_node(const mn_boost_builder *b, size_t node)
{
  return b->node + MN_NODE_WORDS * (b->first_node[b->trees - 1] + node);
}
static inline double *mn_boost_gain(const mn_boost_builder *b, size_t node)
{
  return b->gain + b->first_node[b->trees - 1] + node;
}

/* Into the learned fields, behind what there is. */
mn_status mn_boost_keep(mn_context *ctx, const char *who, const mn_boost_builder *b, mn_trees *trees, mn_vector *gain);

#endif
