/* Responsibilities of the nodes of a GTM for one row. */
#ifndef MN_TOPOGRAPHIC_GTM_KERNEL_H
#define MN_TOPOGRAPHIC_GTM_KERNEL_H
#include <stddef.h>

/* score := exp(score - L), L = log sum exp(score), for `blocks` blocks of MN_GTM_LANES finite scores. Returns L. */
enum { MN_GTM_LANES = 32 };
double mn_gtm_softmax(size_t blocks, double *score);

#endif
