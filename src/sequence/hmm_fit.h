/* The problem of EM for hidden Markov models: hmm_fit.c, and hmm_start.c for its starts. */
#ifndef MN_SEQUENCE_HMM_FIT_H
#define MN_SEQUENCE_HMM_FIT_H
#include "hmm.h"

/* State of EM: probabilities of the chain, then parameters of the emissions. */
typedef struct mn_hmm_problem {
  const mn_hmm_model *m;
  const mn_data *data;
  size_t k;
  mn_hmm_topology topology;
  mn_hmm_layout layout;
  mn_hmm_data rows;
  double *pattern;         /* transitions: their groups, 0: forbidden                        */
  const int32_t *label;    /* rows: known states, -1: unknown; NULL: none is known           */
  mn_data points;          /* columns that k-means uses, standardized; no columns: none      */
  double *mean, *variance; /* p: of the known values of columns that are not categorical     */
} mn_hmm_problem;

/* A view at a state of EM. */
mn_hmm_view mn_hmm_view_of(const mn_hmm_problem *f, const double *state);

mn_status mn_hmm_prepare_start(mn_context *ctx, mn_hmm_problem *f);
/* Whether the start is given in full. */
bool mn_hmm_is_given(const mn_hmm_problem *f);

mn_status mn_hmm_check_given(mn_context *ctx, const mn_hmm_problem *f);

/* Steps of mn_em. */
mn_status mn_hmm_maximize(mn_context *ctx, void *problem, void *workspace, double *state, bool *degenerate);
mn_status mn_hmm_expect(mn_context *ctx, void *problem, void *workspace, const double *state, double *objective);
mn_status mn_hmm_start(mn_context *ctx, void *problem, void *workspace, size_t index, double *state, double *objective);

#endif
