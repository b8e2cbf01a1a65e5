/* Families of the components of MixtureModel. A block is one column of a family of numbers, or the columns of a joint
 * family. Its parameters in one component are an array: first those that users see, then values derived from them. */
#ifndef MN_MIXTURE_MIXTURE_FAMILY_H
#define MN_MIXTURE_MIXTURE_FAMILY_H
#include "../core/rng.h"
#include "../model/class.h"

enum { MN_MAX_STUDENT_COLUMNS = 64 };

typedef struct mn_mixture_family mn_mixture_family;

typedef struct mn_mixture_block {
  const mn_mixture_family *family;
  size_t d, *column;         /* columns of X: d */
  size_t levels;             /* of categorical  */
  size_t first, first_stat;  /* where the parameters and statistics of a component begin */
  size_t shown, size, stats; /* parameters, with derived values; statistics              */
  double floor;              /* smallest variance */
  double trials;             /* of multinomial, to sample: the sum of a row */
} mn_mixture_block;

struct mn_mixture_family {
  const char *name;
  bool joint;
  void (*layout)(mn_mixture_block *b); /* set shown, size and stats from d and levels */
  int64_t (*free_parameters)(const mn_mixture_block *b);
  /* NULL if the values are in the support, else what they must be. *at, in: 0; out: the number of the value that the
   * message shows. */
  const char *(*refuse)(const mn_mixture_block *b, const double *x, size_t *at);
  double (*log_density)(const mn_mixture_block *b, const double *t, const double *x);
  /* Add a row of weight w, expected under the parameters t. */
  void (*add)(const mn_mixture_block *b, const double *t, const double *x, double w, double *stats);
  /* Maximize the expected likelihood for statistics of `total` weight; t is in and out. Without weight t stays. */
  mn_status (*maximize)(mn_context *ctx, const mn_mixture_block *b, double total, const double *stats, double *t);
  /* Compute the derived values. */
  mn_status (*derive)(mn_context *ctx, const mn_mixture_block *b, double *t);
  /* Parameters before the first M step, from means and variances of the columns. NULL: zeros. */
  void (*begin)(const mn_mixture_block *b, const double *mean, const double *variance, double *t);
  void (*sample)(const mn_mixture_block *b, const double *t, mn_rng *rng, double *x);
  void (*parameter_name)(const mn_mixture_block *b, size_t i, const char *const *columns, char *text, size_t size);
};

extern const mn_mixture_family *const mn_mixture_families[]; /* ends with NULL */

/* Joint families (mixture_joint.c). */
extern const mn_mixture_family mn_family_multinomial, mn_family_student_t, mn_family_von_mises_fisher;

#endif
