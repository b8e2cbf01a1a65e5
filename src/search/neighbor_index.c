#include "neighbor_index.h"
#include "../linalg/csr.h"
#include "neighbor_descent.h"
#include "neighbor_search.h"
#include "nearest.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const mn_graph_algorithm_names[] = { "auto", "kd_tree",          "ball_tree", "brute",
                                                 "hnsw", "neighbor_descent", NULL };
const char *const mn_index_algorithm_names[] = { "auto", "kd_tree", "ball_tree", "brute", "hnsw", NULL };
const char *const mn_exact_algorithm_names[] = { "auto", "kd_tree", "ball_tree", "brute", NULL };

/* Whether a k-d tree is probably faster than brute force. Over more columns than about half the binary digits of the
 * number of rows, it excludes too few nodes. */
static bool tree_pays(const mn_points *rows, const mn_space *space)
{
  enum { MIN_ROWS = 256, MORE_COLUMNS = 2 };
  return rows->n >= MIN_ROWS && (double)space->width <= log2((double)rows->n) / 2 + MORE_COLUMNS;
}

static mn_status choose(mn_context *ctx, const char *who, mn_neighbor_index *index, const mn_points *rows,
                        const mn_index_options *options)
{
  const int64_t algorithm = options->algorithm;
  const bool possible = !rows->sparse && index->space.kind != MN_METRIC_PRECOMPUTED;
  const bool trees = algorithm == MN_INDEX_KD_TREE || algorithm == MN_INDEX_BALL_TREE;
  if (trees && !possible)
    return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: algorithm '%s' requires %s; set algorithm to brute or auto", who,
                   mn_graph_algorithm_names[algorithm],
                   rows->sparse ? "a dense X" : "rows, not the metric precomputed");
  if ((algorithm == MN_INDEX_HNSW || algorithm == MN_INDEX_DESCENT) &&
      (!possible || index->space.form != MN_FORM_SQUARES))
    return mn_fail(
        ctx, MN_BAD_ARGUMENT,
        "%s: algorithm '%s' requires a dense X and the metric euclidean, cosine, correlation, mahalanobis or "
        "haversine; set algorithm to auto",
        who, mn_graph_algorithm_names[algorithm]);
  index->algorithm = index->requested = algorithm;
  index->descent = algorithm == MN_INDEX_DESCENT;
  if (algorithm != MN_INDEX_AUTO && algorithm != MN_INDEX_DESCENT) return MN_OK;
  index->algorithm = possible && tree_pays(rows, &index->space) ? MN_INDEX_KD_TREE : MN_INDEX_BRUTE;
  if (algorithm == MN_INDEX_AUTO && options->approximate && possible)
    index->descent = index->algorithm == MN_INDEX_BRUTE && rows->n >= MN_MANY_INDEX_ROWS;
  return MN_OK;
}

mn_status mn_neighbor_index_init(mn_context *ctx, const char *who, mn_neighbor_index *index, const mn_points *rows,
                                 mn_index_options options)
{
  *index = (mn_neighbor_index){ .leaf_size = options.leaf_size, .hnsw = options.graph };
  if (!index->hnsw.links.at) index->hnsw = (mn_hnsw){ .recall = (double)NAN, .span = (double)NAN };
  if (rows->n >= INT32_MAX)
    return mn_fail(ctx, MN_BAD_DATA, "%s: X must have fewer than %d rows, got %zu", who, INT32_MAX, rows->n);
  MN_TRY(mn_space_init(ctx, who, &index->space, options.metric, rows, options.scratch));
  MN_TRY(choose(ctx, who, index, rows, &options));
  if (mn_space_embeds(&index->space) && !rows->sparse) {
    MN_TRY(mn_search_matrix(ctx, &index->embedded, rows->n, (size_t)index->space.width, options.scratch));
    MN_TRY(mn_space_embed(ctx, &index->space, rows, false, index->embedded.at));
  }
  const double *embedded = index->embedded.at ? index->embedded.at : rows->x;
  if (index->algorithm == MN_INDEX_BRUTE) return MN_OK;
  if (index->algorithm == MN_INDEX_HNSW)
    return mn_hnsw_init(ctx, who, &index->hnsw, rows->n, (size_t)index->space.width, embedded, (size_t)options.k,
                        options.recall, options.scratch);
  return mn_tree_init(ctx, &index->tree, &index->space, rows->n, embedded, (size_t)options.leaf_size,
                      index->algorithm == MN_INDEX_BALL_TREE, options.scratch);
}

