/* manilius.h: predict with a saved model from C, without a Lua state; and the entry for hosts that have one.
 *
 * A loaded model does not change, so many threads may use it at once, each with a worker of its own, which holds its
 * temporary memory and the text of its last error. The library does not print, exit, install handlers, or keep other
 * state. Numbers are doubles; arrays are row-major and belong to the caller. SPDX-License-Identifier: MIT */
#ifndef MANILIUS_H
#define MANILIUS_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MANILIUS_API __attribute__((visibility("default")))
#else
#define MANILIUS_API
#endif

typedef struct manilius_model manilius_model;
typedef struct manilius_worker manilius_worker;

typedef enum manilius_status {
  MANILIUS_OK,
  MANILIUS_BAD_ARGUMENT, /* the model does not support the action, or an argument is out of range  */
  MANILIUS_BAD_DATA,     /* x has a value that the model does not accept, at a 1-based row, column */
  MANILIUS_SINGULAR,     /* the data do not determine the result                                   */
  MANILIUS_BAD_FILE,     /* the file cannot be read, or is not a model of this or an older version */
  MANILIUS_NO_MEMORY,    /* the allocator or the limit refused                                     */
  MANILIUS_CANCELLED
} manilius_status;

/* What a model can do. manilius_width is 0 for actions that it does not support. */
typedef enum manilius_action {
  MANILIUS_PREDICT,           /* targets; or the code of a class or cluster, 0..k-1, -1 for noise */
  MANILIUS_PREDICT_PROBA,     /* the probability of each class                                    */
  MANILIUS_PREDICT_LOG_PROBA, /* its logarithm                                                    */
  MANILIUS_DECISION_FUNCTION, /* one column for two classes, else one for each class              */
  MANILIUS_TRANSFORM,         /* the columns of transform; factor columns as codes                */
  MANILIUS_INVERSE_TRANSFORM, /* the features                                                     */
  MANILIUS_SCORE_SAMPLES      /* one column                                                       */
} manilius_action;

/* As lua_Alloc: size 0 frees, a NULL block allocates. Calls for one model are serialized. */
typedef void *(*manilius_allocator)(void *user, void *block, size_t old_size, size_t size);

/* How a model and its workers allocate memory. All zero: malloc without limit. */
typedef struct manilius_memory {
  manilius_allocator allocator; /* NULL: malloc                                  */
  void *user;                   /* first argument of the allocator               */
  size_t limit;                 /* most bytes that may be allocated; 0: no limit  */
} manilius_memory;

/* Load a model, Pipeline, ColumnTransformer or search (its best model) that was saved by model:save(path) in Lua.
 *   memory  NULL: all zero
 *   model   out: to be freed with manilius_free; NULL on failure
 *   text    out: the reason on failure, else ""; at most `size` bytes with the final NUL; may be NULL with size 0
 * MANILIUS_BAD_FILE for a model with steps that are written in Lua. */
MANILIUS_API manilius_status manilius_load(const char *path, const manilius_memory *memory, manilius_model **model,
                                           char *text, size_t size);

/* The same from the bytes of model:dump(), which may be freed afterwards. */
MANILIUS_API manilius_status manilius_load_bytes(const void *bytes, size_t n, const manilius_memory *memory,
                                                 manilius_model **model, char *text, size_t size);

/* Free the model, after its workers. NULL is allowed. */
MANILIUS_API void manilius_free(manilius_model *model);

/* The number of columns of x, in the order of the X of fit; the name of column j, NULL if X had no names. */
MANILIUS_API size_t manilius_features(const manilius_model *model);
MANILIUS_API const char *manilius_feature_name(const manilius_model *model, size_t j);

/* A factor column of x holds codes 0..levels-1, NaN for missing, -1 for a level unknown to fit. The number of levels of
 * column j, 0 for a numeric column; the code of a level by its text, -1 if it is unknown. */
MANILIUS_API size_t manilius_levels(const manilius_model *model, size_t j);
MANILIUS_API int32_t manilius_level_code(const manilius_model *model, size_t j, const char *level);

/* The number of classes of a classifier, 0 for other models; the label of a class as text. As snprintf, the latter
 * returns the length of the label, of which at most size - 1 bytes are written; 0 for an invalid code. */
MANILIUS_API size_t manilius_classes(const manilius_model *model);
MANILIUS_API size_t manilius_class_label(const manilius_model *model, int32_t code, char *text, size_t size);

/* The number of columns of the result of an action; 0: not supported. */
MANILIUS_API size_t manilius_width(const manilius_model *model, manilius_action action);

/* Bytes allocated now by the model and its workers. */
MANILIUS_API size_t manilius_bytes(const manilius_model *model);

/* What a thread needs to use a model. NULL: no memory. Free it before the model; NULL is allowed. */
MANILIUS_API manilius_worker *manilius_worker_new(manilius_model *model);
MANILIUS_API void manilius_worker_free(manilius_worker *worker);

/* Threads that may work on one call: 1 by default; 0 means as many as there are cores for this process. Results do not
 * depend on it. */
MANILIUS_API void manilius_worker_threads(manilius_worker *worker, size_t threads);

/* Run an action on `rows` rows.
 *   x    rows x manilius_features(model); for MANILIUS_INVERSE_TRANSFORM rows x manilius_width(model, TRANSFORM)
 *   out  rows x manilius_width(model, action)
 * After the first call with as many rows, a model of one step allocates no memory. */
MANILIUS_API manilius_status manilius_apply(manilius_worker *worker, manilius_action action, const double *x,
                                            size_t rows, double *out);

/* manilius_apply with MANILIUS_PREDICT. */
MANILIUS_API manilius_status manilius_predict(manilius_worker *worker, const double *x, size_t rows, double *out);

/* Why the last call of this worker failed; "" if it succeeded. */
MANILIUS_API const char *manilius_error(const manilius_worker *worker);

/* For hosts with a Lua state: luaL_requiref(L, "manilius", luaopen_manilius, 0). The Lua code is embedded, so neither
 * files nor the package library are needed. */
struct lua_State;
MANILIUS_API int luaopen_manilius(struct lua_State *L);

#ifdef __cplusplus
}
#endif
#endif
