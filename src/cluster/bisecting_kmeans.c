/* Bisecting k-means: starting from one cluster of all rows, split one cluster into two by k-means until there are k.
 * The next cluster to split is that of the largest inertia, or the one with the most rows.
 *
 * The splits form a tree. A new row descends to the nearer of the two centers at each split.
 *
 * Steinbach, Karypis & Kumar, KDD Workshop on Text Mining (2000). */
#include "../model/table.h"
#include "../linalg/gemm.h"
#include "centers.h"
#include "lloyd.h"
#include <string.h>

enum { BIGGEST_INERTIA, LARGEST_CLUSTER };
static const char *const strategies[] = { "biggest_inertia", "largest_cluster", NULL };

struct bisecting_kmeans {
  mn_estimator base;
  int64_t n_clusters, bisecting_strategy, init, n_init, max_iter, algorithm, seed; /* parameters */
  double tol;
  mn_matrix cluster_centers; /* learned fields */
  mn_indexes labels;
  double inertia;
  mn_vector counts;
  mn_matrix split_centers; /* 2 splits x features: centers of the two parts of each split */
  mn_indexes children;     /* 2 splits: of each part the split below it, or splits + its cluster */
};

struct tree {
  const mn_data *data;
  size_t k, d, clusters, splits;
  double *centers, *counts, *inertia; /* of each cluster: k x d; k; k */
  bool *final;                        /* k: cannot be split           */
  size_t *place;                      /* k: where its child entry is  */
  double *split_centers;              /* 2 (k - 1) x d                */
  int32_t *children;                  /* 2 (k - 1): cluster -> -1 - cluster while growing */
  int32_t *label;                     /* rows */
  size_t *row;                        /* rows */
};

static mn_status make_tree(mn_context *ctx, const mn_data *data, size_t k, struct tree *t)
{
  *t = (struct tree){ .data = data, .k = k, .d = data->features, .clusters = 1 };
  t->centers = MN_NEW(ctx, double, k, t->d);
  t->counts = MN_NEW(ctx, double, k, 1);
  t->inertia = MN_NEW(ctx, double, k, 1);
  t->final = MN_NEW(ctx, bool, k, 1);
  t->place = MN_NEW(ctx, size_t, k, 1);
  t->split_centers = MN_NEW(ctx, double, 2 * k, t->d);
  t->children = MN_NEW(ctx, int32_t, 2 * k, 1);
  t->label = MN_NEW(ctx, int32_t, data->rows, 1);
  t->row = MN_RAW(ctx, size_t, data->rows, 1);
  return t->centers && t->counts && t->inertia && t->final && t->place && t->split_centers && t->children && t->label &&
                 t->row
             ? MN_OK
             : MN_NO_MEMORY;
}

static mn_kmeans_settings settings(const struct bisecting_kmeans *m, size_t k, size_t split)
{
  return (mn_kmeans_settings){ .k = k,
                               .algorithm = m->algorithm,
                               .init = m->init,
                               .n_init = k > 1 ? m->n_init : 1,
                               .max_iter = m->max_iter,
                               .seed = m->seed,
                               .stream = split << 32,
                               .tol = m->tol };
}

