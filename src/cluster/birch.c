/* BIRCH: rows are summarized by a clustering feature tree (cf_tree.h) in one pass, and the means of the entries of its
 * leaves, the subclusters, are clustered by Ward's linkage. Later batches continue the tree.
 *
 * Sums are taken about the mean of the first batch, so that radii keep their digits far from 0. */
#include "../hierarchy/linkage.h"
#include "../model/magnitudes.h"
#include "centers.h"
#include "cf_tree.h"
#include "lloyd.h"
#include <string.h>

struct birch {
  mn_estimator base;
  double threshold; /* parameters */
  int64_t branching_factor, n_clusters;
  mn_matrix subcluster_centers; /* learned fields */
  mn_vector subcluster_counts, counts;
  mn_indexes subcluster_labels, labels;
  mn_vector origin; /* the tree: features */
  mn_vector entry_count, entry_square;
  mn_indexes entry_child, node_start; /* entries: node, or -1; nodes + 1: where the entries of a node begin */
  mn_matrix entry_sum;
};

static const char name[] = "Birch";

static mn_status set_origin(mn_context *ctx, struct birch *m, const mn_data *data)
{
  const size_t d = data->features;
  if (m->origin.at) return MN_OK;
  MN_TRY(mn_vector_init(ctx, &m->origin, d));
  for (size_t i = 0; i < data->rows; i++)
    for (size_t j = 0; j < d; j++) m->origin.at[j] += (mn_row(&data->x, i)[j] - m->origin.at[j]) / (double)(i + 1);
  return MN_OK;
}

/* The stored tree, whose root is node 0. */
static mn_status restore(mn_context *ctx, const struct birch *m, mn_cf_tree *t)
{
  int32_t node, entry;
  for (size_t i = 0; i + 1 < m->node_start.size; i++) {
    MN_TRY(mn_cf_new_node(ctx, t, &node));
    for (int32_t e = m->node_start.at[i]; e < m->node_start.at[i + 1]; e++) {
      MN_TRY(mn_cf_new_entry(ctx, t, node, &entry));
      t->entry[entry] = (mn_cf_entry){ .count = m->entry_count.at[e],
                                       .square = m->entry_square.at[e],
                                       .child = m->entry_child.at[e] };
      memcpy(t->sum + (size_t)entry * t->d, mn_row(&m->entry_sum, (size_t)e), t->d * sizeof *t->sum);
    }
  }
  t->root = t->nodes > 0 ? 0 : -1;
  return MN_OK;
}

/* Nodes in breadth-first order; all nodes of the arrays are in the tree. */
static mn_status list_nodes(mn_context *ctx, const mn_cf_tree *t, int32_t **nodes, int32_t **place)
{
  size_t size = 1;
  *nodes = MN_RAW(ctx, int32_t, t->nodes, 1);
  *place = MN_RAW(ctx, int32_t, t->nodes, 1);
  if (!*nodes || !*place) return MN_NO_MEMORY;
  (*nodes)[0] = t->root;
  for (size_t i = 0; i < size; i++) {
    const int32_t node = (*nodes)[i];
    (*place)[node] = (int32_t)i;
    for (int32_t e = 0; e < t->size[node]; e++) {
      const int32_t child = t->entry[t->member[(size_t)node * (t->branching + 1) + (size_t)e]].child;
      if (child >= 0) (*nodes)[size++] = child;
    }
  }
  return MN_OK;
}

static mn_status store_tree(mn_context *ctx, struct birch *m, const mn_cf_tree *t)
{
  int32_t *nodes, *place;
  mn_memory *memory = mn_context_memory(ctx);
  MN_TRY(list_nodes(ctx, t, &nodes, &place));
  mn_matrix_free(memory, &m->entry_sum);
  MN_TRY(mn_matrix_init(ctx, &m->entry_sum, t->entries, t->d));
  MN_TRY(mn_vector_resize(ctx, &m->entry_count, t->entries));
  MN_TRY(mn_vector_resize(ctx, &m->entry_square, t->entries));
  MN_TRY(mn_indexes_resize(ctx, &m->entry_child, t->entries));
  MN_TRY(mn_indexes_resize(ctx, &m->node_start, t->nodes + 1));
  size_t at = 0;
  for (size_t i = 0; i < t->nodes; i++) {
    m->node_start.at[i] = (int32_t)at;
    for (int32_t e = 0; e < t->size[nodes[i]]; e++, at++) {
      const int32_t entry = t->member[(size_t)nodes[i] * (t->branching + 1) + (size_t)e];
      m->entry_count.at[at] = t->entry[entry].count;
      m->entry_square.at[at] = t->entry[entry].square;
      m->entry_child.at[at] = t->entry[entry].child >= 0 ? place[t->entry[entry].child] : -1;
      memcpy(mn_row(&m->entry_sum, at), t->sum + (size_t)entry * t->d, t->d * sizeof *t->sum);
    }
  }
  m->node_start.at[t->nodes] = (int32_t)at;
  return MN_OK;
}

