/* Hidden Markov models: the struct, and the parts of fit and of the actions.
 *
 *     p(x, s) = start(s_1) prod_t p(s_t | states before) prod_t p(x_t | s_t)
 *
 * EM updates one array of doubles: the probabilities of the chain (hmm_chain.h), then the parameters of the emissions
 * (hmm_emission.h). */
#ifndef MN_SEQUENCE_HMM_H
#define MN_SEQUENCE_HMM_H
#include "../em/em.h"
#include "../model/operation.h"
#include "hmm_chain.h"
#include "hmm_emission.h"
#include "sequences.h"

enum { MN_HMM_ERGODIC, MN_HMM_LEFT_RIGHT };
enum { MN_HMM_DECODE_VITERBI, MN_HMM_DECODE_POSTERIOR };

typedef struct mn_hmm_model {
  mn_estimator base; /* base.classes: names of the states, if fit had y */
  int64_t n_states, covariance_type, n_mix, order, max_duration, topology, decoding, init_params, n_init, max_iter,
      seed; /* parameters */
  double startprob_prior, transmat_prior, emission_prior, reg_covar, tol;
  mn_matrix transmat_pseudocounts, emission_pseudocounts;
  bool learn;
  mn_feature_list emission;
  mn_matrix allowed, tied, transmat_init, means_init, covariances_init, emission_init;
  mn_vector startprob_init, startprob_pseudocounts;
  mn_vector startprob; /* learned fields */
  mn_matrix transmat, exit, mix_weights, means, covariances, emission_parameters;
  mn_indexes column_emission; /* features: index in mn_mixture_families      */
  mn_vector column_levels;    /* features: number of levels; 0: not categorical */
  mn_vector next_nodes;       /* nodes: probabilities before the row after those of fit */
  mn_vector state_probabilities;
  double loglik, aic, bic;
  int64_t n_parameters, covariance_model;
} mn_hmm_model;

/* All that a pass over rows reads. */
typedef struct mn_hmm_view {
  const mn_hmm_model *m;
  size_t k;
  mn_hmm_topology topology;
  mn_hmm_layout layout;
  const double *chain; /* probabilities */
  double *emission;    /* parameters    */
} mn_hmm_view;

/* The view of a fitted model, in scratch. */
mn_status mn_hmm_view_make(mn_context *ctx, const mn_hmm_model *m, mn_hmm_view *view);

/* One pass over sequences. Outputs may be NULL. */
typedef struct mn_hmm_pass {
  const mn_hmm_view *view;
  const mn_hmm_data *data;
  double *sums;        /* out: chain and emission statistics, mn_hmm_sums_size               */
  double *loglik;      /* out: 1                                                             */
  double *log_density; /* out: rows: log p(row | rows before); -inf from an impossible row on */
  double *filtered;    /* out: rows x k: states given the rows up to their own               */
  double *posterior;   /* out: rows x k: states given all rows                               */
  double *last;        /* out: nodes: probabilities of the nodes at the last row              */
  size_t *impossible;  /* out: 1: the first row that is impossible after those before it; SIZE_MAX: none */
} mn_hmm_pass;

size_t mn_hmm_sums_size(const mn_hmm_view *view);
mn_status mn_hmm_run_pass(mn_context *ctx, const mn_hmm_pass *pass);

/* The likeliest path of each sequence: state of each row. loglik: sequences, or NULL. */
mn_status mn_hmm_decode(mn_context *ctx, const mn_hmm_view *view, const mn_hmm_data *data, double *state,
                        double *loglik);

/* MN_BAD_DATA that names an impossible row and its sequence. */
mn_status mn_hmm_fail_impossible(mn_context *ctx, const mn_hmm_model *m, const mn_data *data, size_t row);

mn_status mn_hmm_fit(mn_context *ctx, void *self, const mn_data *data);

/* Check the parameters that restrict transitions, and set pattern: for each transition 0 if it is forbidden, else a
 * number that is equal for those that share a probability. */
mn_status mn_hmm_pattern(mn_context *ctx, const mn_hmm_model *m, const mn_hmm_topology *t, double *pattern);

/* The M step of the chain for expected counts, to which those of the priors are added, in place of the probabilities
 * before. */
mn_status mn_hmm_maximize_chain(mn_context *ctx, const mn_hmm_model *m, const mn_hmm_topology *t, const double *pattern,
                                double *counts, double *chain);

/* The logarithm of the prior density at a state, without constants. */
double mn_hmm_log_prior(const mn_hmm_view *view, const double *pattern);

/* --- fitted models: hmm_apply.c, hmm_online.c --- */
extern const mn_operation mn_hmm_operations[];
mn_status mn_hmm_predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_hmm_log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_hmm_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_hmm_sample(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                        mn_results *results);
mn_status mn_hmm_forecast(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                          mn_results *results);
mn_status mn_hmm_advance(mn_context *ctx, void *self, const void *options);

typedef struct mn_hmm_advance_options {
  mn_vector row;
} mn_hmm_advance_options;

#endif
