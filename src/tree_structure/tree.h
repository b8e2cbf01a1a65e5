/* Decision trees as flat arrays: one tree, a forest, or the rounds of boosting.
 *
 * A node is four words of 32 bits, so that a step of a prediction reads one place in memory:
 *
 *     LOW, HIGH   split: the threshold as a double, low word first; split by levels: position and size in `subset`
 *                 leaf: depends on its kind
 *     FEATURE     split: the feature; leaf: 0
 *     LINK        split: 4 * left child + MN_MISSING_LEFT + MN_LEVEL_SPLIT; leaf: its kind, with left child 0
 *
 * The right child follows the left one, and both follow their parent, so that every path ends. Children are numbered
 * from the root of their tree. A row goes left if x <= threshold. If x is missing, or is a level that was not seen in
 * fit, MN_MISSING_LEFT decides. */
#ifndef MN_TREE_STRUCTURE_TREE_H
#define MN_TREE_STRUCTURE_TREE_H
#include "../model/class.h"
#include <string.h>

enum { MN_NODE_LOW, MN_NODE_HIGH, MN_NODE_FEATURE, MN_NODE_LINK, MN_NODE_WORDS };
enum { MN_MISSING_LEFT = 1, MN_LEVEL_SPLIT = 2, MN_LINK_FLAGS = 3 };
enum { MN_MAX_NODES = 1 << 29 }; /* of one tree */

typedef enum mn_leaf_kind {
  MN_LEAF_VALUE, /* LOW and HIGH are the value, a double                         */
  MN_LEAF_BLOCK, /* LOW is the index of its block of `width` values in `value`  */
  MN_LEAF_PURE   /* LOW is the index of the one value that is 1; the rest are 0 */
} mn_leaf_kind;

typedef struct mn_trees {
  mn_indexes root;    /* trees + 1: first node of each tree, and the total number of nodes                     */
  mn_indexes node;    /* 4 words for each node                                                                */
  mn_indexes subset;  /* levels that go left. LOW of a node is the offset; HIGH is n > 0: a bit set by code in n
                         words, or n <= 0: -n codes, ascending. Other levels seen in fit go right             */
  mn_vector value;    /* blocks of `width` values                                                             */
  mn_vector cover;    /* nodes: weight of the training rows in the node                                       */
  mn_vector impurity; /* nodes, or empty: impurity of these rows                                              */
} mn_trees;

/* The arrays as learned fields of an estimator that has a member `trees`. */
#define MN_TREES_FIELD(kind_, type, part, shape_)                                                                      \
  {                                                                                                                    \
    .name = "tree_" #part, .kind = (kind_), .offset = offsetof(type, trees.part), .shape = (shape_)                    \
  }
#define MN_TREES_FIELDS(type)                                                                                          \
  MN_TREES_FIELD(MN_KIND_INDEXES, type, root, "tree_roots"),                                                           \
      MN_TREES_FIELD(MN_KIND_INDEXES, type, node, "tree_words"),                                                       \
      MN_TREES_FIELD(MN_KIND_INDEXES, type, subset, "tree_levels?"),                                                   \
      MN_TREES_FIELD(MN_KIND_VECTOR, type, value, "tree_values?"),                                                     \
      MN_TREES_FIELD(MN_KIND_VECTOR, type, cover, "tree_nodes"),                                                       \
      MN_TREES_FIELD(MN_KIND_VECTOR, type, impurity, "tree_nodes?")

/* --- one node --- */

