/* LinearGaussianStateSpace and KalmanFilter: the struct, and the passes over sequences that fit and operations share.
 */
#ifndef MN_STATE_SPACE_MODEL_H
#define MN_STATE_SPACE_MODEL_H
#include "../model/class.h"
#include "../model/operation.h"
#include "linear_filter.h"
#include "../sequence/sequences.h"

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

/* Allocate learned fields: those of d states; then those of the system for p columns. */
mn_status mn_state_space_init_states(mn_context *ctx, mn_state_space *m, size_t d);
mn_status mn_state_space_init_system(mn_context *ctx, mn_state_space *m, size_t d, size_t p);

/* Check parameters for X of p columns and n rows; set state_intercept and the sizes of the fields for states. */
mn_status mn_state_space_check(mn_context *ctx, mn_state_space *m, size_t p, size_t n);

/* Whether nothing is learned from X: KalmanFilter, or a start that EM does not learn. MN_BAD_ARGUMENT if that needs
 * parameters that are missing. */
mn_status mn_state_space_is_known(mn_context *ctx, const mn_state_space *m, bool *known);

/* Set start_mean, start_covariance and diffuse by `initialization`, after the matrices. */
mn_status mn_state_space_start(mn_context *ctx, mn_state_space *m);

/* P = sum_i F^i Q F'^i, which is finite if *stationary. */
mn_status mn_stationary_covariance(mn_context *ctx, size_t d, const double *f, const double *q, double *p,
                                   bool *stationary);

/* Set loglike and the state after the last row of X, once the system and the first state are known. */
mn_status mn_state_space_finish(mn_context *ctx, mn_state_space *m, const mn_data *data);

/* The system of a fitted model for X of `rows` rows, which matters if its matrices vary. */
mn_status mn_state_space_system(mn_context *ctx, const mn_state_space *m, size_t rows, mn_linear_system *system);

/* Set the learned fields that describe the system, given state_intercept: by EM where parameters are not given
 * (state_space_fit.c); from parameters, or the identity. */
mn_status mn_state_space_learn(mn_context *ctx, mn_state_space *m, const mn_data *data);
mn_status mn_state_space_adopt(mn_context *ctx, mn_state_space *m, const mn_data *data);

/* Learned fields and members of the class tables of models whose struct begins with an mn_state_space. */
#define MN_STATE_SPACE_FIELDS                                                                                          \
  MN_MATRIX(mn_state_space, transition_matrix, "transition_rows x states", "F"),                                       \
      MN_MATRIX(mn_state_space, observation_matrix, "observation_rows x states", "H"),                                 \
      MN_MATRIX(mn_state_space, state_covariance, "state_rows x states", "Q"),                                         \
      MN_MATRIX(mn_state_space, observation_covariance, "noise_rows x features", "R"),                                 \
      MN_VECTOR(mn_state_space, state_intercept, "states", "b"),                                                       \
      MN_VECTOR(mn_state_space, observation_intercept, "features", "c"),                                               \
      MN_VECTOR(mn_state_space, start_mean, "states", "mean of the first state"),                                      \
      MN_MATRIX(mn_state_space, start_covariance, "states x states", "covariance of the first state"),                 \
      MN_VECTOR(mn_state_space, diffuse, "states", "1 where the variance of the first state is infinite, else 0"),     \
      MN_VECTOR(mn_state_space, next_mean, "states", "mean of the state after the last row of fit"),                   \
      MN_MATRIX(mn_state_space, next_covariance, "states x states", "its covariance"),                                 \
      MN_NUMBER(mn_state_space, loglike, "log likelihood of the rows of fit")

#define MN_STATE_SPACE_CLASS                                                                                           \
  .family = "sequence", .transform = mn_state_space_transform, .score_samples = mn_state_space_score_samples,          \
  .outputs = mn_state_space_outputs, .check = mn_state_space_check_loaded, .export = mn_sequence_export

size_t mn_state_space_outputs(const void *self);
void mn_state_space_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size);
mn_status mn_state_space_check_loaded(mn_context *ctx, const void *self);

/* --- fitted models: state_space_apply.c --- */
extern const mn_operation mn_state_space_operations[];
mn_status mn_state_space_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_state_space_score_samples(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

#endif
