/* LinearGaussianStateSpace and KalmanFilter: the struct, and the passes over sequences that fit and operations share.
 */
#ifndef MN_SEQUENCE_STATE_SPACE_H
#define MN_SEQUENCE_STATE_SPACE_H
#include "../model/class.h"
#include "../model/operation.h"
#include "linear_filter.h"
#include "sequences.h"

/* The first state. DEFAULT: learned by LinearGaussianStateSpace, known to KalmanFilter. */
enum { MN_START_DEFAULT, MN_START_STATIONARY, MN_START_DIFFUSE };
enum { MN_COV_FULL, MN_COV_DIAGONAL };

typedef struct mn_state_space {
  mn_estimator base;
  int64_t n_states, initialization, state_noise, observation_noise, max_iter; /* parameters */
  mn_matrix transition, observation, state_cov, observation_cov, initial_cov; /* empty: learned */
  mn_vector state_offset, observation_offset, initial_mean;
  double tol;
  bool square_root;
  mn_matrix transition_matrix, observation_matrix;    /* learned fields: F, H */
  mn_matrix state_covariance, observation_covariance; /* Q, R                 */
  mn_vector state_intercept, observation_intercept;   /* b, c                 */
  mn_vector start_mean, diffuse; /* of the first state; diffuse: 1 where its variance is infinite */
  mn_matrix start_covariance;
  mn_vector next_mean; /* of the state after the last row of fit */
  mn_matrix next_covariance;
  double loglike;
} mn_state_space;

static inline const char *mn_state_space_name(const mn_state_space *m)
{
  return m->base.class->name;
}

/* Check parameters for X of p columns and n rows; set state_intercept and the sizes of the fields for states. */
mn_status mn_state_space_check(mn_context *ctx, mn_state_space *m, size_t p, size_t n);

/* Whether nothing is learned from X: KalmanFilter, or a start that EM does not learn. MN_BAD_ARGUMENT if that needs
 * parameters that are missing. */
mn_status mn_state_space_is_known(mn_context *ctx, const mn_state_space *m, bool *known);

/* Set start_mean, start_covariance and diffuse by `initialization`, after the matrices. */
mn_status mn_state_space_start(mn_context *ctx, mn_state_space *m);

/* The system of a fitted model for X of `rows` rows, which matters if its matrices vary. */
mn_status mn_state_space_system(mn_context *ctx, const mn_state_space *m, size_t rows, mn_linear_system *system);

/* Set the learned fields that describe the system, given state_intercept: by EM where parameters are not given
 * (state_space_fit.c); from parameters, or the identity. */
mn_status mn_state_space_learn(mn_context *ctx, mn_state_space *m, const mn_data *data);
mn_status mn_state_space_adopt(mn_context *ctx, mn_state_space *m, const mn_data *data);

/* --- fitted models: state_space_apply.c --- */
extern const mn_operation mn_state_space_operations[];
mn_status mn_state_space_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_state_space_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

#endif
