/* A graph to be colored, and the settings of its solver. */
#ifndef MN_CONSTRAINT_COLORING_PROBLEM_H
#define MN_CONSTRAINT_COLORING_PROBLEM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MN_MOST_COLORS = 8 }; /* surveys take time in proportion to 2^colors */

typedef struct mn_edges {
  size_t n, m;
  const int32_t *from, *to; /* m vertices each, from 1; no edge of a vertex with itself */
} mn_edges;

typedef struct mn_coloring_settings {
  size_t colors;
  bool survey;
  double tol;
  size_t max_iter;
  double fraction;    /* of the free vertices, fixed at once */
  uint64_t max_moves; /* of the local search */
  size_t restarts;
  int64_t seed;
} mn_coloring_settings;

#endif
