#include "term_source.h"
#include "../model/named_value.h"

/* Grow the arrays for one more term of `size` bytes. */
static mn_status reserve(mn_context *ctx, mn_analysis *a, size_t size)
{
  if (size > a->capacity - a->size) {
    const size_t capacity = 2 * a->capacity + size + 256;
    char *bytes = MN_GROW(ctx, a->bytes, a->size, capacity);
    MN_CHECK_ALLOC(bytes);
    a->bytes = bytes;
    a->capacity = capacity;
  }
  if (a->term.size < a->term.capacity) return MN_OK;
  const size_t capacity = a->term.capacity ? 2 * a->term.capacity : 64;
  mn_span *at = MN_GROW(ctx, a->term.at, a->term.size, capacity);
  double *value = MN_GROW(ctx, a->value, a->term.size, capacity);
  if (!at || !value) return MN_NO_MEMORY;
  a->term.at = at;
  a->term.capacity = capacity;
  a->value = value;
  return MN_OK;
}

static void put(mn_analysis *a, const char *bytes, size_t size)
{
  if (size > 0) memcpy(a->bytes + a->size, bytes, size);
  a->size += size;
}

static mn_status add(mn_context *ctx, const mn_named_value *v, const char *separator, mn_analysis *a)
{
  const size_t gap = v->text ? strlen(separator) : 0;
  MN_TRY(reserve(ctx, a, v->name_size + gap + v->text_size));
  const size_t begin = a->size;
  put(a, v->name, v->name_size);
  put(a, separator, gap);
  put(a, v->text, v->text_size);
  a->value[a->term.size] = v->text ? 1 : v->number;
  a->term.at[a->term.size++] = (mn_span){ .begin = begin, .size = a->size - begin };
  return MN_OK;
}

void mn_begin_terms(mn_analysis *a)
{
  a->has_values = true;
  a->size = a->term.size = 0;
}

mn_status mn_append_to_term(mn_context *ctx, mn_analysis *a, const char *bytes, size_t size)
{
  MN_TRY(reserve(ctx, a, size));
  put(a, bytes, size);
  return MN_OK;
}

mn_status mn_end_term(mn_context *ctx, mn_analysis *a, double value)
{
  MN_TRY(reserve(ctx, a, 0));
  const mn_span *last = a->term.size > 0 ? &a->term.at[a->term.size - 1] : NULL;
  const size_t begin = last ? last->begin + last->size : 0;
  a->value[a->term.size] = value;
  a->term.at[a->term.size++] = (mn_span){ .begin = begin, .size = a->size - begin };
  return MN_OK;
}

mn_status mn_find_terms(mn_context *ctx, const mn_term_source *source, size_t row, const char *document, size_t size,
                        mn_analysis *out)
{
  if (source->find) return source->find(ctx, source->finder, row, out);
  if (source->analyzer) return mn_analyze(ctx, source->analyzer, document, size, out);
  const char *at = document, *end = document + size;
  mn_begin_terms(out);
  while (size > 0 && at < end) {
    mn_named_value value;
    at = mn_named_value_read(at, end, &value);
    if (!at)
      return mn_fail(ctx, MN_BAD_DATA,
                     "%s: X must be a list of tables, as { { city = \"Oslo\", age = 31 } }, got texts", source->who);
    MN_TRY(add(ctx, &value, source->separator, out));
  }
  return MN_OK;
}
