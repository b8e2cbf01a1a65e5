/* The estimator contract.
 *
 * An estimator is a struct that begins with mn_estimator, and a constant mn_class, the class table, that describes the
 * struct. Construction, range checks, clone, learned fields, printing, save and load, freeing, help, editor
 * annotations, the manual and the conformance specs are all derived from the class table. The file of an algorithm
 * contains its mathematics and its tables only. */
#ifndef MN_MODEL_CLASS_H
#define MN_MODEL_CLASS_H
#include "../core/levels.h"
#include "../core/matrix.h"
#include "../core/text_buffer.h"
#include "data.h"
#include "../archive/value.h"
#include <float.h>
#include <math.h>

typedef struct mn_class mn_class;
typedef struct mn_program mn_program; /* program.h */

/* What an estimator does; several may hold. */
enum mn_capability {
  MN_REGRESS = 1 << 0,            /* y are real numbers                                                         */
  MN_CLASSIFY = 1 << 1,           /* y are labels, which reach fit as codes 0..k-1                              */
  MN_CLUSTER = 1 << 2,            /* no y; predict returns cluster codes, 0-based, -1 for noise                 */
  MN_TRANSFORM = 1 << 3,          /* has transform                                                              */
  MN_OUTLIERS = 1 << 4,           /* decision is higher for outliers; predict returns 1 for an outlier, else 0  */
  MN_DENSITY = 1 << 5,            /* score_samples is a log density                                             */
  MN_ITERATE = 1 << 6,            /* fills base.report; has the parameter max_iter                              */
  MN_RANDOM = 1 << 7,             /* has the parameter seed, which may change the result                        */
  MN_ADDITIVE = 1 << 8,           /* partial_fit on batches gives the same as fit on all their rows             */
  MN_NOISY_OBJECTIVE = 1 << 9,    /* the objective of an iteration is an estimate, which may increase           */
  MN_SCALE_EQUIVARIANT = 1 << 10, /* by default: scaling X by powers of two changes only what has units of X    */
  MN_RANK = 1 << 11,      /* learning to rank: scores order the rows of each query; needs MN_Y_REALS, MN_LENGTHS */
  MN_IGNORES_X = 1 << 12, /* a baseline, whose predictions do not depend on X                        */
  MN_APPROXIMATE_INVERSE = 1 << 13, /* transform of inverse_transform may give other values */
  MN_FINE_CLUSTERS = 1 << 14        /* a clusterer with many small clusters, which may be empty, such as a map  */
};

