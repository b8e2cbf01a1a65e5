/* HDBSCAN: single linkage of the mutual reachability distance, condensed and cut into the most stable clusters.
 * Campello, Moulavi, Zimek & Sander, ACM TKDD 10 (2015).
 *
 * A new row joins the hierarchy at the row to which its mutual reachability distance is least; it belongs to the
 * cluster in which that row was at this distance. A row equal to a training row gets its label. */
#include "../model/magnitudes.h"
#include "../neighbors/neighbors.h"
#include "../search/row_distances.h"
#include "condensed_tree.h"
#include "core_distances.h"
#include <string.h>

enum { EXCESS_OF_MASS, LEAF };
static const char *const methods[] = { "eom", "leaf", NULL };

struct hdbscan {
  mn_neighbors neighbors;
  int64_t min_cluster_size, min_samples, max_cluster_size, cluster_selection_method; /* parameters */
  double cluster_selection_epsilon;
  bool allow_single_cluster;
  mn_indexes labels; /* learned fields */
  mn_vector probabilities, outlier_scores, core_distances, counts, persistence;
  mn_matrix condensed_tree;
  mn_indexes node, parent, label; /* of rows; of nodes */
  mn_vector lambda, weights, birth, death;
};

/* Columns of condensed_tree. */
enum { PARENT, DISTANCE, SIZE, STABILITY, LABEL, COLUMNS };

static double samples_of(const struct hdbscan *m)
{
  return (double)(m->min_samples == MN_UNSET ? m->min_cluster_size : m->min_samples);
}

static mn_cluster_selection selection_of(const struct hdbscan *m)
{
  return (mn_cluster_selection){ .leaves = m->cluster_selection_method == LEAF,
                                 .epsilon = m->cluster_selection_epsilon,
                                 .allow_single = m->allow_single_cluster,
                                 .max_size = m->max_cluster_size == MN_UNSET ? INFINITY : (double)m->max_cluster_size };
}

static mn_status check_samples(mn_context *ctx, const struct hdbscan *m, const mn_data *data)
{
  char number[MN_NUMBER_SIZE], wanted[MN_NUMBER_SIZE];
  const double total = mn_total_weight(data);
  if (samples_of(m) <= total) return MN_OK;
  return mn_fail(ctx, MN_BAD_ARGUMENT,
                 "HDBSCAN: %s must be at most the number of rows (sum of sample weights), %s, got %s",
                 m->min_samples == MN_UNSET ? "min_cluster_size" : "min_samples", mn_format_number(number, total),
                 mn_format_number(wanted, samples_of(m)));
}

/* --- fit --- */

static mn_status link_rows(mn_context *ctx, struct hdbscan *m, const mn_data *data, mn_merge *merges)
{
  const mn_points rows = mn_neighbors_points(&m->neighbors);
  const mn_metric metric = { m->neighbors.metric, m->neighbors.p, &m->neighbors.covariance };
  mn_known_neighbors known;
  mn_edge *edges = MN_RAW(ctx, mn_edge, rows.n, 1);
  MN_CHECK_ALLOC(edges);
  MN_TRY(
      mn_core_distances(ctx, &m->neighbors.index, &rows, data->weights, samples_of(m), m->core_distances.at, &known));
  MN_TRY(mn_spanning_tree(ctx, "HDBSCAN", metric, &rows, &m->neighbors.index, m->core_distances.at, known, edges));
  for (size_t i = 0; i + 1 < rows.n; i++)
    merges[i] = (mn_merge){ .a = edges[i].a, .b = edges[i].b, .height = edges[i].weight };
  return mn_number_merges(ctx, rows.n, false, merges);
}

static double capped(double value)
{
  return fmin(value, DBL_MAX);
}

/* Keep the tree for predict and for reading. lambda may be INFINITY in the algorithm, DBL_MAX in fields. */
static mn_status keep_tree(mn_context *ctx, struct hdbscan *m, const mn_condensed_tree *t, const int32_t *label,
                           double highest)
{
  MN_TRY(mn_matrix_init(ctx, &m->condensed_tree, t->nodes, COLUMNS));
  MN_TRY(mn_indexes_init(ctx, &m->parent, t->nodes));
  MN_TRY(mn_indexes_init(ctx, &m->label, t->nodes));
  MN_TRY(mn_vector_init(ctx, &m->birth, t->nodes));
  MN_TRY(mn_vector_init(ctx, &m->death, t->nodes));
  for (size_t i = 0; i < t->nodes; i++) {
    double *row = mn_row(&m->condensed_tree, i);
    row[PARENT] = t->parent[i] + 1;
    row[DISTANCE] = i > 0 ? 1 / t->birth[i] : highest;
    row[SIZE] = t->size[i];
    row[STABILITY] = capped(t->stability[i]);
    row[LABEL] = label[i] < 0 ? -1 : label[i] + 1;
    m->parent.at[i] = t->parent[i];
    m->label.at[i] = label[i];
    m->birth.at[i] = t->birth[i];
    m->death.at[i] = capped(t->death[i]);
  }
  MN_TRY(mn_indexes_init(ctx, &m->node, t->rows));
  MN_TRY(mn_vector_init(ctx, &m->lambda, t->rows));
  for (size_t i = 0; i < t->rows; i++) {
    m->node.at[i] = t->node[i];
    m->lambda.at[i] = capped(t->lambda[i]);
  }
  return MN_OK;
}

