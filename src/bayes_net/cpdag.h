/* Partially directed graphs of the classes of structures that have the same independences. edge[u * n + v] and
 * edge[v * n + u]: undirected; only the first: u -> v. */
#ifndef MN_BAYES_NET_CPDAG_H
#define MN_BAYES_NET_CPDAG_H
#include "../core/context.h"

/* Direct u -> v, unless it has a direction or that would close a cycle. True if it was done. */
bool mn_direct(size_t n, uint8_t *edge, size_t u, size_t v, int32_t *stack, uint8_t *seen);

/* Meek's rules, which direct edges so that neither cycles nor new colliders arise (Meek, UAI 1995). stack, seen: n. */
void mn_meek_rules(size_t n, uint8_t *edge, int32_t *stack, uint8_t *seen);

/* The class of a directed acyclic graph: its skeleton, in which only edges of colliders and those that follow from them
 * have a direction. */
mn_status mn_equivalence_class(mn_context *ctx, size_t n, const uint8_t *dag, uint8_t *out);

/* Direct all edges without new colliders (Dor & Tarsi 1992). False: impossible, the rest was directed by index without
 * cycles. */
bool mn_extend_to_dag(size_t n, uint8_t *edge, uint8_t *removed);

#endif
