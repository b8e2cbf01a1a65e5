#include "boost_sums.h"
#include "../histogram/hist_narrow_kernel.h"
#include <string.h>

typedef struct mn_boost_room {
  int64_t *wide;    /* 2 x cells                                       */
  uint64_t *narrow; /* cells, 0 where nothing is held                  */
  size_t held;      /* rows in `narrow`, MN_NARROW_ROWS at most        */
  bool used;        /* there is something in `wide`                    */
} mn_boost_room;

static size_t cells_of(const mn_boost_sums *sums)
{
  return sums->bins->cell[sums->bins->features];
}

mn_status mn_boost_sums_make(mn_context *ctx, const mn_bins *bins, size_t blocks, mn_boost_sums *sums)
{
  const size_t threads = mn_threads(ctx);
  *sums = (mn_boost_sums){ .bins = bins, .workers = threads < blocks ? threads : blocks };
  sums->room = MN_NEW(ctx, mn_boost_room, sums->workers, 1);
  MN_CHECK_ALLOC(sums->room);
  for (size_t k = 0; blocks > 1 && k < sums->workers; k++) {
    mn_boost_room *room = &sums->room[k];
    room->wide = MN_RAW(ctx, int64_t, cells_of(sums), 2);
    room->narrow = MN_NEW(ctx, uint64_t, cells_of(sums), 1);
    if (!room->wide || !room->narrow) return MN_NO_MEMORY;
  }
  return MN_OK;
}

void mn_boost_sums_begin(mn_boost_sums *sums, const mn_boost_gradients *unit, size_t blocks, int64_t *hist)
{
  sums->unit = unit;
  sums->hist = hist;
  sums->direct = blocks == 1 && !unit->narrow;
  if (sums->direct) memset(hist, 0, 2 * cells_of(sums) * sizeof *hist);
  for (size_t k = 0; k < sums->workers; k++) {
    sums->room[k].used = false;
    sums->room[k].held = 0;
  }
}

/* Where the wide sums of a worker are. */
static int64_t *wide_of(mn_boost_sums *sums, mn_boost_room *room)
{
  if (sums->direct) return sums->hist;
  if (!room->used) memset(room->wide, 0, 2 * cells_of(sums) * sizeof *room->wide);
  room->used = true;
  return room->wide;
}

/* Room for n more rows. */
static void make_room(mn_boost_sums *sums, mn_boost_room *room, size_t n)
{
  if (room->held + n > MN_NARROW_ROWS) {
    mn_narrow_unpack(cells_of(sums), room->narrow, sums->unit->bits, wide_of(sums, room));
    room->held = 0;
  }
  room->held += n;
}

void mn_boost_sums_add(mn_boost_sums *sums, size_t worker, size_t begin, size_t n, const uint32_t *rows)
{
  const mn_bins *bins = sums->bins;
  mn_boost_room *room = &sums->room[worker];
  const bool narrow = sums->unit->narrow;
  if (narrow) make_room(sums, room, n);
  for (size_t g = 0; g < bins->groups; g++) {
    const size_t stride = bins->stride[g], width = mn_group_width(bins, g);
    const uint8_t *code = bins->code[g] + begin * stride;
    const uint32_t *cell = bins->cell + g * MN_GROUP_COLUMNS;
    if (narrow)
      mn_narrow_add(n, rows, code, stride, width, cell, (const uint64_t *)sums->unit->gh + begin, room->narrow);
    else
      mn_hist_add(n, rows, code, stride, width, cell, sums->unit->gh + 2 * begin, wide_of(sums, room));
  }
}

void mn_boost_sums_finish(mn_boost_sums *sums, size_t first, size_t last)
{
  const size_t from = sums->bins->cell[first], n = sums->bins->cell[last] - from;
  int64_t *hist = sums->hist + 2 * from;
  bool begun = sums->direct;
  for (size_t k = 0; k < sums->workers; k++) {
    if (!sums->room[k].used) continue;
    if (begun)
      mn_hist_merge(2 * n, hist, sums->room[k].wide + 2 * from);
    else
      memcpy(hist, sums->room[k].wide + 2 * from, 2 * n * sizeof *hist);
    begun = true;
  }
  if (!begun) memset(hist, 0, 2 * n * sizeof *hist);
  for (size_t k = 0; k < sums->workers; k++)
    if (sums->room[k].held > 0) mn_narrow_unpack(n, sums->room[k].narrow + from, sums->unit->bits, hist);
}
