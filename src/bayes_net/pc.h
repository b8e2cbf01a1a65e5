/* The PC algorithm: edges are removed between nodes that a test finds independent given some of their neighbors;
 * colliders and Meek's rules direct edges. Spirtes & Glymour (1991); in the stable form of Colombo & Maathuis, JMLR 15
 * (2014), whose result does not depend on the order of the nodes in the first phase. */
#ifndef MN_BAYES_NET_PC_H
#define MN_BAYES_NET_PC_H
#include "independence.h"

typedef struct mn_pc {
  const mn_independence *test;
  const uint8_t *allowed, *required; /* as in search.h */
  double alpha;                      /* level of the tests */
  size_t max_given;                  /* most nodes that a test is given */
} mn_pc;

typedef struct mn_pc_result {
  uint8_t *edge; /* nodes x nodes: partially directed, as in cpdag.h */
  size_t tests;
} mn_pc_result;

mn_status mn_pc_search(mn_context *ctx, const mn_pc *pc, mn_pc_result *out);

#endif
