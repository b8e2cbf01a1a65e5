/* Losses of linear models, one table row each. */
#ifndef MN_LOSS_LINEAR_LOSS_H
#define MN_LOSS_LINEAR_LOSS_H
#include <stddef.h>
#include <stdint.h>

/* Functions of one row with score z = x b + c. Classifiers have y = -1 or 1. `parameter` is epsilon of huber and the
 * epsilon-insensitive losses, or the quantile; others ignore it. */
typedef struct mn_linear_loss {
  const char *name;
  double (*value)(double y, double z, double parameter);     /* convex in z, never negative */
  double (*slope)(double y, double z, double parameter);     /* derivative by z */
  double (*curvature)(double y, double z, double parameter); /* second derivative where it exists; NULL: not smooth */
  double max_curvature;                                      /* upper bound of the curvature, may be infinite */
} mn_linear_loss;

/* The first nine in the order of mn_linear_loss_names. */
enum {
  MN_LOSS_HINGE,
  MN_LOSS_LOG_LOSS,
  MN_LOSS_MODIFIED_HUBER,
  MN_LOSS_SQUARED_HINGE,
  MN_LOSS_PERCEPTRON,
  MN_LOSS_SQUARED_ERROR,
  MN_LOSS_HUBER,
  MN_LOSS_EPSILON_INSENSITIVE,
  MN_LOSS_SQUARED_EPSILON_INSENSITIVE,
  MN_LOSS_ABSOLUTE_ERROR,
  MN_LOSS_QUANTILE,
  MN_LOSS_EXPONENTIAL,
  MN_LOSS_POISSON,
  MN_LOSSES
};
extern const mn_linear_loss mn_linear_losses[MN_LOSSES];

/* Names of the losses of SGDClassifier and, from MN_LOSS_SQUARED_ERROR on, of SGDRegressor; NULL-terminated. */
extern const char *const mn_linear_loss_names[];

#endif
