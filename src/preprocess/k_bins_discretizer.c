/* Discretizes numbers into bins of equal frequency, of equal width, or around cluster means.
 *
 * A value belongs to the last bin whose lower edge it reaches; the first and the last bin are unbounded. */
#include "../core/threads.h"
#include "../model/class.h"
#include "../model/program.h"
#include "column_values.h"
#include "names.h"

enum strategy { UNIFORM, QUANTILE, KMEANS };
enum encode { ONEHOT, ORDINAL };
enum { BLOCK_VALUES = 1 << 16, MAX_ITER = 300 };

struct k_bins_discretizer {
  mn_estimator base;
  int64_t n_bins, strategy, encode; /* parameters */
  mn_matrix bin_edges;              /* learned fields: features x (n_bins + 1), NaN after the last */
  mn_vector bins;
};

static size_t count_bins(const struct k_bins_discretizer *m, size_t j)
{
  return (size_t)m->bins.at[j];
}

/* Remove bins that are empty, or narrow only because of rounding. */
static size_t remove_narrow_bins(double *edge, size_t n)
{
  const double min_width = 1e-8 * (edge[n - 1] - edge[0]);
  size_t kept = 1;
  for (size_t e = 1; e < n; e++)
    if (edge[e] - edge[e - 1] > min_width)
      edge[kept++] = edge[e]; /* kept <= e: no edge is overwritten before it is read */
  return kept;
}

/* Lloyd's algorithm on a sorted column: cluster b lies between edges b and b + 1. Starts with the centers of bins of
 * equal width. */
static void cluster_edges(struct mn_column_values *c, size_t bins, double *edge)
{
  double *center = edge + 1; /* bins values; converted to edges at the end */
  const double low = c->at[0], high = c->at[c->size - 1], step = (high - low) / (double)bins;
  for (size_t b = 0; b < bins; b++) center[b] = low + ((double)b + 0.5) * step;
  for (int iter = 0; iter < MAX_ITER && mn_task_should_continue(&c->token); iter++) {
    bool moved = false;
    size_t i = 0;
    for (size_t b = 0; b < bins; b++) {
      const double end = b + 1 < bins ? center[b] / 2 + center[b + 1] / 2 : INFINITY;
      double sum = 0, weight = 0;
      for (; i < c->size && c->at[i] <= end; i++) {
        const double w = c->weight ? c->weight[i] : 1;
        sum += w * (c->at[i] - low);
        weight += w;
      }
      const double mean = weight > 0 ? low + sum / weight : center[b];
      moved = moved || mean < center[b] || mean > center[b];
      center[b] = mean;
    }
    if (!moved) break;
  }
  for (size_t b = 0; b + 1 < bins; b++) center[b] = center[b] / 2 + center[b + 1] / 2;
  edge[0] = low;
  edge[bins] = high;
}

struct work {
  struct k_bins_discretizer *model;
  const double *level; /* n_bins + 1: 0 to 1 */
};

static void bin_column(void *work, size_t j, struct mn_column_values *values)
{
  const struct work *w = work;
  struct k_bins_discretizer *m = w->model;
  const size_t n = (size_t)m->n_bins;
  double *edge = mn_row(&m->bin_edges, j), low = INFINITY, high = -INFINITY;
  size_t edges = n + 1;
  for (size_t i = 0; i < values->size; i++) {
    low = values->at[i] < low ? values->at[i] : low;
    high = values->at[i] > high ? values->at[i] : high;
  }
  if (!(high > low)) {
    edge[0] = edge[1] = low;
    edges = 2;
  } else if (m->strategy == UNIFORM) {
    for (size_t e = 0; e <= n; e++) edge[e] = e < n ? low + (high - low) * w->level[e] : high;
  } else if (m->strategy == QUANTILE) {
    mn_column_inverted_quantiles(values, n + 1, w->level, edge);
    edges = remove_narrow_bins(edge, n + 1);
  } else {
    mn_sort_column(values);
    cluster_edges(values, n, edge);
    edges = remove_narrow_bins(edge, n + 1);
  }
  for (size_t e = edges; e <= n; e++) edge[e] = (double)NAN;
  m->bins.at[j] = (double)(edges > 1 ? edges - 1 : 1);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct k_bins_discretizer *m = self;
  const size_t n = (size_t)m->n_bins;
  double *level = MN_RAW(ctx, double, n + 1, 1);
  MN_CHECK_ALLOC(level);
  for (size_t e = 0; e <= n; e++) level[e] = (double)e / (double)n;
  MN_TRY(mn_matrix_init(ctx, &m->bin_edges, data->features, n + 1));
  MN_TRY(mn_vector_init(ctx, &m->bins, data->features));
  return mn_for_each_column(ctx, data, bin_column, NULL, &(struct work){ .model = m, .level = level });
}