/* Stability relative to the largest possible one: all rows of the cluster up to the largest lambda. */
static void find_persistence(struct hdbscan *m, const mn_condensed_tree *t, const int32_t *label)
{
  double most = 0;
  for (size_t i = 0; i < t->nodes; i++) most = fmax(most, t->death[i]);
  for (size_t i = 0; i < t->nodes; i++) {
    if (label[i] < 0) continue;
    const double size = m->counts.at[label[i]];
    const bool bounded = most > 0 && most < INFINITY && size > 0;
    m->persistence.at[label[i]] = bounded ? t->stability[i] / (size * most) : 1;
  }
}

static mn_status label_rows(mn_context *ctx, struct hdbscan *m, const mn_data *data, const mn_condensed_tree *t,
                            const int32_t *label, size_t clusters)
{
  if (clusters > 0) {
    MN_TRY(mn_vector_init(ctx, &m->counts, clusters));
    MN_TRY(mn_vector_init(ctx, &m->persistence, clusters));
  }
  const double root_lambda = mn_root_lambda(t, selection_of(m));
  for (size_t i = 0; i < t->rows; i++) {
    const int32_t node = mn_selected_node(t, label, root_lambda, t->node[i], t->lambda[i]);
    m->labels.at[i] = node < 0 ? -1 : label[node];
    m->probabilities.at[i] = node < 0 ? 0 : mn_membership(t, node, t->lambda[i]);
    if (node >= 0) m->counts.at[label[node]] += mn_weight(data, i);
  }
  find_persistence(m, t, label);
  return mn_outlier_scores(ctx, t, m->outlier_scores.at);
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct hdbscan *m = self;
  const size_t n = data->rows;
  size_t clusters;
  mn_condensed_tree tree;
  MN_TRY(check_samples(ctx, m, data));
  MN_TRY(mn_check_metric_magnitudes(ctx, &m->neighbors.base, m->neighbors.metric, data));
  MN_TRY(mn_neighbors_store(ctx, &m->neighbors, data));
  if (m->neighbors.metric == MN_METRIC_PRECOMPUTED) MN_TRY(mn_check_distances(ctx, "HDBSCAN", n, data->x.at));
  MN_TRY(mn_vector_init(ctx, &m->core_distances, n));
  MN_TRY(mn_vector_init(ctx, &m->probabilities, n));
  MN_TRY(mn_vector_init(ctx, &m->outlier_scores, n));
  MN_TRY(mn_indexes_init(ctx, &m->labels, n));
  if (data->weights) {
    MN_TRY(mn_vector_init(ctx, &m->weights, n));
    memcpy(m->weights.at, data->weights, n * sizeof *data->weights);
  }
  mn_merge *merges = MN_RAW(ctx, mn_merge, n, 1);
  MN_CHECK_ALLOC(merges);
  MN_TRY(link_rows(ctx, m, data, merges));
  MN_TRY(mn_condense_tree(ctx, n, merges, data->weights, m->core_distances.at, (double)m->min_cluster_size, &tree));
  int32_t *label = MN_RAW(ctx, int32_t, tree.nodes, 1);
  MN_CHECK_ALLOC(label);
  MN_TRY(mn_select_clusters(ctx, &tree, selection_of(m), label, &clusters));
  MN_TRY(label_rows(ctx, m, data, &tree, label, clusters));
  return keep_tree(ctx, m, &tree, label, n > 1 ? merges[n - 2].height : 0);
}

/* --- new rows --- */

/* The training row with the least mutual reachability distance to a new row. */
struct reached {
  double weight, distance;
  int32_t row;
};

