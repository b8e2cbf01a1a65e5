/* Predictions of mixtures of experts: parts shared by regression and classification. */
#ifndef MN_MIXTURE_OF_EXPERTS_EXPERTS_PREDICT_H
#define MN_MIXTURE_OF_EXPERTS_EXPERTS_PREDICT_H
#include "experts.h"

size_t mn_experts_count(const mn_experts *m);

/* Log probabilities of the experts at a row. `score` is workspace for the children; requires gates. */
double *mn_experts_log_gates(const mn_experts *m, const double *row, double *score);

/* A task over parallel blocks of rows. */
typedef struct mn_experts_row_task {
  const mn_experts *m;
  const mn_data *data;
  size_t width; /* values of workspace for a row */
  double *out;  /* results, row by row */
  mn_blocks blocks;
  double *workspace; /* workers x width */
} mn_experts_row_task;

/* Run `task` with w. m, data, width and out are set before. */
mn_status mn_experts_run_blocks(mn_context *ctx, mn_experts_row_task *w, mn_task task);

/* Export the gates: statements that compute score[children], the last of which are the log probabilities of the
 * experts. */
void mn_experts_export_gates(const mn_experts *m, mn_program *program);

#endif
