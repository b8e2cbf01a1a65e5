/* Runs a command in a pseudoterminal, so that specs can press Ctrl-C.
 *
 *   terminal COLUMNS COMMAND... < steps
 *
 * Steps, one per line: `send TEXT` types the text and Enter, `type TEXT` only the text; `key C` types control and that
 * letter; `sleep MS`; `wait MS TEXT` waits at most that long for the text. Prints the duration of each wait in
 * milliseconds ("waited 12"), -1 when the text did not appear, and at the end the whole output. */
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char output[1 << 20];
static size_t size, seen; /* bytes of output, and how many of them earlier waits have consumed */

static long long now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int read_output(int terminal, int ms)
{
  struct pollfd fd = { .fd = terminal, .events = POLLIN };
  if (size == sizeof output - 1 || poll(&fd, 1, ms) <= 0) return 0;
  const ssize_t n = read(terminal, output + size, sizeof output - 1 - size);
  if (n > 0) size += (size_t)n;
  output[size] = '\0';
  return n > 0;
}

static long long wait_for(int terminal, long long ms, const char *text)
{
  const long long start = now();
  for (;;) {
    const char *found = strstr(output + seen, text);
    if (found) {
      seen = (size_t)(found - output) + strlen(text);
      return now() - start;
    }
    if (now() - start > ms) return -1;
    read_output(terminal, 5);
  }
}

static void type(int terminal, const char *bytes, size_t n)
{
  if (write(terminal, bytes, n) != (ssize_t)n) exit(1);
}

static void step(int terminal, char *line)
{
  long long ms;
  int used = 0;
  line[strcspn(line, "\n")] = '\0';
  if (strncmp(line, "send ", 5) == 0) {
    type(terminal, line + 5, strlen(line + 5));
    type(terminal, "\n", 1);
  } else if (strncmp(line, "type ", 5) == 0) {
    type(terminal, line + 5, strlen(line + 5));
  } else if (strncmp(line, "key ", 4) == 0) {
    const char key = (char)(line[4] & 0x1f);
    type(terminal, &key, 1);
  } else if (sscanf(line, "sleep %lld", &ms) == 1) {
    const long long end = now() + ms;
    while (now() < end) read_output(terminal, 5);
  } else if (sscanf(line, "wait %lld %n", &ms, &used) == 1) {
    printf("waited %lld\n", wait_for(terminal, ms, line + used));
  }
}

int main(int argc, char **argv)
{
  int terminal;
  char line[4096];
  if (argc < 3) return 2;
  const struct winsize size = { .ws_row = 24, .ws_col = (unsigned short)atoi(argv[1]) };
  const pid_t child = forkpty(&terminal, NULL, NULL, &size);
  if (child < 0) return 1;
  if (child == 0) {
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  while (fgets(line, sizeof line, stdin)) step(terminal, line);
  close(terminal);
  waitpid(child, NULL, 0);
  fprintf(stderr, "%s\n", output);
  return 0;
}
