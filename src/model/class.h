/* The estimator contract.
 *
 * An estimator is a struct that begins with mn_estimator, and a constant mn_class that tells everybody else what is in
 * that struct. From the class alone come construction and range checks, clone, learned attributes, printing, save and
 * load, release of memory, help, annotations, the manual and the conformance specs. The algorithm file holds the
 * mathematics and its tables, nothing else. */
#ifndef MN_MODEL_CLASS_H
#define MN_MODEL_CLASS_H
#include "../core/levels.h"
#include "../core/matrix.h"
#include "data.h"
#include "value.h"
#include <float.h>
#include <math.h>

typedef struct mn_class mn_class;
typedef struct mn_program mn_program; /* program.h */

/* What an estimator is for (several may hold). */
enum mn_capability {
  MN_REGRESS = 1 << 0,            /* y are reals                                                          */
  MN_CLASSIFY = 1 << 1,           /* y are labels, encoded to 0..k-1 by the front door                    */
  MN_CLUSTER = 1 << 2,            /* no y; predict gives cluster codes, 0-based, -1 noise                 */
  MN_TRANSFORM = 1 << 3,          /* has transform                                                        */
  MN_OUTLIERS = 1 << 4,           /* decision: higher = stranger; predict 1 for an outlier, 0 for the rest */
  MN_DENSITY = 1 << 5,            /* score_samples is a log density                                       */
  MN_ITERATE = 1 << 6,            /* fills base.report; has max_iter                                      */
  MN_RANDOM = 1 << 7,             /* uses `seed`: another seed may give another result                    */
  MN_ADDITIVE = 1 << 8,           /* partial_fit on batches gives what fit gives on all their rows        */
  MN_NOISY_OBJECTIVE = 1 << 9,    /* the objective of a round is an estimate, which need not fall         */
  MN_SCALE_EQUIVARIANT = 1 << 10, /* by default, X in other units gives the same, or what is in them, alike */
  MN_RANK = 1 << 11 /* predict gives scores that order the rows of each query; takes MN_Y_REALS, MN_LENGTHS */
};

/* What it can be given. Whatever is not named is refused by the front door with a clear text. */
enum mn_accepts {
  MN_WEIGHTS = 1 << 0,        /* weight 0 = row removed, weight k = row repeated k times         */
  MN_SPARSE = 1 << 1,         /* data->sparse instead of data->x                                 */
  MN_MULTITARGET = 1 << 2,    /* y with several columns                                          */
  MN_MISSING = 1 << 3,        /* NaN in x                                                        */
  MN_FACTORS = 1 << 4,        /* factor columns, as codes with data->levels                      */
  MN_NON_NEGATIVE = 1 << 5,   /* x must be >= 0                                                  */
  MN_CLASS_WEIGHT = 1 << 6,   /* has the parameter class_weight; the front door multiplies it in */
  MN_BINARY_ONLY = 1 << 7,    /* two classes, no more                                            */
  MN_LENGTHS = 1 << 8,        /* rows form sequences or groups                                   */
  MN_TARGET_X = 1 << 9,       /* a second x: domain adaptation                                   */
  MN_SQUARE = 1 << 10,        /* x is a precomputed kernel or distance matrix                    */
  MN_STATELESS = 1 << 11,     /* transform works without fit                                     */
  MN_Y_REALS = 1 << 12,       /* a transformer that needs y as reals                             */
  MN_Y_LABELS = 1 << 13,      /* a transformer that needs y as labels                            */
  MN_Y_OPTIONAL = 1 << 14,    /* y may be left out                                               */
  MN_INFINITE = 1 << 15,      /* infinities in x                                                 */
  MN_JOINT_TARGETS = 1 << 16, /* targets are fitted together: one alone may give something else */
  MN_ONE_COLUMN = 1 << 17,    /* x has one column, no more */
  MN_INIT_SCORE = 1 << 19,    /* raw predictions to begin with, which are not learned            */
  MN_NO_COLUMNS = 1 << 20,    /* x without columns: what fit learns is the constant              */
  MN_Y_COUNTS = 1 << 21,      /* y of two columns, one target: numbers of successes, and of failures */
  MN_WEIGHTS_RATIO = 1 << 22, /* with MN_WEIGHTS: of very large or small ones only the ratios matter, and the front door
                                 moves them to where products of several of them are numbers */
  MN_WEIGHTS_SCALE = 1 << 18  /* with MN_WEIGHTS: a weight scales what a row does instead of counting rows. Weight 0 is
                                 still no row and weights of 1 are no weights, but weight k is not the row k times  */
};

