/* Tree-augmented naive Bayes: categories that depend on the class and on one other column, the parent in a tree,
 *
 *     log p(c | x) = log prior_c + sum_j log p_j(x_j | c, x_parent(j)) + constant.
 *
 * The tree is a spanning tree of the largest conditional mutual information of pairs of columns given the class, from
 * the rows without missing values. Missing values are summed over, by messages from the leaves to the root.
 * Friedman, Geiger & Goldszmidt, Machine Learning 29 (1997). */
#include "../bayes_net/chow_liu.h"
#include "../core/threads.h"
#include "../linalg/row_softmax.h"
#include "../model/columns.h"
#include "../model/program.h"
#include "category_table.h"
#include <string.h>

struct tan_classifier {
  mn_nb nb;
  int64_t handle_unknown; /* parameters */
  mn_feature root;
  mn_category_table table; /* learned fields */
  mn_indexes tree_parent, order;
  mn_vector information, log_table;
};

/* The columns of a row as codes within their categories. */
struct tan_codes {
  size_t *first, *size; /* features: the first slot, the number of categories */
  size_t *at;           /* features: the table of each column in log_table    */
  size_t cells;
  mn_category_scores scores;
};

enum { BLOCK_ROWS_TAN = 1 << 10 };
static const char name[] = "TANClassifier";

static mn_status make_codes(mn_context *ctx, const struct tan_classifier *m, struct tan_codes *c)
{
  const size_t p = m->nb.base.n_features, k = mn_levels_size(m->nb.base.classes);
  c->first = MN_RAW(ctx, size_t, p, 1);
  c->size = MN_RAW(ctx, size_t, p, 1);
  c->at = MN_RAW(ctx, size_t, p, 1);
  if (!c->first || !c->size || !c->at) return MN_NO_MEMORY;
  for (size_t j = 0, slot = 0; j < p; j++) {
    c->first[j] = slot;
    c->size[j] = (size_t)m->table.n_categories.at[j];
    slot += c->size[j];
  }
  c->cells = 0;
  for (size_t j = 0; m->tree_parent.size > 0 && j < p; j++) {
    const int32_t parent = m->tree_parent.at[j];
    c->at[j] = c->cells;
    c->cells += k * c->size[j] * (parent < 0 ? 1 : c->size[parent]);
  }
  return mn_make_category_scores(ctx, &m->nb.base, &m->table, &c->scores);
}

/* The code of feature j; -1 if it is missing or unknown. */
static int32_t code_of(const struct tan_codes *c, size_t j, double x)
{
  const double slot = mn_look_up(&c->scores.lookup[j], x);
  return slot >= 0 ? (int32_t)((size_t)slot - c->first[j]) : -1;
}

/* --- fit --- */

/* Codes of the columns, and of the class behind them, as rows of a network; NaN for missing. */
static mn_status make_rows(mn_context *ctx, const mn_data *data, const struct tan_codes *c, mn_matrix *rows,
                           int32_t **card)
{
  const size_t p = data->features;
  *rows = (mn_matrix){ .at = MN_RAW(ctx, double, data->rows, p + 1), .rows = data->rows, .cols = p + 1 };
  *card = MN_RAW(ctx, int32_t, p + 1, 1);
  if (!rows->at || !*card) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) {
    (*card)[j] = c->size[j] > 0 ? (int32_t)c->size[j] : 1;
    if (c->size[j] > MN_MAX_VALUES)
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: column %zu has %zu distinct values, at most %d are allowed; cut it into bins", name, j + 1,
                     c->size[j], MN_MAX_VALUES);
  }
  (*card)[p] = (int32_t)data->classes;
  for (size_t i = 0; i < data->rows; i++) {
    double *row = mn_row(rows, i);
    if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
    for (size_t j = 0; j < p; j++) {
      const int32_t code = code_of(c, j, mn_row(&data->x, i)[j]);
      row[j] = code < 0 ? (double)NAN : code;
    }
    row[p] = data->code[i];
  }
  return MN_OK;
}

