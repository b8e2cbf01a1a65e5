/* A Bayesian network: a directed acyclic graph of nodes, each with a distribution given its parents,
 *
 *     p(x) = prod_v p(x_v | x_parents(v)).
 *
 * A node has discrete values 0..card-1, or is a number (card 0). The table of a discrete node has a row for each
 * configuration of its parents, the last parent changing fastest, and a column for each value. A number is linear
 * Gaussian, in each configuration c of its discrete parents:
 *
 *     x_v ~ normal(a_c + sum_k b_ck x_k, s_c),
 *
 * where k are its parents that are numbers; its rows are a, b_1, b_2, ..., s. Discrete nodes have discrete parents.
 * Pearl, Probabilistic Reasoning in Intelligent Systems (1988); Lauritzen, J. Am. Stat. Assoc. 87 (1992). */
#ifndef MN_BAYES_NET_NETWORK_H
#define MN_BAYES_NET_NETWORK_H
#include "../core/matrix.h"

typedef struct mn_network {
  size_t nodes;
  const int32_t *card;   /* nodes                                                        */
  const size_t *start;   /* nodes + 1: the parents of v are parent[start[v]..start[v+1]) */
  const int32_t *parent; /* start[nodes]                                                 */
  const size_t *at;      /* nodes + 1: the table of v is table[at[v]..at[v+1])           */
  const double *table;   /* at[nodes]; NULL for a structure without tables               */
  const int32_t *order;  /* nodes: parents before children                               */
} mn_network;

/* More values than this are refused: a table, or the cells of a family. */
enum { MN_MAX_TABLE = 1 << 26 };

static inline size_t mn_parent_count(const mn_network *net, size_t v)
{
  return net->start[v + 1] - net->start[v];
}

static inline const int32_t *mn_parents(const mn_network *net, size_t v)
{
  return net->parent + net->start[v];
}

/* Values in a row of the table of v. */
size_t mn_table_width(const mn_network *net, size_t v);

/* Configurations of the discrete parents of v. */
size_t mn_configurations(const mn_network *net, size_t v);

/* order: the nodes with parents before children, of those possible the one with the lowest index first. False if there
 * is a cycle; then order[0..*cycle) is one, each node a parent of the next and the last of the first. */
bool mn_topological_order(const mn_network *net, int32_t *count, int32_t *order, size_t *cycle);

/* reached[v]: v is one of the given nodes or an ancestor of one. `given` NULL: of nodes with mark[v]. */
void mn_mark_ancestors(const mn_network *net, bool *mark);

/* The nodes that are not d-separated from those marked in `from` by the observed ones: reached[v], from included unless
 * observed. The Bayes ball of Shachter, UAI 1998. Scratch: 2 x nodes bytes and a stack of 2 x nodes. */
mn_status mn_d_connected(mn_context *ctx, const mn_network *net, const bool *from, const bool *observed, bool *reached);

/* Children by parent: child[child_start[u]..child_start[u+1]); scratch. */
typedef struct mn_children {
  size_t *start;
  int32_t *child;
} mn_children;
mn_status mn_children_of(mn_context *ctx, const mn_network *net, mn_children *out);

/* log p(row) of complete rows of values (doubles; codes of discrete nodes); -inf where a probability is 0. */
double mn_log_node(const mn_network *net, size_t v, const double *row);
mn_status mn_log_rows(mn_context *ctx, const mn_network *net, const mn_matrix *rows, double *out);

/* The row of the table of v for the values of its discrete parents. */
size_t mn_configuration(const mn_network *net, size_t v, const double *row);

/* Mean of a number given its parents; `c` is its configuration. */
double mn_linear_mean(const mn_network *net, size_t v, size_t c, const double *row);

#endif
