/* Lloyd's algorithm with its accelerations and starts, for the estimators based on it. */
#ifndef MN_CLUSTER_LLOYD_H
#define MN_CLUSTER_LLOYD_H
#include "../model/class.h"

enum { MN_KMEANS_PLUS_PLUS, MN_KMEANS_RANDOM };
extern const char *const mn_kmeans_inits[];

/* How labels are found. All give the same result, byte for byte. Only Lloyd's measures all centers in each iteration,
 * and only it is used for sparse X. */
enum { MN_KMEANS_AUTO, MN_KMEANS_LLOYD, MN_KMEANS_HAMERLY, MN_KMEANS_ELKAN, MN_KMEANS_YINYANG };
extern const char *const mn_kmeans_algorithms[];

typedef struct mn_kmeans_settings {
  size_t k;
  int64_t algorithm, init, n_init, max_iter, seed;
  uint64_t stream;        /* the starts use the random streams stream, stream + 1, ...          */
  double tol;             /* relative to the mean variance of the columns                       */
  const mn_matrix *start; /* k x features; NULL: chosen by init. Then n_init is ignored         */
  bool spherical;         /* rows have length 1 (or 0), and centers keep length 1               */
} mn_kmeans_settings;

/* The best clustering found; in scratch, but for the trace of the report, which the caller owns. */
typedef struct mn_kmeans_result {
  double *centers, *counts; /* k x features; k: sums of the weights */
  int32_t *label;           /* rows */
  double *distance2;        /* rows: squared distance to the own center, of the last start */
  double inertia;
  mn_report report;
} mn_kmeans_result;

/* Keep the best of n_init starts. k must be at most the number of rows. */
mn_status mn_kmeans_run(mn_context *ctx, const mn_kmeans_settings *s, const mn_data *data, mn_kmeans_result *out);

/* Initial centers (k x features, out) for start number `run`. */
mn_status mn_kmeans_start(mn_context *ctx, const mn_kmeans_settings *s, const mn_data *data, int64_t run,
                          double *centers);

/* The mean variance of the columns, to which tol is relative. */
mn_status mn_kmeans_mean_variance(mn_context *ctx, const mn_data *data, double *variance);

/* Assign rows to their nearest centers: mn_nearest_center for dense or sparse X. */
mn_status mn_kmeans_assign(mn_context *ctx, const mn_data *data, size_t k, const double *centers, int32_t *label,
                           double *distance2, double *sums, double *totals, double *inertia);

#endif
