/* Code shared by imputers: statistics of columns, columns without values, and indicators of missing values. */
#ifndef MN_IMPUTE_IMPUTER_H
#define MN_IMPUTE_IMPUTER_H
#include "indicator.h"

/* The struct of an imputer begins with this. */
typedef struct mn_imputer {
  mn_estimator base;
  double missing_values; /* parameters */
  bool add_indicator, keep_empty_features;
  mn_indexes indicator_features; /* learned */
} mn_imputer;

/* Its parameters and learned fields. */
#define MN_ADD_INDICATOR                                                                                               \
  MN_FLAG(mn_imputer, add_indicator, false, "add an indicator column for each column with missing values in fit")
#define MN_KEEP_EMPTY(text) MN_FLAG(mn_imputer, keep_empty_features, false, (text))
#define MN_INDICATOR_FIELD                                                                                             \
  MN_INDEXES(mn_imputer, indicator_features, "indicators? < features", "columns with an indicator")

typedef enum mn_fill { MN_FILL_MEAN, MN_FILL_MEDIAN, MN_FILL_MOST_FREQUENT, MN_FILL_CONSTANT } mn_fill;
extern const char *const mn_fills[]; /* their names */

/* Statistics of the columns of `data`, whose missing values are NaN. */
typedef struct mn_column_fill {
  double *value;   /* features: mean, median or most frequent value (a code for a factor column); not for CONSTANT */
  double *missing; /* features: more than 0 if values are missing */
  bool *empty;     /* features: no values */
} mn_column_fill;

mn_status mn_summarize_columns(mn_context *ctx, const mn_data *data, mn_fill strategy, mn_column_fill *out);

/* MN_BAD_DATA, with the name of the column, if a column is empty and keep_empty_features is not set. */
mn_status mn_imputer_refuse_empty(mn_context *ctx, const mn_imputer *m, const mn_column_fill *columns);

/* Set indicator_features, if the indicators are wanted. */
mn_status mn_imputer_learn_flags(mn_context *ctx, mn_imputer *m, const mn_column_fill *columns);

/* The features, then the indicators. */
size_t mn_imputer_outputs(const void *self);
bool mn_imputer_outputs_whole(const void *self, size_t j); /* the indicators */
void mn_imputer_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size);

#endif