struct binning {
  const struct k_bins_discretizer *model;
  const mn_matrix *x;
  mn_matrix *out;
  mn_blocks blocks;
};

/* 0-based bin of x: the number of inner edges that x reaches. */
static size_t find_bin(const double *edge, size_t bins, double x)
{
  size_t low = 0, high = bins - 1;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (edge[mid + 1] <= x)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static void bin_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct binning *w = work;
  const bool onehot = w->model->encode == ONEHOT;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(w->x, i);
    double *out = mn_row(w->out, i);
    for (size_t j = 0; j < w->x->cols; j++) {
      const size_t bins = count_bins(w->model, j), bin = find_bin(mn_row(&w->model->bin_edges, j), bins, x[j]);
      if (onehot)
        out[bin] = 1;
      else
        *out = (double)(bin + 1);
      out += onehot ? bins : 1;
    }
  }
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct binning w = { .model = self, .x = &data->x, .out = out };
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / (data->features + out->cols), SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, bin_block, &w);
}

/* 0-based bin encoded in a transformed row for a column whose outputs begin at `first`; `bins` if there is none. */
static size_t decode_bin(const struct k_bins_discretizer *m, const double *row, size_t first, size_t bins)
{
  if (m->encode == ONEHOT) {
    size_t best = 0;
    for (size_t b = 1; b < bins; b++)
      if (row[first + b] > row[first + best]) best = b;
    return row[first + best] > 0 ? best : bins;
  }
  return row[first] >= 1 && row[first] <= (double)bins ? (size_t)row[first] - 1 : bins;
}

static mn_status inverse_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct k_bins_discretizer *m = self;
  for (size_t i = 0; i < data->rows; i++) {
    size_t first = 0;
    for (size_t j = 0; j < out->cols; j++) {
      const size_t bins = count_bins(m, j), bin = decode_bin(m, mn_row(&data->x, i), first, bins);
      const double *edge = mn_row(&m->bin_edges, j);
      if (bin == bins)
        return mn_fail(ctx, MN_BAD_DATA,
                       "KBinsDiscretizer: X must encode a bin from 1 to %zu, got none in row %zu, column %zu", bins,
                       i + 1, first + 1);
      mn_row(out, i)[j] = edge[bin] / 2 + edge[bin + 1] / 2;
      first += m->encode == ONEHOT ? bins : 1;
    }
  }
  return MN_OK;
}

static size_t outputs(const void *self)
{
  const struct k_bins_discretizer *m = self;
  size_t n = 0;
  for (size_t j = 0; j < m->base.n_features; j++) n += m->encode == ONEHOT ? count_bins(m, j) : 1;
  return n;
}

