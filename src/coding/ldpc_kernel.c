#include "ldpc_kernel.h"
#include "../core/clones.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = MN_LDPC_LANES, WIDE = MN_LDPC_WIDE_LANES };
enum { UNROLLED = 8 }; /* bits of a check that are updated together */
enum { TILE = 64 };    /* bits of all words, which fit into the first level cache */

/* --- 8 bits --- */

static inline int8_t least(int8_t a, int8_t b)
{
  return a < b ? a : b;
}

static inline int8_t most(int8_t a, int8_t b)
{
  return a > b ? a : b;
}

/* 3/4 of a size, at most MN_LDPC_MOST_CHECK. */
static inline int8_t scaled(int8_t size)
{
  return (int8_t)((int8_t)(least(size, 30) * 3 + 2) >> 2);
}

/* What a check knows of the messages of its bits: the two least sizes, and the product of the signs. */
struct check_input {
  int8_t first, second, sign;
};

/* The message of a bit to a check, within limits. */
static inline int8_t bit_to_check(int8_t post, int8_t message, struct check_input *s)
{
  const int8_t value = most(least((int8_t)(post - message), MN_LDPC_MOST_BIT), -MN_LDPC_MOST_BIT);
  const int8_t size = (int8_t)abs(value);
  s->sign = (int8_t)(s->sign ^ value);
  s->second = least(s->second, most(s->first, size));
  s->first = least(s->first, size);
  return value;
}

/* The message of a check to the bit that sent `in`. first, second: the two least sizes, scaled. */
static inline int8_t check_to_bit(struct check_input s, int8_t first, int8_t second, int8_t in)
{
  const int8_t size = (int8_t)abs(in) == s.first ? second : first;
  return (int8_t)(s.sign ^ in) < 0 ? (int8_t)-size : size;
}

/* Update a check of few bits. Its degree is a constant, so that the values of a lane stay in registers. */
static inline __attribute__((always_inline)) void update_small(size_t degree, const int32_t *bit, int8_t *post,
                                                               int8_t *message)
{
  size_t at[UNROLLED];
  for (size_t e = 0; e < degree; e++) at[e] = (size_t)bit[e] * BYTES;
  MN_INDEPENDENT
  for (size_t w = 0; w < BYTES; w++) {
    struct check_input s = { MN_LDPC_MOST_BIT, MN_LDPC_MOST_BIT, 0 };
    int8_t in[UNROLLED];
    for (size_t e = 0; e < degree; e++) in[e] = bit_to_check(post[at[e] + w], message[e * BYTES + w], &s);
    const int8_t first = scaled(s.first), second = scaled(s.second);
    for (size_t e = 0; e < degree; e++) {
      const int8_t value = check_to_bit(s, first, second, in[e]);
      message[e * BYTES + w] = value;
      post[at[e] + w] = (int8_t)(in[e] + value);
    }
  }
}

/* The inputs of a check of many bits, which are collected in groups. */
struct check_lanes {
  int8_t first[BYTES], second[BYTES], sign[BYTES];
};

/* Add `count` bits, a constant, to the inputs of a check. work: their messages. */
static inline __attribute__((always_inline)) void collect(size_t count, const int32_t *bit, const int8_t *post,
                                                          const int8_t *message, int8_t *work, struct check_lanes *l)
{
  size_t at[UNROLLED];
  for (size_t e = 0; e < count; e++) at[e] = (size_t)bit[e] * BYTES;
  MN_INDEPENDENT
  for (size_t w = 0; w < BYTES; w++) {
    struct check_input s = { l->first[w], l->second[w], l->sign[w] };
    for (size_t e = 0; e < count; e++) work[e * BYTES + w] = bit_to_check(post[at[e] + w], message[e * BYTES + w], &s);
    l->first[w] = s.first;
    l->second[w] = s.second;
    l->sign[w] = s.sign;
  }
}

/* Send the messages of a check to its bits. */
static inline void distribute(size_t degree, const int32_t *bit, const struct check_lanes *l, const int8_t *work,
                              int8_t *message, int8_t *post)
{
  int8_t first[BYTES], second[BYTES];
  for (size_t w = 0; w < BYTES; w++) {
    first[w] = scaled(l->first[w]);
    second[w] = scaled(l->second[w]);
  }
  for (size_t e = 0; e < degree; e++) {
    const int8_t *in = work + e * BYTES;
    int8_t *out = message + e * BYTES, *own = post + (size_t)bit[e] * BYTES;
    MN_INDEPENDENT
    for (size_t w = 0; w < BYTES; w++) {
      const struct check_input s = { l->first[w], l->second[w], l->sign[w] };
      const int8_t value = check_to_bit(s, first[w], second[w], in[w]);
      out[w] = value;
      own[w] = (int8_t)(in[w] + value);
    }
  }
}