/* The best of the k nearest training rows, as if the new row were one of them; *certain: no other can be better. */
static struct reached reach(const struct hdbscan *m, double samples, size_t k, const int32_t *row,
                            const double *distance, bool all, bool *certain)
{
  struct reached best = { INFINITY, INFINITY, 0 };
  double sum = 1, core = sum >= samples ? 0 : INFINITY;
  for (size_t j = 0; j < k && !(core < INFINITY); j++) {
    sum += m->weights.at ? m->weights.at[row[j]] : 1;
    if (sum >= samples) core = distance[j];
  }
  *certain = all || core < INFINITY;
  if (!(core < INFINITY)) core = distance[k - 1];
  for (size_t j = 0; j < k; j++) {
    const double weight = fmax(distance[j], fmax(core, m->core_distances.at[row[j]]));
    if (weight < best.weight) best = (struct reached){ weight, distance[j], row[j] }; /* the nearest is first */
  }
  if (!(distance[0] > 0)) { /* a training row */
    best = (struct reached){ 0, 0, row[0] };
    *certain = true;
  }
  if (!all && best.weight >= distance[k - 1]) *certain = false;
  return best;
}

static mn_condensed_tree stored_tree(const struct hdbscan *m)
{
  return (mn_condensed_tree){ .rows = m->node.size,
                              .nodes = m->parent.size,
                              .parent = m->parent.at,
                              .birth = m->birth.at,
                              .death = m->death.at,
                              .node = m->node.at,
                              .lambda = m->lambda.at };
}

static void label_new(const struct hdbscan *m, struct reached r, double *label, double *probability)
{
  const mn_condensed_tree t = stored_tree(m);
  if (!(r.distance > 0)) {
    *label = m->labels.at[r.row];
    *probability = m->probabilities.at[r.row];
    return;
  }
  const double lambda = 1 / r.weight;
  int32_t node = t.node[r.row];
  if (t.lambda[r.row] > lambda)
    while (node > 0 && t.birth[node] >= lambda) node = t.parent[node];
  node = mn_selected_node(&t, m->label.at, mn_root_lambda(&t, selection_of(m)), node, lambda);
  *label = node < 0 ? -1 : m->label.at[node];
  *probability = node < 0 ? 0 : mn_membership(&t, node, lambda);
}

