/* A graph to be colored, and the settings of its solver. */
#ifndef MN_CONSTRAINT_COLORING_PROBLEM_H
#define MN_CONSTRAINT_COLORING_PROBLEM_H
#include "decimation.h"
#include <stdbool.h>

enum { MN_MOST_COLORS = 8 }; /* surveys take time in proportion to 2^colors */

typedef struct mn_edges {
  size_t n, m;
  const int32_t *from, *to; /* m vertices each, from 1; no edge of a vertex with itself */
} mn_edges;

typedef struct mn_coloring_settings {
  size_t colors;
  bool survey;
  mn_decimation decimation;
} mn_coloring_settings;

#endif
