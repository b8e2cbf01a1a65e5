#include "tags.h"
#include <stdbool.h>

static bool has(double y)
{
  return y > 0;
}

/* The tags whose score is at least `least`: all of them, and in *own those of the row. */
static size_t count_from(size_t k, const double *y, const double *score, double least, size_t *own)
{
  size_t all = 0;
  *own = 0;
  for (size_t c = 0; c < k; c++) {
    if (!(score[c] >= least)) continue;
    all++;
    *own += has(y[c]);
  }
  return all;
}

/* The measure of one row with `own` of its k tags, 0 < own < k unless it is the coverage. */
static double measure_row(size_t k, const double *y, const double *score, size_t own, mn_tag_measure measure)
{
  double sum = 0;
  size_t most = 0;
  for (size_t c = 0; c < k; c++) {
    size_t mine = 0;
    if (!has(y[c])) continue;
    const size_t all = count_from(k, y, score, score[c], &mine);
    most = all > most ? all : most;
    sum += measure == MN_TAG_PRECISION ? (double)mine / (double)all : (double)(all - mine);
  }
  if (measure == MN_TAG_COVERAGE) return (double)most;
  return sum / (measure == MN_TAG_PRECISION ? (double)own : (double)own * (double)(k - own));
}

double mn_measure_tags(size_t n, size_t k, const double *y, const double *score, const double *w,
                       mn_tag_measure measure)
{
  double sum = 0, total = 0;
  for (size_t i = 0; i < n; i++) {
    size_t own = 0;
    for (size_t c = 0; c < k; c++) own += has(y[i * k + c]);
    const bool trivial = measure != MN_TAG_COVERAGE && (own == 0 || own == k);
    const double value = trivial ? measure == MN_TAG_PRECISION : measure_row(k, y + i * k, score + i * k, own, measure);
    sum += (w ? w[i] : 1) * value;
    total += w ? w[i] : 1;
  }
  return sum / total;
}