/* A parameter: what the user sets. `offset` is where it lies in the struct, `kind` what lies there. */
typedef struct mn_param {
  const char *name;
  mn_kind kind; /* REAL, COUNT, FLAG, CHOICE, VECTOR, MATRIX, TEXT or GROUPS */
  size_t offset;
  double initial;   /* NaN for a REAL or MN_UNSET for a COUNT: unset, which Lua shows as nil */
  double low, high; /* REAL, COUNT, elements of VECTOR, MATRIX and the table of GROUPS       */
  bool open_low, open_high;
  const char *const *choices; /* CHOICE: names, NULL-terminated; the struct holds the index as int64_t */
  bool penalty;               /* shown whenever the model is printed                                  */
  const char *brief;
} mn_param;

/* A learned field. `shape` names its dimensions, e.g. "targets x features": features, targets, classes and decisions (1
 * for two classes, else classes) are known to the house, any other word is bound by its first use. The archive checks
 * shapes when it loads, and Lua shows a field whose only varying dimension is "targets" as a number or Vector when
 * there is one target. An INDEXES field names after "<" what its values stay below: "rows < clusters". A dimension with
 * a question mark, "classes? x features?", is that of a field that may be absent: no memory, which Lua shows as an
 * empty value. */
typedef struct mn_field {
  const char *name;
  mn_kind kind;
  size_t offset;
  const char *shape;
  const char *brief; /* NULL: internal, not shown to Lua */
  bool derived;      /* not in archives: `.derive` makes it anew after loading */
  bool optional;     /* of a REAL: NaN where it is not known, which Lua shows as nil and the archive leaves out */
} mn_field;

#define MN_NO_LIMITS .low = -INFINITY, .high = INFINITY, .open_low = true, .open_high = true
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
/* A REAL that printing always shows: what it holds back should never come as a surprise. */
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
#define MN_TABLE(type, member, range, text)                                                                            \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_MATRIX, .offset = offsetof(type, member), .initial = (double)NAN, range,          \
    .brief = (text)                                                                                                    \
  }
/* Groups of columns: lists of them by number or name, or a table, groups x features, of 0 and 1. */
#define MN_GROUPS(type, member, text)                                                                                  \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_GROUPS, .offset = offsetof(type, member), .initial = (double)NAN,                 \
    MN_CLOSED(0, 1), .brief = (text)                                                                                   \
  }
#define MN_STRING(type, member, text)                                                                                  \
  {                                                                                                                    \
    .name = #member, .kind = MN_KIND_TEXT, .offset = offsetof(type, member), MN_NO_LIMITS, .brief = (text)             \
  }
#define MN_SEED(type, member)                                                                                          \
  MN_COUNT(type, member, 0, MN_CLOSED(0, 9007199254740991.0), "names the random stream: same seed, same result")
#define MN_END                                                                                                         \
  {                                                                                                                    \
    .name = NULL                                                                                                       \
  }

/* An unset COUNT, and the test for an unset REAL. */
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
#define MN_CSR(type, member, shape, text) MN_LEARNED(MN_KIND_CSR, type, member, shape, text)
#define MN_LEVELS(type, member, shape, text) MN_LEARNED(MN_KIND_LEVELS, type, member, shape, text)

/* How an iterative fit went. Reaching max_iter is no error: the result is kept, `converged` is false, and the binding
 * warns with `advice`. */
typedef struct mn_report {
  int64_t n_iter;        /* rounds done, >= 1                                       */
  bool converged;        /* the stopping test held, rather than max_iter            */
  double objective;      /* its value at the returned state                         */
  double change;         /* what the stopping test looks at, to compare with tol; NaN after a batch, which has no
                            test: `converged` is nil then, for Lua                  */
  const char *advice;    /* e.g. "raise max_iter, or scale the columns"; constant. NULL: max_iter rounds are what was
                            ordered (trees of boosting), no warning          */
  mn_vector trace;       /* objective after each round                              */
  size_t trace_capacity; /* values that trace.at has room for                       */
} mn_report;

/* Class weights: the parameter class_weight of classifiers. */
typedef struct mn_class_weight {
  bool balanced;           /* W / (k W_c): sums of weights */
  const mn_levels *labels; /* NULL, or the labels that have a weight  */
  mn_vector weight;        /* one for each of labels                  */
} mn_class_weight;

/* The common head of every estimator. All of it but `class` and `class_weight` is learned. */
typedef struct mn_estimator {
  const mn_class *class;
  mn_class_weight class_weight;
  bool fitted;
  size_t n_features, n_targets;
  bool one_target;               /* y was given as a vector, so predictions are one */
  mn_names feature_names;        /* empty: X had none                               */
  mn_levels_list feature_levels; /* factor columns at fit; empty: none              */
  const mn_levels *classes;      /* classifiers                                     */
  mn_report report;
} mn_estimator;

