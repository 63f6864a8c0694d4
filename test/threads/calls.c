// Calls of a function whose loops run on threads, from wherever a program may call it. Prints what comes of it, and how many
// threads the process has at the end.
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 120, CALLS = 4 };

typedef double Matrix[N][N];

typedef struct {
  Matrix a, b, c;
  double sums[N];
  double result;
} Work;

// Products, sums of rows of a triangle, and a scalar that each iteration has for itself.
static __attribute__((noinline)) void compute(long n, Matrix a, Matrix b, Matrix c, double *restrict sums) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
  for (long i = 0; i < n; i++) {
    double sum = 0;
    for (long j = 0; j <= i; j++)
      sum += c[i][j] * a[j][i];
    sums[i] = sum;
  }
}

static void run(Work *work) {
  for (long i = 0; i < N; i++)
    for (long j = 0; j < N; j++) {
      work->a[i][j] = (double)((i * 7 + j * 3) % 11);
      work->b[i][j] = (double)((i * 5 + j * 2) % 13) - 6;
      work->c[i][j] = 0;
    }
  compute(N, work->a, work->b, work->c, work->sums);
  double result = 0;
  for (long i = 0; i < N; i++)
    result = 0.5 * result + work->sums[i];
  work->result = result;
}

static double result(void) {
  Work *work = malloc(sizeof(Work));
  run(work);
  double result = work->result;
  free(work);
  return result;
}

static void *calls(void *wrong) {
  double first = result();
  for (int k = 0; k < CALLS; k++)
    if (result() != first)
      *(int *)wrong = 1;
  return NULL;
}

static int threads(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *entry; (entry = readdir(tasks));)
    count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "once";
  int wrong = 0;
  if (strcmp(mode, "region") == 0) {
#pragma omp parallel num_threads(4)
    calls(&wrong);
  } else if (strcmp(mode, "threads") == 0) {
    pthread_t workers[4];
    for (int k = 0; k < 4; k++)
      pthread_create(&workers[k], NULL, calls, &wrong);
    for (int k = 0; k < 4; k++)
      pthread_join(workers[k], NULL);
  } else if (strcmp(mode, "fork") == 0) {
    calls(&wrong);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      calls(&wrong);
      _exit(wrong);
    }
    int status;
    waitpid(child, &status, 0);
    calls(&wrong);
    wrong |= status;
  }
  printf("%.17g%s\n", result(), wrong ? " wrong" : "");
  fprintf(stderr, "%d\n", threads());
  return 0;
}
