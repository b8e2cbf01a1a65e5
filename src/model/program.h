/* What a fitted model does with one row, told without a language: tables of numbers, and a few statements over them.
 * From this description the Lua layer prints C and Lua (model:export_c(), model:export_lua()); an estimator knows
 * neither.
 *
 * Statements are text in the row language (lua/manilius/export/language.lua has its grammar):
 *
 *   for t < outputs { out[t] = intercept[t] + dot(features, x, 0, coef, t * features) }
 *
 * x and out are the row and the result; features and outputs say how long they are. The names given below are tables
 * (from 0) and numbers. What is written must do the operations of the algorithm in its order, so that results are equal
 * to the last bit: sums over features are those of linalg/ordered.h, and have their names here (dot, distance2, ...).
 * The code grows with the tables only, so a forest is four arrays of nodes and a loop.
 *
 * What x must be (finite, missing values, factor codes) follows from `takes`, and is checked before. `refuse "text"`
 * gives a row up for which the model itself has an error. */
#ifndef MN_MODEL_PROGRAM_H
#define MN_MODEL_PROGRAM_H
#include "class.h"

typedef struct mn_program_table {
  const char *name;
  const double *reals;    /* one of the two, borrowed: */
  const int32_t *indexes; /* of the model, or scratch  */
  size_t size;
} mn_program_table;

typedef struct mn_program_number {
  const char *name;
  double value;
  bool whole;
} mn_program_number;

enum { MN_PROGRAM_TABLES = 32, MN_PROGRAM_NUMBERS = 32, MN_PROGRAM_PIECES = 32 };

struct mn_program {
  mn_program_table table[MN_PROGRAM_TABLES];
  mn_program_number number[MN_PROGRAM_NUMBERS];
  const char *piece[MN_PROGRAM_PIECES];
  size_t tables, numbers, pieces;
  bool full; /* there was no room for something */
};

void mn_program_reals(mn_program *p, const char *name, size_t size, const double *values);
void mn_program_indexes(mn_program *p, const char *name, size_t size, const int32_t *values);
void mn_program_real(mn_program *p, const char *name, double value);
void mn_program_count(mn_program *p, const char *name, size_t value);
/* Statements, after those that are there. A constant text. */
void mn_program_code(mn_program *p, const char *text);

/* Describe an action of a fitted model. Fails where the class has no export, or gives a reason by mn_cannot_export. */
mn_status mn_describe_action(mn_context *ctx, const mn_estimator *model, mn_action action, mn_program *program);

/* "Name cannot be exported: reason" */
mn_status mn_cannot_export(mn_context *ctx, const mn_estimator *model, const char *reason);

#endif
