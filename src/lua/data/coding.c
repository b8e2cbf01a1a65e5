#include "coding.h"
#include "../../coding/density_evolution.h"
#include "../../core/finite_kernel.h"
#include <math.h>
#include <string.h>

/* --- arguments --- */

enum { MOST_BITS = 10000000 };

/* The arguments 1 to 3 of functions of a code: n, and the Vectors start and bit. The values are checked by code_view,
 * after all Lua values exist. */
static size_t check_length(lua_State *L)
{
  const lua_Integer n = luaL_checkinteger(L, 1);
  luaL_argcheck(L, n >= 1 && n <= MOST_BITS, 1, "must be from 1 to 10000000");
  return (size_t)n;
}

static int32_t *whole_numbers(lua_State *L, mn_context *ctx, const mn_vector *v, double most)
{
  int32_t *out = MN_RAW(ctx, int32_t, v->size + 1, 1);
  if (!out) mn_lua_raise(L, ctx);
  for (size_t i = 0; i < v->size; i++) {
    if (!(v->at[i] >= 0 && v->at[i] <= most && v->at[i] == floor(v->at[i]))) luaL_error(L, "the code is damaged");
    out[i] = (int32_t)v->at[i];
  }
  return out;
}

static mn_ldpc_code code_view(lua_State *L, mn_context *ctx, size_t n, const mn_vector *start, const mn_vector *bit)
{
  if (start->size < 2 || start->size > MOST_BITS || bit->size > INT32_MAX / 2) luaL_error(L, "the code is damaged");
  mn_ldpc_code code = { .n = n, .m = start->size - 1 };
  const int32_t *first = whole_numbers(L, ctx, start, (double)bit->size);
  const int32_t *bits = whole_numbers(L, ctx, bit, (double)n - 1);
  if (first[0] != 0 || (size_t)first[code.m] != bit->size) luaL_error(L, "the code is damaged");
  for (size_t i = 0; i < code.m; i++) {
    if (first[i] > first[i + 1]) luaL_error(L, "the code is damaged");
    for (int32_t e = first[i] + 1; e < first[i + 1]; e++)
      if (bits[e - 1] >= bits[e]) luaL_error(L, "the code is damaged");
  }
  code.start = first;
  code.bit = bits;
  return code;
}

static size_t check_count(lua_State *L, int arg)
{
  const lua_Integer value = luaL_checkinteger(L, arg);
  luaL_argcheck(L, value >= 1 && value <= INT32_MAX, arg, "must be from 1 to 2147483647");
  return (size_t)value;
}

/* The arguments from `arg` on: algorithm, schedule, scale, offset, max_iter, early_stop. */
enum { DECODER_ARGUMENTS = 6, RESOLUTION = 3 };
static mn_ldpc_decoder check_decoder(lua_State *L, int arg)
{
  static const char *const algorithms[] = { "sum_product", "min_sum", "fast", NULL };
  static const char *const schedules[] = { "layered", "flooding", NULL };
  const int algorithm = luaL_checkoption(L, arg, "sum_product", algorithms);
  mn_ldpc_decoder d = { .bytes = algorithm == 2, .resolution = RESOLUTION };
  d.update.min_sum = algorithm == 1;
  d.flooding = luaL_checkoption(L, arg + 1, "layered", schedules) == 1;
  d.update.scale = luaL_checknumber(L, arg + 2);
  d.update.offset = luaL_checknumber(L, arg + 3);
  d.max_iter = check_count(L, arg + 4);
  d.early_stop = lua_toboolean(L, arg + 5);
  luaL_argcheck(L, !(d.bytes && d.flooding), arg + 1, "must be layered for the algorithm fast");
  return d;
}

static mn_matrix check_words(lua_State *L, mn_context *ctx, int arg, size_t n, const char *what)
{
  const mn_matrix m = mn_lua_check_matrix(L, ctx, arg);
  if (m.cols != n && m.rows > 0) luaL_error(L, "%s must have %d columns, got %d", what, (int)n, (int)m.cols);
  return m;
}

