/* Runs a fuzz target without libFuzzer on each file; with -damage also with each byte changed and truncated everywhere;
 * with -sample only at every third, fifth, ... byte of long files. Prints the name of each file; a failure aborts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 1 << 16, LONG = 1 << 9 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Called by targets with a mutator of their own; nothing is mutated here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
  (void)data;
  (void)max_size;
  return size;
}

static void run(const uint8_t *data, size_t size)
{
  uint8_t *exact = malloc(size + 1); /* so that a sanitizer detects reads behind the end */
  if (!exact) abort();
  memcpy(exact + 1, data, size);
  LLVMFuzzerTestOneInput(exact + 1, size);
  free(exact);
}

/* An odd step reaches every byte position of numbers. */
static void damage(uint8_t *data, size_t size, size_t step)
{
  static const uint8_t changes[] = { 0x01, 0x80, 0xff };
  for (size_t at = 0; at < size; at += step)
    for (size_t c = 0; c < sizeof changes; c++) {
      data[at] ^= changes[c];
      run(data, size);
      data[at] ^= changes[c];
    }
  for (size_t cut = 0; cut < size; cut += step) run(data, cut);
}

int main(int argc, char **argv)
{
  static uint8_t data[MAX_SIZE];
  const int sample = argc > 1 && strcmp(argv[1], "-sample") == 0;
  const int damages = sample || (argc > 1 && strcmp(argv[1], "-damage") == 0);
  for (int i = 1 + damages; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    if (!file) return 2;
    const size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    printf("%s\n", argv[i]);
    fflush(stdout);
    run(data, size);
    if (damages) damage(data, size, sample ? 1 + 2 * (size / LONG) : 1);
  }
  puts("done");
  return 0;
}