/* Note one round of an iterative fit: n_iter, objective and trace; then asks whether to go on. False: leave the loop
 * (whether the result is kept is the front door's affair). */
bool mn_round(mn_context *ctx, mn_report *report, int64_t max_iter, double objective);

/* The same for a round that a solver has told of already: it is noted only. False: no memory. */
bool mn_record_round(mn_context *ctx, mn_report *report, double objective);

/* Columns of decision_function: 1 for two classes, else the number of classes. */
size_t mn_decisions(const mn_estimator *model);

/* What can be done with X once a model is fitted. */
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

/* An operation that only this estimator has, reached as model:name(X, options) from Lua. */
typedef struct mn_operation mn_operation;

/* Signature of predict, transform and their like. Input is checked, `out` has the right shape and is zeroed. */
typedef mn_status (*mn_apply_function)(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out);
typedef mn_status (*mn_fit_function)(mn_context *ctx, void *self, const mn_data *data);

struct mn_class {
  const char *name, *family;
  const char *brief;     /* one sentence                                                     */
  const char *objective; /* what is minimised or the model's formula; NULL where there is none */
  const char *source;    /* paper or book                                                    */
  const char *notes;     /* more for the help: choices where peers differ; may be NULL        */
  const char *example;   /* Lua that runs as it stands, `ml` being the module                 */
  const char
      *missing_alternatives; /* the estimators that take missing values where this one does not, for the message */
  unsigned capabilities, accepts;
  size_t size; /* of the struct */
  const mn_param *params;
  const mn_field *fields;
  const mn_operation *operations; /* NULL, or ends with a NULL name */
  mn_fit_function fit, partial_fit;
  /* partial_fit of one row where a copy of the model would cost far more than the row: `self` is the fitted model that
   * the user has, not a copy. All that can fail comes first; it returns an error, with nothing changed, or succeeds.
   * NULL: a copy is made for every batch. */
  mn_fit_function update;
  /* Does fit go on from what a fitted model has learned (warm_start)? Then `self` is a copy of the model, whose
   * base.fitted says so, and X and y are such as it knows. NULL: never. */
  bool (*can_resume)(const void *self);
  /* MN_Y_REALS or MN_Y_LABELS where a parameter decides; NULL: as `takes` says. Both: labels of two classes come as
   * reals, 1 for the second; with MN_Y_COUNTS y may have two columns. */
  unsigned (*target_kind)(const void *self);
  mn_apply_function predict;   /* rows x targets, or rows x 1 codes; may be NULL for a classifier that has one of the
                                  next two: the front door takes the largest                                      */
  mn_apply_function log_proba; /* rows x classes, normalised: log-sum-exp of each row is 0                         */
  mn_apply_function decision;  /* rows x decisions                                                                 */
  /* Do the settings of this model allow an action that has a function here? NULL: always. */
  bool (*supports)(const void *self, mn_action action);
  mn_apply_function transform; /* rows x outputs(self)                                                             */
  mn_apply_function inverse_transform; /* rows x features; data->x has outputs(self) columns */
  bool overwrites; /* transform and inverse_transform write every value of `out`: it is not zeroed for them */
  mn_apply_function score_samples;                                                                    /* rows x 1     */
  mn_status (*transform_sparse)(mn_context *ctx, const void *self, const mn_data *data, mn_csr *out); /* makes `out` */
  bool (*outputs_sparse)(const void *self); /* transform gives CSR: use transform_sparse; NULL: never               */
  size_t (*outputs)(const void *self);      /* columns of transform; NULL: as many as features                      */
  /* Levels of output column j of transform, whose values are then codes (0.., NaN or -1 missing); NULL: numbers. NULL
   * slot: all columns are numbers. The binding makes a Frame where there is such a column. */
  const mn_levels *(*output_levels)(const void *self, size_t j);
  /* Name of output column j, given the input names; NULL: the input name if outputs is NULL, else "<class><j>". */
  void (*output_name)(const void *self, size_t j, const char *const *inputs, char *text, size_t size);
  /* Describe an action (PREDICT, but of classifiers PREDICT_LOG_PROBA or DECISION_FUNCTION; TRANSFORM_X;
   * INVERSE_TRANSFORM; SCORE_SAMPLES) of the fitted model for one row: see program.h. Left without code: not in what is
   * exported. */
  mn_status (*export)(mn_context *ctx, const void *self, mn_action action, mn_program *program);
  mn_status (*sample)(mn_context *ctx, const void *self, int64_t seed, mn_matrix *out); /* out->rows samples */
  mn_status (*check)(mn_context *ctx, const void *self); /* after load: what shapes cannot say; may be NULL */
  mn_status (*derive)(mn_context *ctx, void *self);      /* after check: the fields that are not saved; may be NULL */
};

#endif
