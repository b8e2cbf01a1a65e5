local boosting = require "boosting"
local measure = require "measure"

local ROWS = 1000 -- that are asked for in turn, so that no call finds its way already walked

local harness = [[
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int boosted_predict(const double *row);
double boosted_predict(const double *row);
]]

-- The best of 20 walks over all rows, in seconds a row.
local main = [[
#include <stdio.h>
#include <time.h>
static double rows[%d][%d];
static double now(void) { struct timespec t; timespec_get(&t, TIME_UTC); return t.tv_sec + 1e-9 * t.tv_nsec; }
int main(int argc, char **argv)
{
  FILE *file = fopen(argv[1], "rb");
  if (argc != 2 || !file || fread(rows, sizeof rows, 1, file) != 1) return 1;
  double best = 1e9, sum = 0;
  for (int turn = 0; turn < 20; turn++) {
    const double began = now();
    for (int i = 0; i < %d; i++) sum += boosted_predict(rows[i]);
    const double taken = (now() - began) / %d;
    if (taken < best) best = taken;
  }
  printf("%%.17g %%.17g\n", best, sum / 20);
  return 0;
}
]]
