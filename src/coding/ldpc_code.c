#include "ldpc_code.h"
#include "../core/rng.h"
#include <string.h>

size_t mn_ldpc_largest_check(const mn_ldpc_code *code)
{
  size_t largest = 0;
  for (size_t i = 0; i < code->m; i++) {
    const size_t degree = (size_t)(code->start[i + 1] - code->start[i]);
    if (degree > largest) largest = degree;
  }
  return largest;
}

/* --- encoder --- */

static bool bit_at(const uint64_t *row, size_t j)
{
  return row[j / 64] >> (j % 64) & 1;
}

static void clear_bit(uint64_t *row, size_t j)
{
  row[j / 64] &= ~((uint64_t)1 << (j % 64));
}

/* H as bits. */
static uint64_t *dense_rows(mn_context *ctx, const mn_ldpc_code *code, size_t words)
{
  uint64_t *rows = MN_NEW(ctx, uint64_t, code->m, words);
  for (size_t i = 0; rows && i < code->m; i++)
    for (int32_t e = code->start[i]; e < code->start[i + 1]; e++) {
      const size_t j = (size_t)code->bit[e];
      rows[i * words + j / 64] ^= (uint64_t)1 << (j % 64);
    }
  return rows;
}

static void add_row(size_t words, const uint64_t *from, uint64_t *to)
{
  for (size_t w = 0; w < words; w++) to[w] ^= from[w];
}

static void swap_rows(size_t words, uint64_t *a, uint64_t *b)
{
  for (size_t w = 0; w < words; w++) {
    const uint64_t kept = a[w];
    a[w] = b[w];
    b[w] = kept;
  }
}

