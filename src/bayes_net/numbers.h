/* The nodes of a network that are numbers: given the discrete nodes they are jointly normal. They fall into groups that
 * are joined by edges between numbers; given their discrete parents, the groups are independent. */
#ifndef MN_BAYES_NET_NUMBERS_H
#define MN_BAYES_NET_NUMBERS_H
#include "network.h"

typedef struct mn_number_group {
  size_t size;
  int32_t *node; /* size: parents before children */
  size_t parents;
  size_t *discrete; /* parents: the discrete parents of all of them, ascending */
  size_t configs;   /* of these; the last changes fastest                      */
} mn_number_group;

typedef struct mn_number_groups {
  size_t count;
  mn_number_group *at;
  size_t largest; /* size of the largest one */
} mn_number_groups;

/* The groups of the numbers with a flag. MN_BAD_ARGUMENT: a group has more than MN_MAX_TABLE configurations, or more
 * discrete parents than a table may have. */
mn_status mn_find_number_groups(mn_context *ctx, const mn_network *net, const bool *wanted, mn_number_groups *out);

/* Workspace, and the distribution of a group. */
typedef struct mn_normal {
  double *mean;      /* size        */
  double *cov;       /* size x size */
  double *variance;  /* size        */
  int32_t *position; /* nodes       */
} mn_normal;
mn_status mn_normal_new(mn_context *ctx, const mn_network *net, size_t size, mn_normal *out);

/* The distribution of the group where the discrete nodes have the values in `row`. */
void mn_normal_of_group(const mn_network *net, const mn_number_group *g, const double *row, mn_normal *out);

/* Condition on the numbers in `row` that are not NaN: returns their log density, -inf if they are impossible. Theirs
 * become the observed means, with variance 0. */
double mn_normal_condition(const mn_number_group *g, const double *row, mn_normal *n);

/* log density of the unobserved numbers at their means; after mn_normal_condition. Destroys cov. */
double mn_normal_peak(const mn_number_group *g, const double *row, mn_normal *n);

#endif