/* What an estimator accepts. The entry points refuse everything else with a clear message. */
enum mn_accepts {
  MN_WEIGHTS = 1 << 0,        /* sample weights: weight 0 = row removed, weight k = row repeated k times     */
  MN_SPARSE = 1 << 1,         /* sparse X: data->sparse instead of data->x                                   */
  MN_MULTITARGET = 1 << 2,    /* y with several columns                                                      */
  MN_MISSING = 1 << 3,        /* NaN in X                                                                    */
  MN_FACTORS = 1 << 4,        /* factor columns in X, as codes with data->levels                             */
  MN_NON_NEGATIVE = 1 << 5,   /* X must be >= 0                                                              */
  MN_CLASS_WEIGHT = 1 << 6,   /* has the parameter class_weight, which is multiplied into the sample weights */
  MN_BINARY_ONLY = 1 << 7,    /* at most two classes                                                         */
  MN_LENGTHS = 1 << 8,        /* rows form sequences or groups                                               */
  MN_TARGET_X = 1 << 9,       /* a second X: domain adaptation                                               */
  MN_SQUARE = 1 << 10,        /* X is a precomputed kernel or distance matrix                                */
  MN_STATELESS = 1 << 11,     /* transform works without fit                                                 */
  MN_Y_REALS = 1 << 12,       /* a transformer that needs y as real numbers                                  */
  MN_Y_LABELS = 1 << 13,      /* a transformer that needs y as labels                                        */
  MN_Y_OPTIONAL = 1 << 14,    /* y may be omitted                                                            */
  MN_INFINITE = 1 << 15,      /* infinities in X                                                             */
  MN_JOINT_TARGETS = 1 << 16, /* targets are fitted jointly: each alone may give another result              */
  MN_ONE_COLUMN = 1 << 17,    /* X must have exactly one column                                              */
  MN_WEIGHTS_SCALE = 1 << 18, /* with MN_WEIGHTS: a weight scales the effect of a row instead of repeating it; weight
                                 0 = row removed and weights 1 = no weights hold as always                   */
  MN_INIT_SCORE = 1 << 19,    /* raw predictions to start from, which are not learned                        */
  MN_NO_COLUMNS = 1 << 20,    /* X without columns: fit learns the intercept                                 */
  MN_Y_COUNTS = 1 << 21,      /* y with two columns that are one target: numbers of successes and failures   */
  MN_WEIGHTS_RATIO = 1 << 22, /* with MN_WEIGHTS: very large or small weights may be rescaled, as only their ratios
                                 matter; then products of several of them stay representable                 */
  MN_EVAL = 1 << 23,          /* an evaluation set, which decides when to stop                               */
  MN_FOLDS = 1 << 24,         /* folds of its cross-validation                                               */
  MN_Y_CLASSES = 1 << 25,     /* with reals and labels: labels of any number of classes reach fit as codes   */
  MN_TEXTS = 1 << 26,         /* X is one factor column of texts, one a row; its levels are not learned      */
  MN_RECORDS = 1 << 27,       /* rows of named values (named_value.h): with MN_TEXTS as texts; without, X is either
                                 these (data->records) or columns                                            */
  MN_UNLABELLED = 1 << 28     /* y with missing labels, which reach fit as the code -1                       */
};

/* A parameter: what the user sets. `offset` is its place in the struct, `kind` the type there. */
typedef struct mn_param {
  const char *name;
  mn_kind kind; /* REAL, COUNT, FLAG, CHOICE, VECTOR, MATRIX, TEXT, GROUPS or of columns */
  size_t offset;
  double initial;             /* default; NaN for a REAL or MN_UNSET for a COUNT means unset, nil in Lua  */
  double low, high;           /* range of a REAL or COUNT, or of the elements of a VECTOR, MATRIX, GROUPS */
  bool open_low, open_high;   /* the bound itself is excluded                                             */
  const char *const *choices; /* CHOICE: names, NULL-terminated; the struct holds the index as int64_t.
                                 COLUMNS of words: single strings that are accepted in place of a list */
  bool penalty;               /* shown when the model is printed, also at its default unless that is 0    */
  bool labels;    /* of a VECTOR: Lua may give labels or a Factor, which become their codes; of COLUMNS: labels of y */
  bool or_number; /* of a VECTOR: a number is a vector of one value */
  bool missing;   /* of a VECTOR: NaN is a missing value */
  bool words;     /* of COLUMNS: strings; a string is a list of one */
  bool pairs;     /* of a MATRIX: a Sparse matrix becomes the positions of its values, a row and a column from 1 */
  const char *brief;
} mn_param;

/* A learned field: what fit computes.
 *
 * `shape` names its dimensions, e.g. "targets x features". The words features, targets, classes and decisions (1 for
 * two classes, else classes) are predefined; any other word is bound by its first use. Archives are checked against the
 * shapes when they are loaded. Lua shows a field whose only variable dimension is "targets" as a number or Vector if
 * there is one target.
 *
 * An INDEXES field names its exclusive upper bound after "<": "rows < clusters". If -1 is allowed, " or -1" follows; a
 * bound with a question mark may be a dimension that is absent: "rows < clusters? or -1". Dimensions with a question
 * mark, "classes? x features?", mark a field that may be absent: not allocated, and empty in Lua. */
typedef struct mn_field {
  const char *name;
  mn_kind kind;
  size_t offset;
  const char *shape;
  const char *brief; /* NULL: internal, not shown in Lua                                           */
  bool derived;      /* not saved in archives: .derive recomputes it after loading                 */
  bool optional;     /* of a REAL: NaN means unknown, which is nil in Lua and omitted from archives */
} mn_field;

