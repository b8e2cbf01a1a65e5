/* The search for the neighbors of one row as an exported program: as mn_space_embed, mn_space_measure and
 * mn_space_distance, with all distances. */
#include "../linalg/csr.h"
#include "../model/model.h"
#include "radius_neighbors.h"

/* z = the embedded query, of `width` values. */
static void describe_query(const mn_space *s, mn_program *program)
{
  mn_program_count(program, "width", (size_t)s->width);
  if (!mn_space_embeds(s)) return;
  mn_program_code(program, "reals z[width]");
  if (s->kind == MN_METRIC_MAHALANOBIS) {
    const size_t d = (size_t)s->d;
    mn_program_reals(program, "center", d, s->center.at);
    mn_program_reals(program, "whitening", d * d, s->whitening.at);
    mn_program_code(program, "reals centered[features]"
                             " for j < features { centered[j] = x[j] - center[j] }"
                             " for j < features { z[j] = dot(features, whitening, j * features, centered, 0) }");
    return;
  }
  mn_program_code(program, "real largest = largest_absolute(features, x) real mean = 0.0");
  if (s->kind == MN_METRIC_CORRELATION)
    mn_program_code(program, "int differ = 0"
                             " for j < features { if x[j] != x[0] { differ = 1 } }"
                             " if differ < 1 { largest = 0.0 }"
                             " for j < features {"
                             "   if largest > 0.0 { mean += x[j] / largest / (features + 0.0) } }");
  mn_program_code(program, "if largest > 0.0 {"
                           "  for j < features { z[j] = x[j] / largest - mean }"
                           "  real length = sqrt(dot(features, z, 0, z, 0))"
                           "  for j < features { z[j] /= length }"
                           "} else { z[features + 1] = 1.0 }");
}

/* d = the reduced distance of row i. */
static const char *distance_code(const mn_space *s)
{
  if (s->kind == MN_METRIC_PRECOMPUTED) return "d = x[i]";
  switch (s->form) {
  case MN_FORM_SQUARES:
    return mn_space_embeds(s) ? "d = distance2(width, z, 0, rows, i * width)"
                              : "d = distance2(width, x, 0, rows, i * width)";
  case MN_FORM_SUM: return "d = manhattan(width, x, 0, rows, i * width)";
  case MN_FORM_MAX:
    return "for j < width {"
           "  real apart = abs(x[j] - rows[i * width + j])"
           "  d = apart > d ? apart : d"
           "}";
  case MN_FORM_UNEQUAL: return "for j < width { d += x[j] == rows[i * width + j] ? 0.0 : 1.0 }";
  default: break;
  }
  return "for j < width { d += pow(abs(x[j] - rows[i * width + j]), p) }";
}

/* apart = the distance of the reduced distance d. */
static const char *finish_code(const mn_space *s)
{
  if (s->kind == MN_METRIC_COSINE || s->kind == MN_METRIC_CORRELATION) return "real apart = d / 2.0";
  if (s->kind == MN_METRIC_HAMMING) return "real apart = d / (features + 0.0)";
  if (s->form == MN_FORM_SQUARES) return "real apart = sqrt(d)";
  return s->form == MN_FORM_POWERS ? "real apart = pow(d, 1.0 / p)" : "real apart = d";
}

/* The `searched` nearest, by insertion, then their distances; different ones may round to the same. */
static void describe_search(const mn_space *s, mn_program *program)
{
  mn_program_code(program, "reals vote[searched] ints near[searched] int size = 0");
  mn_program_code(program, "for i < n { real d = 0.0");
  mn_program_code(program, distance_code(s));
  mn_program_code(program, "  if size < searched or d < vote[searched - 1] {"
                           "    int at = searched - 1"
                           "    if size < searched { at = size size += 1 }"
                           "    while at > 0 and d < vote[at - 1] {"
                           "      vote[at] = vote[at - 1] near[at] = near[at - 1] at -= 1"
                           "    }"
                           "    vote[at] = d near[at] = i"
                           "  }"
                           "}"
                           "for i < searched { real d = vote[i]");
  mn_program_code(program, finish_code(s));
  mn_program_code(program, "  int row = near[i] int at = i"
                           "  while at > 0 and (vote[at - 1] >= apart and near[at - 1] > row) {"
                           "    vote[at] = vote[at - 1] near[at] = near[at - 1] at -= 1"
                           "  }"
                           "  vote[at] = apart near[at] = row"
                           "}");
}