/* Search for k neighbors of all new rows, of twice as many until the result is certain. */
static mn_status assign(mn_context *ctx, const struct hdbscan *m, const mn_data *data, double *label,
                        double *probability)
{
  const mn_points rows = mn_neighbors_points(&m->neighbors), queries = mn_data_points(data);
  const double samples = samples_of(m);
  bool proceed = true;
  MN_TRY(mn_neighbors_check_distances(ctx, &m->neighbors, &queries));
  for (size_t k = (size_t)fmin(fmax(2 * samples, 2), (double)rows.n); proceed; k = k < rows.n / 2 ? 2 * k : rows.n) {
    const mn_mark mark = mn_scratch_mark(ctx);
    int32_t *row = MN_RAW(ctx, int32_t, queries.n, k);
    double *distance = MN_RAW(ctx, double, queries.n, k);
    if (!row || !distance) return MN_NO_MEMORY;
    MN_TRY(mn_neighbor_nearest(ctx, &m->neighbors.index, &rows, &queries, k, row, distance));
    proceed = false;
    for (size_t i = 0; i < queries.n; i++) {
      bool certain;
      const struct reached r = reach(m, samples, k, row + i * k, distance + i * k, k == rows.n, &certain);
      label_new(m, r, &label[i], &probability[i]);
      if (!certain) proceed = true;
    }
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  double *probability = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(probability);
  return assign(ctx, self, data, out->at, probability);
}

static mn_status approximate_predict(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                     mn_results *results)
{
  (void)options;
  mn_indexes *labels;
  mn_vector *probabilities;
  double *label = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(label);
  MN_TRY(mn_result_indexes(ctx, results, "labels", data->rows, &labels));
  MN_TRY(mn_result_vector(ctx, results, "probabilities", data->rows, &probabilities));
  MN_TRY(assign(ctx, self, data, label, probabilities->at));
  for (size_t i = 0; i < data->rows; i++) labels->at[i] = (int32_t)label[i];
  return MN_OK;
}

static mn_status check(mn_context *ctx, const void *self)
{
  const struct hdbscan *m = self;
  bool valid = m->parent.size > 0 && m->condensed_tree.cols == COLUMNS && m->parent.at[0] == -1 &&
               (!m->weights.at || m->weights.size == m->labels.size);
  for (size_t i = 1; valid && i < m->parent.size; i++) valid = m->parent.at[i] >= 0 && (size_t)m->parent.at[i] < i;
  for (size_t i = 0; valid && i < m->node.size; i++) valid = m->node.at[i] >= 0;
  if (!valid) return mn_fail(ctx, MN_BAD_FILE, "HDBSCAN: parents must come before their children in condensed_tree");
  return mn_neighbors_check(ctx, &m->neighbors);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action;
  (void)program;
  return mn_cannot_export(ctx, self, "programs do not search for mutual reachability distances");
}

static const mn_operation operations[] = {
  { .name = "approximate_predict",
    .brief = "labels of new rows as predict gives them, and how strongly they belong to their clusters",
    .returns = "labels (rows, -1 for noise), probabilities (rows)",
    .needs = MN_NEEDS_X,
    .run = approximate_predict },
  { .name = NULL },
};

static const mn_param params[] = {
  MN_COUNT(struct hdbscan, min_cluster_size, 5, MN_CLOSED(2, INT32_MAX),
           "smallest number of rows (sum of sample weights) of a cluster"),
  MN_COUNT(
      struct hdbscan, min_samples, MN_UNSET, MN_CLOSED(1, INT32_MAX),
      "rows (sum of sample weights) within the core distance of a row, itself included; more give more noise; nil: "
      "min_cluster_size"),
  MN_CHOICE(struct hdbscan, cluster_selection_method, EXCESS_OF_MASS, methods,
            "eom: the clusters of largest total stability; leaf: the leaves of the condensed tree, more and smaller"),
  MN_REAL(struct hdbscan, cluster_selection_epsilon, 0, MN_AT_LEAST(0),
          "clusters that split off below this distance are joined with their parent; 0: none"),
  MN_FLAG(struct hdbscan, allow_single_cluster, false, "whether all rows may be one cluster"),
  MN_COUNT(struct hdbscan, max_cluster_size, MN_UNSET, MN_CLOSED(1, INT32_MAX),
           "largest number of rows of a cluster that eom selects; nil: unlimited"),
  MN_NEIGHBORS_METRIC_PARAMS,
  MN_NEIGHBORS_EXACT_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_INDEXES(struct hdbscan, labels, "rows < clusters? or -1", "cluster of each training row, -1 for noise"),
  MN_VECTOR(struct hdbscan, probabilities, "rows", "how strongly each row belongs to its cluster, 0 to 1; 0 for noise"),
  MN_VECTOR(struct hdbscan, outlier_scores, "rows", "GLOSH: 0 in the densest part of a cluster, to 1 for outliers"),
  MN_VECTOR(struct hdbscan, counts, "clusters?", "number of rows (sum of sample weights) of each cluster"),
  MN_VECTOR(struct hdbscan, persistence, "clusters?",
            "stability of each cluster as a fraction of the largest possible"),
  MN_VECTOR(struct hdbscan, core_distances, "rows", "distance to the row number min_samples, itself included"),
  MN_MATRIX(struct hdbscan, condensed_tree, "nodes x columns",
            "nodes: parent (0: root), distance at which it splits off, rows, stability, label (-1: not selected)"),
  MN_INDEXES(struct hdbscan, node, "rows < nodes", "the row of condensed_tree that each row leaves last"),
  MN_VECTOR(struct hdbscan, lambda, "rows", "1 / distance at which each row leaves that node"),
  MN_LEARNED(MN_KIND_VECTOR, struct hdbscan, weights, "rows?", NULL),
  MN_LEARNED(MN_KIND_INDEXES, struct hdbscan, parent, "nodes < nodes or -1", NULL),
  MN_LEARNED(MN_KIND_INDEXES, struct hdbscan, label, "nodes < clusters? or -1", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct hdbscan, birth, "nodes", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct hdbscan, death, "nodes", NULL),
  MN_NEIGHBORS_FIELDS,
  MN_END,
};

const mn_class mn_hdbscan = {
  .name = "HDBSCAN",
  .family = "cluster",
  .brief = "Density-based clusters of any density, found in a hierarchy by their stability.",
  .objective = "clusters of largest sum of weight (lambda - birth) in the tree of max(d(a, b), core_a, core_b)",
  .source = "Campello, Moulavi, Zimek & Sander, ACM TKDD 10 (2015); McInnes & Healy, ICDMW 2017",
  .notes =
      "min_samples counts the row itself, as in scikit-learn and DBSCAN: it is one more than in the package hdbscan. "
      "Equal mutual reachability distances are ordered by distance, so results do not depend on the order of the "
      "rows unless distances are equal, too. predict gives a training row its label, and a new row the cluster of the "
      "row it reaches first. Rows of weight 0 have no labels.",
  .example = "local X = ml.normal(60, 2, 1)\n"
             "for i = 1, 30 do X:set(i, 1, X:get(i, 1) + 9) end\n"
             "local model = ml.HDBSCAN{ min_cluster_size = 10 }:fit(X)\n"
             "print(model.counts, model.persistence, model:approximate_predict{ {9, 0}, {4, 4} })",
  .capabilities = MN_CLUSTER,
  .accepts = MN_WEIGHTS | MN_SPARSE,
  .size = sizeof(struct hdbscan),
  .params = params,
  .fields = fields,
  .operations = operations,
  .fit = fit,
  .predict = predict,
  .export = export,
  .check = check,
  .derive = mn_neighbors_derive,
};