/* Ranges of parameters. */
#define MN_NO_LIMITS() .low = -INFINITY, .high = INFINITY, .open_low = true, .open_high = true
#define MN_AT_LEAST(a) .low = (a), .high = INFINITY, .open_high = true
#define MN_GREATER_THAN(a) .low = (a), .high = INFINITY, .open_low = true, .open_high = true
#define MN_CLOSED(a, b) .low = (a), .high = (b) /* both ends included */
#define MN_OPEN(a, b) .low = (a), .high = (b), .open_low = true, .open_high = true
#define MN_LEFT_OPEN(a, b) .low = (a), .high = (b), .open_low = true

#define MN_REAL(type, member, start, range, text)                                                                      \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_REAL, .offset = offsetof(type, member), .initial = (start), range,                \
    .brief = (text)                                                                                                    \
  }
/* A REAL that is also printed at its default, unless that is 0, so that users see the shrinkage. */
#define MN_PENALTY(type, member, start, range, text)                                                                   \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_REAL, .offset = offsetof(type, member), .initial = (start), range,                \
    .penalty = true, .brief = (text)                                                                                   \
  }
#define MN_COUNT(type, member, start, range, text)                                                                     \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_COUNT, .offset = offsetof(type, member), .initial = (double)(start), range,       \
    .brief = (text)                                                                                                    \
  }
#define MN_FLAG(type, member, start, text)                                                                             \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_FLAG, .offset = offsetof(type, member), .initial = (start), .high = 1,            \
    .brief = (text)                                                                                                    \
  }
#define MN_CHOICE(type, member, start, names, text)                                                                    \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_CHOICE, .offset = offsetof(type, member), .initial = (start), .choices = (names), \
    .brief = (text)                                                                                                    \
  }
#define MN_REALS(type, member, range, text)                                                                            \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_VECTOR, .offset = offsetof(type, member), .initial = (double)NAN, range,          \
    .brief = (text)                                                                                                    \
  }
/* A row of X, in which NaN is a missing value. */
#define MN_OBSERVATION(type, member, text)                                                                             \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_VECTOR, .offset = offsetof(type, member), .initial = (double)NAN, MN_NO_LIMITS(), \
    .missing = true, .brief = (text)                                                                                   \
  }
/* A label for each row: the struct holds codes. */
#define MN_ROW_LABELS(type, member, text)                                                                              \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_VECTOR, .offset = offsetof(type, member), .initial = (double)NAN, MN_NO_LIMITS(), \
    .labels = true, .brief = (text)                                                                                    \
  }
#define MN_NUMBER_OR_REALS(type, member, range, text)                                                                  \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_VECTOR, .offset = offsetof(type, member), .initial = (double)NAN, range,          \
    .or_number = true, .brief = (text)                                                                                 \
  }
#define MN_TABLE(type, member, range, text)                                                                            \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_MATRIX, .offset = offsetof(type, member), .initial = (double)NAN, range,          \
    .brief = (text)                                                                                                    \
  }
/* Groups of columns: lists of column numbers or names, or a matrix of 0 and 1, groups x features. */
#define MN_GROUPS(type, member, text)                                                                                  \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_GROUPS, .offset = offsetof(type, member), .initial = (double)NAN,                 \
    MN_CLOSED(0, 1), .brief = (text)                                                                                   \
  }
/* A column of X, by number or name; columns; a number for each column, or a table from name to number. */
#define MN_COLUMN(type, member, start, text)                                                                           \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_COLUMN, .offset = offsetof(type, member), .initial = (start), MN_AT_LEAST(1),     \
    .brief = (text)                                                                                                    \
  }
#define MN_COLUMNS(type, member, text)                                                                                 \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_COLUMNS, .offset = offsetof(type, member), .initial = (double)NAN,                \
    MN_AT_LEAST(1), .brief = (text)                                                                                    \
  }
#define MN_COLUMN_VALUES(type, member, range, text)                                                                    \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_COLUMN_VALUES, .offset = offsetof(type, member), .initial = (double)NAN, range,   \
    .brief = (text)                                                                                                    \
  }
