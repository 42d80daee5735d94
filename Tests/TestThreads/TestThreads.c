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
  struct waiting *next;
} Waiting;

static Waiting *first, **last = &first;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static __attribute__((swiftcall)) void enqueue(Job *job, Enqueue original) {
  Waiting *waiting = malloc(sizeof *waiting);
  if (!waiting) return original(job);
  *waiting = (Waiting){job, NULL};
  pthread_mutex_lock(&mutex);
  *last = waiting;
  last = &waiting->next;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&condition);
}

static void *run(void *nothing) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (!first) pthread_cond_wait(&condition, &mutex);
    Waiting *waiting = first;
    first = waiting->next;
    if (!first) last = &first;
    pthread_mutex_unlock(&mutex);
    Job *job = waiting->job;
    free(waiting);
    swift_job_run(job, (Executor){0, 0});
  }
  return nothing;
}

__attribute__((constructor)) static void begin(void) {
  for (int i = 0; i < THREADS; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, NULL)) continue;
    pthread_detach(thread);
    swift_task_enqueueGlobal_hook = enqueue;
  }
}
