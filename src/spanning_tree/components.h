/* Disjoint sets of 0..n-1 (union-find) with path halving. */
#ifndef MN_SPANNING_TREE_COMPONENTS_H
#define MN_SPANNING_TREE_COMPONENTS_H
#include <stddef.h>
#include <stdint.h>

static inline void mn_components_init(int32_t *parent, size_t n)
{
  for (size_t i = 0; i < n; i++) parent[i] = (int32_t)i;
}

static inline int32_t mn_component(int32_t *parent, int32_t i)
{
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* Join two sets under the root with the lower index. Returns 0 if they were one already. */
static inline int mn_components_join(int32_t *parent, int32_t a, int32_t b)
{
  a = mn_component(parent, a);
  b = mn_component(parent, b);
  if (a == b) return 0;
  parent[a < b ? b : a] = a < b ? a : b;
  return 1;
}

#endif
