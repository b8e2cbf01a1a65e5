import os
import subprocess

import measure

X, y = measure.load("X.npy"), measure.load("y.npy", flat=True)
ROWS = 1000

# LightGBM's call for one row at a time, from C, on the same rows as ours.
MAIN = r"""
#include <stdint.h>
#include <stdio.h>
#include <time.h>
int LGBM_BoosterCreateFromModelfile(const char *, int *, void **);
int LGBM_BoosterPredictForMatSingleRowFastInit(void *, int, int, int, int, int32_t, const char *, void **);
int LGBM_BoosterPredictForMatSingleRowFast(void *, const void *, int64_t *, double *);
static double rows[1000][28];
static double now(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
int main(int argc, char **argv)
{
  FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
  void *booster, *fast;
  int trees;
  int64_t size;
  if (!file || fread(rows, sizeof rows, 1, file) != 1) return 1;
  if (LGBM_BoosterCreateFromModelfile(argv[1], &trees, &booster) != 0) return 2;
  if (LGBM_BoosterPredictForMatSingleRowFastInit(booster, 0, 0, -1, 1, 28, "num_threads=1", &fast) != 0) return 3;
  double best = 1e9, sum = 0, value;
  for (int turn = 0; turn < 50; turn++) {
    const double began = now();
    for (int i = 0; i < 1000; i++) {
      if (LGBM_BoosterPredictForMatSingleRowFast(fast, rows[i], &size, &value) != 0) return 4;
      sum += value;
    }
    const double taken = (now() - began) / 1000;
    if (taken < best) best = taken;
  }
  printf("%.17g %.17g\n", best, sum / 50 / 1000);
  return 0;
}
"""


def lightgbm():
    import lightgbm as lgb
    model = lgb.LGBMRegressor(n_estimators=100, num_leaves=31, max_bin=255, learning_rate=0.1, reg_lambda=1,
                              min_child_samples=1, min_child_weight=1, verbose=-1).fit(X, y)
    model.booster_.save_model(measure.path("lightgbm.txt"))
    library = os.path.join(os.path.dirname(lgb.__file__), "lib", "lib_lightgbm.so")
    with open(measure.path("lightgbm.c"), "w") as f:
        f.write(MAIN)
    program = measure.path("lightgbm")
    subprocess.run(["cc", "-O2", "-o", program, measure.path("lightgbm.c"), library,
                    "-Wl,-rpath," + os.path.dirname(library)], check=True)
    seconds, mean = subprocess.run([program, measure.path("lightgbm.txt"), measure.path("rows.bin")], check=True,
                                   capture_output=True, text=True).stdout.split()
    return lgb.__version__, {"seconds": float(seconds), "mean": float(mean), "runs": 50}


def sklearn():
    import sklearn
    from sklearn.ensemble import HistGradientBoostingRegressor
    model = HistGradientBoostingRegressor(early_stopping=False, l2_regularization=1, min_samples_leaf=1).fit(X, y)
    row = X[:1].copy()
    return sklearn.__version__, {"seconds": measure.median_call(lambda: model.predict(row), 21, 10), "runs": 21,
                                 "mean": model.predict(X[:ROWS]).mean()}


measure.main({"lightgbm": lightgbm, "sklearn": sklearn}, lambda _: {}, lambda figures, _: (None, figures))