void mn_neighbor_index_free(mn_memory *memory, mn_neighbor_index *index)
{
  mn_space_free(memory, &index->space);
  mn_matrix_free(memory, &index->embedded);
  mn_tree_free(memory, &index->tree);
  mn_hnsw_free(memory, &index->hnsw);
}

/* Queries of the other kind than the rows are converted, in scratch. */
static mn_status match_queries(mn_context *ctx, const mn_points *rows, const mn_points *queries, mn_csr *sparse,
                               mn_points *out)
{
  *out = *queries;
  if (!rows->sparse == !queries->sparse) return MN_OK;
  if (queries->sparse) {
    mn_matrix x = { MN_NEW(ctx, double, queries->n, queries->d), queries->n, queries->d };
    MN_CHECK_ALLOC(x.at);
    mn_csr_to_dense(queries->sparse, &x);
    *out = (mn_points){ .n = queries->n, .d = queries->d, .x = x.at };
    return MN_OK;
  }
  const mn_matrix x = { (double *)(uintptr_t)queries->x, queries->n, queries->d };
  const size_t values = mn_count_nonzeros(&x);
  *sparse = (mn_csr){ .rows = queries->n,
                      .cols = queries->d,
                      .start = MN_RAW(ctx, size_t, queries->n + 1, 1),
                      .col = MN_RAW(ctx, int32_t, values, 1),
                      .at = MN_RAW(ctx, double, values, 1) };
  if (!sparse->start || !sparse->col || !sparse->at) return MN_NO_MEMORY;
  mn_csr_from_dense(&x, values, sparse);
  *out = (mn_points){ .n = queries->n, .d = queries->d, .sparse = sparse };
  return MN_OK;
}

/* The points of a search, and what they point to. */
struct prepared {
  mn_points rows, queries;
  mn_csr converted, unit_rows, unit_queries;
};

static mn_status prepare(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows,
                         const mn_points *queries, struct prepared *p, mn_neighbor_search *s)
{
  const mn_space *space = &index->space;
  p->rows = *rows;
  MN_TRY(match_queries(ctx, rows, queries ? queries : rows, &p->converted, &p->queries));
  if (rows->sparse && space->kind == MN_METRIC_COSINE) {
    MN_TRY(mn_space_unit_rows(ctx, rows, &p->unit_rows, &p->rows));
    const mn_points raw = p->queries;
    MN_TRY(mn_space_unit_rows(ctx, &raw, &p->unit_queries, &p->queries));
  }
  *s = (mn_neighbor_search){ .ctx = ctx,
                             .space = space,
                             .tree = &index->tree,
                             .rows = &p->rows,
                             .queries = &p->queries,
                             .embedded_rows = index->embedded.at ? index->embedded.at : rows->x,
                             .embedded_queries = p->queries.x,
                             .exact =
                                 rows->sparse || space->kind == MN_METRIC_PRECOMPUTED || mn_space_scans_exactly(space),
                             .others = !queries };
  if (!mn_space_embeds(space) || rows->sparse) return MN_OK;
  double *z = MN_RAW(ctx, double, p->queries.n, (size_t)space->width);
  MN_CHECK_ALLOC(z);
  s->embedded_queries = z;
  return mn_space_embed(ctx, space, &p->queries, true, z);
}

static mn_status run(mn_context *ctx, const mn_neighbor_index *index, const mn_neighbor_search *s)
{
  if (s->rows->sparse) return mn_search_sparse(ctx, s);
  if (index->space.kind == MN_METRIC_PRECOMPUTED) return mn_search_precomputed(ctx, s);
  return index->tree.n > 0 ? mn_search_tree(ctx, s) : mn_search_scan(ctx, s);
}

/* Whether products of matrices find the k nearest. */
static bool uses_products(const mn_neighbor_index *index, const mn_neighbor_search *s)
{
  return index->algorithm == MN_INDEX_BRUTE && !s->rows->sparse && index->space.form == MN_FORM_SQUARES &&
         index->space.kind != MN_METRIC_HAVERSINE;
}

