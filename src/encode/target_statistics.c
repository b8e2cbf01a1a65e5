#include "target_statistics.h"
#include "../core/threads.h"
#include "../preprocess/names.h"
#include <string.h>

enum { BLOCK_VALUES = 1 << 16 };

static size_t count_slots(const mn_category_encoder *m)
{
  size_t n = 1;
  for (size_t j = 0; j < m->categories.levels.size; j++) n += mn_category_count(&m->categories, j);
  return n;
}

size_t mn_encoder_targets(const mn_estimator *model, const mn_data *data)
{
  return model->classes && data->classes > 2 ? data->classes : 1;
}

/* --- the slots of rows --- */

/* For each feature the lookup from values to slots. */
static mn_status make_lookups(mn_context *ctx, const mn_category_encoder *m, struct mn_lookup **out)
{
  const size_t p = m->base.n_features, last = count_slots(m) - 1;
  size_t first = 0;
  *out = MN_RAW(ctx, struct mn_lookup, p, 1);
  MN_CHECK_ALLOC(*out);
  for (size_t j = 0; j < p; j++) {
    const size_t n = mn_category_count(&m->categories, j);
    double *slot = MN_RAW(ctx, double, n, 1);
    MN_CHECK_ALLOC(slot);
    for (size_t k = 0; k < n; k++) slot[k] = (double)(first + k);
    MN_TRY(mn_make_lookup(ctx, &m->categories, &m->base, j, slot, (double)last, &(*out)[j]));
    first += n;
  }
  return MN_OK;
}

struct slot_work {
  const mn_data *data;
  const struct mn_lookup *lookup;
  mn_blocks blocks;
  int32_t *slot; /* result: rows x features, or NULL */
  const mn_category_encoder *model;
  mn_matrix *out; /* result: rows x (features x targets), or NULL */
};

static mn_status slot_work_init(mn_context *ctx, const mn_category_encoder *m, const mn_data *data, struct slot_work *w)
{
  struct mn_lookup *lookup;
  *w = (struct slot_work){ .data = data, .model = m };
  w->blocks = mn_make_blocks(data->rows, BLOCK_VALUES / data->features, SIZE_MAX);
  MN_TRY(make_lookups(ctx, m, &lookup));
  w->lookup = lookup;
  return MN_OK;
}

static void find_slots(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct slot_work *w = work;
  const size_t p = w->data->features;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++)
    for (size_t j = 0; j < p; j++) w->slot[i * p + j] = (int32_t)mn_look_up(&w->lookup[j], mn_row(&w->data->x, i)[j]);
}

mn_status mn_row_slots(mn_context *ctx, const mn_category_encoder *m, const mn_data *data, int32_t **slot)
{
  struct slot_work w;
  MN_TRY(slot_work_init(ctx, m, data, &w));
  w.slot = *slot = MN_RAW(ctx, int32_t, data->rows, data->features);
  MN_CHECK_ALLOC(w.slot);
  return mn_parallel(ctx, w.blocks.count, find_slots, &w);
}

/* --- statistics --- */

struct statistics_work {
  mn_context *ctx; /* for cancellation */
  const mn_data *data;
  const double *y; /* NULL: none */
  const int32_t *slot, *fold;
  struct mn_target_statistics *s; /* folds */
  bool classes;
};

/* Add a row to a slot: the sums of weights of each class, or mean and squared deviations by Welford's update. */
static void add_row(const struct statistics_work *w, struct mn_target_statistics *s, size_t slot, size_t i)
{
  const double weight = mn_weight(w->data, i);
  s->weight[slot] += weight;
  if (w->classes) {
    const int32_t target = w->data->code[i] - (s->targets == 1);
    if (target >= 0) s->mean[slot * s->targets + (size_t)target] += weight;
    return;
  }
  if (!w->y) return;
  const double d = w->y[i] - s->mean[slot];
  s->mean[slot] += d * (weight / s->weight[slot]);
  s->square[slot] += weight * d * (w->y[i] - s->mean[slot]);
}

/* One task for each column; the last one counts all rows. */
static void add_column(void *work, size_t j, size_t worker)
{
  const struct statistics_work *w = work;
  const size_t p = w->data->features;
  const mn_cancel_token token = { .ctx = w->ctx, .worker = worker };
  mn_chunk c = { 0 };
  while (mn_next_chunk(&token, w->data->rows, &c))
    for (size_t i = c.begin; i < c.end; i++) {
      struct mn_target_statistics *s = &w->s[w->fold ? w->fold[i] : 0];
      add_row(w, s, j < p ? (size_t)w->slot[i * p + j] : s->slots - 1, i);
    }
}

