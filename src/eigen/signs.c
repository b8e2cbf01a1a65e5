#include "signs.h"
#include <math.h>

void mn_fix_signs(size_t k, size_t p, double *v)
{
  for (size_t c = 0; c < k; c++) {
    double *row = v + c * p;
    size_t largest = 0;
    for (size_t j = 1; j < p; j++)
      if (fabs(row[j]) > fabs(row[largest])) largest = j;
    if (!(row[largest] < 0)) continue;
    for (size_t j = 0; j < p; j++) row[j] = -row[j];
  }
}
