/* Emissions of hidden Markov models: what a state says of a row. Columns of the family gaussian form one block, whose
 * density is normal or a mixture of normals; the other blocks are those of MixtureModel (mixture_family.h). */
#ifndef MN_SEQUENCE_HMM_EMISSION_H
#define MN_SEQUENCE_HMM_EMISSION_H
#include "../mixture/gaussian.h"
#include "../mixture/mixture_model.h"
#include "hmm_kernel.h"

typedef struct mn_hmm_layout {
  size_t k, w, p;        /* states, their lanes, columns of X                                  */
  size_t g, *g_column;   /* gaussian columns                                                   */
  size_t mix, gaussians; /* components of a state; of all states, or 0 without gaussian columns */
  mn_covariance_type model;
  bool diagonal;
  mn_mixture_layout other;    /* the other blocks                                                   */
  double floor, prior;        /* reg_covar; emission_prior                                          */
  const double *pseudocounts; /* k x other.shown: prior counts of categories, or NULL               */
  size_t gaussian_size, size; /* doubles of parameters: of the gaussians, in all                 */
  size_t tables, *table;      /* doubles of categorical statistics in lanes; where those of a block begin */
  size_t stats;               /* doubles of statistics: gaussians, tables, the others state by state */
} mn_hmm_layout;

/* family, levels: of the columns, as from mn_mixture_choose_families. */
mn_status mn_hmm_make_layout(mn_context *ctx, size_t k, size_t mix, int64_t covariance_type, double reg_covar,
                             double prior, const mn_indexes *family, const mn_vector *levels, mn_hmm_layout *layout);

mn_gaussians mn_hmm_gaussians(const mn_hmm_layout *l, const double *parameters);

static inline double *mn_hmm_block(const mn_hmm_layout *l, const double *parameters, size_t state, size_t block)
{
  return (double *)(uintptr_t)parameters + l->gaussian_size + state * l->other.size + l->other.block[block].first;
}

/* Rows as passes read them. */
typedef struct mn_hmm_data {
  const mn_data *data;
  const double *x;        /* rows x g: the gaussian columns, 0 where a row is incomplete                   */
  int32_t *incomplete_of; /* rows: index among incomplete rows, or -1; NULL: all rows are complete         */
  mn_data incomplete;     /* their gaussian columns                                                        */
  mn_split_rows split;
  int32_t **code;       /* other.blocks: of categorical ones the code of each row: level; levels: missing;
                           levels + 1: unknown to fit; NULL of other blocks                              */
  const int32_t *label; /* rows: known state, or -1; or NULL                                             */
} mn_hmm_data;

mn_status mn_hmm_data_make(mn_context *ctx, const mn_hmm_layout *l, const mn_data *data, const int32_t *label,
                           mn_hmm_data *out);

/* Densities of rows under parameters, for one pass. */
typedef struct mn_hmm_densities {
  const mn_hmm_layout *l;
  const mn_hmm_data *data;
  const double *parameters;
  mn_gaussians gaussians;
  size_t c;                    /* lanes of components: mix w, component m of state k in m w + k       */
  double *mean, *root, *start; /* in lanes                                                            */
  double *incomplete;          /* incomplete rows x gaussians: log densities with log weights         */
  double **table;              /* other.blocks: of categorical ones levels + 2 rows of logarithms     */
  double *direct;              /* the same of the only block, as probabilities; or NULL               */
} mn_hmm_densities;

mn_status mn_hmm_densities_make(mn_context *ctx, const mn_hmm_layout *l, const mn_hmm_data *data,
                                const double *parameters, mn_hmm_densities *out);

/* Doubles of workspace of a task: of mn_hmm_log_densities and mn_hmm_add_emissions. */
size_t mn_hmm_emission_workspace(const mn_hmm_layout *l);

/* log p(row | state) of rows begin .. end-1: (end - begin) x w. */
void mn_hmm_log_densities(const mn_hmm_densities *d, size_t begin, size_t end, double *work, double *out);

/* Statistics of the emissions. `given`: weights of incomplete rows, incomplete rows x gaussians, set by
 * mn_hmm_add_emissions and read by mn_hmm_finish_sums. */
void mn_hmm_add_emissions(const mn_hmm_densities *d, size_t begin, size_t end, const double *gamma, double *work,
                          double *sums, double *given);

/* Of summed statistics: gaussians from lanes to mn_gaussian_sums in place, and the incomplete rows. */
mn_status mn_hmm_finish_sums(mn_context *ctx, const mn_hmm_densities *d, double *sums, const double *given);

/* The M step. *degenerate: a covariance is singular. */
mn_status mn_hmm_maximize_emissions(mn_context *ctx, const mn_hmm_layout *l, double *sums, double *parameters,
                                    bool *degenerate);

/* Derived values of parameters: roots of covariances and the like. */
mn_status mn_hmm_derive_emissions(mn_context *ctx, const mn_hmm_layout *l, double *parameters, bool *degenerate);

/* log Dirichlet prior of categorical columns, without constants. */
double mn_hmm_emission_log_prior(const mn_hmm_layout *l, const double *parameters);

#endif