/* Means and counts of the entries of the leaves. */
static mn_status store_subclusters(mn_context *ctx, struct birch *m)
{
  const size_t d = m->entry_sum.cols;
  size_t leaves = 0;
  mn_memory *memory = mn_context_memory(ctx);
  for (size_t e = 0; e < m->entry_child.size; e++) leaves += m->entry_child.at[e] < 0;
  mn_matrix_free(memory, &m->subcluster_centers);
  MN_TRY(mn_matrix_init(ctx, &m->subcluster_centers, leaves, d));
  MN_TRY(mn_vector_resize(ctx, &m->subcluster_counts, leaves));
  for (size_t e = 0, s = 0; e < m->entry_child.size; e++) {
    if (m->entry_child.at[e] >= 0) continue;
    for (size_t j = 0; j < d; j++)
      mn_row(&m->subcluster_centers, s)[j] = m->origin.at[j] + mn_row(&m->entry_sum, e)[j] / m->entry_count.at[e];
    m->subcluster_counts.at[s++] = m->entry_count.at[e];
  }
  return MN_OK;
}

/* Label the subclusters by Ward's linkage of their means. */
static mn_status cluster(mn_context *ctx, struct birch *m, size_t *clusters)
{
  const size_t n = m->subcluster_centers.rows, wanted = (size_t)m->n_clusters;
  const mn_points points = { .n = n, .d = m->subcluster_centers.cols, .x = m->subcluster_centers.at };
  const mn_metric metric = { .kind = MN_METRIC_EUCLIDEAN };
  mn_merge *merges = MN_RAW(ctx, mn_merge, n, 1);
  MN_CHECK_ALLOC(merges);
  MN_TRY(mn_indexes_resize(ctx, &m->subcluster_labels, n));
  *clusters = n;
  for (size_t s = 0; s < n; s++) m->subcluster_labels.at[s] = (int32_t)s;
  if (wanted == 0 || n <= wanted) return MN_OK;
  MN_TRY(mn_link(ctx, name, MN_LINKAGE_WARD, metric, &points, merges));
  return mn_cut_count(ctx, n, merges, wanted, m->subcluster_labels.at, clusters);
}

static mn_status label_rows(mn_context *ctx, const struct birch *m, const mn_data *data, int32_t *label)
{
  MN_TRY(
      mn_kmeans_assign(ctx, data, m->subcluster_centers.rows, m->subcluster_centers.at, label, NULL, NULL, NULL, NULL));
  for (size_t i = 0; i < data->rows; i++) label[i] = m->subcluster_labels.at[label[i]];
  return MN_OK;
}

static mn_status partial_fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct birch *m = self;
  const size_t d = data->features;
  mn_cf_tree t;
  size_t clusters;
  double *x = MN_RAW(ctx, double, d, 1);
  MN_CHECK_ALLOC(x);
  MN_TRY(mn_check_magnitudes(ctx, &m->base, data));
  MN_TRY(set_origin(ctx, m, data));
  MN_TRY(mn_cf_init(ctx, d, (size_t)m->branching_factor, m->threshold, &t));
  MN_TRY(restore(ctx, m, &t));
  for (size_t i = 0; i < data->rows; i++) {
    for (size_t j = 0; j < d; j++) x[j] = mn_row(&data->x, i)[j] - m->origin.at[j];
    MN_TRY(mn_cf_insert(ctx, &t, x));
    if (i % 1024 == 0) MN_TRY(mn_poll(ctx));
  }
  MN_TRY(store_tree(ctx, m, &t));
  MN_TRY(store_subclusters(ctx, m));
  MN_TRY(cluster(ctx, m, &clusters));
  MN_TRY(mn_indexes_resize(ctx, &m->labels, data->rows));
  MN_TRY(label_rows(ctx, m, data, m->labels.at));
  mn_vector_free(mn_context_memory(ctx), &m->counts);
  MN_TRY(mn_vector_init(ctx, &m->counts, clusters));
  for (size_t s = 0; s < m->subcluster_labels.size; s++)
    m->counts.at[m->subcluster_labels.at[s]] += m->subcluster_counts.at[s];
  return MN_OK;
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  int32_t *label = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(label);
  MN_TRY(label_rows(ctx, self, data, label));
  for (size_t i = 0; i < data->rows; i++) out->at[i] = label[i];
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return mn_centers_transform(ctx, &((const struct birch *)self)->subcluster_centers, data, out);
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct birch *m = self;
  if (m->subcluster_centers.rows < (size_t)m->n_clusters)
    mn_text_printf(text, "X has fewer subclusters, %zu, than n_clusters, %lld; decrease threshold or n_clusters",
                   m->subcluster_centers.rows, (long long)m->n_clusters);
}