/* Turn sums of class weights into fractions, with W p (1 - p) squared deviations. */
static void finish_classes(struct mn_target_statistics *s)
{
  for (size_t k = 0; k < s->slots; k++)
    for (size_t t = 0; t < s->targets; t++) {
      const size_t at = k * s->targets + t;
      if (s->weight[k] > 0) s->mean[at] /= s->weight[k];
      s->square[at] = s->weight[k] * s->mean[at] * (1 - s->mean[at]);
    }
}

static mn_status allocate(mn_context *ctx, size_t slots, size_t targets, struct mn_target_statistics *s)
{
  *s = (struct mn_target_statistics){ .slots = slots, .targets = targets };
  s->weight = MN_NEW(ctx, double, slots, 1);
  s->mean = MN_NEW(ctx, double, slots, targets);
  s->square = MN_NEW(ctx, double, slots, targets);
  return s->weight && s->mean && s->square ? MN_OK : MN_NO_MEMORY;
}

/* y in units of a power of two, which is 1 unless y are very large or very small. */
static mn_status scale_target(mn_context *ctx, const mn_data *data, const double **y, int *exponent)
{
  const int max_exponent = 300;
  double largest = 0;
  *exponent = 0;
  *y = data->y.at;
  for (size_t i = 0; data->y.at && i < data->rows; i++) largest = fmax(largest, fabs(data->y.at[i]));
  (void)frexp(largest, exponent);
  if (*exponent >= -max_exponent && *exponent <= max_exponent) *exponent = 0;
  if (*exponent == 0) return MN_OK;
  double *scaled = MN_RAW(ctx, double, data->rows, 1);
  MN_CHECK_ALLOC(scaled);
  for (size_t i = 0; i < data->rows; i++) scaled[i] = ldexp(data->y.at[i], -*exponent);
  *y = scaled;
  return MN_OK;
}

mn_status mn_target_statistics_init(mn_context *ctx, const mn_category_encoder *m, const mn_data *data,
                                    const int32_t *fold, size_t folds, struct mn_target_statistics **out)
{
  struct statistics_work w = { .ctx = ctx, .data = data, .fold = fold, .classes = m->base.classes != NULL };
  int32_t *slot;
  int exponent;
  const size_t slots = count_slots(m), targets = mn_encoder_targets(&m->base, data);
  MN_TRY(scale_target(ctx, data, &w.y, &exponent));
  w.s = *out = MN_RAW(ctx, struct mn_target_statistics, folds, 1);
  MN_CHECK_ALLOC(w.s);
  for (size_t f = 0; f < folds; f++) {
    MN_TRY(allocate(ctx, slots, targets, &w.s[f]));
    w.s[f].exponent = exponent;
  }
  MN_TRY(mn_row_slots(ctx, m, data, &slot));
  w.slot = slot;
  MN_TRY(mn_parallel(ctx, data->features + 1, add_column, &w));
  for (size_t f = 0; w.classes && f < folds; f++) finish_classes(&w.s[f]);
  return MN_OK;
}

static void encode_slots(const mn_category_encoder *m, const struct mn_target_statistics *s, mn_encode_function encode,
                         double *encoding)
{
  encode(m, s, encoding);
  for (size_t k = 0; s->exponent != 0 && k < s->slots * s->targets; k++) encoding[k] = ldexp(encoding[k], s->exponent);
}

mn_status mn_fit_target_encoder(mn_context *ctx, mn_category_encoder *m, const mn_data *data, mn_encode_function encode)
{
  const struct mn_category_options options = { .min_frequency = MN_UNSET_REAL,
                                               .max_categories = MN_UNSET,
                                               .missing = true };
  struct mn_target_statistics *s;
  MN_TRY(mn_learn_categories(ctx, data, options, &m->categories));
  MN_TRY(mn_target_statistics_init(ctx, m, data, NULL, 1, &s));
  MN_TRY(mn_matrix_init(ctx, &m->encodings, s->slots, s->targets));
  encode_slots(m, s, encode, m->encodings.at);
  return MN_OK;
}

/* --- cross-fitting --- */

/* Add the statistics of disjoint rows (Chan, Golub & LeVeque 1983). */
static void add_statistics(const struct mn_target_statistics *from, struct mn_target_statistics *to)
{
  for (size_t k = 0; k < to->slots; k++) {
    const double a = to->weight[k], b = from->weight[k];
    if (!(b > 0)) continue;
    to->weight[k] += b;
    for (size_t t = k * to->targets; t < (k + 1) * to->targets; t++) {
      const double d = from->mean[t] - to->mean[t];
      to->mean[t] += d * (b / (a + b));
      to->square[t] += from->square[t] + d * d * (a * (b / (a + b)));
    }
  }
}

