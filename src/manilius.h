/* manilius.h: predict with a saved model from C, without a Lua state; and the entry for hosts that have one.
 *
 * A loaded model does not change, so one model serves many threads at once; what one thread needs besides (temporary
 * memory, the text of its last error) is a worker. Nothing here prints, exits, installs a handler or keeps state
 * elsewhere. Numbers are doubles, arrays are row-major and stay the caller's. SPDX-License-Identifier: MIT */
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
  MANILIUS_BAD_ARGUMENT, /* the model cannot do that, or an argument is out of range            */
  MANILIUS_BAD_DATA,     /* x has a value that the model does not take; row and column, from 1  */
  MANILIUS_SINGULAR,     /* the data do not determine the answer                                */
  MANILIUS_BAD_FILE,     /* it cannot be read, or is no model of this or an older version       */
  MANILIUS_NO_MEMORY,    /* the allocator or the limit said no                                  */
  MANILIUS_CANCELLED
} manilius_status;

/* What a model can be asked for. One that cannot do it has width 0 there. */
typedef enum manilius_action {
  MANILIUS_PREDICT,           /* targets; a class code or cluster 0..k-1, -1 noise         */
  MANILIUS_PREDICT_PROBA,     /* probability of each class                                 */
  MANILIUS_PREDICT_LOG_PROBA, /* its logarithm                                             */
  MANILIUS_DECISION_FUNCTION, /* one column for two classes, else one for each             */
  MANILIUS_TRANSFORM,         /* the columns that transform gives; factor columns as codes */
  MANILIUS_INVERSE_TRANSFORM,
  MANILIUS_SCORE_SAMPLES /* one column */
} manilius_action;

/* In the form of lua_Alloc: size 0 frees, a NULL block asks anew. Called from one thread at a time for each model. */
typedef void *(*manilius_allocator)(void *user, void *block, size_t old_size, size_t size);

/* Where a model takes its memory, that of its workers included. All zero: malloc, without limit. */
typedef struct manilius_memory {
  manilius_allocator allocator; /* NULL: malloc                                  */
  void *user;                   /* first argument of the allocator               */
  size_t limit;                 /* most bytes the model may hold; 0: as many as there are */
} manilius_memory;

/* Read a model, Pipeline, ColumnTransformer or search (its best model) that model:save(path) of Lua wrote.
 *   memory  NULL: all zero
 *   model   out: yours until manilius_free; NULL on failure
 *   text    out: the reason on failure, "" otherwise; at most `size` bytes with the final NUL; may be NULL with size 0
 * A model whose steps only Lua knows (a class written in Lua) is MANILIUS_BAD_FILE. */
MANILIUS_API manilius_status manilius_load(const char *path, const manilius_memory *memory, manilius_model **model,
                                           char *text, size_t size);

/* The same for the bytes that model:dump() gives. They may be let go afterwards. */
MANILIUS_API manilius_status manilius_load_bytes(const void *bytes, size_t n, const manilius_memory *memory,
                                                 manilius_model **model, char *text, size_t size);

/* Free the model, after its workers. NULL is allowed. */
MANILIUS_API void manilius_free(manilius_model *model);

/* Columns of x, in the order of the X given to fit; the name of column j, NULL where X had none. */
MANILIUS_API size_t manilius_features(const manilius_model *model);
MANILIUS_API const char *manilius_feature_name(const manilius_model *model, size_t j);

/* A factor column of x holds codes 0..levels-1 (NaN: missing, -1: a level that fit did not see). How many levels column
 * j has, 0 for a column of numbers; the code of a level by its text, -1 for none. */
MANILIUS_API size_t manilius_levels(const manilius_model *model, size_t j);
MANILIUS_API int32_t manilius_level_code(const manilius_model *model, size_t j, const char *level);

/* Classes of a classifier, 0 for any other model; the label of a class as text, as with snprintf: its length, of which
 * at most size - 1 bytes are written. 0 for a code that is none. */
MANILIUS_API size_t manilius_classes(const manilius_model *model);
MANILIUS_API size_t manilius_class_label(const manilius_model *model, int32_t code, char *text, size_t size);

/* Columns that an action gives for each row; 0: the model cannot do it. */
MANILIUS_API size_t manilius_width(const manilius_model *model, manilius_action action);

/* Bytes that the model and its workers hold now. */
MANILIUS_API size_t manilius_bytes(const manilius_model *model);

/* What one thread needs to use a model. NULL when there is no memory. Freed before the model; NULL is allowed there. */
MANILIUS_API manilius_worker *manilius_worker_new(manilius_model *model);
MANILIUS_API void manilius_worker_free(manilius_worker *worker);

/* Threads that may work on one call, 1 unless told; 0: the cores that this process may use. The results are the same.
 */
MANILIUS_API void manilius_worker_threads(manilius_worker *worker, size_t threads);

/* Run an action on `rows` rows.
 *   x    rows x manilius_features(model); for MANILIUS_INVERSE_TRANSFORM rows x manilius_width(model, TRANSFORM)
 *   out  rows x manilius_width(model, action)
 * After the first call with as many rows, no memory is taken for a model of one step. */
MANILIUS_API manilius_status manilius_apply(manilius_worker *worker, manilius_action action, const double *x,
                                            size_t rows, double *out);

/* manilius_apply with MANILIUS_PREDICT. */
MANILIUS_API manilius_status manilius_predict(manilius_worker *worker, const double *x, size_t rows, double *out);

/* Why the last call of this worker failed; "" when it did not. */
MANILIUS_API const char *manilius_error(const manilius_worker *worker);

/* For hosts with a Lua state: luaL_requiref(L, "manilius", luaopen_manilius, 0). The Lua part lies inside the library,
 * so that neither files nor the package library are needed. */
struct lua_State;
MANILIUS_API int luaopen_manilius(struct lua_State *L);

#ifdef __cplusplus
}
#endif
#endif
