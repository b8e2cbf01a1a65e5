/* The distribution of one node given all others, which depends on its parents, its children and their parents. */
#ifndef MN_BAYES_NET_CONDITIONAL_H
#define MN_BAYES_NET_CONDITIONAL_H
#include "network.h"

/* Discrete node v, the others as in `row`, whose element v is written: p[card]. False: all are 0. */
bool mn_conditional_values(const mn_network *net, const mn_children *children, size_t v, double *row, double *p);

/* A number. False: the others are impossible. */
typedef struct mn_conditional_normal {
  double mean, sd;
} mn_conditional_normal;
bool mn_conditional_number(const mn_network *net, const mn_children *children, size_t v, double *row,
                           mn_conditional_normal *out);

#endif
