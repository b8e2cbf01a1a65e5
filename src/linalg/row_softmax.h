/* Log-softmax of each row. */
#ifndef MN_LINALG_ROW_SOFTMAX_H
#define MN_LINALG_ROW_SOFTMAX_H
#include <stddef.h>

/* Subtract log sum exp from each of n rows of k scores, in place. A score of -inf marks an impossible class; a row with
 * no other scores becomes uniform. */
void mn_row_log_softmax(size_t n, size_t k, double *scores);

#endif
