#include "conditional.h"
#include <math.h>

bool mn_conditional_values(const mn_network *net, const mn_children *children, size_t v, double *row, double *p)
{
  const size_t card = (size_t)net->card[v];
  double highest = -INFINITY, sum = 0;
  for (size_t y = 0; y < card; y++) {
    row[v] = (double)y;
    double log_p = mn_log_node(net, v, row);
    for (size_t k = children->start[v]; k < children->start[v + 1] && log_p > -INFINITY; k++)
      log_p += mn_log_node(net, (size_t)children->child[k], row);
    p[y] = log_p;
    if (log_p > highest) highest = log_p;
  }
  if (!(highest > -INFINITY)) return false;
  for (size_t y = 0; y < card; y++) sum += p[y] = exp(p[y] - highest);
  for (size_t y = 0; y < card; y++) p[y] /= sum;
  return true;
}

/* The coefficient of number u in the mean of number v in configuration c. */
static double coefficient(const mn_network *net, size_t v, size_t c, size_t u)
{
  const double *at = net->table + net->at[v] + c * mn_table_width(net, v);
  for (size_t k = net->start[v]; k < net->start[v + 1]; k++) {
    at += net->card[net->parent[k]] == 0;
    if ((size_t)net->parent[k] == u) return *at;
  }
  return 0;
}

bool mn_conditional_number(const mn_network *net, const mn_children *children, size_t v, double *row,
                           mn_conditional_normal *out)
{
  const size_t own = mn_configuration(net, v, row), width = mn_table_width(net, v);
  const double s = net->table[net->at[v] + own * width + width - 1], mean = mn_linear_mean(net, v, own, row);
  *out = (mn_conditional_normal){ .mean = mean, .sd = s };
  if (!(s > 0)) return true;
  /* about the mean given the parents: precision and precision times shift */
  double precision = 1 / (s * s), shift = 0;
  row[v] = mean;
  for (size_t k = children->start[v]; k < children->start[v + 1]; k++) {
    const size_t w = (size_t)children->child[k], c = mn_configuration(net, w, row), columns = mn_table_width(net, w);
    const double b = coefficient(net, w, c, v), sd = net->table[net->at[w] + c * columns + columns - 1];
    const double r = row[w] - mn_linear_mean(net, w, c, row);
    if (sd > 0) {
      precision += b * b / (sd * sd);
      shift += b * r / (sd * sd);
    } else if (b != 0) { /* determined by this child */
      *out = (mn_conditional_normal){ .mean = mean + r / b };
      return true;
    }
  }
  *out = (mn_conditional_normal){ .mean = mean + shift / precision, .sd = 1 / sqrt(precision) };
  return true;
}
