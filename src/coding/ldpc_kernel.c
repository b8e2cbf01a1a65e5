#include "ldpc_kernel.h"
#include "../core/clones.h"
#include <math.h>
#include <string.h>

enum { BYTES = MN_LDPC_LANES, WIDE = MN_LDPC_WIDE_LANES };

/* --- 8 bits --- */

static inline int8_t least(int8_t a, int8_t b)
{
  return a < b ? a : b;
}

static inline int8_t most(int8_t a, int8_t b)
{
  return a > b ? a : b;
}

/* The two least sizes of the messages to a check, and the product of their signs. */
struct check_input {
  int8_t first[BYTES], second[BYTES], sign[BYTES];
};

/* The message of one bit to a check: out := post - message, within limits. */
static inline void bit_to_check(const int8_t *restrict post, const int8_t *restrict message, int8_t *restrict out,
                                struct check_input *restrict s)
{
  MN_INDEPENDENT
  for (size_t w = 0; w < BYTES; w++) {
    const int8_t value = most(least((int8_t)(post[w] - message[w]), MN_LDPC_MOST_BIT), -MN_LDPC_MOST_BIT);
    const int8_t size = most(value, (int8_t)-value), a = s->first[w], b = s->second[w];
    out[w] = value;
    s->sign[w] = (int8_t)(s->sign[w] ^ value);
    s->second[w] = least(b, most(a, size));
    s->first[w] = least(a, size);
  }
}

/* What a check sends: 3/4 of `first` or, to the bit that sent the least size, of the second one. */
struct check_output {
  int8_t least[BYTES], scaled[BYTES], change[BYTES], sign[BYTES]; /* change: the bits in which the two sizes differ */
};

/* 3/4 of a size, at most MN_LDPC_MOST_CHECK. */
static inline int8_t scaled(int8_t size)
{
  return (int8_t)((int8_t)(least(size, 30) * 3 + 2) >> 2);
}

static inline struct check_output check_output(const struct check_input *s)
{
  struct check_output r;
  for (size_t w = 0; w < BYTES; w++) {
    r.least[w] = s->first[w];
    r.scaled[w] = scaled(s->first[w]);
    r.change[w] = (int8_t)(r.scaled[w] ^ scaled(s->second[w]));
    r.sign[w] = s->sign[w];
  }
  return r;
}

/* The message of a check to one bit, and the bit's new log odds. Without branches: GCC turns them into masked loads,
 * each of which waits for the one before. */
static inline void check_to_bit(const struct check_output *restrict r, const int8_t *restrict in,
                                int8_t *restrict message, int8_t *restrict post)
{
  MN_INDEPENDENT
  for (size_t w = 0; w < BYTES; w++) {
    const int8_t size = most(in[w], (int8_t)-in[w]), own = (int8_t) - (size == r->least[w]);
    const int8_t chosen = (int8_t)(r->scaled[w] ^ (r->change[w] & own));
    const int8_t flip = (int8_t)((int8_t)(r->sign[w] ^ in[w]) >> 7); /* -1 if the other signs multiply to minus */
    const int8_t value = (int8_t)((chosen ^ flip) - flip);
    message[w] = value;
    post[w] = (int8_t)(in[w] + value);
  }
}

MN_CLONES(void, mn_ldpc_min_sum_bytes, (const mn_ldpc_code *code, int8_t *post, int8_t *message, int8_t *work),
          (code, post, message, work))
{
  for (size_t i = 0; i < code->m; i++) {
    const size_t begin = (size_t)code->start[i], degree = (size_t)code->start[i + 1] - begin;
    const int32_t *bit = code->bit + begin;
    int8_t *out = message + begin * BYTES;
    struct check_input s;
    memset(s.first, MN_LDPC_MOST_BIT, BYTES);
    memset(s.second, MN_LDPC_MOST_BIT, BYTES);
    memset(s.sign, 0, BYTES);
    for (size_t e = 0; e < degree; e++)
      bit_to_check(post + (size_t)bit[e] * BYTES, out + e * BYTES, work + e * BYTES, &s);
    const struct check_output r = check_output(&s);
    for (size_t e = 0; e < degree; e++)
      check_to_bit(&r, work + e * BYTES, out + e * BYTES, post + (size_t)bit[e] * BYTES);
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
