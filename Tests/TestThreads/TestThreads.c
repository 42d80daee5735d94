// Swift runs tests on as many threads as the machine has cores. Tests of programs hold a thread while they
// wait, and the cores rest. Here are more threads, for all that is not the main actor's.

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 8

// Swift's runtime asks the hook where a job is to run (swift/Runtime/Concurrency.h).
typedef struct job Job;
typedef struct {
  uintptr_t identity, implementation;
} Executor;
typedef __attribute__((swiftcall)) void (*Enqueue)(Job *job);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(Job *job, Enqueue original);
extern __attribute__((swiftcall)) void swift_job_run(Job *job, Executor executor);

typedef struct waiting {
  Job *job;
  struct waiting *older, *newer;
} Waiting;

static Waiting *oldest, *newest;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static __attribute__((swiftcall)) void enqueue(Job *job, Enqueue original) {
  Waiting *waiting = malloc(sizeof *waiting);
  if (!waiting) return original(job);
  pthread_mutex_lock(&mutex);
  *waiting = (Waiting){job, newest, NULL};
  *(newest ? &newest->newer : &oldest) = waiting;
  newest = waiting;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&condition);
}

// The next test of a suite that has begun is the newest job. Most threads go on with those, so that suites
// whose tests run one after the other are not what the end waits for.
static void *run(void *takesOldest) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (!oldest) pthread_cond_wait(&condition, &mutex);
    Waiting *waiting = takesOldest ? oldest : newest;
    *(waiting->older ? &waiting->older->newer : &oldest) = waiting->newer;
    *(waiting->newer ? &waiting->newer->older : &newest) = waiting->older;
    pthread_mutex_unlock(&mutex);
    Job *job = waiting->job;
    free(waiting);
    swift_job_run(job, (Executor){0, 0});
  }
  return NULL;
}

__attribute__((constructor)) static void begin(void) {
  for (int i = 0; i < THREADS; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, i < 2 ? &mutex : NULL)) continue;
    pthread_detach(thread);
    swift_task_enqueueGlobal_hook = enqueue;
  }
}