/* Search the graph, and measure the rows found. *complete: every query has k of them. */
static mn_status search_graph(mn_context *ctx, const mn_neighbor_index *index, const mn_neighbor_search *s, size_t k,
                              int32_t *found, bool *complete)
{
  const size_t m = s->queries->n, width = (size_t)s->space->width;
  MN_TRY(mn_hnsw_search(ctx, &index->hnsw, m, s->embedded_queries, k, s->others, found));
  *complete = true;
  for (size_t i = 0; i < m; i++) {
    const bool sphere = s->space->kind == MN_METRIC_HAVERSINE;
    const double *q = sphere ? s->queries->x + 2 * i : s->embedded_queries + width * i;
    mn_candidate *nearest = s->nearest + i * k;
    if (found[i * k + k - 1] == INT32_MAX) *complete = false;
    for (size_t j = 0; j < k && *complete; j++) {
      const size_t row = (size_t)found[i * k + j];
      const double *x = sphere ? s->rows->x + 2 * row : s->embedded_rows + width * row;
      nearest[j] = (mn_candidate){ mn_space_measure(s->space, q, x), found[i * k + j] };
    }
    if (*complete) mn_heap_sort(nearest, k);
  }
  return MN_OK;
}

/* Convert reduced distances, in order, to distances. Different ones may round to the same: then sort by index. */
static void finish_query(const mn_space *space, size_t k, int32_t *found, double *distance)
{
  for (size_t i = 0; i < k; i++) {
    const double value = mn_space_distance(space, distance[i]);
    const int32_t row = found[i];
    size_t at = i;
    for (; at > 0 && distance[at - 1] >= value && found[at - 1] > row; at--) {
      distance[at] = distance[at - 1];
      found[at] = found[at - 1];
    }
    distance[at] = value;
    found[at] = row;
  }
}

mn_status mn_neighbor_nearest(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows,
                              const mn_points *queries, size_t k, int32_t *found, double *distance)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t most = rows->n - (queries ? 0 : 1);
  if (!(k >= 1 && k <= most))
    return mn_fail(ctx, MN_BAD_ARGUMENT, "the number of neighbors must be from 1 to %zu, got %zu", most, k);
  struct prepared p;
  mn_neighbor_search s;
  MN_TRY(prepare(ctx, index, rows, queries, &p, &s));
  const size_t m = p.queries.n;
  if (index->descent && s.others && distance && mn_descent_possible(&index->space, rows->n, k))
    MN_TRY(mn_neighbor_descent(ctx, &index->space, rows->n, s.embedded_rows, k, found, distance));
  else if (uses_products(index, &s)) {
    if (!distance) distance = MN_RAW(ctx, double, m, k);
    MN_CHECK_ALLOC(distance);
    MN_TRY(mn_nearest_rows(ctx, m, rows->n, (size_t)index->space.width, s.embedded_queries, s.embedded_rows, k,
                           s.others, found, distance));
  } else {
    s.k = k;
    s.unordered = !distance;
    s.nearest = MN_RAW(ctx, mn_candidate, m, k);
    MN_CHECK_ALLOC(s.nearest);
    bool complete = false;
    if (index->algorithm == MN_INDEX_HNSW) MN_TRY(search_graph(ctx, index, &s, k, found, &complete));
    if (!complete) MN_TRY(run(ctx, index, &s));
    for (size_t i = 0; i < m * k; i++) {
      found[i] = s.nearest[i].index;
      if (distance) distance[i] = s.nearest[i].value;
    }
  }
  for (size_t i = 0; i < m && distance; i++) finish_query(&index->space, k, found + i * k, distance + i * k);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static int compare_indexes(const void *a, const void *b)
{
  const int32_t x = ((const mn_candidate *)a)->index, y = ((const mn_candidate *)b)->index;
  return (x > y) - (x < y);
}

struct sorting {
  const mn_neighbor_lists *lists;
  bool by_distance;
  size_t rows;
  double *distance; /* workers x rows, -1 between lists: for lists in order of index */
};