/* --- functions --- */

static int refuse_nan(lua_State *L, const mn_matrix *llr)
{
  for (size_t i = 0; i < llr->rows * llr->cols; i++)
    if (isnan(llr->at[i]))
      return luaL_error(L, "llr must be numbers, got nan in row %d, column %d", (int)(i / llr->cols) + 1,
                        (int)(i % llr->cols) + 1);
  return 0;
}

/* ldpc_decode(n, start, bit, llr, decoder ...) -> iterations, satisfied, log odds: a Matrix, or for the algorithm fast
 * a string that ldpc_bits and ldpc_unpack read, which takes an eighth of the memory */
static int decode(lua_State *L)
{
  lua_settop(L, 4 + DECODER_ARGUMENTS);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = check_length(L);
  const mn_vector start = mn_lua_check_vector(L, ctx, 2), bit = mn_lua_check_vector(L, ctx, 3);
  const mn_matrix llr = check_words(L, ctx, 4, n, "llr");
  const mn_ldpc_decoder d = check_decoder(L, 5);
  if (!mn_all_finite(llr.rows * llr.cols, llr.at)) refuse_nan(L, &llr);
  mn_lua_vector *iterations = mn_lua_push_vector(L, llr.rows), *satisfied = mn_lua_push_vector(L, llr.rows);
  iterations->whole = satisfied->whole = true;
  mn_ldpc_decoded out = { .iterations = iterations->at, .satisfied = satisfied->at };
  if (d.bytes)
    out.bytes = mn_lua_push_buffer(L, sizeof *out.bytes, llr.rows * n + 1);
  else
    out.llr = mn_lua_push_raw_matrix(L, llr.rows, n)->at;
  const mn_ldpc_code code = code_view(L, ctx, n, &start, &bit);
  if (mn_ldpc_decode(ctx, &code, &d, llr.rows, llr.at, &out) != MN_OK) return mn_lua_raise(L, ctx);
  mn_lua_finish(L, ctx, 3);
  if (d.bytes) lua_pushlstring(L, (const char *)out.bytes, llr.rows * n);
  if (d.bytes) lua_replace(L, -2);
  return 3;
}

/* Words decoded by the algorithm fast, the argument 2; *rows of them. */
static const int8_t *check_bytes(lua_State *L, size_t n, size_t *rows)
{
  size_t size;
  const char *bytes = luaL_checklstring(L, 2, &size);
  luaL_argcheck(L, size % n == 0, 2, "must be whole words");
  *rows = size / n;
  return (const int8_t *)bytes;
}

