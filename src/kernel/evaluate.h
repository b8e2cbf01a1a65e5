/* How kernels are evaluated; internal to src/kernel.
 *
 * Each leaf has its own copy of the rows: its columns, divided by its lengths, about a common origin, so that leaves of
 * one form share their loops. The matrix is evaluated in tiles that fit the cache: every node of the expression is a
 * tile on a stack, and only the tile of the last one is written to memory. Rows of a tile are padded to whole blocks of
 * the loops in profile_kernel.h. */
#ifndef MN_KERNEL_EVALUATE_H
#define MN_KERNEL_EVALUATE_H
#include "kernel.h"
#include "../core/threads.h"
#include "profile_kernel.h"

enum { MN_TILE_ROWS = 48, MN_TILE_COLS = 384 }; /* at most */

/* What a leaf is computed from: products x'y, squared distances, coordinates, or neither. */
typedef enum mn_leaf_form { MN_FORM_NONE, MN_FORM_PRODUCT, MN_FORM_DISTANCE, MN_FORM_COORDINATES } mn_leaf_form;
mn_leaf_form mn_leaf_form_of(mn_kernel_op op);

typedef struct mn_leaf_rows {
  size_t width;         /* columns                                      */
  const double *z;      /* n x width; NULL if sparse                    */
  const mn_csr *sparse; /* or NULL                                      */
  const double *norm2;  /* n: squared lengths of the rows; of cosine: 1, or 0 for a row of zeros */
} mn_leaf_rows;

typedef struct mn_kernel_side {
  const mn_kernel_rows *rows;
  mn_leaf_rows *leaf; /* one for each node */
} mn_kernel_side;

/* Prepare the rows of both sides in scratch; b may be a. MN_BAD_DATA for rows that do not suit the kernel. */
mn_status mn_kernel_prepare(mn_context *ctx, const mn_kernel *k, const mn_kernel_rows *a, const mn_kernel_rows *b,
                            mn_kernel_side *left, mn_kernel_side *right);

/* A block of the kernel matrix: rows row[0..], or row0, row0 + 1, ... if that is NULL; columns likewise. */
typedef struct mn_tile {
  size_t rows, cols;
  size_t stride; /* of its rows in a buffer: mn_tile_stride(cols) */
  const size_t *row, *column;
  size_t row0, column0;
} mn_tile;

static inline size_t mn_tile_stride(size_t cols)
{
  return (cols + MN_VECTOR_LANES - 1) / MN_VECTOR_LANES * MN_VECTOR_LANES;
}

/* Values of a tile in a buffer, with those that pad its rows. */
static inline size_t mn_tile_size(const mn_tile *t)
{
  return t->rows * t->stride;
}

static inline size_t mn_tile_row(const mn_tile *t, size_t i)
{
  return t->row ? t->row[i] : t->row0 + i;
}

static inline size_t mn_tile_column(const mn_tile *t, size_t j)
{
  return t->column ? t->column[j] : t->column0 + j;
}

/* Buffers of one worker, for the largest tile of the plan. */
typedef struct mn_tile_work {
  double *stack; /* depth tiles of `size` values                          */
  size_t size;
  double *za, *zb;   /* gathered rows, tile_rows and tile_cols x width; sparse: za is one row of zeros */
  double *norm_b;    /* tile_cols, padded                                     */
  double *by_column; /* tile_cols, padded, x at most 64: a chunk of zb, transposed */
  void *product;     /* of mn_gemm_serial                                    */
} mn_tile_work;

struct mn_kernel_plan {
  const mn_kernel *kernel;
  mn_kernel_side a, b;
  bool same;         /* a is b                                         */
  bool has_function; /* then all tiles are evaluated on the calling thread */
  size_t depth;      /* of the stack                                   */
  size_t width;      /* of the widest leaf, at least 1                 */
  size_t tile_rows, tile_cols;
  mn_tile_work *work; /* of mn_kernel_plan_rows, one for each thread; NULL: allocated by each call */
};

mn_status mn_kernel_plan_init(mn_context *ctx, mn_kernel_plan *p, const mn_kernel *k, const mn_kernel_rows *a,
                              const mn_kernel_rows *b);

mn_status mn_tile_work_new(mn_context *ctx, const mn_kernel_plan *p, size_t tiles, size_t workers, mn_tile_work **work);

/* The rows of a leaf that a tile needs. */
typedef struct mn_tile_rows {
  const double *za, *zb; /* NULL if sparse */
  const double *norm_b;
} mn_tile_rows;
mn_tile_rows mn_tile_gather(const mn_kernel_plan *p, size_t node, const mn_tile *t, const mn_tile_work *w);

/* Rows of X for a function of the host: those of the tile, its left or right ones; columns of the node, dense, in
 * scratch. */
mn_status mn_kernel_host_rows(mn_context *ctx, const mn_kernel *k, const mn_kernel_node *node,
                              const mn_kernel_rows *from, const mn_tile *t, bool left, mn_matrix *out);

/* What leaf `node` is computed from (mn_leaf_form), or its value if that is MN_FORM_NONE. Functions of the host, which
 * need `ctx`, are the only ones that can fail. */
mn_status mn_tile_base(mn_context *ctx, const mn_kernel_plan *p, size_t node, const mn_tile *t, const mn_tile_work *w,
                       double *out);

/* Its value from that, in place, for a tile of `size` values. */
void mn_tile_profile(const mn_kernel *k, const mn_kernel_node *node, size_t size, double *tile);

/* left = left op right, or left to the power of the node. */
void mn_tile_operate(const mn_kernel_node *node, size_t size, const double *right, double *left);

/* The value of the kernel, to the first tile of w->stack. */
mn_status mn_tile_evaluate(mn_context *ctx, const mn_kernel_plan *p, const mn_tile *t, const mn_tile_work *w);

#endif