/* share = the kernel of u. */
static const char *kernel_code(int64_t weights)
{
  switch (weights) {
  case MN_VOTE_TRIANGULAR: return "share = u < 1.0 ? 1.0 - u : 0.0";
  case MN_VOTE_EPANECHNIKOV: return "share = u < 1.0 ? 1.0 - u * u : 0.0";
  case MN_VOTE_BIWEIGHT: return "real rest = u < 1.0 ? 1.0 - u * u : 0.0 share = rest * rest";
  case MN_VOTE_TRICUBE: return "real rest = u < 1.0 ? 1.0 - u * u * u : 0.0 share = rest * rest * rest";
  default: return "share = exp(-u * u / 2.0)";
  }
}

static void describe_votes(const mn_neighbors *m, mn_program *program)
{
  if (m->weights == MN_VOTE_UNIFORM) {
    mn_program_code(program, "for i < k { vote[i] = 1.0 }");
    return;
  }
  if (m->weights == MN_VOTE_DISTANCE) {
    mn_program_code(program, "real first = vote[0]"
                             " for i < k { vote[i] = vote[i] > first ? first / vote[i] : 1.0 }");
    return;
  }
  if (isnan(m->bandwidth)) mn_program_code(program, "real bandwidth = vote[searched - 1]");
  mn_program_code(program, "real votes = 0.0"
                           " for i < k {"
                           "   real share = 0.0"
                           "   if bandwidth > 0.0 { real u = vote[i] / bandwidth");
  mn_program_code(program, kernel_code(m->weights));
  mn_program_code(program, "   }"
                           "   vote[i] = share votes += share"
                           " }"
                           " if !(votes > 0.0) { for i < k { vote[i] = 1.0 } }");
}

/* The embedded rows, dense; borrowed from the model or in scratch. */
static mn_status describe_rows(mn_context *ctx, const mn_neighbors *m, const mn_neighbor_index *index,
                               mn_program *program)
{
  const size_t n = mn_neighbors_rows(m), width = (size_t)index->space.width;
  mn_matrix x = index->embedded.at ? index->embedded : m->x;
  mn_program_count(program, "n", n);
  if (index->space.kind == MN_METRIC_PRECOMPUTED) return MN_OK;
  if (!x.at) {
    x = (mn_matrix){ MN_NEW(ctx, double, n, m->sparse_x.cols), n, m->sparse_x.cols };
    MN_CHECK_ALLOC(x.at);
    mn_csr_to_dense(&m->sparse_x, &x);
    if (mn_space_embeds(&index->space)) {
      const mn_points rows = { .n = n, .d = x.cols, .x = x.at };
      double *z = MN_RAW(ctx, double, n, width);
      MN_CHECK_ALLOC(z);
      MN_TRY(mn_space_embed(ctx, &index->space, &rows, false, z));
      x.at = z;
    }
  }
  mn_program_reals(program, "rows", n * width, x.at);
  return MN_OK;
}

/* What both searches begin with: rows, metric and z. */
static mn_status describe_metric(mn_context *ctx, const mn_neighbors *m, const mn_neighbor_index **index,
                                 mn_program *program)
{
  if (m->metric == MN_METRIC_HAVERSINE)
    return mn_cannot_export(ctx, &m->base, "the metric haversine requires trigonometric functions");
  *index = &m->index;
  MN_TRY(describe_rows(ctx, m, *index, program));
  if ((*index)->space.form == MN_FORM_POWERS) mn_program_real(program, "p", m->p);
  if (m->weights >= MN_VOTE_TRIANGULAR && !isnan(m->bandwidth)) mn_program_real(program, "bandwidth", m->bandwidth);
  describe_query(&(*index)->space, program);
  return MN_OK;
}

