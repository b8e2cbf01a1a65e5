local boosting = require "boosting"
local measure = require "measure"

local COLS, ROWS = 28, 1000 -- rows that are asked for in turn: a processor learns the way of a single one by heart

-- The least of 50 walks over all rows, in seconds a row.
local MAIN = [[
#include <stdio.h>
#include <time.h>
double boosted_predict(const double *row);
static double rows[ROWS][COLS];
static double now(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
int main(int argc, char **argv)
{
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file || fread(rows, sizeof rows, 1, file) != 1) return 1;
  double best = 1e9, sum = 0;
  for (int turn = 0; turn < 50; turn++) {
    const double began = now();
    for (int i = 0; i < ROWS; i++) sum += boosted_predict(rows[i]);
    const double taken = (now() - began) / ROWS;
    if (taken < best) best = taken;
  }
  printf("%.17g %.17g\n", best, sum / 50 / ROWS);
  return 0;
}
]]

local work = boosting.workload("regression", "")

local function write(path, text)
   local file = assert(io.open(path, "wb"))
   assert(file:write(text))
   assert(file:close())
end

-- Seconds a row of the model as exported C, compiled by the C compiler that is there.
local function exported(model, path)
   model:export_c(path "model.c", { name = "boosted" })
   write(path "main.c", (MAIN:gsub("ROWS", ROWS):gsub("COLS", COLS)))
   local program = path "program"
   assert(os.execute(("cc -O2 -std=c11 -o '%s' '%s' '%s' -lm"):format(program, path "main.c", path "model.c")))
   local pipe = assert(io.popen(("'%s' '%s'"):format(program, path "rows.bin"), "r"))
   local seconds, mean = pipe:read("n", "n")
   pipe:close()
   return seconds, mean
end

return {
   title = "one row through 100 boosted trees of 31 leaves, exported C; from Lua: lua_us", rows = 20000,
   bar_seconds = 1.5e-6,
   columns = { "lua_us", "mean" }, -- mean: of the predictions, for the eye only
   peers = {
      { "LightGBM, fast C call", "one_row_trees.py", "lightgbm" },
      { "scikit-learn", "one_row_trees.py", "sklearn" },
   },
   make = function(ml, path, n)
      work.make(ml, path, n)
      local x, bytes = ml.read_npy(path "X.npy"), {}
      for i = 1, ROWS do
         for j = 1, COLS do bytes[#bytes + 1] = string.pack("<d", x:get(i, j)) end
      end
      write(path "rows.bin", table.concat(bytes))
   end,
   ours = function(ml, path, n)
      local _, data = work.ours(ml, path, n)
      local model = ml.HistGradientBoostingRegressor(data.settings):fit(data.x, data.y)
      local rows = {}
      for i = 1, ROWS do rows[i] = data.x:slice(i, i):copy() end
      return { model = model, rows = rows, path = path }
   end,
   measure = function(m)
      local model, rows, i = m.model, m.rows, 0
      local function next_row()
         i = i % ROWS + 1
         return model:predict(rows[i])
      end
      local seconds, mean = exported(model, m.path)
      local figures = { seconds = seconds, mean = mean, runs = 50,
         lua_us = 1e6 * measure.median_call(next_row, 101, ROWS) }
      return figures, figures
   end,
   quality = function() end,
}
