/* Arithmetic expressions of columns and parameters, with exact derivatives. */
#ifndef MN_STATS_EXPRESSION_H
#define MN_STATS_EXPRESSION_H
#include "../core/context.h"

/* Instructions of a stack machine. An operand is pushed; an operation replaces its arguments by its result. */
typedef enum mn_expression_operator {
  MN_OP_NUMBER,    /* push the operand                    */
  MN_OP_COLUMN,    /* push a column, operand: its index   */
  MN_OP_PARAMETER, /* push a parameter, operand: its index */
  MN_OP_ADD,
  MN_OP_SUBTRACT,
  MN_OP_MULTIPLY,
  MN_OP_DIVIDE,
  MN_OP_POWER,
  MN_OP_LESS, /* comparisons are 1 or 0 and have derivative 0 */
  MN_OP_LESS_EQUAL,
  MN_OP_GREATER,
  MN_OP_GREATER_EQUAL,
  MN_OP_IF_ELSE, /* condition, value if it is not 0, value if it is 0 */
  MN_OP_NEGATE,
  MN_OP_EXP,
  MN_OP_EXPM1,
  MN_OP_LOG,
  MN_OP_LOG1P,
  MN_OP_LOG2,
  MN_OP_LOG10,
  MN_OP_SQRT,
  MN_OP_ABS,
  MN_OP_SIN,
  MN_OP_COS,
  MN_OP_TAN,
  MN_OP_ASIN,
  MN_OP_ACOS,
  MN_OP_ATAN,
  MN_OP_SINH,
  MN_OP_COSH,
  MN_OP_TANH,
  MN_OP_COUNT
} mn_expression_operator;

typedef struct mn_instruction {
  mn_expression_operator operation;
  size_t index;
  double number;
} mn_instruction;

typedef struct mn_expression {
  size_t size; /* instructions */
  const mn_instruction *at;
  size_t columns, parameters;
} mn_expression;

/* MN_BAD_ARGUMENT unless the instructions leave one value on the stack and all indices are in range. */
mn_status mn_expression_check(mn_context *ctx, const mn_expression *e);

/* Values of a checked expression, and its derivatives with respect to the parameters by forward differentiation.
 *
 *   rows        number of rows
 *   x           rows x columns
 *   parameters  parameters of the expression
 *   value       rows, out
 *   jacobian    rows x parameters, out; NULL: not needed
 *
 * Values outside of the domain of a function are NaN or infinite. MN_NO_MEMORY for scratch, which is released. */
mn_status mn_expression_evaluate(mn_context *ctx, const mn_expression *e, size_t rows, const double *x,
                                 const double *parameters, double *value, double *jacobian);

#endif
