/* Text in an array of given capacity. Longer text is truncated, but `size` is its full length, so size >= capacity
 * means that it did not fit. Text of unknown length can be measured first, without an array, and then written. */
#ifndef MN_CORE_TEXT_BUFFER_H
#define MN_CORE_TEXT_BUFFER_H
#include "context.h"

typedef struct mn_text_buffer {
  char *at; /* capacity; NULL: only measure */
  size_t size, capacity;
} mn_text_buffer;

void mn_text_printf(mn_text_buffer *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An array in scratch for the measured text, which is written from the beginning. */
mn_status mn_text_allocate(mn_context *ctx, mn_text_buffer *t);

#endif
