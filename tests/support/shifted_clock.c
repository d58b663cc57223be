/* The clock of a test session on another day: loaded before the C library, adds SHIFTED_SECONDS to the time of day.

   Durations and waits use the monotonic clock, which stays as it is. libfaketime 0.9.10 changes that one too, and then
   waits of Python's threads never end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static time_t shift(void) {
  static time_t seconds;
  static int known;
  if (!known) {
    const char* text = getenv("SHIFTED_SECONDS");
    seconds = text ? (time_t)atoll(text) : 0;
    known = 1;
  }
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  static int (*real)(clockid_t, struct timespec*);
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const int status = real(clock, now);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += shift();
  return status;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  struct timespec precise;
  (void)zone;
  const int status = clock_gettime(CLOCK_REALTIME, &precise);
  if (status == 0) *now = (struct timeval){precise.tv_sec, precise.tv_nsec / 1000};
  return status;
}

time_t time(time_t* result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
