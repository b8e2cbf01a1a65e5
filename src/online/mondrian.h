/* Mondrian forests: what the classifier and the regressor share.
 *
 * A Mondrian tree cuts the box of its rows at random: a block whose box has sides of lengths s_1 .. s_p is cut after a
 * time that is exponential with rate s_1 + ... + s_p, in a column drawn in proportion to the sides, at a place drawn
 * uniformly; what y is has no part in it. So a row that comes later can be worked in by what is drawn of the part of
 * its path that lies outside the boxes, and the tree is distributed as one drawn from all rows at once.
 *
 * A block is left alone ("paused") while its rows need no cut: they are of one class, or fewer than min_samples_split.
 * A row that changes that has the block drawn, of all its rows; therefore they are kept. Boxes of blocks of a few rows
 * are not: the rows say them (mondrian_box.c). */
#ifndef MN_ONLINE_MONDRIAN_H
#define MN_ONLINE_MONDRIAN_H
#include "../core/rng.h"
#include "../core/threads.h"
#include "../model/class.h"
#include "../model/operation.h"
#include "../model/program.h"

typedef struct mn_mondrian {
  mn_estimator base;
  int64_t n_estimators, seed; /* what the user sets */
  double lifetime;
  double discount;           /* classifier */
  int64_t min_samples_split; /* regressor */
  /* What fitting learns. Trees have equally many slots for nodes, one tree behind the other; so the model grows by
   * doubling. Nodes, rows and links are counted from 0 within a tree; -1: none. */
  int64_t n_rows;                         /* rows learned; there may be room for more         */
  mn_indexes root, used;                  /* trees: the root, and how many slots hold nodes   */
  mn_indexes child;                       /* 2 of each slot, -1 in a leaf                     */
  mn_indexes parent, feature, head, held; /* slots: ..., first row of a leaf and their number */
  mn_indexes next;                        /* rows of each tree: the next one in the same leaf */
  mn_vector cut, time;                    /* slots: x <= cut goes left; when the block is cut */
  mn_indexes box, boxed;                  /* slots: its row in lower, or -1; trees: how many  */
  mn_matrix lower, upper;                 /* boxes x features, see mondrian_box.c             */
  mn_matrix tally;                        /* slots x values, see mondrian_tally.c             */
  mn_matrix x;                            /* places x features                                */
  mn_vector y, weight;                    /* places                                           */
  double horizon;                         /* the lifetime it was begun with                   */
  double slope, noise;                    /* regressor: see mondrian_tally.c                  */
  double y_weight, y_mean, y_square;      /* regressor: moments of y                          */
} mn_mondrian;

#define MN_MONDRIAN_PARAMS                                                                                             \
  MN_COUNT(mn_mondrian, n_estimators, 100, MN_CLOSED(1, 100000), "trees"),                                             \
      MN_REAL(mn_mondrian, lifetime, MN_UNSET_REAL, MN_GREATER_THAN(0),                                                \
              "blocks are cut up to this time, in 1 / units of X; nil: as long as they need it"),                      \
      MN_SEED(mn_mondrian, seed)

#define MN_MONDRIAN_FIELDS                                                                                             \
  MN_INTEGER(mn_mondrian, n_rows, "rows learned"), MN_LEARNED(MN_KIND_INDEXES, mn_mondrian, root, "trees", NULL),      \
      MN_LEARNED(MN_KIND_INDEXES, mn_mondrian, used, "trees", NULL),                                                   \
      MN_LEARNED(MN_KIND_INDEXES, mn_mondrian, child, "links", NULL),                                                  \
      MN_LEARNED(MN_KIND_INDEXES, mn_mondrian, parent, "slots", NULL),                                                 \
      MN_LEARNED(MN_KIND_INDEXES, mn_mondrian, feature, "slots", NULL),                                                \
      MN_LEARNED(MN_KIND_INDEXES, mn_mondrian, head, "slots", NULL),                                                   \
      MN_LEARNED(MN_KIND_INDEXES, mn_mondrian, held, "slots", NULL),                                                   \
      MN_LEARNED(MN_KIND_INDEXES, mn_mondrian, next, "chains", NULL),                                                  \
      MN_LEARNED(MN_KIND_VECTOR, mn_mondrian, cut, "slots", NULL),                                                     \
      MN_LEARNED(MN_KIND_VECTOR, mn_mondrian, time, "slots", NULL), MN_DERIVED(MN_KIND_INDEXES, mn_mondrian, box),     \
      MN_DERIVED(MN_KIND_INDEXES, mn_mondrian, boxed), MN_DERIVED(MN_KIND_MATRIX, mn_mondrian, lower),                 \
      MN_DERIVED(MN_KIND_MATRIX, mn_mondrian, upper),                                                                  \
      MN_LEARNED(MN_KIND_MATRIX, mn_mondrian, tally, "slots x values", NULL),                                          \
      MN_LEARNED(MN_KIND_MATRIX, mn_mondrian, x, "places x features", NULL),                                           \
      MN_LEARNED(MN_KIND_VECTOR, mn_mondrian, y, "places", NULL),                                                      \
      MN_LEARNED(MN_KIND_VECTOR, mn_mondrian, weight, "places", NULL),                                                 \
      MN_LEARNED(MN_KIND_REAL, mn_mondrian, horizon, "", NULL)

