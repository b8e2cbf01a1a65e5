#include "accumulated_effects.h"
#include <math.h>

void mn_find_bins(size_t n, const double *value, mn_vector edges, double *bin)
{
  for (size_t i = 0; i < n; i++) {
    size_t low = 1, high = edges.size - 1;
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (value[i] <= edges.at[middle])
        high = middle;
      else
        low = middle + 1;
    }
    bin[i] = (double)low;
  }
}

/* --- one column --- */

void mn_accumulate_effects(size_t n, const double *difference, const double *bin, size_t bins, double *effect,
                           double *count)
{
  double mean = 0;
  for (size_t k = 0; k <= bins; k++) effect[k] = count[k] = 0;
  for (size_t i = 0; i < n; i++) {
    effect[(size_t)bin[i]] += difference[i];
    count[(size_t)bin[i]]++;
  }
  for (size_t k = 1; k <= bins; k++) {
    effect[k] = effect[k - 1] + (count[k] > 0 ? effect[k] / count[k] : 0);
    mean += count[k] * (effect[k - 1] + effect[k]) / 2 / (double)n;
  }
  for (size_t k = 0; k <= bins; k++) effect[k] -= mean;
}

/* --- two columns --- */

static void average_cells(size_t n, const double *difference, const double *first, const double *second,
                          mn_matrix *mean, mn_matrix *count)
{
  for (size_t i = 0; i < mean->rows * mean->cols; i++) mean->at[i] = count->at[i] = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t cell = ((size_t)first[i] - 1) * mean->cols + (size_t)second[i] - 1;
    mean->at[cell] += difference[i];
    count->at[cell]++;
  }
  for (size_t i = 0; i < mean->rows * mean->cols; i++)
    if (count->at[i] > 0) mean->at[i] /= count->at[i];
}

/* The distance of the centers of bins a and b, as a fraction of the range. */
static double bin_distance(mn_vector edges, size_t a, size_t b)
{
  const double centers = (edges.at[a] - edges.at[b] + edges.at[a + 1] - edges.at[b + 1]) / 2;
  return centers / (edges.at[edges.size - 1] - edges.at[0]);
}

static void fill_empty_cells(mn_vector edges, mn_vector other_edges, mn_matrix *mean, const mn_matrix *count)
{
  const size_t cells = mean->rows * mean->cols;
  for (size_t i = 0; i < cells; i++) {
    double least = HUGE_VAL;
    for (size_t j = 0; count->at[i] == 0 && j < cells; j++) {
      if (count->at[j] == 0) continue;
      const double rows = bin_distance(edges, i / mean->cols, j / mean->cols);
      const double cols = bin_distance(other_edges, i % mean->cols, j % mean->cols);
      if (rows * rows + cols * cols >= least) continue;
      least = rows * rows + cols * cols;
      mean->at[i] = mean->at[j];
    }
  }
}

static void sum_cells(const mn_matrix *mean, mn_matrix *effect)
{
  for (size_t m = 0; m < effect->cols; m++) effect->at[m] = 0;
  for (size_t k = 1; k < effect->rows; k++) {
    const double *above = mn_row(effect, k - 1);
    double *row = mn_row(effect, k);
    row[0] = 0;
    for (size_t m = 1; m < effect->cols; m++)
      row[m] = above[m] + row[m - 1] - above[m - 1] + mn_row(mean, k - 1)[m - 1];
  }
}

/* The effect of each column alone that `effect` contains: mean differences along its bins, added up.
 *
 *   first   out, effect->rows; second: out, effect->cols */
static void find_main_effects(const mn_matrix *effect, const mn_matrix *count, double *first, double *second)
{
  first[0] = 0;
  for (size_t k = 1; k < effect->rows; k++) {
    const double *low = mn_row(effect, k - 1), *high = mn_row(effect, k);
    double sum = 0, rows = 0;
    for (size_t m = 1; m < effect->cols; m++) {
      const double w = mn_row(count, k - 1)[m - 1];
      sum += w * (high[m] - low[m] + high[m - 1] - low[m - 1]) / 2;
      rows += w;
    }
    first[k] = first[k - 1] + (rows > 0 ? sum / rows : 0);
  }
  second[0] = 0;
  for (size_t m = 1; m < effect->cols; m++) {
    double sum = 0, rows = 0;
    for (size_t k = 1; k < effect->rows; k++) {
      const double *low = mn_row(effect, k - 1), *high = mn_row(effect, k), w = mn_row(count, k - 1)[m - 1];
      sum += w * (high[m] - high[m - 1] + low[m] - low[m - 1]) / 2;
      rows += w;
    }
    second[m] = second[m - 1] + (rows > 0 ? sum / rows : 0);
  }
}

static double mean_over_rows(const mn_matrix *effect, const mn_matrix *count, size_t n)
{
  double sum = 0;
  for (size_t k = 1; k < effect->rows; k++) {
    const double *low = mn_row(effect, k - 1), *high = mn_row(effect, k);
    for (size_t m = 1; m < effect->cols; m++)
      sum += mn_row(count, k - 1)[m - 1] * (low[m - 1] + low[m] + high[m - 1] + high[m]) / 4;
  }
  return sum / (double)n;
}

mn_status mn_accumulate_interaction(mn_context *ctx, size_t n, const double *difference, const double *first,
                                    const double *second, mn_vector edges, mn_vector other_edges, mn_matrix *effect,
                                    mn_matrix *count)
{
  mn_matrix mean = { MN_RAW(ctx, double, count->rows, count->cols), count->rows, count->cols };
  double *alone = MN_RAW(ctx, double, effect->rows, 1), *other = MN_RAW(ctx, double, effect->cols, 1);
  if (!mean.at || !alone || !other) return MN_NO_MEMORY;
  average_cells(n, difference, first, second, &mean, count);
  fill_empty_cells(edges, other_edges, &mean, count);
  sum_cells(&mean, effect);
  find_main_effects(effect, count, alone, other);
  for (size_t k = 0; k < effect->rows; k++)
    for (size_t m = 0; m < effect->cols; m++) mn_row(effect, k)[m] -= alone[k] + other[m];
  const double center = mean_over_rows(effect, count, n);
  for (size_t i = 0; i < effect->rows * effect->cols; i++) effect->at[i] -= center;
  return MN_OK;
}
