/* Trees for labels as an adaptive forest asks for them. */
#include "hoeffding_tree.h"

/* What a thread needs: for naive Bayes, and probabilities. */
struct room {
  mn_leaf_scores scores;
  double *p; /* classes */
};

mn_hoeffding_tree mn_hoeffding_tree_of(const mn_adaptive_forest *m, size_t store)
{
  const size_t first = store * mn_slots(m), watched = mn_watched(m);
  const mn_matrix *tally = &m->table[MN_TALLY_TABLE], *moments = &m->table[MN_MOMENTS_TABLE];
  return (mn_hoeffding_tree){
    .used = m->used.at + store,
    .child = m->child.at + 2 * first,
    .feature = m->feature.at + first,
    .observed = m->observed.at + first * watched,
    .cut = m->cut.at + first,
    .looked = m->looked.at + first,
    .tally = mn_row(tally, first),
    .right = mn_row(&m->table[MN_RIGHT_TABLE], first),
    .moments = mn_row(moments, first),
    .classes = tally->cols,
    .features = m->base.n_features,
    .watched = watched,
    .grace = (double)m->grace_period,
    .delta = m->delta,
    .tau = m->tau,
    .adaptive = m->leaf_prediction == MN_LEAF_ADAPTIVE,
  };
}

double mn_vote_of(const mn_adaptive_forest *m, size_t tree)
{
  const double *e = mn_row(&m->errors, tree);
  return (e[MN_LABELS_RIGHT] + 1) / (e[MN_LABELS_SEEN] + 2);
}

static void cols(const mn_adaptive_forest *m, size_t watched, size_t *cols)
{
  const size_t classes = mn_levels_size(m->base.classes);
  cols[MN_TALLY_TABLE] = classes;
  cols[MN_RIGHT_TABLE] = 2;
  cols[MN_MOMENTS_TABLE] = mn_moments(watched, classes);
}

static mn_status make_room(mn_context *ctx, const mn_adaptive_forest *m, void **out)
{
  struct room *room = MN_NEW(ctx, struct room, 1, 1);
  MN_CHECK_ALLOC(room);
  *out = room;
  return mn_leaf_scores_make(ctx, mn_watched(m), mn_levels_size(m->base.classes), &room->scores, &room->p);
}

static void begin(const mn_adaptive_forest *m, size_t store, mn_rng *rng)
{
  const mn_hoeffding_tree t = mn_hoeffding_tree_of(m, store);
  mn_hoeffding_begin(&t, rng);
}

static bool judge(const mn_adaptive_forest *m, size_t tree, const mn_data *data, size_t i, void *work, double *error)
{
  struct room *room = work;
  const mn_hoeffding_tree t = mn_hoeffding_tree_of(m, mn_front(m, tree));
  double *e = mn_row(&m->errors, tree);
  size_t guess = 0;
  mn_hoeffding_predict(&t, mn_row(&data->x, i), &room->scores, room->p);
  for (size_t k = 1; k < t.classes; k++)
    if (room->p[k] > room->p[guess]) guess = k;
  const bool right = guess == (size_t)data->code[i];
  e[MN_LABELS_SEEN]++;
  e[MN_LABELS_RIGHT] += right;
  *error = !right;
  return true;
}

static void learn(const mn_adaptive_forest *m, size_t store, mn_rng *rng, const mn_data *data, size_t i, double weight,
                  void *work)
{
  struct room *room = work;
  const mn_hoeffding_tree t = mn_hoeffding_tree_of(m, store);
  mn_hoeffding_learn(&t, rng, mn_row(&data->x, i), (size_t)data->code[i], weight, &room->scores, room->p);
}

static bool are_amounts(const mn_matrix *table)
{
  for (size_t k = 0; k < table->rows * table->cols; k++)
    if (!(table->at[k] >= 0 && table->at[k] < INFINITY)) return false;
  return true;
}

/* Weights and squares are no less than 0. */
static bool is_sound(const mn_adaptive_forest *m)
{
  const mn_matrix *moments = &m->table[MN_MOMENTS_TABLE];
  const size_t each = 2 + 3 * m->table[MN_TALLY_TABLE].cols;
  for (size_t k = 0; k < moments->rows * moments->cols; k++) {
    const size_t place = k % each;
    if (!isfinite(moments->at[k])) return false;
    if (place >= 2 && (place - 2) % 3 != 1 && moments->at[k] < 0) return false;
  }
  return are_amounts(&m->table[MN_TALLY_TABLE]) && are_amounts(&m->table[MN_RIGHT_TABLE]) && are_amounts(&m->errors);
}

const mn_adaptive_kind mn_label_trees = {
  .errors = MN_LABEL_ERRORS,
  .cols = cols,
  .room = make_room,
  .begin = begin,
  .judge = judge,
  .learn = learn,
  .is_sound = is_sound,
};
