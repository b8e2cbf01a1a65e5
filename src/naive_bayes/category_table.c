#include "category_table.h"
#include "../core/threads.h"
#include "../stats/argsort.h"
#include <stdio.h>
#include <string.h>

enum { BLOCK_VALUES = 1 << 15, MAX_BLOCKS = 64 };

const char *const mn_unknown_choices[] = { "ignore", "error", NULL };

static const mn_levels *levels_of(const mn_estimator *model, size_t j)
{
  return model->feature_levels.size > 0 ? model->feature_levels.at[j] : NULL;
}

/* The categories of column j in ascending order: those known before, and the distinct values of `data`. Returns their
 * number. */
static mn_status merge_numbers(mn_context *ctx, const mn_data *data, size_t j, size_t known, const double *old,
                               double *out, size_t *count)
{
  const size_t n = data->rows, p = data->features;
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t *order = MN_RAW(ctx, size_t, n, 1), size = 0;
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_argsort(ctx, n, data->x.at + j, p, order));
  for (size_t i = 0, k = 0; i < n || k < known;) {
    const double x = i < n ? data->x.at[order[i] * p + j] : (double)NAN;
    const bool from_old = k < known && !(x < old[k]); /* NaN comes last */
    if (!from_old && isnan(x)) break;
    const double next = from_old ? old[k++] : data->x.at[order[i++] * p + j];
    if (size == 0 || next > out[size - 1]) out[size++] = next;
  }
  *count = size;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* The categories of all columns before and with `data`; scratch. */
struct layout {
  double *category;
  size_t *size, slots;
};

static mn_status plan(mn_context *ctx, const mn_estimator *model, const mn_data *data, const bool *columns,
                      const mn_category_table *t, struct layout *l)
{
  const size_t p = data->features;
  size_t capacity = t->category.size, old = 0;
  for (size_t j = 0; j < p; j++) {
    const mn_levels *levels = levels_of(model, j);
    if (!columns || columns[j]) capacity += levels ? mn_levels_size(levels) : data->rows;
  }
  *l = (struct layout){ .category = MN_RAW(ctx, double, capacity + 1, 1), .size = MN_NEW(ctx, size_t, p, 1) };
  if (!l->category || !l->size) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) {
    const mn_levels *levels = levels_of(model, j);
    const size_t known = t->n_categories.at ? (size_t)t->n_categories.at[j] : 0;
    double *to = l->category + l->slots;
    if (columns && !columns[j]) continue;
    l->size[j] = levels ? mn_levels_size(levels) : 0;
    for (size_t v = 0; levels && v < l->size[j]; v++) to[v] = (double)v;
    if (!levels) MN_TRY(merge_numbers(ctx, data, j, known, t->category.at + old, to, &l->size[j]));
    l->slots += l->size[j];
    old += known;
  }
  return MN_OK;
}

/* Move the counts to where the layout has their categories. */
static void move_counts(const mn_category_table *t, const struct layout *l, mn_matrix *to)
{
  size_t from = 0, slot = 0;
  for (size_t j = 0; j < t->n_categories.size; j++) {
    const size_t known = (size_t)t->n_categories.at[j], end = slot + l->size[j];
    for (size_t v = 0; v < known; v++, from++) {
      while (l->category[slot] < t->category.at[from]) slot++;
      for (size_t c = 0; c < t->count.rows; c++) mn_row(to, c)[slot] = mn_row(&t->count, c)[from];
    }
    slot = end;
  }
}

static mn_status extend(mn_context *ctx, const mn_estimator *model, const mn_data *data, const bool *columns,
                        mn_category_table *t)
{
  const size_t k = data->classes, p = data->features;
  mn_memory *memory = mn_context_memory(ctx);
  struct layout l;
  mn_matrix moved = { 0 };
  MN_TRY(plan(ctx, model, data, columns, t, &l));
  if (!t->n_categories.at) MN_TRY(mn_vector_init(ctx, &t->n_categories, p));
  if (l.slots == t->category.size) return MN_OK; /* nothing is new */
  moved = (mn_matrix){ .at = MN_NEW(ctx, double, k, l.slots), .rows = k, .cols = l.slots };
  MN_CHECK_ALLOC(moved.at);
  move_counts(t, &l, &moved);
  mn_matrix_free(memory, &t->count);
  mn_matrix_free(memory, &t->log_prob);
  MN_TRY(mn_matrix_init(ctx, &t->count, k, l.slots));
  MN_TRY(mn_matrix_init(ctx, &t->log_prob, k, l.slots));
  MN_TRY(mn_vector_resize(ctx, &t->category, l.slots));
  memcpy(t->count.at, moved.at, k * l.slots * sizeof *moved.at);
  memcpy(t->category.at, l.category, l.slots * sizeof *l.category);
  for (size_t j = 0; j < p; j++) t->n_categories.at[j] = (double)l.size[j];
  return MN_OK;
}

