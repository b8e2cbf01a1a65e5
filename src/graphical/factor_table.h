/* Tables of logarithms over a few variables: product, marginals, evidence. Scratch. */
#ifndef MN_GRAPHICAL_FACTOR_TABLE_H
#define MN_GRAPHICAL_FACTOR_TABLE_H
#include "factor_graph.h"

typedef struct mn_factor_table {
  size_t n, size;
  const size_t *scope, *card; /* n; the last variable changes fastest */
  double *at;                 /* size logarithms                      */
} mn_factor_table;

/* A table of zeros (factors of 1) over `scope`; `card` is that of all variables of a graph. The scope is copied. */
mn_status mn_table_new(mn_context *ctx, const size_t *card, size_t n, const size_t *scope, mn_factor_table *out);

/* A factor of a graph, without the observed variables. */
mn_status mn_table_of_factor(mn_context *ctx, const mn_factor_graph *g, size_t factor, const int32_t *evidence,
                             mn_factor_table *out);

/* t += other, whose scope is part of that of t. */
mn_status mn_table_add(mn_context *ctx, mn_factor_table *t, const mn_factor_table *other);

/* The product over both scopes: those of a, then those of b only. */
mn_status mn_table_product(mn_context *ctx, const size_t *card, const mn_factor_table *a, const mn_factor_table *b,
                           mn_factor_table *out);

/* log sum exp, or the maximum, over the variables of t that are not in `kept`, all of which are in t. */
mn_status mn_table_marginalize(mn_context *ctx, const size_t *card, const mn_factor_table *t, size_t n,
                               const size_t *kept, bool maximum, mn_factor_table *out);

/* t where the observed variables have their states; they leave the scope. */
mn_status mn_table_reduce(mn_context *ctx, const size_t *card, const mn_factor_table *t, const int32_t *evidence,
                          mn_factor_table *out);

/* Subtract log sum exp, and return it; MN_LOG_ZERO, and no change, if all values are. */
double mn_table_normalize(mn_factor_table *t);

#endif