static void output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const struct k_bins_discretizer *m = self;
  char own[MN_INPUT_NAME_SIZE];
  size_t feature = 0;
  if (m->encode == ORDINAL) {
    snprintf(text, size, "%s", mn_input_name(inputs, j, own));
    return;
  }
  for (; j >= count_bins(m, feature); feature++) j -= count_bins(m, feature);
  snprintf(text, size, "%s_%zu", mn_input_name(inputs, feature, own), j + 1);
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct k_bins_discretizer *m = self;
  bool valid = m->bins.at && m->bin_edges.at;
  for (size_t j = 0; valid && j < m->bins.size; j++)
    valid =
        m->bins.at[j] >= 1 && m->bins.at[j] <= (double)(m->bin_edges.cols - 1) && m->bins.at[j] == floor(m->bins.at[j]);
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "KBinsDiscretizer: bin_edges and bins are inconsistent");
}

static const char *const strategies[] = { "uniform", "quantile", "kmeans", NULL };
static const char *const encodings[] = { "onehot", "ordinal", NULL };

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct k_bins_discretizer *m = self;
  if (action != MN_TRANSFORM_X) return MN_OK;
  int32_t *bins = MN_RAW(ctx, int32_t, m->bins.size, 1);
  MN_CHECK_ALLOC(bins);
  for (size_t j = 0; j < m->bins.size; j++) bins[j] = (int32_t)m->bins.at[j];
  mn_program_indexes(program, "bins", m->bins.size, bins);
  mn_program_reals(program, "edges", m->bin_edges.rows * m->bin_edges.cols, m->bin_edges.at);
  mn_program_count(program, "width", m->bin_edges.cols);
  if (m->encode == ONEHOT) mn_program_code(program, "int first = 0 for c < outputs { out[c] = 0.0 }");
  mn_program_code(program, "for j < features {"
                           "  int low = 0 int high = bins[j] - 1"
                           "  while low < high {"
                           "    int middle = half(low + high)"
                           "    if edges[j * width + middle + 1] <= x[j] { low = middle + 1 } else { high = middle }"
                           "  }");
  mn_program_code(program, m->encode == ONEHOT ? "out[first + low] = 1.0 first += bins[j] }" : "out[j] = low + 1.0 }");
  return MN_OK;
}

static const mn_param params[] = {
  MN_COUNT(struct k_bins_discretizer, n_bins, 5, MN_CLOSED(2, 65536), "number of bins of each column"),
  MN_CHOICE(struct k_bins_discretizer, strategy, QUANTILE, strategies,
            "uniform: bins of equal width; quantile: of equal frequency; kmeans: around cluster means"),
  MN_CHOICE(struct k_bins_discretizer, encode, ONEHOT, encodings,
            "onehot: an indicator column for each bin; ordinal: the index of the bin"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct k_bins_discretizer, bin_edges, "features x edges", "edges of the bins; NaN after the last"),
  MN_VECTOR(struct k_bins_discretizer, bins, "features", "number of bins of each column"),
  MN_END,
};

const mn_class mn_k_bins_discretizer = {
  .name = "KBinsDiscretizer",
  .family = "preprocess",
  .brief = "Discretizes numbers into bins.",
  .objective = "z = k where edge_k <= x < edge_k+1",
  .source = "Dougherty, Kohavi & Sahami, ICML 1995",
  .notes = "Ordinal bins are counted from 1 (from 0 in scikit-learn), and one-hot columns are dense. Bins narrower "
           "than 1e-8 of the range are removed, so a column may have fewer than n_bins. Quantiles are of type 2 of "
           "Hyndman & Fan, as in scikit-learn. inverse_transform returns the midpoint of the bin.",
  .example = "local bins = ml.KBinsDiscretizer{ n_bins = 3, encode = \"ordinal\", strategy = \"uniform\" }\n"
             "print(bins:fit_transform{ {0}, {4}, {5}, {9} })",
  .capabilities = MN_TRANSFORM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS,
  .size = sizeof(struct k_bins_discretizer),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .outputs_whole = mn_all_outputs_whole,
  .inverse_transform = inverse_transform,
  .outputs = outputs,
  .output_name = output_name,
  .check = check,
  .export = export,
};
