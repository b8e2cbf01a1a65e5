/* Counts of pairs of a cell and a code. */
#ifndef MN_BAYES_NET_COUNTS_KERNEL_H
#define MN_BAYES_NET_COUNTS_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* count[base[i] + code[i] * stride]++ for i < n. */
void mn_count_cells(size_t n, const uint32_t *base, const uint16_t *code, uint32_t stride, uint32_t *count);

/* sum[...] += weight[i]. */
void mn_add_cells(size_t n, const uint32_t *base, const uint16_t *code, uint32_t stride, const double *weight,
                  double *sum);

#endif
