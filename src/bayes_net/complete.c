#include "complete.h"
#include <math.h>
#include <string.h>

static double completions(const mn_network *net, const double *row)
{
  double count = 1;
  for (size_t v = 0; v < net->nodes; v++)
    if (isnan(row[v])) count *= net->card[v];
  return count;
}

mn_status mn_count_completions(mn_context *ctx, const mn_network *net, const mn_matrix *rows, double limit, size_t *out)
{
  double total = 0;
  for (size_t i = 0; i < rows->rows; i++) {
    const double *row = mn_row(rows, i);
    for (size_t v = 0; v < net->nodes; v++)
      if (isnan(row[v]) && net->card[v] == 0)
        return mn_fail(ctx, MN_BAD_DATA,
                       "BayesNet: missing = \"em\" completes labels, and node %zu is a number that row %zu lacks; "
                       "impute it, or use missing = \"drop\"",
                       v + 1, i + 1);
    total += completions(net, row);
  }
  const double bytes = 8 * total * (double)(net->nodes + 1);
  if (bytes > limit || total > UINT32_MAX / 4)
    return mn_fail(ctx, MN_BAD_DATA,
                   "BayesNet: missing = \"em\" needs %.3g completed rows (%.3g bytes), more than memory_limit %.3g; "
                   "use missing = \"drop\", or leave out columns with many missing values",
                   total, bytes, limit);
  *out = (size_t)total;
  return MN_OK;
}

/* Completion number `c` of a row: the digits of c are the labels of its missing nodes, the last one fastest. */
static void complete(const mn_network *net, const double *row, size_t c, double *out)
{
  memcpy(out, row, net->nodes * sizeof *row);
  for (size_t v = net->nodes; v-- > 0;) {
    if (!isnan(row[v])) continue;
    const size_t card = (size_t)net->card[v];
    out[v] = (double)(c % card);
    c /= card;
  }
}

/* Turn log probabilities into probabilities that sum to `weight`. */
static void normalize(double weight, size_t n, double *p)
{
  double most = -INFINITY, sum = 0;
  for (size_t c = 0; c < n; c++) most = fmax(most, p[c]);
  for (size_t c = 0; c < n; c++) {
    p[c] = most > -INFINITY ? exp(p[c] - most) : 1;
    sum += p[c];
  }
  for (size_t c = 0; c < n; c++) p[c] *= weight / sum;
}

mn_status mn_complete_rows(mn_context *ctx, const mn_network *net, const mn_matrix *rows, const double *weights,
                           mn_matrix *out, double *out_weights)
{
  size_t at = 0;
  for (size_t i = 0; i < rows->rows; i++) {
    const size_t n = (size_t)completions(net, mn_row(rows, i));
    for (size_t c = 0; c < n; c++, at++) {
      if (at % 1024 == 0) MN_TRY(mn_poll(ctx));
      complete(net, mn_row(rows, i), c, mn_row(out, at));
    }
  }
  MN_TRY(mn_log_rows(ctx, net, out, out_weights));
  at = 0;
  for (size_t i = 0; i < rows->rows; i++) {
    const size_t n = (size_t)completions(net, mn_row(rows, i));
    normalize(weights ? weights[i] : 1, n, out_weights + at);
    at += n;
  }
  return MN_OK;
}