static mn_status make_lookups(mn_context *ctx, const mn_estimator *model, const mn_category_table *t,
                              struct mn_lookup **out)
{
  const size_t p = t->n_categories.size, slots = t->category.size;
  struct mn_lookup *lookup = MN_NEW(ctx, struct mn_lookup, p, 1);
  double *slot = MN_RAW(ctx, double, slots + 1, 1);
  if (!lookup || !slot) return MN_NO_MEMORY;
  for (size_t s = 0; s < slots; s++) slot[s] = (double)s;
  for (size_t j = 0, first = 0; j < p; j++) {
    const size_t size = (size_t)t->n_categories.at[j];
    lookup[j] = (struct mn_lookup){ .size = size, .missing = MN_NO_SLOT, .unknown = MN_UNKNOWN_SLOT };
    lookup[j].result = slot + first;
    if (!levels_of(model, j)) {
      lookup[j].value = t->category.at + first;
      MN_TRY(mn_make_direct(ctx, &lookup[j]));
    }
    first += size;
  }
  *out = lookup;
  return MN_OK;
}

struct counting {
  const mn_data *data;
  const mn_vector *n_categories;
  const struct mn_lookup *lookup;
  double *part; /* blocks x classes x slots */
  size_t slots;
  mn_blocks blocks;
};

static void count_block(void *work, size_t block, size_t worker)
{
  (void)worker;
  const struct counting *w = work;
  const mn_data *d = w->data;
  double *part = w->part + block * d->classes * w->slots;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(&d->x, i), weight = mn_weight(d, i);
    double *to = part + (size_t)d->code[i] * w->slots;
    for (size_t j = 0; j < d->features; j++) {
      const double slot = w->n_categories->at[j] > 0 ? mn_look_up(&w->lookup[j], x[j]) : MN_NO_SLOT;
      if (slot >= 0) to[(size_t)slot] += weight;
    }
  }
}

static mn_status count(mn_context *ctx, const mn_data *data, const struct mn_lookup *lookup, mn_category_table *t)
{
  const size_t slots = t->category.size, size = data->classes * slots;
  const size_t most = data->rows * data->features / size / 4 + 1;
  struct counting w = { .data = data, .n_categories = &t->n_categories, .lookup = lookup, .slots = slots };
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / data->features + 1, most < MAX_BLOCKS ? most : MAX_BLOCKS);
  w.part = MN_NEW(ctx, double, w.blocks.count, size);
  double *sum = MN_RAW(ctx, double, size, 1);
  if (!w.part || !sum) return MN_NO_MEMORY;
  MN_TRY(mn_parallel(ctx, w.blocks.count, count_block, &w));
  mn_sum_blocks(w.blocks.count, size, w.part, sum);
  for (size_t i = 0; i < size; i++) t->count.at[i] += sum[i];
  return MN_OK;
}

static mn_status estimate(mn_context *ctx, const mn_nb *m, const mn_category_table *t)
{
  const size_t k = t->count.rows, slots = t->category.size;
  double *total = MN_NEW(ctx, double, slots, 1), *a = MN_RAW(ctx, double, slots, 1);
  if (!total || !a) return MN_NO_MEMORY;
  for (size_t c = 0; c < k; c++)
    for (size_t s = 0; s < slots; s++) total[s] += mn_row(&t->count, c)[s];
  for (size_t j = 0, first = 0; j < t->n_categories.size; j++) {
    const size_t size = (size_t)t->n_categories.at[j];
    mn_pseudo_counts(m, size, total + first, a + first);
    for (size_t c = 0; c < k; c++)
      mn_log_frequencies(size, mn_row(&t->count, c) + first, a + first, mn_row(&t->log_prob, c) + first);
    first += size;
  }
  return MN_OK;
}

mn_status mn_add_categories(mn_context *ctx, const mn_nb *m, const mn_data *data, const bool *columns, int64_t unknown,
                            mn_category_table *t)
{
  mn_category_scores scores = { 0 };
  MN_TRY(extend(ctx, &m->base, data, columns, t));
  if (t->category.size == 0) return MN_OK;
  MN_TRY(make_lookups(ctx, &m->base, t, &scores.lookup));
  if (unknown == MN_UNKNOWN_ERROR) MN_TRY(mn_check_categories(ctx, &m->base, t, &scores, data));
  MN_TRY(count(ctx, data, scores.lookup, t));
  return estimate(ctx, m, t);
}

