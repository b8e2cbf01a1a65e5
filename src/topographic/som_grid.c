#include "som.h"

static const double row_height = 0.86602540378443864676; /* of a hexagonal grid */

void mn_som_position(const struct mn_som *m, size_t unit, double *position)
{
  const size_t columns = (size_t)m->grid_columns, row = unit / columns;
  const bool hexagonal = m->topology == MN_SOM_HEXAGONAL;
  position[0] = (double)(unit % columns) + (hexagonal && row % 2 == 1 ? 0.5 : 0);
  position[1] = (double)row * (hexagonal ? row_height : 1);
}

/* The shorter way around a circle. */
static double around(double distance, double circumference)
{
  const double d = fabs(distance);
  return fmin(d, fabs(circumference - d));
}

double mn_som_distance2(const struct mn_som *m, const double *a, const double *b)
{
  double x = a[0] - b[0], y = a[1] - b[1];
  if (m->toroidal) {
    x = around(x, (double)m->grid_columns);
    y = around(y, (double)m->grid_rows * (m->topology == MN_SOM_HEXAGONAL ? row_height : 1));
  }
  return x * x + y * y;
}

bool mn_som_adjacent(const struct mn_som *m, size_t a, size_t b)
{
  const double limit = m->topology == MN_SOM_HEXAGONAL ? 1.1 : 2.1; /* squared */
  return a != b && mn_som_distance2(m, mn_row(&m->positions, a), mn_row(&m->positions, b)) <= limit;
}

void mn_som_neighborhood(const struct mn_som *m, double radius, size_t center, double *h)
{
  const double *from = mn_row(&m->positions, center);
  for (size_t u = 0; u < m->positions.rows; u++) {
    const double d2 = mn_som_distance2(m, from, mn_row(&m->positions, u));
    if (m->neighborhood == MN_SOM_BUBBLE)
      h[u] = d2 <= radius * radius * (1 + 1e-12);
    else
      h[u] = exp(-d2 / (2 * radius * radius));
  }
}
