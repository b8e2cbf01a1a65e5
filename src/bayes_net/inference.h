/* Exact inference: a junction tree of the discrete nodes, with a factor over the discrete parents of each group of
 * numbers, the density of its observed numbers in each configuration. Given the posterior of these configurations the
 * numbers are mixtures of normals: exact by summing over them. Lauritzen, J. Am. Stat. Assoc. 87 (1992). */
#ifndef MN_BAYES_NET_INFERENCE_H
#define MN_BAYES_NET_INFERENCE_H
#include "numbers.h"
#include "../graphical/junction_tree.h"

typedef struct mn_net_inference {
  const mn_network *net;
  const double *const *likelihood; /* nodes: of their values, soft evidence; NULL: none */
  mn_factor_graph graph;           /* factor v < nodes: the table of node v; then groups, likelihoods and joints */
  mn_number_groups groups;
  size_t first_group, joint; /* factors */
  double *table;             /* of the graph */
  mn_junction_tree tree;
  mn_normal normal;
  int32_t *state; /* evidence of the discrete nodes */
  double *row;    /* evidence, completed by the configuration at work */
  double *group;  /* the largest table of a group: posterior of its configurations */
} mn_net_inference;

typedef struct mn_inference_options {
  const bool *relevant;            /* nodes whose tables are used; NULL: all */
  const double *const *likelihood; /* as above, or NULL */
  size_t relaxed;                  /* a node whose table is replaced by ones; SIZE_MAX: none */
  size_t joints;                   /* discrete nodes whose joint distribution is wanted */
  const int32_t *joint_nodes;
  bool fixed_evidence; /* the plan is for these observed nodes only: evidence, NaN for free */
  const double *evidence;
  double limit; /* bytes */
} mn_inference_options;

mn_status mn_inference_init(mn_context *ctx, const mn_network *net, const mn_inference_options *o,
                            mn_net_inference *out);

/* Find the posterior given the evidence, a value for each node or NaN; *log_p = log p(evidence). MN_BAD_DATA if it is
 * impossible. */
mn_status mn_inference_run(mn_context *ctx, mn_net_inference *inf, const double *evidence, double *log_p);

/* The same in two steps: log p(evidence), -inf if it is impossible; then, if it is not, the posterior. */
mn_status mn_inference_try(mn_context *ctx, mn_net_inference *inf, const double *evidence, double *log_p);
mn_status mn_inference_finish(mn_context *ctx, mn_net_inference *inf);

/* The most probable values of all nodes, and the log of their density; ties as in junction_tree.h. */
mn_status mn_inference_mpe(mn_context *ctx, mn_net_inference *inf, const double *evidence, double *values,
                           double *log_p);

/* After mn_inference_run. The distribution of a discrete node; of the values of node v and its discrete parents (laid
 * out as its table); of the joint nodes. */
mn_status mn_inference_marginal(mn_context *ctx, mn_net_inference *inf, size_t v, double *out);
mn_status mn_inference_family(mn_context *ctx, mn_net_inference *inf, size_t v, double *out);
mn_status mn_inference_joint(mn_context *ctx, mn_net_inference *inf, double *out);

/* Each configuration of a group with positive probability: use(ctx, user, group, probability, normal); `normal` is
 * conditioned on the evidence, and inf->row has the values of the discrete nodes. */
typedef mn_status (*mn_use_normal)(mn_context *ctx, void *user, const mn_number_group *g, double probability,
                                   const mn_normal *normal);
mn_status mn_inference_normals(mn_context *ctx, mn_net_inference *inf, size_t group, mn_use_normal use, void *user);

/* Mean and standard deviation of all numbers: mean[v], sd[v]. */
mn_status mn_inference_moments(mn_context *ctx, mn_net_inference *inf, double *mean, double *sd);

#endif
