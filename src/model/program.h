/* What a fitted model computes for one row, independent of a language: tables of numbers, and a few statements over
 * them. The Lua layer prints this description as C and Lua (model:export_c(), model:export_lua()).
 *
 * Statements are text in the row language (lua/manilius/export/language.lua has its grammar):
 *
 *   for t < outputs { out[t] = intercept[t] + dot(features, x, 0, coef, t * features) }
 *
 * x is the row, out the result; features and outputs are their sizes. Tables (0-based) and numbers are named by the
 * calls below. The statements must do the operations of the algorithm in the same order, so that results are equal to
 * the last bit: sums over features are those of linalg/ordered.h and have their names here (dot, distance2, ...). Only
 * tables grow with the model: a forest is four arrays of nodes and a loop.
 *
 * The requirements on x (finite, missing values, factor codes) follow from the `accepts` of the class, and x is checked
 * before the statements run. `refuse "text"` reports a row for which the model itself has an error. */
#ifndef MN_MODEL_PROGRAM_H
#define MN_MODEL_PROGRAM_H
#include "class.h"

typedef struct mn_program_table {
  const char *name;
  const double *reals;    /* one of the two, borrowed from */
  const int32_t *indexes; /* the model or from scratch     */
  size_t size;
} mn_program_table;

typedef struct mn_program_number {
  const char *name;
  double value;
  bool whole;
} mn_program_number;

enum { MN_PROGRAM_TABLES = 32, MN_PROGRAM_NUMBERS = 32, MN_PROGRAM_PIECES = 48 };

struct mn_program {
  mn_program_table table[MN_PROGRAM_TABLES];
  mn_program_number number[MN_PROGRAM_NUMBERS];
  const char *piece[MN_PROGRAM_PIECES];
  size_t tables, numbers, pieces;
  bool full; /* a limit above was exceeded */
};

void mn_program_reals(mn_program *p, const char *name, size_t size, const double *values);
void mn_program_indexes(mn_program *p, const char *name, size_t size, const int32_t *values);
void mn_program_real(mn_program *p, const char *name, double value);
void mn_program_count(mn_program *p, const char *name, size_t value);
/* Append statements: a constant string. */
void mn_program_code(mn_program *p, const char *text);

/* Describe an action of a fitted model. Fails if the class has no export, or with the reason of mn_cannot_export. */
mn_status mn_describe_action(mn_context *ctx, const mn_estimator *model, mn_action action, mn_program *program);

/* "Name cannot be exported: reason" */
mn_status mn_cannot_export(mn_context *ctx, const mn_estimator *model, const char *reason);

#endif