#define MN_STRING(type, member, text)                                                                                  \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_TEXT, .offset = offsetof(type, member), MN_NO_LIMITS(), .brief = (text)           \
  }
#define MN_SEED(type, member)                                                                                          \
  MN_COUNT(type, member, 0, MN_CLOSED(0, 9007199254740991.0), "random seed; the same seed gives the same result")
#define MN_END                                                                                                         \
  {                                                                                                                    \
    .name = NULL                                                                                                       \
  }

/* The value of an unset COUNT, and of an unset REAL (test with isnan). */
#define MN_UNSET INT64_MIN
#define MN_UNSET_REAL ((double)NAN)

#define MN_LEARNED(kind_, type, member, shape_, text)                                                                  \
  {                                                                                                                    \
    .name = #member, .kind = (kind_), .offset = offsetof(type, member), .shape = (shape_), .brief = (text)             \
  }
#define MN_DERIVED(kind_, type, member)                                                                                \
  {                                                                                                                    \
    .name = #member, .kind = (kind_), .offset = offsetof(type, member), .shape = "", .derived = true                   \
  }
/* A derived number that Lua shows; MN_UNSET is nil. */
#define MN_DERIVED_INTEGER(type, member_, text)                                                                        \
  {                                                                                                                    \
    .name = #member_, .kind = MN_KIND_COUNT, .offset = offsetof(type, member_), .shape = "", .brief = (text),          \
    .derived = true                                                                                                    \
  }
#define MN_MATRIX(type, member, shape, text) MN_LEARNED(MN_KIND_MATRIX, type, member, shape, text)
#define MN_VECTOR(type, member, shape, text) MN_LEARNED(MN_KIND_VECTOR, type, member, shape, text)
#define MN_INDEXES(type, member, shape, text) MN_LEARNED(MN_KIND_INDEXES, type, member, shape, text)
#define MN_NUMBER(type, member, text) MN_LEARNED(MN_KIND_REAL, type, member, "", text)
#define MN_OPTIONAL_NUMBER(type, member_, text)                                                                        \
  {                                                                                                                    \
    .name = #member_, .kind = MN_KIND_REAL, .offset = offsetof(type, member_), .shape = "", .brief = (text),           \
    .optional = true                                                                                                   \
  }
#define MN_INTEGER(type, member, text) MN_LEARNED(MN_KIND_COUNT, type, member, "", text)
#define MN_LEVELS(type, member, shape, text) MN_LEARNED(MN_KIND_LEVELS, type, member, shape, text)

/* How an iterative fit ended. Reaching max_iter is not an error: the result is kept, `converged` is false, and the
 * binding warns with `advice`. */
typedef struct mn_report {
  int64_t n_iter;     /* iterations done, >= 1                                                     */
  bool converged;     /* the stopping test held                                                    */
  double objective;   /* its value at the result                                                   */
  double change;      /* what the stopping test compares with tol. NaN after partial_fit, which has no test; then
                         converged is nil in Lua                                                   */
  const char *advice; /* e.g. "raise max_iter, or scale the columns"; constant. NULL: no warning, because max_iter is
                         a number to reach (trees of boosting)                                     */
  const char *scaled_advice; /* replaces advice if the columns of X have similar scales already; or NULL */
  mn_vector trace;           /* objective after each iteration                                            */
  size_t trace_capacity;     /* of trace.at                                                               */
} mn_report;

/* The parameter class_weight of classifiers. */
typedef struct mn_class_weight {
  bool balanced;           /* factor W / (k W_c): W sum of weights, k classes, W_c sum of weights of class c */
  const mn_levels *labels; /* the labels that have a factor, or NULL                                         */
  mn_vector weight;        /* their factors                                                                  */
} mn_class_weight;

/* The common fields of every estimator, all of them learned except `class` and `class_weight`. */
typedef struct mn_estimator {
  const mn_class *class;
  mn_class_weight class_weight;
  bool fitted;
  size_t n_features, n_targets;
  bool one_target;               /* y was a vector, so predictions are vectors; of a classifier: y was numbers, so
                                    predicted labels are                             */
  mn_names feature_names;        /* empty: X had no names                            */
  mn_levels_list feature_levels; /* levels of the factor columns of X; empty: none   */
  const mn_levels *classes;      /* of a classifier                                  */
  struct mn_estimator *settings; /* unfitted: the parameters that were set after the fit, for the next one, while this
                                    struct keeps those of the fit. NULL: the same       */
  mn_report report;
} mn_estimator;