/* Scans are in order already. Long lists are read back from an array of all rows, which is faster than comparing. */
static void sort_by_index(const struct sorting *w, mn_candidate *at, size_t n, double *distance)
{
  enum { ROWS_PER_NEIGHBOR = 16 };
  size_t ordered = 1, size = 0;
  while (ordered < n && at[ordered - 1].index < at[ordered].index) ordered++;
  if (ordered >= n) return;
  if (n < w->rows / ROWS_PER_NEIGHBOR) {
    qsort(at, n, sizeof *at, compare_indexes);
    return;
  }
  for (size_t i = 0; i < n; i++) distance[at[i].index] = at[i].value;
  for (size_t row = 0; row < w->rows; row++) {
    if (distance[row] < 0) continue;
    at[size++] = (mn_candidate){ distance[row], (int32_t)row };
    distance[row] = -1;
  }
}

static void sort_list(void *work, size_t i, size_t worker)
{
  const struct sorting *w = work;
  mn_candidate *at = w->lists->at + w->lists->start[i];
  const size_t n = w->lists->start[i + 1] - w->lists->start[i];
  if (w->by_distance)
    mn_heap_sort(at, n);
  else
    sort_by_index(w, at, n, w->distance + worker * w->rows);
}

static mn_status sort_lists(mn_context *ctx, const mn_neighbor_lists *lists, size_t rows, bool by_distance)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const size_t values = by_distance ? 0 : mn_threads(ctx) * rows;
  struct sorting w = { lists, by_distance, rows, MN_RAW(ctx, double, values, 1) };
  MN_CHECK_ALLOC(w.distance);
  for (size_t i = 0; i < values; i++) w.distance[i] = -1;
  MN_TRY(mn_parallel(ctx, lists->n, sort_list, &w));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_neighbor_within(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows,
                             const mn_points *queries, double radius, bool sorted, mn_neighbor_lists *lists)
{
  const size_t m = queries ? queries->n : rows->n;
  *lists = (mn_neighbor_lists){ .n = m, .start = MN_NEW(ctx, size_t, m + 1, 1) };
  MN_CHECK_ALLOC(lists->start);
  struct prepared p;
  mn_neighbor_search s;
  MN_TRY(prepare(ctx, index, rows, queries, &p, &s));
  s.radius = radius;
  s.start = lists->start;
  MN_TRY(run(ctx, index, &s));
  for (size_t i = 0; i < m; i++) lists->start[i + 1] += lists->start[i];
  lists->at = MN_RAW(ctx, mn_candidate, lists->start[m], 1);
  MN_CHECK_ALLOC(lists->at);
  s.lists = lists->at;
  MN_TRY(run(ctx, index, &s));
  return sort_lists(ctx, lists, rows->n, sorted);
}

mn_status mn_neighbor_nearest_lists(mn_context *ctx, const mn_neighbor_index *index, const mn_points *rows,
                                    const mn_points *queries, size_t k, mn_neighbor_lists *lists)
{
  const size_t m = queries ? queries->n : rows->n;
  *lists = (mn_neighbor_lists){ m, MN_RAW(ctx, size_t, m + 1, 1), MN_RAW(ctx, mn_candidate, m, k) };
  if (!lists->start || !lists->at) return MN_NO_MEMORY;
  const mn_mark mark = mn_scratch_mark(ctx);
  int32_t *found = MN_RAW(ctx, int32_t, m, k);
  double *distance = MN_RAW(ctx, double, m, k);
  if (!found || !distance) return MN_NO_MEMORY;
  MN_TRY(mn_neighbor_nearest(ctx, index, rows, queries, k, found, distance));
  for (size_t i = 0; i <= m; i++) lists->start[i] = i * k;
  for (size_t i = 0; i < m * k; i++) lists->at[i] = (mn_candidate){ distance[i], found[i] };
  MN_TRY(sort_lists(ctx, lists, rows->n, false));
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_neighbor_lists_graph(mn_context *ctx, const mn_neighbor_lists *lists, size_t cols, bool distances,
                                  mn_csr *graph)
{
  const size_t values = lists->start[lists->n];
  MN_TRY(mn_csr_init(ctx, graph, lists->n, cols, values));
  memcpy(graph->start, lists->start, (lists->n + 1) * sizeof *graph->start);
  for (size_t i = 0; i < values; i++) {
    graph->col[i] = lists->at[i].index;
    graph->at[i] = distances ? lists->at[i].value : 1;
  }
  return MN_OK;
}
