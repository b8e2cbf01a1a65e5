/* The losses of stochastic gradient descent, as rows of a table. */
#ifndef MN_SGD_LOSS_H
#define MN_SGD_LOSS_H
#include <stddef.h>
#include <stdint.h>

/* Of one row with the score z = x b + c. Classifiers have y = -1 or 1. */
typedef struct mn_sgd_loss {
  const char *name;
  double (*value)(double y, double z, double epsilon);
  double (*slope)(double y, double z, double epsilon); /* its derivative by z */
} mn_sgd_loss;

/* In the order of the names below. */
enum {
  MN_SGD_HINGE,
  MN_SGD_LOG_LOSS,
  MN_SGD_MODIFIED_HUBER,
  MN_SGD_SQUARED_HINGE,
  MN_SGD_PERCEPTRON,
  MN_SGD_SQUARED_ERROR,
  MN_SGD_HUBER,
  MN_SGD_EPSILON_INSENSITIVE,
  MN_SGD_SQUARED_EPSILON_INSENSITIVE,
  MN_SGD_LOSSES
};
extern const mn_sgd_loss mn_sgd_losses[MN_SGD_LOSSES];

/* The names of all, for classifiers, and from MN_SGD_SQUARED_ERROR on, for regressors; NULL-terminated. */
extern const char *const mn_sgd_loss_names[];

#endif
