#include "input.h"
#include <string.h>

/* Copy n values of `size` bytes to scratch; *(T **)to is the copy. A NULL array is left NULL. */
static mn_status copy_array(mn_context *ctx, const void *from, size_t size, size_t n, void *to)
{
  if (!from) return MN_OK;
  void *made = mn_scratch_raw(ctx, size, n, 1);
  MN_CHECK_ALLOC(made);
  if (n > 0) memcpy(made, from, size * n);
  memcpy(to, &made, sizeof made); /* a pointer of any type */
  return MN_OK;
}

static mn_status copy_matrix(mn_context *ctx, const mn_matrix *from, mn_matrix *to)
{
  *to = *from;
  return copy_array(ctx, from->at, sizeof *to->at, from->rows * from->cols, &to->at);
}

static mn_status copy_sparse(mn_context *ctx, const mn_csr *from, const mn_csr **to)
{
  if (!from) return MN_OK;
  const size_t nonzeros = from->start[from->rows];
  mn_csr *made = MN_RAW(ctx, mn_csr, 1, 1);
  MN_CHECK_ALLOC(made);
  *made = *from;
  MN_TRY(copy_array(ctx, from->start, sizeof *made->start, from->rows + 1, &made->start));
  MN_TRY(copy_array(ctx, from->col, sizeof *made->col, nonzeros, &made->col));
  MN_TRY(copy_array(ctx, from->at, sizeof *made->at, nonzeros, &made->at));
  *to = made;
  return MN_OK;
}

static mn_status copy_names(mn_context *ctx, const char *const *from, size_t n, const char *const **to)
{
  if (!from) return MN_OK;
  const char **made = MN_RAW(ctx, const char *, n, 1);
  MN_CHECK_ALLOC(made);
  for (size_t j = 0; j < n; j++) MN_TRY(copy_array(ctx, from[j], 1, strlen(from[j]) + 1, &made[j]));
  *to = made;
  return MN_OK;
}

static mn_status copy_levels(mn_context *ctx, const mn_levels *const *from, size_t n, mn_levels_list *own,
                             const mn_levels *const **to)
{
  if (!from) return MN_OK;
  const mn_levels_list list = { .at = (const mn_levels **)from, .size = n }; /* only read */
  MN_TRY(mn_levels_list_copy(ctx, &list, own));
  *to = own->at;
  return MN_OK;
}

static mn_status copy_table(mn_context *ctx, const mn_table *from, mn_levels_list *own, mn_table *to)
{
  *to = (mn_table){ .rows = from->rows, .cols = from->cols };
  MN_TRY(copy_matrix(ctx, &from->dense, &to->dense));
  MN_TRY(copy_sparse(ctx, from->sparse, &to->sparse));
  MN_TRY(copy_names(ctx, from->names, from->cols, &to->names));
  return copy_levels(ctx, from->levels, from->cols, own, &to->levels);
}

static mn_status copy_target(mn_context *ctx, const mn_target *from, mn_owned_input *own)
{
  mn_target *to = &own->input.y;
  *to = (mn_target){ .kind = from->kind, .vector = from->vector, .whole = from->whole };
  MN_TRY(copy_matrix(ctx, &from->reals, &to->reals));
  MN_TRY(mn_levels_copy(ctx, from->labels.levels, &own->labels));
  to->labels = (mn_factor){ .size = from->labels.size, .levels = own->labels };
  return copy_array(ctx, from->labels.code, sizeof *to->labels.code, from->labels.size, &to->labels.code);
}

mn_status mn_input_copy(mn_context *ctx, const mn_input *from, mn_owned_input *own)
{
  mn_input *to = &own->input;
  to->n_weights = from->n_weights;
  to->n_lengths = from->n_lengths;
  MN_TRY(copy_table(ctx, &from->x, &own->x_levels, &to->x));
  MN_TRY(copy_table(ctx, &from->target_x, &own->target_levels, &to->target_x));
  MN_TRY(copy_matrix(ctx, &from->init_score, &to->init_score));
  MN_TRY(copy_target(ctx, &from->y, own));
  MN_TRY(copy_array(ctx, from->weights, sizeof *to->weights, from->n_weights, &to->weights));
  return copy_array(ctx, from->lengths, sizeof *to->lengths, from->n_lengths, &to->lengths);
}

void mn_input_release(mn_memory *memory, mn_owned_input *own)
{
  mn_value_free(memory, MN_KIND_LEVELS, &own->x_levels);
  mn_value_free(memory, MN_KIND_LEVELS, &own->target_levels);
  mn_levels_release(memory, own->labels);
  *own = (mn_owned_input){ 0 };
}
