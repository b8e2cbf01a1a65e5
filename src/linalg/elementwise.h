/* Elementwise operations with broadcasting, in parallel for large matrices. A result depends neither on the number of
 * threads nor on the position of a value. NaN and infinity as in IEEE 754. */
#ifndef MN_LINALG_ELEMENTWISE_H
#define MN_LINALG_ELEMENTWISE_H
#include "../core/context.h"

/* An operand: value (i, j) is at[i * row_step + j * col_step]. A step of 0 repeats a row, a column or a number. */
typedef struct mn_strided {
  const double *at;
  size_t row_step, col_step;
} mn_strided;

/* Comparisons give 1 or 0; with NaN only MN_NE gives 1. MN_MINIMUM and MN_MAXIMUM give NaN if either operand is NaN. */
typedef enum mn_binary_op {
  MN_ADD,
  MN_SUB,
  MN_MUL,
  MN_DIV,
  MN_POW,
  MN_GT,
  MN_GE,
  MN_LT,
  MN_LE,
  MN_EQ,
  MN_NE,
  MN_MINIMUM,
  MN_MAXIMUM,
  MN_BINARY_COUNT
} mn_binary_op;

typedef enum mn_unary_op {
  MN_NEG,
  MN_ABS,
  MN_SIGN,
  MN_SQRT,
  MN_SQUARED,
  MN_RECIPROCAL,
  MN_FLOOR,
  MN_CEIL,
  MN_ROUND, /* halves are rounded away from 0 */
  MN_ISNAN,
  MN_ISFINITE,
  MN_EXP,
  MN_EXPM1,
  MN_LOG,
  MN_LOG1P,
  MN_LOG2,
  MN_LOG10,
  MN_SIN,
  MN_COS,
  MN_TAN,
  MN_ASIN,
  MN_ACOS,
  MN_ATAN,
  MN_SINH,
  MN_COSH,
  MN_TANH,
  MN_SIGMOID, /* 1 / (1 + exp(-x)) */
  MN_ERF,
  MN_UNARY_COUNT
} mn_unary_op;

/* out = a op b, and out = f(a); out is rows x cols, contiguous, and may be an operand of the same layout.
 * MN_CANCELLED is the only failure. */
mn_status mn_elementwise_binary(mn_context *ctx, mn_binary_op op, size_t rows, size_t cols, mn_strided a, mn_strided b,
                                double *out);
mn_status mn_elementwise_unary(mn_context *ctx, mn_unary_op function, size_t rows, size_t cols, mn_strided a,
                               double *out);

/* out = yes where mask is neither 0 nor NaN, no elsewhere. */
mn_status mn_elementwise_where(mn_context *ctx, size_t rows, size_t cols, mn_strided mask, mn_strided yes,
                               mn_strided no, double *out);

#endif