/* Reduce the rows to an identity in the parity bits, from the last bit to the first; row r is that of parity_bit[r]. */
static mn_status eliminate(mn_context *ctx, const mn_ldpc_code *code, uint64_t *rows, mn_ldpc_encoder *e)
{
  for (size_t j = code->n; j-- > 0 && e->rank < code->m;) {
    size_t pivot = e->rank;
    while (pivot < code->m && !bit_at(rows + pivot * e->words, j)) pivot++;
    if (pivot == code->m) continue;
    uint64_t *row = rows + e->rank * e->words;
    if (pivot != e->rank) swap_rows(e->words, row, rows + pivot * e->words);
    for (size_t i = 0; i < code->m; i++)
      if (i != e->rank && bit_at(rows + i * e->words, j)) add_row(e->words, row, rows + i * e->words);
    e->parity_bit[e->rank++] = (int32_t)j;
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}

mn_status mn_ldpc_encoder_new(mn_context *ctx, const mn_ldpc_code *code, mn_ldpc_encoder *e)
{
  *e = (mn_ldpc_encoder){ .words = (code->n + 63) / 64 };
  e->parity_bit = MN_RAW(ctx, int32_t, code->m + 1, 1);
  e->message_bit = MN_RAW(ctx, int32_t, code->n + 1, 1);
  e->sum = dense_rows(ctx, code, e->words);
  bool *is_parity = MN_NEW(ctx, bool, code->n, 1);
  if (!e->parity_bit || !e->message_bit || !e->sum || !is_parity) return MN_NO_MEMORY;
  MN_TRY(eliminate(ctx, code, e->sum, e));
  for (size_t r = 0; r < e->rank; r++) {
    is_parity[e->parity_bit[r]] = true;
    clear_bit(e->sum + r * e->words, (size_t)e->parity_bit[r]);
  }
  for (size_t j = 0; j < code->n; j++)
    if (!is_parity[j]) e->message_bit[e->k++] = (int32_t)j;
  return MN_OK;
}

static bool parity(uint64_t bits)
{
  bits ^= bits >> 32;
  bits ^= bits >> 16;
  bits ^= bits >> 8;
  bits ^= bits >> 4;
  return 0x6996 >> (bits & 15) & 1;
}

void mn_ldpc_encode(const mn_ldpc_encoder *e, const mn_ldpc_code *code, const double *message, uint64_t *bits,
                    double *word)
{
  memset(bits, 0, e->words * sizeof *bits);
  memset(word, 0, code->n * sizeof *word);
  for (size_t i = 0; i < e->k; i++) {
    const size_t j = (size_t)e->message_bit[i];
    word[j] = message[i];
    if (message[i] != 0) bits[j / 64] |= (uint64_t)1 << (j % 64);
  }
  for (size_t r = 0; r < e->rank; r++) {
    uint64_t sum = 0;
    for (size_t w = 0; w < e->words; w++) sum ^= e->sum[r * e->words + w] & bits[w];
    word[e->parity_bit[r]] = parity(sum);
  }
}

size_t mn_ldpc_unsatisfied(const mn_ldpc_code *code, const double *word)
{
  size_t count = 0;
  for (size_t i = 0; i < code->m; i++) {
    bool odd = false;
    for (int32_t e = code->start[i]; e < code->start[i + 1]; e++) odd ^= word[code->bit[e]] != 0;
    count += odd;
  }
  return count;
}

/* --- progressive edge growth --- */

struct growth {
  size_t n, m, weight;
  int32_t *checks;     /* n x weight: checks of each bit                        */
  size_t *degree;      /* m                                                     */
  size_t *head, *next; /* m, n x weight: lists of the edges of each check, from 1 */
  size_t *depth;       /* m: distance from the bit in hand, 0: not reached      */
  size_t *queue;       /* m */
  size_t *of_bit;      /* n: edges placed */
};

/* Breadth first from bit j: depths of the checks that it reaches. Returns their number. */
static size_t reach(struct growth *g, size_t j)
{
  size_t count = 0;
  memset(g->depth, 0, g->m * sizeof *g->depth);
  for (size_t e = 0; e < g->of_bit[j]; e++) {
    const size_t c = (size_t)g->checks[j * g->weight + e];
    g->depth[c] = 1;
    g->queue[count++] = c;
  }
  for (size_t at = 0; at < count; at++)
    for (size_t edge = g->head[g->queue[at]]; edge > 0; edge = g->next[edge - 1]) {
      const size_t bit = (edge - 1) / g->weight;
      for (size_t e = 0; e < g->of_bit[bit]; e++) {
        const size_t c = (size_t)g->checks[bit * g->weight + e];
        if (g->depth[c] > 0) continue;
        g->depth[c] = g->depth[g->queue[at]] + 1;
        g->queue[count++] = c;
      }
    }
  return count;
}

/* The check for the next edge: not reached, or farthest; of these one of lowest degree, at random. */
static size_t choose_check(const struct growth *g, size_t reached, mn_rng *rng)
{
  size_t wanted = 0, chosen = 0, ties = 0, lowest = SIZE_MAX;
  if (reached == g->m)
    for (size_t c = 0; c < g->m; c++)
      if (g->depth[c] > wanted) wanted = g->depth[c];
  for (size_t c = 0; c < g->m; c++) {
    if (g->depth[c] != wanted || g->degree[c] > lowest) continue;
    if (g->degree[c] < lowest) ties = 0;
    lowest = g->degree[c];
    ties++;
    if (mn_random_uniform(rng) * (double)ties < 1) chosen = c;
  }
  return chosen;
}

mn_status mn_ldpc_grow(mn_context *ctx, size_t n, size_t m, size_t weight, int64_t seed, int32_t *checks)
{
  struct growth g = { .n = n, .m = m, .weight = weight, .checks = checks };
  g.degree = MN_NEW(ctx, size_t, m, 1);
  g.head = MN_NEW(ctx, size_t, m, 1);
  g.next = MN_NEW(ctx, size_t, n, weight);
  g.depth = MN_NEW(ctx, size_t, m, 1);
  g.queue = MN_NEW(ctx, size_t, m, 1);
  g.of_bit = MN_NEW(ctx, size_t, n, 1);
  if (!g.degree || !g.head || !g.next || !g.depth || !g.queue || !g.of_bit) return MN_NO_MEMORY;
  for (size_t j = 0; j < n; j++) {
    mn_rng rng = mn_stream(seed, j);
    for (size_t e = 0; e < weight; e++) {
      const size_t reached = reach(&g, j), c = choose_check(&g, reached, &rng), edge = j * weight + e;
      checks[edge] = (int32_t)c;
      g.of_bit[j]++;
      g.degree[c]++;
      g.next[edge] = g.head[c];
      g.head[c] = edge + 1;
    }
    MN_TRY(mn_poll(ctx));
  }
  return MN_OK;
}