/* The parents, and the columns with parents first. */
static mn_status learn_tree(mn_context *ctx, struct tan_classifier *m, const mn_data *data, const mn_matrix *rows,
                            const int32_t *card)
{
  const size_t p = data->features;
  size_t root;
  mn_net_columns columns;
  int32_t *parent = MN_RAW(ctx, int32_t, p + 1, 1);
  double *weight = MN_NEW(ctx, double, p + 1, p + 1);
  if (!parent || !weight) return MN_NO_MEMORY;
  MN_TRY(mn_find_column(ctx, &m->nb.base, "root", &m->root, &root));
  MN_TRY(mn_make_net_columns(ctx, rows, card, data->weights, &columns));
  for (size_t j = 0; j <= p; j++) parent[j] = -1;
  if (columns.rows > 0) MN_TRY(mn_chow_liu(ctx, &columns, root, p, parent, weight));
  MN_TRY(mn_indexes_init(ctx, &m->tree_parent, p));
  MN_TRY(mn_indexes_init(ctx, &m->order, p));
  MN_TRY(mn_vector_init(ctx, &m->information, p));
  size_t done = 0;
  for (size_t j = 0; j < p; j++) {
    m->tree_parent.at[j] = parent[j];
    m->information.at[j] = parent[j] < 0 ? 0 : fmax(weight[j * (p + 1) + (size_t)parent[j]], 0);
    if (parent[j] < 0) m->order.at[done++] = (int32_t)j;
  }
  for (size_t i = 0; i < done; i++)
    for (size_t j = 0; j < p; j++)
      if (parent[j] == m->order.at[i]) m->order.at[done++] = (int32_t)j;
  return MN_OK;
}

/* log p(x_j | c, x_parent) from the rows in which both are known; class fastest. */
static mn_status learn_table(mn_context *ctx, struct tan_classifier *m, const mn_data *data, const mn_matrix *rows,
                             const struct tan_codes *c, size_t j)
{
  const size_t k = data->classes, size = c->size[j], up = m->tree_parent.at[j] < 0 ? 1 : c->size[m->tree_parent.at[j]];
  const mn_mark mark = mn_scratch_mark(ctx);
  double *count = MN_NEW(ctx, double, k *up + 1, size + 1), *total = MN_NEW(ctx, double, size + 1, 1);
  double *a = MN_RAW(ctx, double, size + 1, 1), *log_p = MN_RAW(ctx, double, size + 1, 1);
  if (!count || !total || !a || !log_p) return MN_NO_MEMORY;
  for (size_t i = 0; i < data->rows; i++) {
    const double *row = mn_row(rows, i), x = row[j], y = m->tree_parent.at[j] < 0 ? 0 : row[m->tree_parent.at[j]];
    if (isnan(x) || isnan(y)) continue;
    count[((size_t)data->code[i] * up + (size_t)y) * size + (size_t)x] += mn_weight(data, i);
    total[(size_t)x] += mn_weight(data, i);
  }
  mn_pseudo_counts(&m->nb, size, total, a);
  for (size_t cls = 0; cls < k; cls++)
    for (size_t y = 0; y < up; y++) {
      mn_log_frequencies(size, count + (cls * up + y) * size, a, log_p);
      for (size_t x = 0; x < size; x++) m->log_table.at[c->at[j] + (y * size + x) * k + cls] = log_p[x];
    }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  struct tan_classifier *m = self;
  struct tan_codes c;
  mn_matrix rows;
  int32_t *card;
  MN_TRY(mn_count_classes(ctx, &m->nb, data));
  MN_TRY(mn_add_categories(ctx, &m->nb, data, NULL, MN_UNKNOWN_IGNORE, &m->table));
  MN_TRY(make_codes(ctx, m, &c));
  MN_TRY(make_rows(ctx, data, &c, &rows, &card));
  MN_TRY(learn_tree(ctx, m, data, &rows, card));
  MN_TRY(make_codes(ctx, m, &c));
  MN_TRY(mn_vector_init(ctx, &m->log_table, c.cells));
  for (size_t j = 0; j < data->features; j++) MN_TRY(learn_table(ctx, m, data, &rows, &c, j));
  return MN_OK;
}

