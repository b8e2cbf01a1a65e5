/* Distances from one query to points in groups of eight, which vector instructions process together.
 *
 * Distances are reduced: monotone in the distance and cheaper, such as the squared Euclidean distance. Sums run over
 * the columns in order, without fused multiply-add, so results are the same on every CPU. Differences, absolute values,
 * squares and sums of non-negative numbers are rounded monotonically; so the bounds of a box are true bounds for the
 * computed distances of the points in it. */
#ifndef MN_SEARCH_DISTANCE_BLOCK_H
#define MN_SEARCH_DISTANCE_BLOCK_H
#include <stddef.h>
#include <stdint.h>

typedef enum mn_distance_form {
  MN_FORM_SQUARES, /* sum_j (x_j - q_j)^2        */
  MN_FORM_SUM,     /* sum_j |x_j - q_j|          */
  MN_FORM_MAX,     /* max_j |x_j - q_j|          */
  MN_FORM_POWERS,  /* sum_j |x_j - q_j|^p        */
  MN_FORM_UNEQUAL  /* the number of x_j != q_j   */
} mn_distance_form;

enum { MN_LANES = 8 };

/* out[i] = reduced distance of point i from q.
 *
 *   p         exponent of MN_FORM_POWERS
 *   count     points, a multiple of MN_LANES
 *   d         columns
 *   points    value j of point i is points[j * capacity + i]; capacity is a multiple of MN_LANES, too
 *
 * MN_FORM_POWERS has a relative error of about 1e-15 d, which may depend on the CPU. */
void mn_block_distances(mn_distance_form form, double p, size_t count, size_t capacity, size_t d, const double *points,
                        const double *q, double *out);

/* Bounds on the reduced distances from q to the points of eight boxes: column j of box b extends from
 * box[2 * MN_LANES * j + b] to box[2 * MN_LANES * j + MN_LANES + b]. `lower`, `upper`: MN_LANES, out. */
void mn_box_lower_bounds(mn_distance_form form, double p, size_t d, const double *box, const double *q, double *lower);
void mn_box_upper_bounds(mn_distance_form form, double p, size_t d, const double *box, const double *q, double *upper);

/* Lower bounds on the reduced distances from the points of a box, which extends from low[j] to high[j], to those of
 * eight boxes; and to `count` points, given as in mn_block_distances. Not for MN_FORM_POWERS. */
void mn_box_gaps(mn_distance_form form, size_t d, const double *box, const double *low, const double *high,
                 double *gap);
void mn_point_gaps(mn_distance_form form, size_t count, size_t capacity, size_t d, const double *points,
                   const double *low, const double *high, double *gap);

/* The values that are not above the limit, as bits; count is a multiple of MN_LANES and at most 64. */
uint64_t mn_within(size_t count, const double *value, double limit);

#endif
