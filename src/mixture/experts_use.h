/* Parts of what mixtures of experts say of new rows. */
#ifndef MN_MIXTURE_EXPERTS_USE_H
#define MN_MIXTURE_EXPERTS_USE_H
#include "experts.h"

size_t mn_experts_count(const mn_experts *m);

/* Log shares of the experts at a row, where there are gates; in `score`, which has room for their children. */
double *mn_experts_log_gates(const mn_experts *m, const double *row, double *score);

/* Rows in parallel blocks. */
typedef struct mn_experts_rows {
  const mn_experts *m;
  const mn_data *data;
  size_t width; /* values of workspace for a row */
  double *out;  /* what is asked, row by row     */
  mn_blocks blocks;
  double *room; /* workers x width */
} mn_experts_rows;

/* m, data, width and out are set before; `task` is called with w. */
mn_status mn_experts_each_block(mn_context *ctx, mn_experts_rows *w, mn_task task);

/* Tables of the gates, and statements that make score[children], whose last ones are the log shares of the experts. */
void mn_experts_describe_gates(const mn_experts *m, mn_program *program);

#endif