/* The encodings of each fold, by the statistics of the other folds. */
static mn_status encode_folds(mn_context *ctx, const mn_category_encoder *m, const struct mn_target_statistics *s,
                              size_t folds, mn_encode_function encode, double *encoding)
{
  const size_t size = s->slots * s->targets;
  struct mn_target_statistics others;
  MN_TRY(allocate(ctx, s->slots, s->targets, &others));
  others.exponent = s->exponent;
  for (size_t f = 0; f < folds; f++) {
    memset(others.weight, 0, s->slots * sizeof(double));
    memset(others.mean, 0, size * sizeof(double));
    memset(others.square, 0, size * sizeof(double));
    MN_TRY(mn_poll(ctx));
    for (size_t g = 0; g < folds; g++)
      if (g != f) add_statistics(&s[g], &others);
    encode_slots(m, &others, encode, encoding + f * size);
  }
  return MN_OK;
}

mn_status mn_cross_fit(mn_context *ctx, const mn_category_encoder *m, const mn_data *data, struct mn_cross_fitting how,
                       mn_encode_function encode, mn_matrix *out)
{
  struct mn_target_statistics *s;
  int32_t *fold, *slot;
  size_t folds;
  MN_TRY(mn_assign_folds(ctx, m->base.class->name, data, how, &fold, &folds));
  MN_TRY(mn_target_statistics_init(ctx, m, data, fold, folds, &s));
  double *encoding = MN_RAW(ctx, double, folds * s->slots, s->targets);
  MN_CHECK_ALLOC(encoding);
  MN_TRY(encode_folds(ctx, m, s, folds, encode, encoding));
  MN_TRY(mn_row_slots(ctx, m, data, &slot));
  const size_t p = data->features, targets = s->targets;
  for (size_t i = 0; i < data->rows; i++) {
    const double *own = encoding + (size_t)fold[i] * s->slots * targets;
    if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < p; j++)
      memcpy(mn_row(out, i) + j * targets, own + (size_t)slot[i * p + j] * targets, targets * sizeof *own);
  }
  return MN_OK;
}

/* --- members of class tables --- */

static void encode_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct slot_work *w = work;
  const mn_matrix *encoding = &w->model->encodings;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    double *out = mn_row(w->out, i);
    for (size_t j = 0; j < w->data->features; j++, out += encoding->cols) {
      const double *from = mn_row(encoding, (size_t)mn_look_up(&w->lookup[j], mn_row(&w->data->x, i)[j]));
      for (size_t t = 0; t < encoding->cols; t++) out[t] = from[t];
    }
  }
}

mn_status mn_target_encoder_transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  struct slot_work w;
  MN_TRY(slot_work_init(ctx, self, data, &w));
  w.out = out;
  return mn_parallel(ctx, w.blocks.count, encode_block, &w);
}

size_t mn_target_encoder_outputs(const void *self)
{
  const mn_category_encoder *m = self;
  return m->base.n_features * m->encodings.cols;
}

void mn_target_encoder_output_name(const void *self, size_t j, const char *const *inputs, char *text, size_t size)
{
  const mn_category_encoder *m = self;
  const size_t targets = m->encodings.cols;
  char own[MN_INPUT_NAME_SIZE], label[MN_INPUT_NAME_SIZE];
  const char *column = mn_input_name(inputs, j / targets, own);
  if (targets == 1)
    snprintf(text, size, "%s", column);
  else
    snprintf(text, size, "%s_%s", column,
             mn_format_label(label, sizeof label, mn_levels_at(m->base.classes, j % targets)));
}

mn_status mn_target_encoder_check(mn_context *ctx, const void *self)
{
  const mn_category_encoder *m = self;
  const size_t k = m->base.classes ? mn_levels_size(m->base.classes) : 0;
  const bool valid = mn_categories_are_valid(&m->categories, &m->base) && m->encodings.rows == count_slots(m) &&
                     m->encodings.cols == (k > 2 ? k : 1);
  if (valid) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: categories and encodings are inconsistent", m->base.class->name);
}

mn_status mn_target_encoder_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  const mn_category_encoder *m = self;
  struct mn_lookup *lookup;
  if (action != MN_TRANSFORM_X) return MN_OK;
  MN_TRY(make_lookups(ctx, m, &lookup));
  mn_program_reals(program, "encodings", m->encodings.rows * m->encodings.cols, m->encodings.at);
  mn_program_count(program, "targets", m->encodings.cols);
  MN_TRY(mn_lookup_program(ctx, lookup, m->base.n_features, program));
  mn_program_code(program, "for t < targets { out[j * targets + t] = encodings[index(found) * targets + t] } }");
  return MN_OK;
}
