/* Prior distributions of hyperparameters, for estimates of largest posterior density. */
#ifndef MN_KERNEL_PRIOR_H
#define MN_KERNEL_PRIOR_H
#include "kernel.h"

/* The names of the families with their two parameters (the second may be NULL), in the order of mn_prior_family. */
typedef struct mn_prior_type {
  const char *name, *first, *second;
} mn_prior_type;
extern const mn_prior_type mn_prior_types[MN_PRIORS];

/* The family of a name; MN_PRIOR_NONE: unknown. */
mn_prior_family mn_prior_named(const char *name);

/* Whether the parameters are in their range. */
bool mn_prior_is_valid(const mn_prior *prior);

/* log p(v); *slope = its derivative by log v. 0 and 0 without a prior. */
double mn_prior_log_density(const mn_prior *prior, double v, double *slope);

/* Add the log densities of the free hyperparameters to *value, and their derivatives by theta to gradient. */
void mn_kernel_add_priors(const mn_kernel *kernel, double *value, double *gradient);

#endif
