/* Metrics of the neighbor searches, prepared for a set of rows.
 *
 * A space maps rows to embedded rows, on which reduced distances are computed (distance_block.h), and reduced distances
 * to distances:
 *
 *     euclidean     x                              sqrt(sum of squares)
 *     manhattan     x                              sum of absolute differences
 *     chebyshev     x                              largest absolute difference
 *     minkowski     x                              (sum of |x_j - y_j|^p)^(1/p)
 *     cosine        x / |x|                        1 - cos = sum of squares / 2; 1 if x or y is 0
 *     correlation   cosine of x - mean(x)          1 - r; 1 if x or y is constant
 *     hamming       x                              fraction of columns that differ
 *     mahalanobis   inv(L)(x - c), V = L L'        sqrt((x - y)' inv(V) (x - y))
 *     haversine     half the unit vector of        2 asin(sqrt(h)), h = sin^2((a1 - a2) / 2) +
 *                   (latitude, longitude)          cos(a1) cos(a2) sin^2((b1 - b2) / 2)
 *     precomputed   row i of X has the distances from row i to the training rows
 *
 * The distance of a pair is the same number in every search: sums run in the order of ordered.h. */
#ifndef MN_SEARCH_METRIC_H
#define MN_SEARCH_METRIC_H
#include "../core/matrix.h"
#include "distance_block.h"

typedef enum mn_metric_kind {
  MN_METRIC_EUCLIDEAN,
  MN_METRIC_MANHATTAN,
  MN_METRIC_CHEBYSHEV,
  MN_METRIC_MINKOWSKI,
  MN_METRIC_COSINE,
  MN_METRIC_CORRELATION,
  MN_METRIC_HAMMING,
  MN_METRIC_MAHALANOBIS,
  MN_METRIC_HAVERSINE,
  MN_METRIC_PRECOMPUTED
} mn_metric_kind;
extern const char *const mn_metric_names[];

/* Rows of a matrix, dense or sparse; borrowed. */
typedef struct mn_points {
  size_t n, d;
  const double *x;      /* n x d, or NULL */
  const mn_csr *sparse; /* or NULL        */
} mn_points;

/* What the user chooses. */
typedef struct mn_metric {
  int64_t kind;                /* mn_metric_kind                                                              */
  double p;                    /* exponent of minkowski, >= 1                                                 */
  const mn_matrix *covariance; /* V of mahalanobis; NULL, or at NULL: the covariance of the training rows     */
} mn_metric;

/* A metric prepared for training rows. 64-bit counts, so that estimators can list them as derived fields. */
typedef struct mn_space {
  int64_t kind, form; /* mn_metric_kind, mn_distance_form; euclidean for minkowski with p = 2, and so on */
  int64_t d, width;   /* columns of the rows, and of the embedded rows                                    */
  double p;
  mn_vector center;     /* d: c of mahalanobis         */
  mn_matrix whitening;  /* d x d: inv(L) of mahalanobis */
  mn_matrix covariance; /* d x d: V, if it was given   */
} mn_space;

/* A zeroed matrix in scratch, or one to be freed with mn_matrix_free. */
mn_status mn_search_matrix(mn_context *ctx, mn_matrix *m, size_t rows, size_t cols, bool scratch);

/* Prepare a metric. Errors begin with `who`. Memory is scratch, or belongs to the space: mn_space_free. */
mn_status mn_space_init(mn_context *ctx, const char *who, mn_space *s, mn_metric metric, const mn_points *rows,
                        bool scratch);
void mn_space_free(mn_memory *memory, mn_space *s);

/* Whether embedded rows differ from the rows, and must be computed: out, points->n x s->width. `queries`: for rows to
 * search from. Dense rows only. */
bool mn_space_embeds(const mn_space *s);
mn_status mn_space_embed(mn_context *ctx, const mn_space *s, const mn_points *points, bool queries, double *out);

/* Unit vectors of sparse rows, for cosine: *to points to *unit, whose values are in scratch. */
mn_status mn_space_unit_rows(mn_context *ctx, const mn_points *from, mn_csr *unit, mn_points *to);

/* The reduced distance of two rows: rows for haversine, else embedded rows. */
double mn_space_measure(const mn_space *s, const double *x, const double *y);

/* Whether distances of mn_block_distances between embedded rows are those of mn_space_measure. */
bool mn_space_scans_exactly(const mn_space *s);

/* Otherwise: points whose scanned distance is above this are certainly farther than `reduced`. */
double mn_space_scan_limit(const mn_space *s, double reduced);

/* The same for two sparse rows, given as columns and values. */
double mn_space_measure_sparse(const mn_space *s, size_t n, const int32_t *col, const double *x, size_t m,
                               const int32_t *other, const double *y);

/* The distance of a reduced distance; and a reduced distance that is certainly not below that of any row within
 * `distance`. */
double mn_space_distance(const mn_space *s, double reduced);
double mn_space_reduce(const mn_space *s, double distance);

#endif
