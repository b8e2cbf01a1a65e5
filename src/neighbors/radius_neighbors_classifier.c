/* Classification by the votes of the training rows within a radius.
 *
 *     p(c | x) = sum of the vote weights of the neighbors of class c / sum of all vote weights
 *
 * Fix & Hodges, USAF School of Aviation Medicine, Report 4 (1951). */
#include "../linalg/row_softmax.h"
#include "radius_neighbors.h"
#include <string.h>

struct classifier {
  mn_radius_neighbors radius;
  mn_indexes code;  /* rows: class of each training row */
  mn_vector counts; /* classes: training rows           */
};

static void count_classes(struct classifier *m)
{
  for (size_t i = 0; i < m->code.size; i++) m->counts.at[m->code.at[i]]++;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct classifier *m = self;
  MN_TRY(mn_neighbors_store(ctx, &m->radius.neighbors, data));
  MN_TRY(mn_indexes_init(ctx, &m->code, data->rows));
  MN_TRY(mn_vector_init(ctx, &m->counts, data->classes));
  memcpy(m->code.at, data->code, data->rows * sizeof *m->code.at);
  count_classes(m);
  return MN_OK;
}

static void count_votes(const void *self, size_t n, const mn_candidate *votes, size_t classes, double *out)
{
  const struct classifier *m = self;
  for (size_t i = 0; i < n; i++) out[m->code.at[votes[i].index]] += votes[i].value;
  for (size_t c = 0; c < classes; c++) out[c] = log(n == 0 ? m->counts.at[c] : out[c]);
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct classifier *m = self;
  MN_TRY(mn_radius_vote(ctx, &m->radius, data, count_votes, out));
  mn_row_log_softmax(data->rows, out->cols, out->at);
  return MN_OK;
}

/* After loading: every row has a class. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct classifier *m = self;
  MN_TRY(mn_neighbors_check(ctx, &m->radius.neighbors));
  for (size_t i = 0; i < m->code.size; i++)
    if (m->code.at[i] < 0)
      return mn_fail(ctx, MN_BAD_FILE, "RadiusNeighborsClassifier: the archive has a row without a class");
  return MN_OK;
}

static mn_status derive(mn_context *ctx, void *self)
{
  struct classifier *m = self;
  MN_TRY(mn_vector_init(ctx, &m->counts, mn_levels_size(m->radius.neighbors.base.classes)));
  count_classes(m);
  return mn_neighbors_derive(ctx, self);
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const struct classifier *m = self;
  if (action != MN_PREDICT_LOG_PROBA) return MN_OK;
  static const char *const empty[] = {
    [MN_EMPTY_NEAREST] = "out[code[nearest]] = 1.0",
    [MN_EMPTY_AVERAGE] = "for c < outputs { out[c] = counts[c] }",
  };
  mn_program_indexes(program, "code", m->code.size, m->code.at);
  if (m->radius.empty == MN_EMPTY_AVERAGE) mn_program_reals(program, "counts", m->counts.size, m->counts.at);
  mn_program_code(program, "for c < outputs { out[c] = 0.0 }");
  MN_TRY(mn_radius_program(ctx, &m->radius, "out[code[i]] += share", empty[m->radius.empty], program));
  mn_program_code(program, "for c < outputs { out[c] = log(out[c]) }"
                           "log_softmax(outputs, out)");
  return MN_OK;
}

static const mn_param params[] = { MN_RADIUS_PARAMS("the class frequencies of the training rows"), MN_END };

static const mn_field fields[] = {
  MN_NEIGHBORS_FIELDS,
  MN_LEARNED(MN_KIND_INDEXES, struct classifier, code, "rows < classes", NULL),
  MN_DERIVED(MN_KIND_VECTOR, struct classifier, counts),
  MN_END,
};

const mn_class mn_radius_neighbors_classifier = {
  .name = "RadiusNeighborsClassifier",
  .family = "neighbors",
  .brief = "Classification by the vote of the training rows within a radius.",
  .objective = "p(c | x) = weight of the neighbors of class c / weight of all neighbors",
  .source = "Fix & Hodges, USAF School of Aviation Medicine, Report 4 (1951)",
  .notes =
      "The search is exact; a row at a distance of exactly radius is a neighbor. For rows without neighbors see the "
      "parameter empty; scikit-learn raises an error. Ties between votes are broken by the lowest class. Scale the "
      "columns first if their units differ.",
  .example = "local model = ml.RadiusNeighborsClassifier{ radius = 1.5 }\n"
             "model:fit({ {0}, {1}, {2}, {10}, {11} }, { 'near', 'near', 'near', 'far', 'far' })\n"
             "print(model:predict{ {1.5}, {9} })",
  .capabilities = MN_CLASSIFY,
  .accepts = MN_SPARSE,
  .size = sizeof(struct classifier),
  .params = params,
  .fields = fields,
  .operations = mn_radius_operations,
  .fit = fit,
  .log_proba = log_proba,
  .export = export,
  .check = check,
  .derive = derive,
};
