#include "row_softmax.h"
#include <math.h>

void mn_row_log_softmax(size_t n, size_t k, double *scores)
{
  for (size_t i = 0; i < n; i++) {
    double *row = scores + i * k, largest = row[0], sum = 0;
    for (size_t c = 1; c < k; c++) largest = fmax(largest, row[c]);
    if (isinf(largest)) {
      for (size_t c = 0; c < k; c++) row[c] = -log((double)k);
      continue;
    }
    for (size_t c = 0; c < k; c++) sum += exp(row[c] - largest);
    const double shift = largest + log(sum);
    for (size_t c = 0; c < k; c++) row[c] -= shift;
  }
}