static inline double mn_node_real(const int32_t *w)
{
  const uint64_t bits = (uint64_t)(uint32_t)w[MN_NODE_LOW] | (uint64_t)(uint32_t)w[MN_NODE_HIGH] << 32;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline void mn_node_set_real(int32_t *w, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  w[MN_NODE_LOW] = (int32_t)(uint32_t)bits;
  w[MN_NODE_HIGH] = (int32_t)(uint32_t)(bits >> 32);
}
/* The left child; 0: the node is a leaf. */
static inline size_t mn_node_left(const int32_t *w)
{
  return (uint32_t)w[MN_NODE_LINK] >> 2;
}
/* Change the left child of a split. */
static inline void mn_node_set_left(int32_t *w, size_t left)
{
  w[MN_NODE_LINK] = (int32_t)((uint32_t)left << 2 | ((uint32_t)w[MN_NODE_LINK] & MN_LINK_FLAGS));
}
static inline size_t mn_node_feature(const int32_t *w)
{
  return (size_t)w[MN_NODE_FEATURE];
}
static inline bool mn_node_missing_left(const int32_t *w)
{
  return (w[MN_NODE_LINK] & MN_MISSING_LEFT) != 0;
}
static inline bool mn_is_level_split(const int32_t *w)
{
  return mn_node_left(w) > 0 && w[MN_NODE_LINK] & MN_LEVEL_SPLIT;
}
static inline bool mn_is_leaf_of(const int32_t *w, mn_leaf_kind kind)
{
  return w[MN_NODE_LINK] == (int32_t)kind;
}
static inline void mn_node_set_split(int32_t *w, size_t feature, double threshold, size_t left, bool missing_left)
{
  mn_node_set_real(w, threshold);
  w[MN_NODE_FEATURE] = (int32_t)feature;
  w[MN_NODE_LINK] = (int32_t)((uint32_t)left << 2 | (missing_left ? MN_MISSING_LEFT : 0));
}
static inline void mn_node_set_level_split(int32_t *w, size_t feature, size_t offset, int32_t size, size_t left,
                                           bool missing_left)
{
  mn_node_set_split(w, feature, 0, left, missing_left);
  w[MN_NODE_LOW] = (int32_t)offset;
  w[MN_NODE_HIGH] = size;
  w[MN_NODE_LINK] |= MN_LEVEL_SPLIT;
}
static inline void mn_node_set_leaf(int32_t *w, double value)
{
  mn_node_set_real(w, value);
  w[MN_NODE_FEATURE] = 0;
  w[MN_NODE_LINK] = MN_LEAF_VALUE;
}
static inline void mn_node_set_leaf_index(int32_t *w, mn_leaf_kind kind, size_t index)
{
  w[MN_NODE_LOW] = (int32_t)index;
  w[MN_NODE_HIGH] = w[MN_NODE_FEATURE] = 0;
  w[MN_NODE_LINK] = (int32_t)kind;
}

/* True if `code`, an integer >= 0, is among the levels that go left. */
bool mn_subset_has(const int32_t *subset, int32_t size, double code);

/* Encode the levels code[0..n-1], in any order, as `subset`: a bit set or, where that is shorter, a list. Written to
 * `to` unless it is NULL; *size is the word HIGH of the node. Returns the number of words. */
size_t mn_subset_encode(const uint32_t *code, size_t n, int32_t *to, int32_t *size);

/* The same for a split by levels. */
static inline bool mn_level_goes_left(const mn_trees *t, const int32_t *w, double code)
{
  return mn_subset_has(t->subset.at + w[MN_NODE_LOW], w[MN_NODE_HIGH], code);
}

/* True if a row with this value of the feature goes left. */
static inline bool mn_value_goes_left(const mn_trees *t, const int32_t *w, double value)
{
  if (!(w[MN_NODE_LINK] & MN_LEVEL_SPLIT)) return value <= mn_node_real(w) || (isnan(value) && mn_node_missing_left(w));
  return value >= 0 ? mn_level_goes_left(t, w, value) : mn_node_missing_left(w);
}

/* --- trees --- */

static inline size_t mn_trees_count(const mn_trees *t)
{
  return t->root.size > 0 ? t->root.size - 1 : 0;
}
static inline const int32_t *mn_tree_root(const mn_trees *t, size_t tree)
{
  return t->node.at + MN_NODE_WORDS * (size_t)t->root.at[tree];
}
static inline size_t mn_tree_nodes(const mn_trees *t, size_t tree)
{
  return (size_t)(t->root.at[tree + 1] - t->root.at[tree]);
}

/* Check trees that were loaded: links, features, levels and leaves must be in range. width: number of values of a leaf.
 */
mn_status mn_trees_check(mn_context *ctx, const mn_estimator *model, const mn_trees *t, size_t width);

/* The leaf of one dense row in a tree, numbered from its root. */
size_t mn_trees_leaf(const mn_trees *t, size_t tree, const double *x);

/* out[0..width-1] += scale * values of the leaf w. */
void mn_add_leaf(const mn_trees *t, const int32_t *w, size_t width, double scale, double *out);

/* Values of all nodes of one tree: of a leaf, scale times its own; of a split, the mean of its children weighted by
 * cover. value: nodes x width, initially 0. */
void mn_tree_node_values(const mn_trees *t, size_t tree, size_t width, double scale, double *value);

/* depth[i] of the nodes of one tree, 0 for the root. Returns the largest. */
size_t mn_tree_depths(const mn_trees *t, size_t tree, int32_t *depth);

#endif