/* One tree of a forest: where its parts lie, and what it needs to know of the whole. */
typedef struct mn_mondrian_tree {
  int32_t *root, *used, *boxed;
  int32_t *child, *parent, *feature, *head, *held, *next, *box;
  double *cut, *time, *lower, *upper, *tally;
  const double *x, *y, *weight;
  size_t features, values, slots, boxes;
  double lifetime, min_weight;
  double slope, noise;
  bool labels;
} mn_mondrian_tree;

mn_mondrian_tree mn_mondrian_tree_of(const mn_mondrian *m, size_t tree);

static inline size_t mn_mondrian_trees(const mn_mondrian *m)
{
  return m->root.size;
}
static inline bool mn_mondrian_is_leaf(const mn_mondrian_tree *t, int32_t node)
{
  return t->child[2 * node] < 0;
}
static inline int32_t mn_mondrian_goes_to(const mn_mondrian_tree *t, int32_t node, const double *x)
{
  return t->child[2 * node + !(x[t->feature[node]] <= t->cut[node])];
}
static inline double *mn_mondrian_tally(const mn_mondrian_tree *t, int32_t node)
{
  return t->tally + (size_t)node * t->values;
}

/* --- boxes: mondrian_box.c --- */

enum { MN_FEW_ROWS = 3 }; /* a block of more has a box of its own */

/* The box of a node. */
void mn_mondrian_box(const mn_mondrian_tree *t, int32_t node, double *low, double *high);

/* Sum over the columns of how far x lies outside the box of the node. */
double mn_mondrian_outside(const mn_mondrian_tree *t, int32_t node, const double *x);

/* Values of X are below: sides of boxes, and the sums of these, are numbers. */
#define MN_MONDRIAN_LARGEST 1e300

/* Sum of the sides of the box of all rows. */
double mn_mondrian_sides(const mn_mondrian_tree *t);

/* A box for a node of so many rows, that of its children where it has some; none if these are few. */
void mn_mondrian_box_leaf(const mn_mondrian_tree *t, int32_t leaf, const int32_t *rows, size_t n);
void mn_mondrian_box_split(const mn_mondrian_tree *t, int32_t node, size_t n);

/* After x came into the tree: the boxes on its way down, one of which may be new. */
void mn_mondrian_box_way(const mn_mondrian_tree *t, const double *x);

/* All boxes anew. */
mn_status mn_mondrian_derive(mn_context *ctx, void *self);

/* --- what is known of y in a node: mondrian_tally.c --- */

/* May the block of this leaf be left alone; and still so, should a row come in? */
bool mn_mondrian_paused(const mn_mondrian_tree *t, int32_t leaf);
bool mn_mondrian_paused_with(const mn_mondrian_tree *t, int32_t leaf, size_t row);

/* The same for a block of rows that has no node yet. */
bool mn_mondrian_rows_pause(const mn_mondrian_tree *t, const int32_t *rows, size_t n);

void mn_mondrian_tally_row(const mn_mondrian_tree *t, int32_t leaf, size_t row);
void mn_mondrian_tally_children(const mn_mondrian_tree *t, int32_t node);
/* Those above the node, up to the root. */
void mn_mondrian_tally_up(const mn_mondrian_tree *t, int32_t node);
/* All of them anew, when what they rest on has changed. */
void mn_mondrian_tally_all(const mn_mondrian_tree *t);

/* Variance, in units of that of y, of the mean of a node that ends at `time`: s(t) - s(0) of it, s from 1 to 2. */
double mn_mondrian_spread(double slope, double time);

/* Count y in, and say whether mn_mondrian_tally_all is due for the trees of a regressor. */
void mn_mondrian_count_y(mn_mondrian *m, double y, double weight);
bool mn_mondrian_new_scale(mn_mondrian *m);