/* ldpc_bits(n, bytes [, numbers of bits from 1]) -> Matrix of 0 and 1 */
static int decoded_bits(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = check_length(L);
  size_t rows, k = n;
  const int8_t *bytes = check_bytes(L, n, &rows);
  const bool some = !lua_isnoneornil(L, 3);
  mn_vector places = { 0 };
  if (some) {
    places = mn_lua_check_vector(L, ctx, 3);
    k = places.size;
  }
  double *out = mn_lua_push_raw_matrix(L, rows, k)->at;
  int32_t *place = some ? whole_numbers(L, ctx, &places, (double)n) : NULL;
  for (size_t j = 0; some && j < k; j++)
    if (--place[j] < 0) return luaL_error(L, "the code is damaged");
  if (mn_ldpc_bits(ctx, n, rows, bytes, k, place, out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* ldpc_unpack(n, bytes) -> Matrix of log odds */
static int unpack(lua_State *L)
{
  lua_settop(L, 2);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = check_length(L);
  size_t rows;
  const int8_t *bytes = check_bytes(L, n, &rows);
  double *out = mn_lua_push_raw_matrix(L, rows, n)->at;
  if (mn_ldpc_unpack(ctx, n, rows, bytes, RESOLUTION, out) != MN_OK) return mn_lua_raise(L, ctx);
  return mn_lua_finish(L, ctx, 1);
}

/* ldpc_rank(n, start, bit) -> rank, places of the message bits from 1 */
static int rank(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = check_length(L);
  const mn_vector start = mn_lua_check_vector(L, ctx, 2), bit = mn_lua_check_vector(L, ctx, 3);
  mn_lua_vector *places = mn_lua_push_empty_vector(L);
  const mn_ldpc_code code = code_view(L, ctx, n, &start, &bit);
  mn_ldpc_encoder e;
  if (mn_ldpc_encoder_new(ctx, &code, &e) != MN_OK || mn_vector_init(ctx, &places->own, e.k) != MN_OK)
    return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < e.k; i++) places->own.at[i] = e.message_bit[i] + 1;
  const lua_Integer found = (lua_Integer)e.rank;
  mn_lua_commit_vector(L, places);
  places->whole = true;
  lua_pushinteger(L, found);
  lua_insert(L, -2);
  return mn_lua_finish(L, ctx, 2);
}

/* ldpc_encode(n, start, bit, messages, k) -> words */
static int encode(lua_State *L)
{
  lua_settop(L, 5);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = check_length(L), k = check_count(L, 5);
  const mn_vector start = mn_lua_check_vector(L, ctx, 2), bit = mn_lua_check_vector(L, ctx, 3);
  const mn_matrix messages = check_words(L, ctx, 4, k, "messages");
  for (size_t i = 0; i < messages.rows * messages.cols; i++)
    if (messages.at[i] != 0 && messages.at[i] != 1)
      return luaL_error(L, "messages must be 0 or 1, got %f in row %d, column %d", messages.at[i], (int)(i / k) + 1,
                        (int)(i % k) + 1);
  double *words = mn_lua_push_matrix(L, messages.rows, n)->at;
  const mn_ldpc_code code = code_view(L, ctx, n, &start, &bit);
  mn_ldpc_encoder e;
  if (mn_ldpc_encoder_new(ctx, &code, &e) != MN_OK) return mn_lua_raise(L, ctx);
  if (e.k != k) return luaL_error(L, "messages must have %d columns, got %d", (int)e.k, (int)k);
  uint64_t *bits = MN_RAW(ctx, uint64_t, e.words, 1);
  if (!bits) return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < messages.rows; i++) mn_ldpc_encode(&e, &code, messages.at + i * k, bits, words + i * n);
  return mn_lua_finish(L, ctx, 1);
}

/* ldpc_unsatisfied(n, start, bit, words) -> number of checks that each word does not satisfy */
static int unsatisfied(lua_State *L)
{
  lua_settop(L, 4);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = check_length(L);
  const mn_vector start = mn_lua_check_vector(L, ctx, 2), bit = mn_lua_check_vector(L, ctx, 3);
  const mn_matrix words = check_words(L, ctx, 4, n, "words");
  mn_lua_vector *out = mn_lua_push_vector(L, words.rows);
  out->whole = true;
  const mn_ldpc_code code = code_view(L, ctx, n, &start, &bit);
  for (size_t i = 0; i < words.rows; i++) out->at[i] = (double)mn_ldpc_unsatisfied(&code, words.at + i * n);
  return mn_lua_finish(L, ctx, 1);
}

/* ldpc_grow(n, m, weight, seed) -> Matrix of the checks of each bit, from 1 */
static int grow(lua_State *L)
{
  lua_settop(L, 4);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = check_length(L), m = check_count(L, 2), weight = check_count(L, 3);
  const lua_Integer seed = luaL_checkinteger(L, 4);
  luaL_argcheck(L, m <= MOST_BITS, 2, "must be at most 10000000");
  luaL_argcheck(L, weight <= m && weight <= 1000, 3, "must be at most 1000 and the number of checks");
  double *out = mn_lua_push_matrix(L, n, weight)->at;
  int32_t *checks = MN_RAW(ctx, int32_t, n, weight);
  if (!checks || mn_ldpc_grow(ctx, n, m, weight, seed, checks) != MN_OK) return mn_lua_raise(L, ctx);
  for (size_t i = 0; i < n * weight; i++) out[i] = checks[i] + 1;
  return mn_lua_finish(L, ctx, 1);
}

static const char *const channels[] = { "awgn", "bsc", "bec", NULL };

/* ldpc_simulate(n, start, bit, channel, level, seed, words, word_errors, decoder ...)
 * -> words, word errors, bit errors, mean iterations, sum of the squared bit errors of words */
static int simulate(lua_State *L)
{
  lua_settop(L, 8 + DECODER_ARGUMENTS);
  mn_context *ctx = mn_lua_begin(L);
  const size_t n = check_length(L);
  const mn_vector start = mn_lua_check_vector(L, ctx, 2), bit = mn_lua_check_vector(L, ctx, 3);
  const mn_channel channel = { .kind = (mn_channel_kind)luaL_checkoption(L, 4, NULL, channels),
                               .level = luaL_checknumber(L, 5) };
  const lua_Integer seed = luaL_checkinteger(L, 6);
  const size_t words = check_count(L, 7), word_errors = check_count(L, 8);
  const mn_ldpc_decoder d = check_decoder(L, 9);
  const double most = channel.kind == MN_CHANNEL_AWGN ? 1e6 : channel.kind == MN_CHANNEL_BSC ? 0.5 : 1;
  luaL_argcheck(L, channel.level > 0 && channel.level < most, 5, "is out of range");
  const mn_ldpc_code code = code_view(L, ctx, n, &start, &bit);
  mn_ldpc_errors errors;
  if (mn_ldpc_simulate(ctx, &code, &d, &channel, seed, words, word_errors, &errors) != MN_OK)
    return mn_lua_raise(L, ctx);
  lua_pushinteger(L, (lua_Integer)errors.words);
  lua_pushinteger(L, (lua_Integer)errors.word_errors);
  lua_pushinteger(L, (lua_Integer)errors.bit_errors);
  lua_pushnumber(L, errors.iterations / (double)errors.words);
  lua_pushnumber(L, errors.squares);
  return mn_lua_finish(L, ctx, 5);
}

/* density_evolution(lambda, rho, channel) -> threshold; shares of edges of the degrees 1, 2, ... */
static int density_evolution(lua_State *L)
{
  lua_settop(L, 3);
  mn_context *ctx = mn_lua_begin(L);
  const mn_vector lambda = mn_lua_check_vector(L, ctx, 1), rho = mn_lua_check_vector(L, ctx, 2);
  const mn_channel_kind kind = (mn_channel_kind)luaL_checkoption(L, 3, NULL, channels);
  const mn_ldpc_ensemble e = { .n_lambda = lambda.size, .n_rho = rho.size, .lambda = lambda.at, .rho = rho.at };
  const mn_vector *both[2] = { &lambda, &rho };
  for (int k = 0; k < 2; k++) {
    double sum = 0;
    luaL_argcheck(L, both[k]->size <= 1000, k + 1, "must have degrees of at most 1000");
    for (size_t i = 0; i < both[k]->size; i++) {
      luaL_argcheck(L, both[k]->at[i] >= 0 && both[k]->at[i] <= 1, k + 1, "must be shares from 0 to 1");
      sum += both[k]->at[i];
    }
    luaL_argcheck(L, fabs(sum - 1) < 1e-6, k + 1, "must add up to 1");
  }
  double threshold;
  if (mn_density_evolution(ctx, &e, kind, &threshold) != MN_OK) return mn_lua_raise(L, ctx);
  lua_pushnumber(L, threshold);
  return mn_lua_finish(L, ctx, 1);
}

void mn_lua_open_coding(lua_State *L)
{
  static const luaL_Reg functions[] = { { "ldpc_decode", decode },
                                        { "ldpc_bits", decoded_bits },
                                        { "ldpc_unpack", unpack },
                                        { "ldpc_rank", rank },
                                        { "ldpc_encode", encode },
                                        { "ldpc_unsatisfied", unsatisfied },
                                        { "ldpc_grow", grow },
                                        { "ldpc_simulate", simulate },
                                        { "density_evolution", density_evolution },
                                        { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
