/* Tables of Unicode characters from U+0080, in ascending order. */
#ifndef MN_TEXT_UNICODE_TABLES_H
#define MN_TEXT_UNICODE_TABLES_H
#include <stddef.h>
#include <stdint.h>

typedef struct mn_code_range {
  uint32_t first, last;
} mn_code_range;

/* Letters and digits; combining marks. */
extern const mn_code_range mn_word_ranges[], mn_mark_ranges[];
extern const size_t mn_word_range_count, mn_mark_range_count;

/* The lower case of first, first + step, ..., last is `delta` more. */
typedef struct mn_lower_range {
  uint32_t first, last;
  int32_t step, delta;
} mn_lower_range;

extern const mn_lower_range mn_lower_ranges[];
extern const size_t mn_lower_range_count;

/* A character whose compatibility decomposition without marks is another text: `size` bytes of mn_accent_bytes. */
typedef struct mn_accent {
  uint32_t code;
  uint16_t at, size;
} mn_accent;

extern const mn_accent mn_accents[];
extern const size_t mn_accent_count;
extern const char mn_accent_bytes[];

#endif
