/* The condensed tree of HDBSCAN: the hierarchy of single linkage in which a split counts only if both parts have at
 * least min_cluster_size rows. Otherwise the smaller part leaves its cluster row by row: Campello, Moulavi, Zimek &
 * Sander, ACM TKDD 10 (2015).
 *
 * lambda = 1 / distance. Node 0 is the root, with lambda 0; parents come before their children. */
#ifndef MN_DENSITY_CONDENSED_TREE_H
#define MN_DENSITY_CONDENSED_TREE_H
#include "../hierarchy/merges.h"

typedef struct mn_condensed_tree {
  size_t rows, nodes;
  int32_t *parent;   /* nodes; -1 for the root                                     */
  double *birth;     /* nodes: lambda at which the node splits off                 */
  double *size;      /* nodes: sum of the weights of its rows at birth             */
  double *stability; /* nodes: sum over its rows of weight (lambda - birth)        */
  double *death;     /* nodes: largest lambda at which a row or child leaves it    */
  int32_t *node;     /* rows: the node that the row leaves last                    */
  double *lambda;    /* rows: where it leaves; INFINITY for distance 0             */
} mn_condensed_tree;

typedef struct mn_cluster_selection {
  bool leaves;       /* all leaves, instead of the clusters of largest total stability (excess of mass)    */
  double epsilon;    /* clusters that split off below this distance are joined with their parent; 0: none  */
  bool allow_single; /* the root may be a cluster                                                          */
  double max_size;   /* of clusters of excess of mass; INFINITY: any                                       */
} mn_cluster_selection;

/* Scratch memory. `weights` and `core` (the core distances) have a value for each row; weights may be NULL: all 1. */
mn_status mn_condense_tree(mn_context *ctx, size_t n, const mn_merge *merges, const double *weights, const double *core,
                           double min_cluster_size, mn_condensed_tree *tree);

/* label[node] = 0 .. *clusters - 1 for the selected nodes, in order, else -1. */
mn_status mn_select_clusters(mn_context *ctx, const mn_condensed_tree *tree, mn_cluster_selection selection,
                             int32_t *label, size_t *clusters);

/* The lambda from which on rows of the root belong to it, if it is the only cluster. */
double mn_root_lambda(const mn_condensed_tree *tree, mn_cluster_selection selection);

/* The selected node that has a row which leaves `node` at `lambda`, or -1 for noise. */
int32_t mn_selected_node(const mn_condensed_tree *tree, const int32_t *label, double root_lambda, int32_t node,
                         double lambda);

/* How strongly a row that leaves at `lambda` belongs to a selected node: from 0 to 1. */
double mn_membership(const mn_condensed_tree *tree, int32_t node, double lambda);

/* The GLOSH outlier score of each row: (max - lambda) / max, where max is the largest lambda below the node it leaves.
 */
mn_status mn_outlier_scores(mn_context *ctx, const mn_condensed_tree *tree, double *score);

#endif
