/* Trees for numbers as an adaptive forest asks for them. */
#include "value_tree.h"

mn_value_tree mn_value_tree_of(const mn_adaptive_forest *m, size_t store)
{
  const size_t first = store * mn_slots(m), watched = mn_watched(m);
  return (mn_value_tree){
    .used = m->used.at + store,
    .child = m->child.at + 2 * first,
    .feature = m->feature.at + first,
    .observed = m->observed.at + first * watched,
    .cut = m->cut.at + first,
    .looked = m->looked.at + first,
    .sums = mn_row(&m->table[MN_SUMS_TABLE], first),
    .slope = (mn_slope *)mn_row(&m->table[MN_LINES_TABLE], first),
    .column = (mn_value_histogram *)mn_row(&m->table[MN_BINS_TABLE], first),
    .features = m->base.n_features,
    .watched = watched,
    .grace = (double)m->grace_period,
    .delta = m->delta,
    .tau = m->tau,
    .adaptive = m->leaf_prediction == MN_LEAF_ADAPTIVE,
  };
}

double mn_value_default(const mn_adaptive_forest *m)
{
  double sum = 0, trees = 0;
  for (size_t i = 0; i < m->front.size; i++) {
    const double *e = mn_row(&m->errors, i);
    if (!(e[MN_VALUES_SEEN] > 0)) continue;
    sum += e[MN_VALUES_MEAN];
    trees++;
  }
  return trees > 0 ? sum / trees : 0;
}

/* The structs of these tables hold doubles and nothing else. */
static void cols(const mn_adaptive_forest *m, size_t watched, size_t *cols)
{
  (void)m;
  cols[MN_SUMS_TABLE] = MN_NODE_SUMS;
  cols[MN_LINES_TABLE] = watched * (sizeof(mn_slope) / sizeof(double));
  cols[MN_BINS_TABLE] = watched * (sizeof(mn_value_histogram) / sizeof(double));
}

static mn_status make_room(mn_context *ctx, const mn_adaptive_forest *m, void **out)
{
  (void)ctx;
  (void)m;
  *out = NULL; /* none is wanted */
  return MN_OK;
}

static void begin(const mn_adaptive_forest *m, size_t store, mn_rng *rng)
{
  const mn_value_tree t = mn_value_tree_of(m, store);
  mn_value_begin(&t, rng);
}

/* Half the absolute error over the mean distance of y from its mean, 1 at most: it is bounded, as the detector needs
 * it, and steady while the stream is. */
static bool judge(const mn_adaptive_forest *m, size_t tree, const mn_data *data, size_t i, void *room, double *error)
{
  (void)room;
  const mn_value_tree t = mn_value_tree_of(m, mn_front(m, tree));
  double *e = mn_row(&m->errors, tree), value;
  const double y = data->y.at[i], from_mean = y - e[MN_VALUES_MEAN];
  const bool knows = mn_value_predict(&t, mn_row(&data->x, i), &value);
  e[MN_VALUES_SEEN]++;
  e[MN_VALUES_MEAN] += from_mean / e[MN_VALUES_SEEN];
  e[MN_VALUES_SPREAD] += fabs(y - e[MN_VALUES_MEAN]);
  if (!knows || !(e[MN_VALUES_SPREAD] > 0)) return false;
  e[MN_VALUES_SQUARES] += (y - value) * (y - value);
  *error = fmin(1, fabs(y - value) / (2 * e[MN_VALUES_SPREAD] / e[MN_VALUES_SEEN]));
  return true;
}

static void learn(const mn_adaptive_forest *m, size_t store, mn_rng *rng, const mn_data *data, size_t i, double weight,
                  void *room)
{
  (void)room;
  const mn_value_tree t = mn_value_tree_of(m, store);
  mn_value_learn(&t, rng, mn_row(&data->x, i), data->y.at[i], weight);
}

static bool are_numbers(const mn_matrix *table)
{
  for (size_t k = 0; k < table->rows * table->cols; k++)
    if (!isfinite(table->at[k])) return false;
  return true;
}

static bool are_sound_sums(const double *s)
{
  static const size_t amounts[] = { MN_NODE_WEIGHT,  MN_NODE_ROWS,     MN_NODE_SEEN,
                                    MN_NODE_SQUARES, MN_NODE_OFF_MEAN, MN_NODE_OFF_LINE };
  for (size_t k = 0; k < sizeof amounts / sizeof *amounts; k++)
    if (s[amounts[k]] < 0) return false;
  return s[MN_NODE_LOW] <= s[MN_NODE_HIGH];
}

static bool is_sound_column(const mn_slope *s, const mn_value_histogram *h)
{
  if (!(s->squares >= 0 && h->used >= 0 && h->used <= MN_VALUE_BINS) || h->used > floor(h->used)) return false;
  for (size_t b = 0; b < (size_t)h->used; b++)
    if (!(h->bin[b].weight > 0)) return false;
  return true;
}

static bool is_sound(const mn_adaptive_forest *m)
{
  const size_t columns = m->cut.size * mn_watched(m);
  bool sound = are_numbers(&m->errors);
  for (size_t i = 0; i < MN_ADAPTIVE_TABLES; i++) sound = sound && are_numbers(&m->table[i]);
  for (size_t i = 0; sound && i < m->errors.rows * m->errors.cols; i++)
    sound = m->errors.at[i] >= 0 || i % m->errors.cols == MN_VALUES_MEAN;
  for (size_t i = 0; sound && i < m->cut.size; i++) sound = are_sound_sums(mn_row(&m->table[MN_SUMS_TABLE], i));
  const mn_slope *slope = (const mn_slope *)m->table[MN_LINES_TABLE].at;
  const mn_value_histogram *column = (const mn_value_histogram *)m->table[MN_BINS_TABLE].at;
  for (size_t i = 0; sound && i < columns; i++) sound = is_sound_column(&slope[i], &column[i]);
  return sound;
}

const mn_adaptive_kind mn_value_trees = {
  .errors = MN_VALUE_ERRORS,
  .cols = cols,
  .room = make_room,
  .begin = begin,
  .judge = judge,
  .learn = learn,
  .is_sound = is_sound,
};
