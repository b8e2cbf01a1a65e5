/* Hot loops over tables of logarithms. */
#ifndef MN_GRAPHICAL_TABLE_KERNEL_H
#define MN_GRAPHICAL_TABLE_KERNEL_H
#include "../core/clones.h"
#include <stddef.h>

/* x[i] = exp(x[i]), exactly 0 below -700; x[i] <= 700. */
void mn_table_exp(size_t n, double *x);

/* For each of `rows` rows of `width` logarithms: message = log sum exp, and the row becomes exp(row - message), the
 * conditional distribution. Rows of zeros: message = MN_LOG_ZERO, row = 0. */
void mn_condition_rows(size_t rows, size_t width, double *table, double *message);

/* message = the largest of each row. */
void mn_max_rows(size_t rows, size_t width, const double *table, double *message);

#endif