/* The cluster of all rows. */
static mn_status plant(mn_context *ctx, const struct bisecting_kmeans *m, struct tree *t)
{
  const mn_kmeans_settings s = settings(m, 1, 0);
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_kmeans_result r;
  MN_TRY(mn_kmeans_run(ctx, &s, t->data, &r));
  mn_vector_free(mn_context_memory(ctx), &r.report.trace);
  memcpy(t->centers, r.centers, t->d * sizeof *t->centers);
  t->counts[0] = r.counts[0];
  t->inertia[0] = r.inertia;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The cluster to split next; t->clusters if none can be split. */
static size_t choose_cluster(const struct bisecting_kmeans *m, const struct tree *t)
{
  const double *size = m->bisecting_strategy == BIGGEST_INERTIA ? t->inertia : t->counts;
  size_t best = t->clusters;
  for (size_t c = 0; c < t->clusters; c++)
    if (!t->final[c] && (best == t->clusters || size[c] > size[best])) best = c;
  return best;
}

/* Enter a split: the first part keeps the number of the cluster. */
static void enter_split(struct tree *t, size_t cluster, size_t rows, const mn_kmeans_result *r)
{
  const size_t d = t->d, entry = 2 * t->splits, part[2] = { cluster, t->clusters };
  if (t->splits > 0) t->children[t->place[cluster]] = (int32_t)t->splits;
  memcpy(t->split_centers + entry * d, r->centers, 2 * d * sizeof *r->centers);
  for (size_t p = 0; p < 2; p++) {
    t->place[part[p]] = entry + p;
    t->children[entry + p] = -1 - (int32_t)part[p];
    memcpy(t->centers + part[p] * d, r->centers + p * d, d * sizeof *r->centers);
    t->counts[part[p]] = r->counts[p];
    t->inertia[part[p]] = 0;
  }
  for (size_t i = 0; i < rows; i++) {
    t->label[t->row[i]] = (int32_t)part[r->label[i]];
    t->inertia[part[r->label[i]]] += mn_weight(t->data, t->row[i]) * r->distance2[i];
  }
  t->clusters++;
  t->splits++;
}

static mn_status split(mn_context *ctx, const struct bisecting_kmeans *m, struct tree *t, size_t cluster,
                       bool *converged)
{
  const mn_kmeans_settings s = settings(m, 2, t->splits + 1);
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_kmeans_result r;
  mn_data rows;
  size_t n = 0;
  for (size_t i = 0; i < t->data->rows; i++)
    if ((size_t)t->label[i] == cluster) t->row[n++] = i;
  t->final[cluster] = n < 2;
  if (n < 2) return MN_OK;
  MN_TRY(mn_data_rows(ctx, t->data, t->row, n, &rows));
  MN_TRY(mn_kmeans_run(ctx, &s, &rows, &r));
  mn_vector_free(mn_context_memory(ctx), &r.report.trace);
  *converged &= r.report.converged;
  t->final[cluster] = !(r.counts[0] > 0 && r.counts[1] > 0);
  if (!t->final[cluster]) enter_split(t, cluster, n, &r);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status store(mn_context *ctx, struct bisecting_kmeans *m, const struct tree *t)
{
  const size_t entries = 2 * t->splits;
  MN_TRY(mn_centers_store(ctx, t->data->rows, t->d, t->clusters, t->centers, t->label, t->counts, &m->cluster_centers,
                          &m->labels, &m->counts));
  m->inertia = 0;
  for (size_t c = 0; c < t->clusters; c++) m->inertia += t->inertia[c];
  MN_TRY(mn_centers_check_inertia(ctx, "BisectingKMeans", m->inertia));
  if (entries == 0) return MN_OK;
  MN_TRY(mn_matrix_init(ctx, &m->split_centers, entries, t->d));
  MN_TRY(mn_indexes_init(ctx, &m->children, entries));
  memcpy(m->split_centers.at, t->split_centers, entries * t->d * sizeof *t->split_centers);
  for (size_t e = 0; e < entries; e++)
    m->children.at[e] = t->children[e] >= 0 ? t->children[e] : (int32_t)t->splits - 1 - t->children[e];
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct bisecting_kmeans *m = self;
  const size_t k = (size_t)m->n_clusters;
  struct tree t;
  bool converged = true;
  MN_TRY(mn_centers_check(ctx, "BisectingKMeans", m->n_clusters, &(mn_matrix){ 0 }, data));
  MN_TRY(make_tree(ctx, data, k, &t));
  MN_TRY(plant(ctx, m, &t));
  while (t.clusters < k && mn_should_continue(ctx)) {
    const size_t cluster = choose_cluster(m, &t);
    if (cluster == t.clusters) break;
    mn_progress_part(ctx, t.clusters - 1, k - 1);
    MN_TRY(split(ctx, m, &t, cluster, &converged));
  }
  return store(ctx, m, &t);
}

static mn_status predict(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct bisecting_kmeans *m = self;
  const size_t d = data->features, splits = m->children.size / 2;
  const mn_product_kernels *kernels = mn_kernels();
  double *buffer = MN_RAW(ctx, double, d, 1);
  MN_CHECK_ALLOC(buffer);
  for (size_t i = 0; i < data->rows; i++) {
    const double *x = mn_dense_row(data, i, buffer);
    size_t node = 0;
    while (node < splits) {
      const double *centers = m->split_centers.at + 2 * node * d;
      const bool second = kernels->distance2(d, x, centers + d) < kernels->distance2(d, x, centers);
      node = (size_t)m->children.at[2 * node + second];
    }
    out->at[i] = splits > 0 ? (double)(node - splits) : 0;
  }
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  return mn_centers_transform(ctx, &((const struct bisecting_kmeans *)self)->cluster_centers, data, out);
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct bisecting_kmeans *m = self;
  mn_centers_warning(m->n_clusters, &m->counts, text);
}

static size_t outputs(const void *self)
{
  return ((const struct bisecting_kmeans *)self)->cluster_centers.rows;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct bisecting_kmeans *m = self;
  (void)ctx;
  if (action != MN_PREDICT) {
    mn_centers_export(&m->cluster_centers, action, program);
    return MN_OK;
  }
  mn_program_reals(program, "centers", m->split_centers.rows * m->split_centers.cols, m->split_centers.at);
  mn_program_indexes(program, "children", m->children.size, m->children.at);
  mn_program_count(program, "splits", m->children.size / 2);
  if (m->children.size == 0)
    mn_program_code(program, "out[0] = 0.0");
  else
    mn_program_code(program, "int node = 0"
                             " while node < splits {"
                             "   real first = distance2(features, x, 0, centers, 2 * node * features)"
                             "   real second = distance2(features, x, 0, centers, (2 * node + 1) * features)"
                             "   node = second < first ? children[2 * node + 1] : children[2 * node]"
                             " }"
                             " out[0] = node - splits + 0.0");
  return MN_OK;
}

/* The children form a tree: each split but the first, and each cluster, is below exactly one earlier split. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct bisecting_kmeans *m = self;
  const size_t entries = m->children.size, splits = entries / 2, clusters = m->cluster_centers.rows;
  bool *seen = MN_NEW(ctx, bool, entries + 2, 1);
  MN_CHECK_ALLOC(seen);
  bool good = entries % 2 == 0 && clusters == splits + 1 && m->split_centers.rows == entries;
  for (size_t e = 0; good && e < entries; e++) {
    const size_t child = (size_t)m->children.at[e];
    good = child <= entries && child > e / 2 && !seen[child];
    if (good) seen[child] = true;
  }
  return good ? MN_OK : mn_fail(ctx, MN_BAD_DATA, "BisectingKMeans: the splits do not form a tree");
}

static const mn_param params[] = {
  MN_COUNT(struct bisecting_kmeans, n_clusters, 8, MN_CLOSED(1, INT32_MAX), "number of clusters"),
  MN_CHOICE(struct bisecting_kmeans, bisecting_strategy, BIGGEST_INERTIA, strategies,
            "the next cluster to split: that of the largest inertia, or the one with the most rows"),
  MN_CHOICE(struct bisecting_kmeans, init, MN_KMEANS_RANDOM, mn_kmeans_inits,
            "method for choosing the two initial centers of a split"),
  MN_CHOICE(struct bisecting_kmeans, algorithm, MN_KMEANS_AUTO, mn_kmeans_algorithms,
            "how the nearest centers are found, as in KMeans: all give the same result"),
  MN_COUNT(struct bisecting_kmeans, n_init, 1, MN_CLOSED(1, INT32_MAX),
           "number of starts of each split, of which the best is kept"),
  MN_COUNT(struct bisecting_kmeans, max_iter, 300, MN_CLOSED(1, INT32_MAX), "maximum number of iterations of a split"),
  MN_REAL(struct bisecting_kmeans, tol, 1e-4, MN_AT_LEAST(0),
          "stop a split when the sum of the squared center movements is at most this fraction of the mean variance"),
  MN_SEED(struct bisecting_kmeans, seed),
  MN_END,
};

static const mn_field fields[] = {
  MN_MATRIX(struct bisecting_kmeans, cluster_centers, "clusters x features", "mean of each cluster"),
  MN_INDEXES(struct bisecting_kmeans, labels, "rows < clusters", "cluster of each training row"),
  MN_NUMBER(struct bisecting_kmeans, inertia, "weighted sum of squared distances to the own center"),
  MN_VECTOR(struct bisecting_kmeans, counts, "clusters", "number of rows (sum of sample weights) of each cluster"),
  MN_MATRIX(struct bisecting_kmeans, split_centers, "parts? x features?", "centers of the two parts of each split"),
  MN_INDEXES(struct bisecting_kmeans, children, "parts?",
             "of each part: the split below it, or the number of splits plus its cluster"),
  MN_END,
};

const mn_class mn_bisecting_kmeans = {
  .name = "BisectingKMeans",
  .family = "cluster",
  .brief = "Clusters that are split in two by k-means until there are n_clusters.",
  .objective = "sum_i w_i |x_i - c_l(i)|^2, by splits in two",
  .source = "Steinbach, Karypis & Kumar, KDD Workshop on Text Mining (2000)",
  .notes =
      "The clusters form a hierarchy, and predict descends in it; so a row need not belong to the nearest of all "
      "centers. Faster than KMeans with many clusters, and their sizes differ less. Clusters of identical rows are "
      "not split, so that there may be fewer than n_clusters. transform returns the distance to each center. Scale "
      "the columns first if their units differ.",
  .example = "local X = { {0, 0}, {0, 1}, {9, 0}, {9, 1}, {0, 30}, {1, 30} }\n"
             "local model = ml.BisectingKMeans{ n_clusters = 3, init = 'k-means++' }:fit(X)\n"
             "print(model.labels, model.inertia)",
  .capabilities = MN_CLUSTER | MN_TRANSFORM | MN_RANDOM | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_SPARSE,
  .size = sizeof(struct bisecting_kmeans),
  .params = params,
  .fields = fields,
  .fit = fit,
  .warning = warning,
  .predict = predict,
  .transform = transform,
  .export = export,
  .outputs = outputs,
  .check = check,
};
