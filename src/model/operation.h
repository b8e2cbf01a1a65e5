/* Operations of single estimators: summary, kneighbors, rules, ..., called as model:name(X, options) from Lua. */
#ifndef MN_MODEL_OPERATION_H
#define MN_MODEL_OPERATION_H
#include "class.h"

/* An operation returns named values. In Lua a single value is returned as it is, several as a table. Names with a dot
 * form a Frame: "coefficients.estimate" is the column `estimate` of the Frame `coefficients`. A value named "text" is
 * shown when the table is printed. */
typedef struct mn_result {
  const char *name; /* constant string */
  mn_kind kind;     /* REAL, COUNT, FLAG, VECTOR, MATRIX, INDEXES, CSR, NAMES or TEXT */
  union {
    double real;
    int64_t count;
    bool flag;
    mn_vector vector;
    mn_matrix matrix;
    mn_indexes indexes;
    mn_csr csr;
    mn_names names;
    mn_text text;
  } as;
} mn_result;

enum { MN_MAX_RESULTS = 48 };
typedef struct mn_results {
  mn_result at[MN_MAX_RESULTS];
  size_t size;
} mn_results;

/* Add a value, zeroed where the caller fills it. `results` owns its memory; pointers are valid until mn_results_free.
 */
void mn_result_real(mn_results *results, const char *name, double value);
void mn_result_count(mn_results *results, const char *name, int64_t value);
mn_status mn_result_vector(mn_context *ctx, mn_results *results, const char *name, size_t size, mn_vector **out);
mn_status mn_result_matrix(mn_context *ctx, mn_results *results, const char *name, size_t rows, size_t cols,
                           mn_matrix **out);
mn_status mn_result_indexes(mn_context *ctx, mn_results *results, const char *name, size_t size, mn_indexes **out);
mn_status mn_result_csr(mn_context *ctx, mn_results *results, const char *name, mn_csr **out); /* empty */
mn_status mn_result_names(mn_context *ctx, mn_results *results, const char *name, const char *const *from, size_t size);
mn_status mn_result_text(mn_context *ctx, mn_results *results, const char *name, const char *bytes, size_t size);
void mn_results_free(mn_memory *memory, mn_results *results);

/* MN_TAKES_ROWS: X and y may be given before the options, or be left out; then data->rows is 0. MN_WORKS_UNFITTED: uses
 * parameters, X and y only. MN_X_OR_NIL, with MN_NEEDS_X: X may be nil; then data->rows is 0. */
enum mn_operation_needs { MN_NEEDS_X = 1, MN_NEEDS_Y = 2, MN_TAKES_ROWS = 4, MN_WORKS_UNFITTED = 8, MN_X_OR_NIL = 16 };

struct mn_operation {
  const char *name, *brief;
  const char *returns;     /* a single result: kind and shape; several: names and shapes */
  unsigned needs;          /* X and y, which are checked as for predict                  */
  const mn_param *options; /* describe the struct given to run; NULL: none               */
  size_t options_size;
  mn_status (*run)(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results);

  /* In place of run: changes a fitted model. `self` is a copy, which replaces the model on success, so a failure may
   * leave it incomplete. In Lua the first option may be given without its name, and the result is the model. */
  mn_status (*modify)(mn_context *ctx, void *self, const void *options);
};

/* Options of operations named sample. */
typedef struct mn_sample_options {
  int64_t n, seed;
} mn_sample_options;
extern const mn_param mn_sample_params[];

const mn_operation *mn_operation_named(const mn_class *class, const char *name); /* NULL: unknown */

/* Run an operation of a fitted model. `input` may be NULL if nothing is needed; initialize `options` with
 * mn_params_init. */
mn_status mn_run_operation(mn_context *ctx, const mn_estimator *model, const mn_operation *operation,
                           const mn_input *input, const void *options, mn_results *results);

/* The model as an operation that has `modify` leaves it. */
mn_status mn_modify(mn_context *ctx, const mn_estimator *model, const mn_operation *operation, const void *options,
                    mn_estimator **modified);

#endif
