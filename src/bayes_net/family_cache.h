/* Scores of families, a node and the set of its parents, that were computed before. */
#ifndef MN_BAYES_NET_FAMILY_CACHE_H
#define MN_BAYES_NET_FAMILY_CACHE_H
#include "../core/context.h"

typedef struct mn_family_cache {
  size_t words;          /* of a set of nodes                        */
  size_t size, capacity; /* entries; slots of the table, a power of 2 */
  uint64_t *set;         /* capacity x words                          */
  int32_t *node;         /* capacity: -1 for an empty slot            */
  double *score;         /* capacity                                  */
} mn_family_cache;

mn_status mn_family_cache_init(mn_context *ctx, size_t nodes, mn_family_cache *c);

/* The score, or NaN. */
double mn_family_cache_find(const mn_family_cache *c, int32_t node, const uint64_t *set);

/* Once there are very many, further ones are not kept. */
mn_status mn_family_cache_add(mn_context *ctx, mn_family_cache *c, int32_t node, const uint64_t *set, double score);

#endif