/* --- predict --- */

struct tan_scoring {
  const struct tan_classifier *m;
  const mn_data *data;
  struct tan_codes codes;
  mn_matrix *out;
  int32_t *code;   /* workers x features */
  double *message; /* workers x slots */
  size_t slots;
  mn_blocks blocks;
};

static void score_known(const struct tan_scoring *w, const int32_t *code, double *out)
{
  const struct tan_classifier *m = w->m;
  const size_t k = w->out->cols;
  for (size_t j = 0; j < w->data->features; j++) {
    const int32_t up = m->tree_parent.at[j];
    const size_t y = up < 0 ? 0 : (size_t)code[up];
    const double *at = m->log_table.at + w->codes.at[j] + (y * w->codes.size[j] + (size_t)code[j]) * k;
    for (size_t c = 0; c < k; c++) out[c] += at[c];
  }
}

/* log sum_x p(x | c, y) exp(message(x)) over the values of column j that are possible. */
static double pass_message(const struct tan_scoring *w, size_t j, size_t y, size_t c, const int32_t *code,
                           const double *message)
{
  const size_t k = w->out->cols, size = w->codes.size[j];
  const double *at = w->m->log_table.at + w->codes.at[j] + y * size * k + c;
  if (code[j] >= 0) return at[(size_t)code[j] * k] + message[code[j]];
  double highest = -INFINITY, sum = 0;
  for (size_t x = 0; x < size; x++) highest = fmax(highest, at[x * k] + message[x]);
  if (!(highest > -INFINITY)) return size > 0 ? highest : 0;
  for (size_t x = 0; x < size; x++) sum += exp(at[x * k] + message[x] - highest);
  return highest + log(sum);
}

static void score_missing(const struct tan_scoring *w, const int32_t *code, double *message, double *out)
{
  const struct tan_classifier *m = w->m;
  for (size_t c = 0; c < w->out->cols; c++) {
    memset(message, 0, w->slots * sizeof *message);
    for (size_t i = w->data->features; i-- > 0;) {
      const size_t j = (size_t)m->order.at[i];
      const double *own = message + w->codes.first[j];
      const int32_t up = m->tree_parent.at[j];
      if (up < 0) {
        out[c] += pass_message(w, j, 0, c, code, own);
        continue;
      }
      double *to = message + w->codes.first[up];
      for (size_t y = 0; y < w->codes.size[up]; y++)
        if (code[up] < 0 || (size_t)code[up] == y) to[y] += pass_message(w, j, y, c, code, own);
    }
  }
}

static void score_block(void *work, size_t block, size_t worker)
{
  const struct tan_scoring *w = work;
  const size_t p = w->data->features, begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  int32_t *code = w->code + worker * p;
  for (size_t i = begin; i < end; i++) {
    bool known = true;
    for (size_t j = 0; j < p; j++) {
      code[j] = code_of(&w->codes, j, mn_row(&w->data->x, i)[j]);
      known = known && code[j] >= 0;
    }
    double *out = mn_row(w->out, i);
    memcpy(out, w->m->nb.class_log_prior.at, w->out->cols * sizeof *out);
    if (known)
      score_known(w, code, out);
    else
      score_missing(w, code, w->message + worker * (w->slots + 1), out);
  }
  mn_row_log_softmax(end - begin, w->out->cols, mn_row(w->out, begin));
}

static mn_status log_proba(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  const struct tan_classifier *m = self;
  struct tan_scoring w = { .m = m, .data = data, .out = out, .slots = m->table.category.size };
  MN_TRY(make_codes(ctx, m, &w.codes));
  if (m->handle_unknown == MN_UNKNOWN_ERROR)
    MN_TRY(mn_check_categories(ctx, &m->nb.base, &m->table, &w.codes.scores, data));
  w.code = MN_RAW(ctx, int32_t, mn_threads(ctx), data->features);
  w.message = MN_RAW(ctx, double, mn_threads(ctx), w.slots + 1);
  if (!w.code || !w.message) return MN_NO_MEMORY;
  w.blocks = mn_make_blocks(data->rows, BLOCK_ROWS_TAN, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, score_block, &w);
}

