/* Interning the texts of a chunk and column. */
#ifndef MN_IO_CSV_TEXT_H
#define MN_IO_CSV_TEXT_H
#include "csv_field.h"

/* A text, in the bytes of the file. */
struct mn_csv_text {
  const char *at;
  size_t size;
  uint32_t hash;
  uint32_t row; /* first row of the chunk with this text */
  bool escaped;
};

/* A hash table for the texts of up to max_rows rows, with mn_csv_slot_count(max_rows) slots. */
struct mn_csv_text_table {
  struct mn_csv_text *text; /* max_rows */
  uint32_t *slot;           /* slots */
};

size_t mn_csv_slot_count(size_t max_rows);

/* Replace the offset of a repeated text by its first row, as described at mn_csv_parse_rows. Returns the number of
 * distinct texts. */
uint32_t mn_csv_intern_texts(const mn_csv_dialect *d, const char *from, const char *end,
                             struct mn_csv_text_table *table, size_t rows, int32_t *code);

#endif