/* Record one iteration in the report (n_iter, objective, trace) and report progress. False: leave the loop; the entry
 * point decides whether the result is kept. */
bool mn_round(mn_context *ctx, mn_report *report, int64_t max_iter, double objective);

/* Record only, for an iteration whose solver has reported progress itself. False: no memory. */
bool mn_record_round(mn_context *ctx, mn_report *report, double objective);

/* Columns of decision_function: 1 for two classes, else the number of classes. */
size_t mn_decisions(const mn_estimator *model);

/* What a fitted model can do with X. */
typedef enum mn_action {
  MN_PREDICT,
  MN_PREDICT_PROBA,
  MN_PREDICT_LOG_PROBA,
  MN_DECISION_FUNCTION,
  MN_TRANSFORM_X,
  MN_INVERSE_TRANSFORM,
  MN_SCORE_SAMPLES,
  MN_ACTIONS
} mn_action;

/* An operation of one estimator only, called as model:name(X, options) from Lua: operation.h. */
typedef struct mn_operation mn_operation;

/* fit and partial_fit: `data` has been checked, `self` is a copy of the user's model. */
typedef mn_status (*mn_fit_function)(mn_context *ctx, void *self, const mn_data *data);

/* predict, transform, ...: `data` has been checked; `out` has the right shape and is zeroed. */
typedef mn_status (*mn_apply_function)(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);

struct mn_class {
  const char *name, *family;
  const char *brief;                /* one line, at most 80 characters                                    */
  const char *objective;            /* what is minimized, or the formula of the model; may be NULL        */
  const char *source;               /* paper or book                                                      */
  const char *notes;                /* at most 80 words for the help; may be NULL                         */
  const char *example;              /* Lua code that runs as it is, with the module as `ml`               */
  const char *missing_alternatives; /* without MN_MISSING: estimators that accept missing values, for the message */
  unsigned capabilities, accepts;
  size_t size; /* of the struct */
  const mn_param *params;
  const mn_field *fields;
  const mn_operation *operations; /* ends with a NULL name; may be NULL */

  mn_fit_function fit;
  mn_fit_function partial_fit; /* may be NULL */

  /* Fit selves[0..n-1], which have the same parameters, each to a subset of the rows of X, with all of X in few passes
   * and without copies of rows; data->weights is NULL. Sets done[s] where it did; the result then agrees with that of
   * fit on these rows within the tolerance of fit, and depends on them only. The others are left to fit. May be NULL.
   */
  mn_status (*fit_subsets)(mn_context *ctx, mn_estimator *const *selves, const mn_row_list *subset, size_t n,
                           const mn_data *data, bool *done);

  /* Append what the user is warned of after a fit that converged, without the name of the class; nothing: no warning.
   * May be NULL. */
  void (*warning)(const void *self, mn_text_buffer *text);

  /* partial_fit of a single row, for models that are expensive to copy. `self` is the user's fitted model itself: all
   * that can fail comes first, and an error leaves it unchanged. NULL: partial_fit works on a copy. */
  mn_fit_function update;

  /* Whether fit continues from the learned state (warm_start). Then fit receives a copy of the fitted model with
   * base.fitted set, and X and y that match it. NULL: never. */
  bool (*can_resume)(const void *self);

  /* Whether y are reals or labels (MN_Y_REALS, MN_Y_LABELS) if a parameter decides. Both: either is accepted, and
   * labels of two classes reach fit as reals, 1 for the second class; with MN_Y_COUNTS y may have two columns. NULL: as
   * `capabilities` and `accepts` say. */
  unsigned (*target_kind)(const void *self);

  mn_apply_function predict;   /* rows x targets, or rows x 1 codes. May be NULL for a classifier with one of the next
                                  two: the class with the largest value is predicted      */
  mn_apply_function log_proba; /* rows x classes, normalized: the logsumexp of each row is 0 */
  mn_apply_function decision;  /* rows x decisions                                           */

