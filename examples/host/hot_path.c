/* Predict row by row with a saved model, as an instrument or a server does. After the first call nothing is allocated,
 * which an allocator of the host verifies.
 *
 *   ./hot_path line.mn 1000000 */
#define _POSIX_C_SOURCE 199309L /* for clock_gettime with -std=c11 */
#include <manilius.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static size_t requests; /* no lock: the model and its worker are used by one thread */

static void *counting(void *user, void *block, size_t old_size, size_t size)
{
  (void)user;
  (void)old_size;
  if (size == 0) {
    free(block);
    return NULL;
  }
  requests++;
  return realloc(block, size);
}

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Predict `rounds` rows and add the predictions to *sum, for a spec to check. */
static manilius_status predict_rows(manilius_worker *worker, double *row, size_t features, long rounds, double *sum)
{
  double result;
  for (long i = 0; i < rounds; i++) {
    for (size_t j = 0; j < features; j++) row[j] = (double)((i + (long)j) % 10);
    const manilius_status status = manilius_predict(worker, row, 1, &result);
    if (status != MANILIUS_OK) return status;
    *sum += result;
  }
  return MANILIUS_OK;
}

int main(int count, char **argument)
{
  const manilius_memory memory = { .allocator = counting, .limit = 64u << 20 };
  const long rounds = count > 2 ? strtol(argument[2], NULL, 10) : 1000000;
  char reason[200];
  double row[64], sum = 0;
  manilius_model *model;
  if (count < 2 || manilius_load(argument[1], &memory, &model, reason, sizeof reason) != MANILIUS_OK) {
    fprintf(stderr, "%s\n", count < 2 ? "usage: hot_path MODEL [ROUNDS]" : reason);
    return 1;
  }
  const size_t features = manilius_features(model);
  manilius_worker *worker = manilius_worker_new(model);
  manilius_status status = MANILIUS_NO_MEMORY;
  if (worker && features <= sizeof row / sizeof *row) status = predict_rows(worker, row, features, 1, &sum);
  const size_t before = requests;
  const double start = seconds();
  if (status == MANILIUS_OK) status = predict_rows(worker, row, features, rounds, &sum);
  const double time = seconds() - start;
  if (status != MANILIUS_OK)
    fprintf(stderr, "%s\n", worker ? manilius_error(worker) : "not enough memory");
  else
    printf("sum %.6f\nallocations %zu\nmicroseconds per row %.3f\n", sum, requests - before,
           1e6 * time / (double)rounds);
  manilius_worker_free(worker);
  manilius_free(model);
  return status != MANILIUS_OK;
}
