/* Code shared by all resamplers: the desired number of rows of each class, and a transform that returns X unchanged. */
#ifndef MN_RESAMPLE_RESAMPLER_H
#define MN_RESAMPLE_RESAMPLER_H
#include "../model/class.h"

typedef struct mn_resampler {
  mn_estimator base;
  int64_t sampling_strategy; /* mn_oversampling or mn_undersampling */
  double ratio;
  mn_feature_list counts;
  mn_vector class_counts, target_counts; /* learned: rows of each class, desired rows */
} mn_resampler;

extern const char *const mn_oversampling_names[], *const mn_undersampling_names[];

#define MN_OVERSAMPLER_PARAMS(type)                                                                                    \
  { .name = "sampling_strategy",                                                                                       \
    .kind = MN_KIND_CHOICE,                                                                                            \
    .offset = offsetof(type, resampler.sampling_strategy),                                                             \
    .choices = mn_oversampling_names,                                                                                  \
    .brief = "classes to resample to the size of the largest class; auto: not majority" },                             \
      MN_RESAMPLER_COUNTS(type)
#define MN_UNDERSAMPLER_PARAMS(type)                                                                                   \
  { .name = "sampling_strategy",                                                                                       \
    .kind = MN_KIND_CHOICE,                                                                                            \
    .offset = offsetof(type, resampler.sampling_strategy),                                                             \
    .choices = mn_undersampling_names,                                                                                 \
    .brief = "classes to reduce to the size of the smallest class; auto: not minority" },                              \
      MN_RESAMPLER_COUNTS(type)
/* A cleaner removes rows because of their neighbors; the data determine how many. */
#define MN_CLEANER_PARAM(type)                                                                                         \
  {                                                                                                                    \
    .name = "sampling_strategy", .kind = MN_KIND_CHOICE, .offset = offsetof(type, resampler.sampling_strategy),        \
    .choices = mn_undersampling_names, .brief = "classes that may lose rows; auto: not minority"                       \
  }
/* Alternatives to sampling_strategy: the desired numbers of rows. */
#define MN_RESAMPLER_COUNTS(type)                                                                                                                    \
  { .name = "ratio",                                                                                                                                 \
    .kind = MN_KIND_REAL,                                                                                                                            \
    .offset = offsetof(type, resampler.ratio),                                                                                                       \
    .initial = MN_UNSET_REAL,                                                                                                                        \
    MN_LEFT_OPEN(0, 1),                                                                                                                              \
    .brief =                                                                                                                                         \
        "for two classes: desired rows of the smaller class / rows of the larger one; nil: use sampling_strategy" },                                 \
  {                                                                                                                                                  \
    .name = "counts", .kind = MN_KIND_COLUMN_VALUES, .offset = offsetof(type, resampler.counts),                                                     \
    .initial = (double)NAN, MN_AT_LEAST(0), .labels = true,                                                                                          \
    .brief =                                                                                                                                         \
        "desired rows of each class: by label, as in { b = 40 }, other classes keeping theirs, or a list in class order; nil: use sampling_strategy" \
  }
#define MN_RESAMPLER_FIELDS(type)                                                                                      \
  { .name = "class_counts",                                                                                            \
    .kind = MN_KIND_VECTOR,                                                                                            \
    .offset = offsetof(type, resampler.class_counts),                                                                  \
    .shape = "classes",                                                                                                \
    .brief = "rows of each class in fit" },                                                                            \
  {                                                                                                                    \
    .name = "target_counts", .kind = MN_KIND_VECTOR, .offset = offsetof(type, resampler.target_counts),                \
    .shape = "classes", .brief = "desired rows of each class"                                                          \
  }

#define MN_CLEANER_FIELD(type)                                                                                         \
  {                                                                                                                    \
    .name = "class_counts", .kind = MN_KIND_VECTOR, .offset = offsetof(type, resampler.class_counts),                  \
    .shape = "classes", .brief = "rows of each class in fit"                                                           \
  }

/* fit: counts the rows of each class and computes the desired numbers, which an oversampler does not let decrease and
 * an undersampler does not let increase: MN_BAD_DATA. A cleaner only counts. */
mn_status mn_oversampler_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_undersampler_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_cleaner_fit(mn_context *ctx, void *self, const mn_data *data);

/* The class with the fewest rows; ties are broken by the order of the classes. */
size_t mn_smallest_class(const mn_resampler *m);

/* Whether a cleaner may remove rows of class c. counts: the rows that each class has. */
bool mn_may_lose_rows(const mn_resampler *m, const double *counts, size_t c);

/* transform: returns X unchanged. */
mn_status mn_resampler_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
mn_status mn_resampler_transform_sparse(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out);
mn_status mn_resampler_export(mn_context *ctx, const void *self, mn_action action, mn_program *program);
const mn_levels *mn_resampler_output_levels(const void *self, size_t j);

/* The rows of class c, ascending: *row (scratch) and their number. */
mn_status mn_rows_of_class(mn_context *ctx, const mn_data *data, size_t c, size_t **row, size_t *n);

/* The label of class c, for a message. */
const char *mn_class_text(const mn_resampler *m, size_t c, char *text, size_t size);

/* Result of a resampler that only removes rows. */
mn_status mn_keep_rows(mn_context *ctx, const mn_data *data, const bool *keep, mn_resampled *out);

/* The same for a cleaner; MN_BAD_DATA if a class loses all rows. */
mn_status mn_keep_cleaned(mn_context *ctx, const mn_resampler *m, const mn_data *data, const bool *keep,
                          mn_resampled *out);

/* Begin a result with all rows of data and memory for `more` rows: synthetic ones if `made`, else repeated ones. */
mn_status mn_begin_more_rows(mn_context *ctx, const mn_data *data, size_t more, bool made, mn_resampled *out);

/* Add a synthetic row with the y and weight of row `source`; returns its features, which the caller writes. */
double *mn_add_row(mn_resampled *out, size_t source);

/* The number of rows that an oversampler adds. */
size_t mn_missing_rows(const mn_resampler *m);

/* out = a + u (b - a) for p columns; rounding never leaves the interval from a to b. */
void mn_interpolate(const double *a, const double *b, size_t p, double u, double *out);

/* Rows between two checks for cancellation. */
enum { MN_POLL_ROWS = 1024 };

/* Begins the notes of every resampler. */
#define MN_RESAMPLER_NOTE                                                                                              \
  "In a pipeline, the following steps learn from the resampled rows; predict, transform and score do not resample. "   \
  "fit_resample returns the resampled X and y. "

/* Members of the class table. */
#define MN_RESAMPLER_CLASS                                                                                             \
  .family = "resample", .transform = mn_resampler_transform, .transform_sparse = mn_resampler_transform_sparse,        \
  .keeps_sparse = true, .output_levels = mn_resampler_output_levels, .overwrites = true, .export = mn_resampler_export

#endif
