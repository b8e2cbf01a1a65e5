#include "hashing.h"

static uint32_t rotate(uint32_t x, unsigned bits)
{
  return x << bits | x >> (32 - bits);
}

static uint32_t scramble(uint32_t k)
{
  return rotate(k * 0xcc9e2d51u, 15) * 0x1b873593u;
}

static uint32_t little_endian(const unsigned char *b, size_t n)
{
  uint32_t word = 0;
  for (size_t i = 0; i < n; i++) word |= (uint32_t)b[i] << (8 * i);
  return word;
}

uint32_t mn_murmur3(const char *bytes, size_t size)
{
  const unsigned char *b = (const unsigned char *)bytes;
  const size_t words = size / 4;
  uint32_t h = 0;
  for (size_t i = 0; i < words; i++) h = rotate(h ^ scramble(little_endian(b + 4 * i, 4)), 13) * 5 + 0xe6546b64u;
  h ^= scramble(little_endian(b + 4 * words, size % 4));
  h ^= (uint32_t)size;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

/* Append a value to the column of a term. */
static mn_status add(mn_context *ctx, const mn_hashing *hashing, const char *term, size_t size, double value,
                     mn_row_part *part)
{
  const uint32_t hash = mn_murmur3(term, size), n = (uint32_t)hashing->n_columns;
  const bool negative = hash >> 31;
  const uint32_t column = (negative ? 0 - hash : hash) % n; /* 2^31 is its own negative */
  return mn_add_entry(ctx, part, (int32_t)column, hashing->alternate_sign && negative ? -value : value);
}

struct reader {
  const mn_hashing *hashing;
  const mn_term_source *source;
};

static mn_status read_document(mn_context *ctx, const void *reader, size_t row, const char *text, size_t size,
                               mn_row_part *part)
{
  const struct reader *r = reader;
  mn_analysis *a = &part->analysis;
  MN_TRY(mn_find_terms(ctx, r->source, row, text, size, a));
  for (size_t i = 0; i < a->term.size; i++) {
    const mn_span *term = &a->term.at[i];
    MN_TRY(add(ctx, r->hashing, a->bytes + term->begin, term->size, mn_term_value(a, i), part));
  }
  return MN_OK;
}

mn_status mn_hash_documents(mn_context *ctx, const mn_hashing *hashing, const mn_data *data,
                            const mn_term_source *source, mn_csr *out)
{
  const struct reader reader = { .hashing = hashing, .source = source };
  mn_document_rows rows;
  mn_status status = mn_read_documents(ctx, data, read_document, &reader, &rows);
  if (status == MN_OK) status = mn_rows_to_csr(ctx, &rows, NULL, (size_t)hashing->n_columns, out);
  mn_document_rows_free(mn_context_memory(ctx), &rows);
  return status;
}
