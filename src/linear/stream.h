/* What least squares needs of rows that come in batches: their number, their means, and the triangle of all columns
 * about those means. */
#ifndef MN_LINEAR_STREAM_H
#define MN_LINEAR_STREAM_H
#include "../model/class.h"

/* R of [X y] about the means, R'R being the sums of squares and products. Updating R by QR instead of R'R keeps half
 * the digits more: the answer is as near to that of all rows at once as QR of all rows is. */
typedef struct mn_linear_stream {
  mn_vector stream_n;        /* 1: sum of the weights; a vector, so that it is absent from archives of whole fits */
  mn_vector stream_mean;     /* features + targets              */
  mn_matrix stream_triangle; /* (features + targets) x the same */
} mn_linear_stream;

/* The fields of a class whose struct has the member `stream`. They are there when partial_fit was what learned. */
#define MN_LINEAR_STREAM_FIELDS(type)                                                                                  \
  { .name = "stream_n", .kind = MN_KIND_VECTOR, .offset = offsetof(type, stream.stream_n), .shape = "1?" },            \
      { .name = "stream_mean",                                                                                         \
        .kind = MN_KIND_VECTOR,                                                                                        \
        .offset = offsetof(type, stream.stream_mean),                                                                  \
        .shape = "both?" },                                                                                            \
  {                                                                                                                    \
    .name = "stream_triangle", .kind = MN_KIND_MATRIX, .offset = offsetof(type, stream.stream_triangle),               \
    .shape = "both? x both?"                                                                                           \
  }

/* Add a batch, dense or sparse. Means are joined as Chan, Golub & LeVeque, American Statistician 37 (1983) do: what two
 * batches differ by in the mean is one more row of the problem. */
mn_status mn_linear_stream_add(mn_context *ctx, mn_linear_stream *s, const mn_data *data);

/* The least-squares problem of all rows so far, as mn_tall_qr gives it.
 *
 *   p, q      features, targets
 *   centered  about the means; otherwise as the rows came
 *   r, qty    p x p, p x q, out
 *   rest      q, out: what no b can explain
 *   total     q, out: sum of squares of y, about its mean or as it came */
mn_status mn_linear_stream_problem(mn_context *ctx, const mn_linear_stream *s, size_t p, size_t q, bool centered,
                                   double *r, double *qty, double *rest, double *total);

/* After load: has it the sizes of a model with so many features and targets, or is nothing there? */
bool mn_linear_stream_fits(const mn_linear_stream *s, size_t p, size_t q);

#endif