static inline void update_large(size_t degree, const int32_t *bit, int8_t *post, int8_t *message, int8_t *work)
{
  struct check_lanes l;
  memset(l.first, MN_LDPC_MOST_BIT, BYTES);
  memset(l.second, MN_LDPC_MOST_BIT, BYTES);
  memset(l.sign, 0, BYTES);
  size_t e = 0;
  for (; e + UNROLLED <= degree; e += UNROLLED)
    collect(UNROLLED, bit + e, post, message + e * BYTES, work + e * BYTES, &l);
  for (; e < degree; e++) collect(1, bit + e, post, message + e * BYTES, work + e * BYTES, &l);
  distribute(degree, bit, &l, work, message, post);
}

MN_CLONES(void, mn_ldpc_min_sum_bytes, (const mn_ldpc_code *code, int8_t *post, int8_t *message, int8_t *work),
          (code, post, message, work))
{
  for (size_t i = 0; i < code->m; i++) {
    const size_t begin = (size_t)code->start[i], degree = (size_t)code->start[i + 1] - begin;
    const int32_t *bit = code->bit + begin;
    int8_t *own = message + begin * BYTES;
    switch (degree) {
    case 3: update_small(3, bit, post, own); break;
    case 4: update_small(4, bit, post, own); break;
    case 5: update_small(5, bit, post, own); break;
    case 6: update_small(6, bit, post, own); break;
    case 7: update_small(7, bit, post, own); break;
    case 8: update_small(8, bit, post, own); break;
    default: update_large(degree, bit, post, own, work); break;
    }
  }
}

MN_CLONES(void, mn_ldpc_quantize, (size_t n, const double *const *llr, double resolution, int8_t *post),
          (n, llr, resolution, post))
{
  int8_t tile[BYTES][TILE];
  for (size_t first = 0; first < n; first += TILE) {
    const size_t count = n - first < TILE ? n - first : TILE;
    for (size_t w = 0; w < BYTES; w++) {
      const double *restrict in = llr[w] + first;
      for (size_t j = 0; j < count; j++) {
        const double value = in[j] * resolution, limit = MN_LDPC_MOST_BIT;
        tile[w][j] = (int8_t)(int32_t)rint(value < -limit ? -limit : value > limit ? limit : value);
      }
    }
    for (size_t j = 0; j < count; j++)
      for (size_t w = 0; w < BYTES; w++) post[(first + j) * BYTES + w] = tile[w][j];
  }
}

MN_CLONES(void, mn_ldpc_keep_bytes,
          (size_t n, const int8_t *restrict select, const int8_t *restrict post, int8_t *restrict kept),
          (n, select, post, kept))
{
  for (size_t j = 0; j < n; j++)
    for (size_t w = 0; w < BYTES; w++) {
      const size_t at = j * BYTES + w;
      kept[at] = (int8_t)((kept[at] & ~select[w]) | (post[at] & select[w]));
    }
}

MN_CLONES(void, mn_ldpc_separate, (size_t n, size_t count, const int8_t *restrict kept, int8_t *restrict words),
          (n, count, kept, words))
{
  for (size_t first = 0; first < n; first += TILE) {
    const size_t end = n - first < TILE ? n : first + TILE;
    for (size_t w = 0; w < count; w++)
      for (size_t j = first; j < end; j++) words[w * n + j] = kept[j * BYTES + w];
  }
}

MN_CLONES(void, mn_ldpc_test_bytes, (const mn_ldpc_code *code, const int8_t *post, int8_t *unsatisfied),
          (code, post, unsatisfied))
{
  memset(unsatisfied, 0, BYTES);
  for (size_t i = 0; i < code->m; i++) {
    int8_t sign[BYTES] = { 0 };
    for (int32_t e = code->start[i]; e < code->start[i + 1]; e++) {
      const int8_t *restrict p = post + (size_t)code->bit[e] * BYTES;
      for (size_t w = 0; w < BYTES; w++) {
        sign[w] ^= p[w];
        unsatisfied[w] |= (int8_t)(p[w] == 0);
      }
    }
    for (size_t w = 0; w < BYTES; w++) unsatisfied[w] |= (int8_t)(sign[w] >> 7);
  }
}

