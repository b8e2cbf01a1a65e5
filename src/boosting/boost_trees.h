/* Growing trees of a boosted model, in scratch: node words as in tree.h, tree after tree. */
#ifndef MN_BOOSTING_BOOST_TREES_H
#define MN_BOOSTING_BOOST_TREES_H
#include "../tree_structure/tree.h"

enum { MN_SET_WORDS = 8 }; /* words of a set of levels, 32 levels each */

typedef struct mn_boost_builder {
  int32_t *node;        /* nodes x 4 words; children and sets are relative to the first of their tree */
  double *cover, *gain; /* nodes; the gain of a leaf is 0 */
  int32_t *subset;      /* words */
  size_t nodes, words, node_capacity, word_capacity;
  size_t *first_node, *first_word; /* trees */
  size_t trees, tree_capacity;
} mn_boost_builder;

/* Begin a tree of at most `nodes` nodes, with a set of levels for each split if `sets`: growing it
 * allocates no more memory. */
mn_status mn_boost_begin_tree(mn_context *ctx, mn_boost_builder *b, size_t nodes, bool sets);

/* Add a leaf to the current tree and return its index, relative to the root. */
size_t mn_boost_add_leaf(mn_boost_builder *b, double value, double cover);

/* Words and gain of a node of the current tree. */
static inline int32_t *mn_boost_node(const mn_boost_builder *b, size_t node)
{
  return b->node + MN_NODE_WORDS * (b->first_node[b->trees - 1] + node);
}
static inline double *mn_boost_gain(const mn_boost_builder *b, size_t node)
{
  return b->gain + b->first_node[b->trees - 1] + node;
}

/* Tree t alone: its nodes and sets. */
mn_trees mn_boost_tree(const mn_boost_builder *b, size_t t);

/* The leaf value of a dense row in a tree alone. */
double mn_boost_tree_value(const mn_trees *tree, const double *x);

/* Append to the learned fields. */
mn_status mn_boost_store_trees(mn_context *ctx, const char *who, const mn_boost_builder *b, mn_trees *trees,
                               mn_vector *gain);

#endif
