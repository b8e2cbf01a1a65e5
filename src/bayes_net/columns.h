/* Rows of a table as columns of the nodes of a network: codes of discrete values and numbers. */
#ifndef MN_BAYES_NET_COLUMNS_H
#define MN_BAYES_NET_COLUMNS_H
#include "../core/matrix.h"

typedef struct mn_net_columns {
  size_t rows, nodes;
  const int32_t *card; /* nodes: number of values; 0 for numbers   */
  uint16_t **code;     /* nodes: rows codes; NULL for numbers      */
  double **value;      /* nodes: rows numbers; NULL for codes      */
  double *weights;     /* rows; NULL: all 1                        */
  double total;        /* sum of the weights                       */
  size_t incomplete;   /* rows left out because a value is missing */
} mn_net_columns;

enum { MN_MAX_VALUES = 65535 };

/* The complete rows of `rows` (values of the nodes, NaN for missing) whose weight is not 0; scratch. */
mn_status mn_make_net_columns(mn_context *ctx, const mn_matrix *rows, const int32_t *card, const double *weights,
                              mn_net_columns *out);

/* Configurations of parents as numbers 0..size-1 of the rows, in order of their numbers or of first rows. */
typedef struct mn_configs {
  uint32_t *id; /* rows */
  size_t size;  /* ids  */
  double full;  /* number of configurations, also those without rows */
  uint64_t *key;
  uint32_t *slot; /* hash table */
  size_t slots;
} mn_configs;

mn_status mn_configs_new(mn_context *ctx, size_t rows, mn_configs *out);
void mn_configs_reset(mn_configs *c, size_t rows);

/* Make each configuration one for each value of node u; ids are renumbered when there are more than rows. */
void mn_configs_add(mn_configs *c, const mn_net_columns *data, size_t u);

#endif
