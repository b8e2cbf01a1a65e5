#include "table_kernel.h"
#include "factor_graph.h"
#include <math.h>

static inline double exp_or_zero(double x)
{
  const double y = exp(x < -700 ? -700.0 : x);
  return x < -700 ? 0.0 : y;
}

MN_CLONES(void, mn_table_exp, (size_t n, double *restrict x), (n, x))
{
  for (size_t i = 0; i < n; i++) x[i] = exp_or_zero(x[i]);
}

MN_CLONES(void, mn_max_rows, (size_t rows, size_t width, const double *restrict table, double *restrict message),
          (rows, width, table, message))
{
  for (size_t r = 0; r < rows; r++) {
    const double *row = table + r * width;
    double most = row[0];
    for (size_t k = 1; k < width; k++) most = row[k] > most ? row[k] : most;
    message[r] = most;
  }
}

/* The largest of each row is subtracted first. */
MN_CLONES(void, mn_condition_rows, (size_t rows, size_t width, double *restrict table, double *restrict message),
          (rows, width, table, message))
{
  for (size_t r = 0; r < rows; r++) {
    double *row = table + r * width, most = row[0];
    for (size_t k = 1; k < width; k++) most = row[k] > most ? row[k] : most;
    message[r] = most;
    if (most < -1e29)
      for (size_t k = 0; k < width; k++) row[k] = MN_LOG_ZERO;
    else
      for (size_t k = 0; k < width; k++) row[k] -= most;
  }
  for (size_t i = 0; i < rows * width; i++) table[i] = exp_or_zero(table[i]);
  for (size_t r = 0; r < rows; r++) {
    double *row = table + r * width, sum = 0;
    if (message[r] < -1e29) {
      message[r] = MN_LOG_ZERO;
      continue;
    }
    for (size_t k = 0; k < width; k++) sum += row[k];
    message[r] += log(sum);
    for (size_t k = 0; k < width; k++) row[k] /= sum;
  }
}