static size_t outputs(const void *self)
{
  return ((const struct birch *)self)->subcluster_centers.rows;
}

/* Children come after their node, each once; entries have rows. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct birch *m = self;
  const size_t nodes = m->node_start.size - 1, entries = m->entry_child.size;
  int32_t next = 1;
  bool valid = m->node_start.size > 1 && m->node_start.at[0] == 0 && m->node_start.at[nodes] == (int32_t)entries;
  for (size_t i = 0; valid && i < nodes; i++) {
    const int64_t size = (int64_t)m->node_start.at[i + 1] - m->node_start.at[i];
    valid = size >= 1 && size <= m->branching_factor;
    for (int32_t e = m->node_start.at[i]; valid && e < m->node_start.at[i + 1]; e++) {
      valid = e < (int32_t)entries && m->entry_count.at[e] > 0 &&
              (m->entry_child.at[e] == -1 || m->entry_child.at[e] == next);
      next += m->entry_child.at[e] >= 0;
      valid = valid && (m->entry_child.at[e] < 0 || m->entry_child.at[e] > (int32_t)i);
    }
  }
  valid = valid && next == (int32_t)nodes;
  return valid ? MN_OK : mn_fail(ctx, MN_BAD_FILE, "%s: the tree is inconsistent", name);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct birch *m = self;
  const size_t n = m->subcluster_labels.size;
  mn_centers_export(&m->subcluster_centers, action, program);
  if (action != MN_PREDICT) return MN_OK;
  double *label = MN_RAW(ctx, double, n, 1);
  MN_CHECK_ALLOC(label);
  for (size_t s = 0; s < n; s++) label[s] = m->subcluster_labels.at[s];
  mn_program_reals(program, "label", n, label);
  mn_program_code(program, "out[0] = label[index(out[0])]");
  return MN_OK;
}

static const mn_param params[] = {
  MN_REAL(struct birch, threshold, 0.5, MN_GREATER_THAN(0),
          "largest radius of a subcluster: root mean square distance of its rows from their mean, in units of X"),
  MN_COUNT(struct birch, branching_factor, 50, MN_CLOSED(2, 10000), "largest number of entries of a node of the tree"),
  MN_COUNT(struct birch, n_clusters, 3, MN_CLOSED(0, INT32_MAX),
           "number of clusters; 0: each subcluster is a cluster (None in scikit-learn)"),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct birch, subcluster_centers, "subclusters x features", "mean of each subcluster"),
  MN_VECTOR(struct birch, subcluster_counts, "subclusters", "number of rows of each subcluster"),
  MN_INDEXES(struct birch, subcluster_labels, "subclusters < clusters", "cluster of each subcluster"),
  MN_INDEXES(struct birch, labels, "rows < clusters", "cluster of each row of the last batch"),
  MN_VECTOR(struct birch, counts, "clusters", "number of rows of the subclusters of each cluster"),
  MN_LEARNED(MN_KIND_VECTOR, struct birch, origin, "features", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct birch, entry_count, "entries", NULL),
  MN_LEARNED(MN_KIND_VECTOR, struct birch, entry_square, "entries", NULL),
  MN_LEARNED(MN_KIND_INDEXES, struct birch, entry_child, "entries", NULL),
  MN_LEARNED(MN_KIND_INDEXES, struct birch, node_start, "starts", NULL),
  MN_LEARNED(MN_KIND_MATRIX, struct birch, entry_sum, "entries x features", NULL),
  MN_END,
};

const mn_class mn_birch = {
  .name = "Birch",
  .family = "cluster",
  .brief = "Clusters of many rows in one pass: a tree of summaries, then Ward's linkage.",
  .objective = "subclusters of radius sqrt(sum_i |x_i - mean|^2 / n) <= threshold, merged by Ward's linkage",
  .source = "Zhang, Ramakrishnan & Livny, BIRCH: An Efficient Data Clustering Method, SIGMOD (1996)",
  .notes =
      "New rows get the cluster of the nearest subcluster; transform returns the distances to all subclusters. "
      "partial_fit continues the tree, and labels are those of the last batch. The result depends on the order of the rows. "
      "With fewer subclusters than n_clusters each is a cluster: reduce threshold. Scale the columns first.",
  .example =
      "local model = ml.Birch{ n_clusters = 2 }:fit{ {0, 1}, {0.3, 1}, {-0.3, 1}, {0, -1}, {0.3, -1}, {-0.3, -1} }\n"
      "print(model.labels, model.subcluster_centers, model:predict{ {1, 1} })",
  .capabilities = MN_CLUSTER | MN_TRANSFORM,
  .size = sizeof(struct birch),
  .params = params,
  .fields = fields,
  MN_FIT_IN_BATCHES(partial_fit),
  .warning = warning,
  .predict = predict,
  .transform = transform,
  .outputs = outputs,
  .check = check,
  .export = export,
};