/* Whether loaded parents form a tree in this order, and the tables have their sizes. */
static mn_status check(mn_context *ctx, const void *self)
{
  const struct tan_classifier *m = self;
  const size_t p = m->nb.base.n_features;
  struct tan_codes c;
  bool valid = mn_category_table_is_valid(&m->table, &m->nb.base);
  int32_t *place = MN_RAW(ctx, int32_t, p + 1, 1);
  MN_CHECK_ALLOC(place);
  for (size_t j = 0; j < p; j++) place[j] = -1;
  for (size_t i = 0; valid && i < p; i++) {
    const int32_t j = m->order.at[i], up = m->tree_parent.at[j];
    valid = place[j] < 0 && (up < 0 || place[up] >= 0);
    place[j] = (int32_t)i;
  }
  if (valid) MN_TRY(make_codes(ctx, m, &c));
  if (valid && c.cells == m->log_table.size) return MN_OK;
  return mn_fail(ctx, MN_BAD_FILE, "%s: tree and tables are inconsistent", name);
}

static mn_status export_program(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action, (void)program;
  return mn_cannot_export(ctx, self, "sums over missing values need the tree of the network");
}

static void warning(const void *self, mn_text_buffer *text)
{
  const struct tan_classifier *m = self;
  mn_category_warning(&m->nb.base, &m->table, text);
}

static const mn_param params[] = {
  MN_SMOOTHING_PARAMS,
  MN_COLUMN(struct tan_classifier, root, 1, "number or name of the column at the root of the tree"),
  MN_CHOICE(struct tan_classifier, handle_unknown, MN_UNKNOWN_IGNORE, mn_unknown_choices,
            "categories not seen in fit: ignore them like missing values, or raise an error"),
  MN_CLASS_PRIOR_PARAMS,
  MN_END,
};

static const mn_field fields[] = {
  MN_NAIVE_BAYES_FIELDS,
  MN_CATEGORY_TABLE_FIELDS(struct tan_classifier, table),
  MN_INDEXES(struct tan_classifier, tree_parent, "features < features or -1",
             "parent of each column in the tree; -1 for a root"),
  MN_VECTOR(struct tan_classifier, information, "features",
            "mutual information of each column and its parent given the class, in nats"),
  MN_INDEXES(struct tan_classifier, order, "features < features", NULL),
  MN_VECTOR(struct tan_classifier, log_table, "cells", NULL),
  MN_END,
};

const mn_class mn_tan_classifier = {
  .name = "TANClassifier",
  .family = "bayes",
  .brief = "Tree-augmented naive Bayes: each category depends on the class and one other.",
  .objective = "log p(c | x) = log prior_c + sum_j log p_j(x_j | c, x_parent(j)) + constant",
  .source = "Friedman, Geiger & Goldszmidt, Machine Learning 29 (1997)",
  .notes =
      "Columns are categories as in CategoricalNB: levels of a factor, distinct values of numbers. The tree has the "
      "largest mutual information of pairs of columns given the class, from rows without missing values. In rows "
      "to predict, missing values are summed over exactly. m = 5 with prior_estimate = \"marginal\" is the "
      "smoothing of the paper. BayesNet { structure = \"tan\" } fits the same network and answers other questions.",
  .example = "local X, y = ml.read_csv 'examples/data/mushroom.csv':split 'class'\n"
             "local model = ml.TANClassifier{}:fit(X, y)\n"
             "print(model:score(X, y), model.tree_parent)",
  .capabilities = MN_CLASSIFY | MN_SCALE_EQUIVARIANT,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct tan_classifier),
  .params = params,
  .fields = fields,
  .fit = fit,
  .log_proba = log_proba,
  .check = check,
  .warning = warning,
  .export = export_program,
};