mn_status mn_neighbors_program(mn_context *ctx, const mn_neighbors *m, mn_program *program)
{
  const mn_neighbor_index *index;
  const size_t n = mn_neighbors_rows(m), k = (size_t)m->n_neighbors;
  MN_TRY(mn_neighbors_check_count(ctx, m, n, m->n_neighbors));
  MN_TRY(describe_metric(ctx, m, &index, program));
  const bool next = m->weights >= MN_VOTE_TRIANGULAR && isnan(m->bandwidth) && k < n;
  mn_program_count(program, "k", k);
  mn_program_count(program, "searched", k + (next ? 1 : 0));
  describe_search(&index->space, program);
  describe_votes(m, program);
  return MN_OK;
}

/* d: the reduced distance of row i; apart: its distance. */
static void describe_row(const mn_space *s, mn_program *program)
{
  mn_program_code(program, "for i < n { real d = 0.0");
  mn_program_code(program, distance_code(s));
  mn_program_code(program, finish_code(s));
}

/* share: the weight of a row. */
static void describe_share(const mn_neighbors *m, mn_program *program)
{
  mn_program_code(program, "if apart <= radius { real share = 1.0");
  if (m->weights == MN_VOTE_DISTANCE) mn_program_code(program, "share = apart > closest ? closest / apart : 1.0");
  if (m->weights < MN_VOTE_TRIANGULAR) return;
  mn_program_code(program, isnan(m->bandwidth) ? "share = 0.0 if radius > 0.0 { real u = apart / radius"
                                               : "share = 0.0 if bandwidth > 0.0 { real u = apart / bandwidth");
  mn_program_code(program, kernel_code(m->weights));
  mn_program_code(program, "}");
}

/* nearest: the nearest row; closest: its distance. As far as they are used. */
static void describe_nearest(const mn_radius_neighbors *m, const mn_space *s, mn_program *program)
{
  const bool row = m->empty == MN_EMPTY_NEAREST, distance = m->neighbors.weights == MN_VOTE_DISTANCE;
  if (!row && !distance) return;
  mn_program_code(program, "real least = infinity");
  if (row) mn_program_code(program, "int nearest = 0");
  mn_program_code(program, "for i < n { real d = 0.0");
  mn_program_code(program, distance_code(s));
  mn_program_code(program, row ? "if d < least { least = d nearest = i } }" : "if d < least { least = d } }");
  if (!distance) return;
  mn_program_code(program, "real closest = infinity for i < 1 { real d = least");
  mn_program_code(program, finish_code(s));
  mn_program_code(program, "closest = apart }");
}

mn_status mn_radius_program(mn_context *ctx, const mn_radius_neighbors *m, const char *vote, const char *empty,
                            mn_program *program)
{
  const mn_neighbors *base = &m->neighbors;
  const bool kernel = base->weights >= MN_VOTE_TRIANGULAR;
  const mn_neighbor_index *index;
  MN_TRY(describe_metric(ctx, base, &index, program));
  mn_program_real(program, "radius", base->radius);
  describe_nearest(m, &index->space, program);
  if (kernel) {
    mn_program_code(program, "real votes = 0.0");
    describe_row(&index->space, program);
    describe_share(base, program);
    mn_program_code(program, "votes += share } }");
  }
  mn_program_code(program, "int found = 0");
  describe_row(&index->space, program);
  describe_share(base, program);
  if (kernel) mn_program_code(program, "if !(votes > 0.0) { share = 1.0 }");
  mn_program_code(program, vote);
  mn_program_code(program, "found += 1 } }"
                           "if found < 1 {");
  mn_program_code(program, empty);
  mn_program_code(program, "}");
  return MN_OK;
}
