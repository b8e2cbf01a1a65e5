/* The texts of one chunk and column, as small numbers. */
#ifndef MN_IO_CSV_TEXT_H
#define MN_IO_CSV_TEXT_H
#include "csv_field.h"

/* A text, as its bytes stand in the file. */
struct mn_csv_text {
  const char *at;
  size_t size;
  uint32_t hash;
  uint32_t row; /* of the chunk, the first that has it */
  bool doubled;
};

/* Room to find equal texts among up to `most` rows: 2 * most slots or more, a power of two. */
struct mn_csv_texts {
  struct mn_csv_text *text; /* most  */
  uint32_t *slot;           /* slots */
};

size_t mn_csv_slots(size_t most);
uint32_t mn_csv_hash(const char *at, size_t size, bool doubled);

/* Replace offsets by rows: code[i] as said at mn_csv_parse_rows. Returns the number of different texts. */
uint32_t mn_csv_find_repeats(const mn_csv_dialect *d, const char *from, const char *end, struct mn_csv_texts *room,
                             size_t rows, int32_t *code);

#endif
