"""A clock that is set back under a program that runs: all that asks what time it is, in any language, is told otherwise.

libfaketime would do it, were it not that its sleep and its waits with a limit fail under Python 3.11.
"""

import pytest

from tests.support.preloaded import NONE, preloaded

DAY = 86_400
_C = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long behind(void) {
    const char *mark = getenv("CLOCK_IS_BACK");
    return mark && !access(mark, F_OK) ? 86400 : 0;
}
int clock_gettime(clockid_t which, struct timespec *now) {
    int failed = syscall(SYS_clock_gettime, which, now);
    if (!failed && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) now->tv_sec -= behind();
    return failed;
}
time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return 0;
}
/* Moments up to which is waited: those of no clock but this one are so large. */
static struct timespec moved(const struct timespec *until) {
    struct timespec then = *until;
    if (then.tv_sec > 1000000000) then.tv_sec += behind();
    return then;
}
int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m, const struct timespec *restrict until) {
    int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *) = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    struct timespec then = moved(until);
    return wait(c, m, &then);
}
int sem_timedwait(sem_t *restrict s, const struct timespec *restrict until) {
    int (*wait)(sem_t *, const struct timespec *) = dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec then = moved(until);
    return wait(s, &then);
}
"""


class Clock:
    """Of the programs that are started while it is there. What measures how long something takes goes on as before."""

    def __init__(self, mark):
        self._mark = mark

    def set_back(self):
        """By a day."""
        self._mark.touch()

    def set_right(self):
        self._mark.unlink()


@pytest.fixture
def clock(tmp_path, monkeypatch):
    if NONE:
        pytest.skip(NONE)
    monkeypatch.setenv("LD_PRELOAD", preloaded(_C))
    monkeypatch.setenv("CLOCK_IS_BACK", str(tmp_path / "clock is back"))
    return Clock(tmp_path / "clock is back")