  /* Columns of log_proba of a clusterer: its components. NULL: not a clusterer with probabilities. */
  size_t (*components)(const void *self);

  /* Whether the parameters allow an action that has a function here. NULL: always. */
  bool (*supports)(const void *self, mn_action action);
  const char *supports_when; /* the setting that allows them, "probability = true", for messages; may be NULL */

  mn_apply_function transform;         /* rows x outputs(self)                                           */
  mn_apply_function inverse_transform; /* rows x features; X has outputs(self) columns                   */
  bool overwrites;                     /* both write every value of `out`, so it is not zeroed for them  */
  mn_apply_function score_samples;     /* rows x 1                                                       */

  /* transform with sparse output: initializes `out`. It is used if outputs_sparse is NULL or returns true. */
  mn_status (*transform_sparse)(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out);
  bool (*outputs_sparse)(const void *self);
  bool keeps_sparse; /* transform_sparse is used for sparse X only */

  /* The features of the training rows, if they must differ from transform because transform uses y: cross-fitted, so
   * that the features of a row do not depend on its own y; or if fit has found them, and transform approximates them
   * for new rows. `self` is fitted to `data`; `out` as for transform. Used by fit_transform and by the steps of
   * compositions. NULL: transform. */
  mn_apply_function training_transform;

  /* Other rows for the steps after this one in fit: fewer, repeated or new ones. `self` is fitted to `data`; `out` is
   * in scratch. All other actions leave rows as they are, and transform leaves X as it is. NULL: none. */
  mn_status (*resample)(mn_context *ctx, const void *self, const mn_data *data, mn_resampled *out);
  bool resamples_sparse; /* resample receives sparse X as it is; otherwise as a dense copy */

  /* Columns of transform. NULL: as many as features. */
  size_t (*outputs)(const void *self);

  /* Levels of output column j of transform, whose values are then codes (0.., or NaN or -1 for missing); NULL for
   * numbers. The binding returns a Frame if a column has levels. May be NULL. */
  const mn_levels *(*output_levels)(const void *self, size_t j);

  /* Whether output column j of transform contains whole numbers by definition: counts, codes, 0 and 1. A Frame shows
   * them without a decimal point. NULL: no column. */
  bool (*outputs_whole)(const void *self, size_t j);

  /* Name of output column j. NULL: the name of feature j if outputs is NULL, else "<class><j>". */
  void (*output_name)(const void *self, size_t j, const char *const *inputs, char *text, size_t size);

  /* Describe an action of the fitted model for one row, for exported programs: program.h. The action is PREDICT (for
   * classifiers instead PREDICT_LOG_PROBA or DECISION_FUNCTION), TRANSFORM_X, INVERSE_TRANSFORM or SCORE_SAMPLES; one
   * that is left without code is not exported. */
  mn_status (*export)(mn_context *ctx, const void *self, mn_action action, mn_program *program);
  double export_tolerance; /* relative difference of its results, if the model adds in another order; 0: none */

  mn_status (*sample)(mn_context *ctx, const void *self, int64_t seed, mn_matrix *out); /* out->rows samples */
  mn_status (*check)(mn_context *ctx, const void *self); /* after loading: what shapes cannot express; may be NULL */
  mn_status (*derive)(mn_context *ctx, void *self);      /* after check: computes the derived fields; may be NULL  */
};

/* Members of a class table: a transformation and its inverse, both of which write every value of `out`. */
#define MN_TRANSFORM_PAIR(transform_, inverse_)                                                                        \
  .transform = (transform_), .inverse_transform = (inverse_), .overwrites = true

/* For `outputs_whole`: all columns. */
static inline bool mn_all_outputs_whole(const void *self, size_t j)
{
  (void)self, (void)j;
  return true;
}

/* Members of a class table: fit is partial_fit on a new struct. */
#define MN_FIT_IN_BATCHES(partial_fit_) .fit = (partial_fit_), .partial_fit = (partial_fit_)

#endif
