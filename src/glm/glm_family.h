/* Families and links of generalized linear models: one table row each.
 *
 * McCullagh & Nelder, Generalized Linear Models, 2nd ed. (1989), chapter 2; Jorgensen, The Theory of Dispersion Models
 * (1997) for tweedie. */
#ifndef MN_GLM_GLM_FAMILY_H
#define MN_GLM_GLM_FAMILY_H
#include "glm_kernel.h"
#include <stdbool.h>

enum {
  MN_GAUSSIAN,
  MN_BINOMIAL,
  MN_POISSON,
  MN_GAMMA,
  MN_INVERSE_GAUSSIAN,
  MN_TWEEDIE,
  MN_NEGATIVE_BINOMIAL,
  MN_GLM_FAMILIES
};
enum {
  MN_LINK_AUTO,
  MN_LINK_IDENTITY,
  MN_LINK_LOG,
  MN_LINK_LOGIT,
  MN_LINK_PROBIT,
  MN_LINK_CLOGLOG,
  MN_LINK_INVERSE,
  MN_LINK_INVERSE_SQUARED,
  MN_LINK_SQRT,
  MN_LINK_POWER,
  MN_GLM_LINKS
};

/* Names for MN_CHOICE, ending with NULL. */
extern const char *const mn_glm_family_names[];
extern const char *const mn_glm_link_names[];

typedef struct mn_glm_link {
  mn_glm_inverse_link *inverse;
  double (*forward)(double power, double mu); /* eta of a mean within the domain */
  double power;                               /* of a link with a fixed power; 0: set by the user */
} mn_glm_link;

/* In all functions `parameter` is theta of the negative binomial or the power of tweedie, and `complement` is 1 - mu.
 */
typedef struct mn_glm_family {
  int link;               /* default link */
  double mu_min, mu_max;  /* open interval of the means */
  double y_min, y_max;    /* closed interval of the observations ... */
  bool y_min_excluded;    /* ... or without y_min */
  bool free_dispersion;   /* estimated from the data; otherwise 1 */
  bool counts_dispersion; /* as a parameter of the likelihood */
  mn_glm_deviance *deviance;
  double (*variance)(double parameter, double mu, double complement);
  double (*unit_deviance)(double parameter, double y, double mu, double complement);
  double (*start_mean)(double y, double mean, double trials); /* a mean near y, within the domain */
  /* Log density of one observation; phi: dispersion; trials: of the binomial. NULL: no closed form. */
  double (*log_density)(double parameter, double phi, double trials, double y, double mu, double complement);
} mn_glm_family;

extern const mn_glm_link mn_glm_links[MN_GLM_LINKS];
extern const mn_glm_family mn_glm_families[MN_GLM_FAMILIES];

#endif