/* --- double precision --- */

/* out[e] = 2 atanh of the product of tanh(in / 2) of the other edges, by products from both ends. */
static inline void sum_product(size_t degree, const double *in, double *restrict before, double *restrict out)
{
  static const double largest = 1 - 1e-15;
  double product[WIDE];
  for (size_t w = 0; w < WIDE; w++) product[w] = 1;
  for (size_t e = 0; e < degree; e++)
    for (size_t w = 0; w < WIDE; w++) {
      before[e * WIDE + w] = product[w];
      const double value = in[e * WIDE + w], limited = value > 40 ? 40 : value < -40 ? -40 : value;
      const double odds = exp(limited), t = (odds - 1) / (odds + 1);
      out[e * WIDE + w] = t;
      product[w] *= t;
    }
  for (size_t w = 0; w < WIDE; w++) product[w] = 1;
  for (size_t e = degree; e-- > 0;)
    for (size_t w = 0; w < WIDE; w++) {
      const double t = out[e * WIDE + w], others = before[e * WIDE + w] * product[w];
      const double p = others > largest ? largest : others < -largest ? -largest : others;
      product[w] *= t;
      out[e * WIDE + w] = log((1 + p) / (1 - p));
    }
}

static inline void min_sum(size_t degree, const mn_ldpc_update *u, const double *in, double *restrict out)
{
  double first[WIDE], second[WIDE], sign[WIDE];
  for (size_t w = 0; w < WIDE; w++) {
    first[w] = second[w] = 1e300;
    sign[w] = 1;
  }
  for (size_t e = 0; e < degree; e++)
    for (size_t w = 0; w < WIDE; w++) {
      const double value = in[e * WIDE + w], size = fabs(value), larger = size > first[w] ? size : first[w];
      second[w] = larger < second[w] ? larger : second[w];
      first[w] = size < first[w] ? size : first[w];
      sign[w] = value < 0 ? -sign[w] : sign[w];
    }
  for (size_t e = 0; e < degree; e++)
    for (size_t w = 0; w < WIDE; w++) {
      const double value = in[e * WIDE + w], chosen = fabs(value) == first[w] ? second[w] : first[w];
      const double size = u->scale * chosen - u->offset, own = value < 0 ? -sign[w] : sign[w];
      out[e * WIDE + w] = own * (size > 0 ? (size < 1e4 ? size : 1e4) : 0);
    }
}

MN_CLONES(void, mn_ldpc_iterate,
          (const mn_ldpc_code *code, const mn_ldpc_update *update, double *post, double *next, double *message,
           double *work),
          (code, update, post, next, message, work))
{
  for (size_t i = 0; i < code->m; i++) {
    const size_t begin = (size_t)code->start[i], degree = (size_t)code->start[i + 1] - begin;
    const int32_t *bit = code->bit + begin;
    double *old = message + begin * WIDE, *in = work, *out = in + degree * WIDE, *before = out + degree * WIDE;
    for (size_t e = 0; e < degree; e++)
      for (size_t w = 0; w < WIDE; w++) in[e * WIDE + w] = post[(size_t)bit[e] * WIDE + w] - old[e * WIDE + w];
    if (update->min_sum)
      min_sum(degree, update, in, out);
    else
      sum_product(degree, in, before, out);
    for (size_t e = 0; e < degree; e++)
      for (size_t w = 0; w < WIDE; w++) {
        const size_t at = (size_t)bit[e] * WIDE + w;
        if (next)
          next[at] += out[e * WIDE + w];
        else
          post[at] = in[e * WIDE + w] + out[e * WIDE + w];
        old[e * WIDE + w] = out[e * WIDE + w];
      }
  }
}

MN_CLONES(void, mn_ldpc_test, (const mn_ldpc_code *code, const double *post, int8_t *unsatisfied),
          (code, post, unsatisfied))
{
  memset(unsatisfied, 0, WIDE);
  for (size_t i = 0; i < code->m; i++) {
    int8_t odd[WIDE] = { 0 };
    for (int32_t e = code->start[i]; e < code->start[i + 1]; e++)
      for (size_t w = 0; w < WIDE; w++) {
        const double value = post[(size_t)code->bit[e] * WIDE + w];
        odd[w] ^= value < 0;
        unsatisfied[w] |= value == 0;
      }
    for (size_t w = 0; w < WIDE; w++) unsatisfied[w] |= odd[w];
  }
}
