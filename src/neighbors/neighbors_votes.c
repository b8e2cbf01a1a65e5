#include "neighbors.h"

const char *const mn_vote_names[] = { "uniform",  "distance", "triangular", "epanechnikov",
                                      "biweight", "tricube",  "gaussian",   NULL };

/* Kernels of u = distance / bandwidth, up to a factor. */
static double kernel(int64_t weights, double u)
{
  const double rest = u < 1 ? 1 - u * u : 0;
  switch (weights) {
  case MN_VOTE_TRIANGULAR: return u < 1 ? 1 - u : 0;
  case MN_VOTE_EPANECHNIKOV: return rest;
  case MN_VOTE_BIWEIGHT: return rest * rest;
  case MN_VOTE_TRICUBE: {
    const double cube = u < 1 ? 1 - u * u * u : 0;
    return cube * cube * cube;
  }
  default: return exp(-u * u / 2);
  }
}

void mn_neighbors_vote_weights(const mn_neighbors *m, size_t n, double bandwidth, double *distance)
{
  const double width = isnan(m->bandwidth) ? bandwidth : m->bandwidth;
  double nearest = INFINITY, total = 0;
  for (size_t i = 0; i < n; i++) nearest = distance[i] < nearest ? distance[i] : nearest;
  for (size_t i = 0; i < n; i++) {
    /* Relative weights suffice; 1 / distance could overflow. All are alike if the nearest is at 0 or infinity. */
    if (m->weights == MN_VOTE_DISTANCE)
      distance[i] = distance[i] > nearest ? nearest / distance[i] : 1;
    else
      distance[i] = m->weights == MN_VOTE_UNIFORM ? 1 : width > 0 ? kernel(m->weights, distance[i] / width) : 0;
    total += distance[i];
  }
  for (size_t i = 0; i < n && !(total > 0); i++) distance[i] = 1;
}

mn_status mn_neighbors_votes(mn_context *ctx, const mn_neighbors *m, const mn_data *data, size_t k, int32_t **found,
                             double **vote)
{
  const bool next = m->weights >= MN_VOTE_TRIANGULAR && isnan(m->bandwidth) && k < mn_neighbors_rows(m);
  const size_t searched = k + (next ? 1 : 0);
  *found = MN_RAW(ctx, int32_t, data->rows, searched);
  *vote = MN_RAW(ctx, double, data->rows, searched);
  if (!*found || !*vote) return MN_NO_MEMORY;
  MN_TRY(mn_neighbors_search(ctx, m, data, searched, *found, *vote));
  for (size_t i = 0; i < data->rows; i++) {
    double *to = *vote + i * k;
    const double *from = *vote + i * searched, bandwidth = from[searched - 1];
    for (size_t j = 0; j < k; j++) {
      to[j] = from[j];
      (*found)[i * k + j] = (*found)[i * searched + j];
    }
    mn_neighbors_vote_weights(m, k, bandwidth, to);
  }
  return MN_OK;
}