mn_status mn_make_category_scores(mn_context *ctx, const mn_estimator *model, const mn_category_table *t,
                                  mn_category_scores *s)
{
  const size_t k = t->log_prob.rows, slots = t->category.size;
  MN_TRY(make_lookups(ctx, model, t, &s->lookup));
  s->log_prob = MN_RAW(ctx, double, slots + 1, k);
  MN_CHECK_ALLOC(s->log_prob);
  for (size_t c = 0; c < k; c++)
    for (size_t v = 0; v < slots; v++) s->log_prob[v * k + c] = mn_row(&t->log_prob, c)[v];
  return MN_OK;
}

mn_status mn_check_categories(mn_context *ctx, const mn_estimator *model, const mn_category_table *t,
                              const mn_category_scores *s, const mn_data *data)
{
  for (size_t i = 0; i < data->rows; i++)
    for (size_t j = 0; j < data->features; j++)
      if (t->n_categories.at[j] > 0 && mn_look_up(&s->lookup[j], mn_row(&data->x, i)[j]) < MN_NO_SLOT)
        return mn_unknown_category(ctx, model, data, i, j);
  return MN_OK;
}

static bool has_fraction(size_t n, const double *category)
{
  for (size_t v = 0; v < n; v++)
    if (category[v] != floor(category[v])) return true;
  return false;
}

void mn_category_warning(const mn_estimator *model, const mn_category_table *t, mn_text_buffer *text)
{
  enum { MANY = 20 }; /* fewer may stand for steps of a scale */
  for (size_t j = 0, first = 0; j < t->n_categories.size; first += (size_t)t->n_categories.at[j++]) {
    const size_t n = (size_t)t->n_categories.at[j];
    if (n <= MANY || levels_of(model, j) || !has_fraction(n, t->category.at + first)) continue;
    char number[24];
    snprintf(number, sizeof number, "%zu", j + 1);
    const char *name = model->feature_names.size > 0 ? model->feature_names.at[j] : number;
    mn_text_printf(text,
                   "each of the %zu values of column %s is a category, and many are fractions; cut the column into "
                   "bins (KBinsDiscretizer), or use MixedNB",
                   n, name);
    return;
  }
}

bool mn_category_table_is_valid(const mn_category_table *t, const mn_estimator *model)
{
  double slots = 0;
  for (size_t j = 0; j < t->n_categories.size; j++) {
    const double n = t->n_categories.at[j];
    const mn_levels *levels = levels_of(model, j);
    const bool whole = n >= 0 && n <= (double)t->category.size && n == floor(n);
    if (!whole || (levels && n > 0 && n != (double)mn_levels_size(levels))) return false;
    slots += n;
  }
  if (slots != (double)t->category.size || t->n_categories.size != model->n_features) return false;
  for (size_t j = 0, first = 0; j < t->n_categories.size; first += (size_t)t->n_categories.at[j++])
    for (size_t v = 1; v < (size_t)t->n_categories.at[j]; v++)
      if (!(t->category.at[first + v] > t->category.at[first + v - 1])) return false;
  return slots == 0 || (t->count.at && t->log_prob.at);
}

mn_status mn_name_categories(mn_context *ctx, const mn_estimator *model, const mn_category_table *t, int32_t **feature,
                             const char ***text)
{
  enum { SIZE = 64 };
  const size_t slots = t->category.size;
  char number[MN_NUMBER_SIZE], *buffer = MN_RAW(ctx, char, slots, SIZE);
  *feature = MN_RAW(ctx, int32_t, slots, 1);
  *text = MN_RAW(ctx, const char *, slots, 1);
  if (!buffer || !*feature || !*text) return MN_NO_MEMORY;
  for (size_t j = 0, s = 0; j < t->n_categories.size; j++) {
    const mn_levels *levels = levels_of(model, j);
    for (size_t v = 0; v < (size_t)t->n_categories.at[j]; v++, s++) {
      (*feature)[s] = (int32_t)j;
      (*text)[s] = buffer + s * SIZE;
      if (levels)
        mn_format_label(buffer + s * SIZE, SIZE, mn_levels_at(levels, v));
      else
        snprintf(buffer + s * SIZE, SIZE, "%s", mn_format_number(number, t->category.at[s]));
    }
  }
  return MN_OK;
}
