/* MixtureModel: components of any families, one for each column or group of columns. */
#ifndef MN_MIXTURE_MIXTURE_MODEL_H
#define MN_MIXTURE_MIXTURE_MODEL_H
#include "../em/em.h"
#include "../model/operation.h"
#include "mixture_family.h"

typedef struct mn_family_mixture {
  mn_estimator base;
  int64_t n_components, init_params, n_init, max_iter, seed; /* parameters */
  double tol, reg_covar;
  mn_feature_list family;
  mn_vector weights; /* learned fields: components */
  mn_matrix parameters;
  mn_indexes column_family; /* features: index in mn_mixture_families */
  mn_vector column_levels;  /* features: number of levels; 0 if not categorical */
  double loglik, aic, bic, icl;
  int64_t n_parameters;
} mn_family_mixture;

/* The blocks of a model, and workspace for one row. */
typedef struct mn_mixture_layout {
  mn_mixture_block *block;
  size_t blocks, k, p, shown, size, stats; /* per component: parameters, with derived values, statistics */
  const char *const *columns;              /* names */
} mn_mixture_layout;

/* The families of the columns, which `given` names, and the numbers of levels of categorical ones (0 of others). Empty
 * `given`: categorical for factors, gaussian for numbers. `param`: class and parameter, for messages. */
mn_status mn_mixture_choose_families(mn_context *ctx, const char *param, const mn_names *given, const mn_data *data,
                                     mn_indexes *column_family, mn_vector *column_levels);

/* MN_BAD_DATA for a value outside of the support of its family. */
mn_status mn_mixture_check_values(mn_context *ctx, const mn_mixture_layout *layout, const mn_data *data);

/* The blocks of columns whose family is not -1; k, p and columns of the layout are left as they are. */
mn_status mn_mixture_make_blocks(mn_context *ctx, const mn_indexes *family, const mn_vector *levels, double floor,
                                 mn_mixture_layout *layout);

/* From column_family and column_levels. */
mn_status mn_mixture_make_layout(mn_context *ctx, const mn_family_mixture *m, mn_mixture_layout *layout);

/* One pass over the rows. Outputs may be NULL. */
typedef struct mn_mixture_pass {
  const mn_mixture_layout *layout;
  const mn_data *data;
  const double *log_weight, *t; /* k; k x size */
  const int32_t *label;         /* rows: instead of the E step, the component of each row */
  double *sums;                 /* out: k x (1 + blocks + stats), then log likelihood and log hard responsibility */
  double *log_density;          /* out: rows     */
  double *log_responsibility;   /* out: rows x k */
} mn_mixture_pass;

size_t mn_mixture_sums_size(const mn_mixture_layout *layout);
mn_status mn_mixture_run_pass(mn_context *ctx, const mn_mixture_pass *pass);

mn_status mn_mixture_model_fit(mn_context *ctx, void *self, const mn_data *data);

/* Parameters with derived values, k x size, and logarithms of the weights, in scratch. */
mn_status mn_mixture_view(mn_context *ctx, const mn_family_mixture *m, mn_mixture_layout *layout, double **t,
                          double **log_weight);
#endif
