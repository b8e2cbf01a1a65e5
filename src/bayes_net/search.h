/* The search for the structure with the highest score, by adding, removing and reversing one edge at a time.
 *
 * Hill climbing takes the best change until none improves. Tabu search goes on with the best change to a structure that
 * was not among the last ones, also if it is worse, and returns the best structure that it met. Changes of equal value
 * are ordered by the nodes of the edge. */
#ifndef MN_BAYES_NET_SEARCH_H
#define MN_BAYES_NET_SEARCH_H
#include "score.h"

typedef struct mn_structure_search {
  const mn_scorer *scorer;
  const uint8_t *allowed;  /* nodes x nodes: [u * nodes + v]: the edge u -> v may be there */
  const uint8_t *required; /* nodes x nodes: it must be there                              */
  size_t max_parents, max_iter;
  size_t tabu, max_tabu;    /* structures to avoid, 0: hill climbing; changes without a new best */
  size_t restarts, perturb; /* further starts from the best after this many random changes       */
  int64_t seed;
} mn_structure_search;

typedef struct mn_structure {
  uint8_t *edge; /* nodes x nodes, in: where to start; out: the best */
  double score;
  size_t n_iter, evaluations; /* changes; families scored */
  bool converged;
} mn_structure;

mn_status mn_search_structure(mn_context *ctx, const mn_structure_search *search, mn_structure *best);

#endif