/* --- growing: mondrian_grow.c --- */

/* A node of a block that is drawn, before it has its place. Children stand together; left 0: a leaf. */
typedef struct mn_bud {
  double cut, time;
  int32_t parent, left, feature, begin, end; /* rows[begin] to before rows[end] */
} mn_bud;

/* What a new row does to a tree. */
typedef struct mn_mondrian_step {
  enum { MN_JOINS, MN_BRANCHES, MN_WAKES } kind; /* joins a leaf; parts from the path above node; has a leaf drawn */
  int32_t node, feature;
  double cut, time;
  size_t buds;  /* MN_WAKES: 1 and those that need a place */
  size_t boxes; /* at most so many new ones                */
} mn_mondrian_step;

/* Memory to draw a block of `n` rows in. */
typedef struct mn_mondrian_room {
  int32_t *rows, *aside; /* n          */
  mn_bud *bud;           /* 2n         */
  double *low, *high;    /* features   */
  mn_cancel_token token; /* of blocks of many rows */
} mn_mondrian_room;

mn_status mn_mondrian_room_make(mn_context *ctx, size_t n, size_t features, mn_mondrian_room *room);

/* Draw the block of room->rows[0..n-1], which begins at time `start`. Returns how many buds there are: fewer than
 * wanted when the operation is cancelled. */
size_t mn_mondrian_draw(const mn_mondrian_tree *t, mn_rng *rng, double start, size_t n, mn_mondrian_room *room);

/* How many of the buds have more than a few rows. */
size_t mn_mondrian_large(const mn_bud *bud, size_t buds);

/* Put drawn buds in the place of the leaf `node` (the first one) and of free slots. */
void mn_mondrian_plant(const mn_mondrian_tree *t, int32_t node, size_t buds, const mn_mondrian_room *room);

/* The leaf of x by the cuts alone. */
int32_t mn_mondrian_leaf(const mn_mondrian_tree *t, const double *x);

/* What row `row` will do, with nothing changed; buds are in the room, which has a place for each row of the leaf and
 * one more. */
mn_mondrian_step mn_mondrian_plan(const mn_mondrian_tree *t, mn_rng *rng, size_t row, mn_mondrian_room *room);

/* Slots that a step takes. */
size_t mn_mondrian_needs(const mn_mondrian_step *step);

void mn_mondrian_do(const mn_mondrian_tree *t, const mn_mondrian_step *step, size_t row, const mn_mondrian_room *room);

/* --- the contract: mondrian.c --- */

mn_status mn_mondrian_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_mondrian_partial_fit(mn_context *ctx, void *self, const mn_data *data);
mn_status mn_mondrian_update(mn_context *ctx, void *self, const mn_data *data);

/* After loading (mondrian_check.c). */
mn_status mn_mondrian_check(mn_context *ctx, const void *self);

/* The operation `structure`: leaves and depth of each tree. */
mn_status mn_mondrian_structure(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                                mn_results *results);
#define MN_MONDRIAN_STRUCTURE                                                                                          \
  {                                                                                                                    \
    .name = "structure", .brief = "how large the trees are", .returns = "leaves (trees), depth (trees)",               \
    .run = mn_mondrian_structure                                                                                       \
  }

/* --- for programs: mondrian_export.c --- */

/* The nodes of all trees behind each other, from 1; 0 stands for what is above the roots. */
typedef struct mn_mondrian_flat {
  size_t nodes;   /* and node 0          */
  int32_t *base;  /* trees: node k of a tree is base + k */
  int32_t *above; /* nodes: the parent   */
  double *time;   /* nodes; 0 at node 0  */
} mn_mondrian_flat;

/* Add the tables `first`, `child`, `feature`, `cut`, `time`, `lower` and `upper`. */
mn_status mn_mondrian_program(mn_context *ctx, const mn_mondrian *m, mn_program *program, mn_mondrian_flat *flat);

/* Code of the way of a row down each tree, in which `at` and `from` are a node and the one above it, and `parts` is the
 * chance that the row parts from the path between them, of the `stays` that came to `from`. What is done at each node
 * stands between the two. */
void mn_mondrian_code_way(mn_program *program);
void mn_mondrian_code_down(mn_program *program);

/* The nodes below the root, parents before children: order[0..used-1]. Returns how many: used. */
int32_t mn_mondrian_order(const mn_mondrian_tree *t, int32_t *order);

#endif
