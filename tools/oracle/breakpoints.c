/* Logs entries of functions of the process it is loaded into: record_paths.py compiles it and says which.

   A breakpoint (int3) is written over the first byte of each function. When it is hit, one record is kept, the byte is put back, the
   instruction runs alone (trap flag), and the breakpoint is written again. A function of kind OPERATOR also gets a breakpoint at the place
   it returns to, so that its end is known even where it leaves by a jump and even where two calls in a row use the same stack slot.
   One thread only: PyTorch must run with torch.set_num_threads(1). x86-64 Linux. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { OPERATOR = 0, KERNEL = 1, NODE = 2, RETURN = 3 };
enum { SLOTS = 1 << 18, RECORDS = 1 << 21, TRAP_FLAG = 0x100, INT3 = 0xCC };

struct point {
  uint8_t *at;
  uint8_t byte, kind;
};
struct record {
  uint64_t kind, at, sp, second, third;
};

static struct point points[SLOTS];
static uint64_t used, wanted;
static struct record records[RECORDS];
static struct point *stepping;
static volatile int logging;
static struct sigaction before;
static struct {
  uint8_t *from, *to;
} writable[16];
static int writables;

static struct point *find(uint8_t *at) {
  uint64_t slot = ((uintptr_t)at * 0x9E3779B97F4A7C15ull) >> 46;
  while (points[slot].at && points[slot].at != at) slot = (slot + 1) % SLOTS;
  return &points[slot];
}

static int put(uint8_t *at, int kind) {
  for (int i = 0; i < writables; i++)
    if (at >= writable[i].from && at < writable[i].to) {
      struct point *point = find(at);
      if (point->at) return 0;
      if (++used > SLOTS / 2) return -1;
      *point = (struct point){at, *at, (uint8_t)kind};
      *at = INT3;
      return 0;
    }
  return -1;
}

static void trapped(int signal, siginfo_t *info, void *context) {
  greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
  if (stepping) {
    *stepping->at = INT3;
    stepping = 0;
    regs[REG_EFL] &= ~TRAP_FLAG;
    return;
  }
  struct point *point = find((uint8_t *)regs[REG_RIP] - 1);
  if (!point->at) { /* not ours */
    if (before.sa_flags & SA_SIGINFO) before.sa_sigaction(signal, info, context);
    return;
  }
  if (logging) {
    uint64_t sp = (uint64_t)regs[REG_RSP];
    if (wanted < RECORDS)
      records[wanted] = (struct record){point->kind, (uint64_t)point->at, sp, (uint64_t)regs[REG_RSI], (uint64_t)regs[REG_RDX]};
    wanted++;
    if (point->kind == OPERATOR) put(*(uint8_t **)sp, RETURN);
  }
  *point->at = point->byte;
  stepping = point;
  regs[REG_RIP] = (greg_t)point->at;
  regs[REG_EFL] |= TRAP_FLAG;
}

/* Code that breakpoints may be written into. */
int allow(uint8_t *from, uint8_t *to) {
  if (writables == 16 || mprotect(from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC)) return -1;
  writable[writables].from = from;
  writable[writables++].to = to;
  return 0;
}

int breakpoints(const uint64_t *at, const uint8_t *kinds, int n) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = trapped;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  if (sigaction(SIGTRAP, &action, &before)) return -1;
  for (int i = 0; i < n; i++)
    if (put((uint8_t *)at[i], kinds[i])) return -1;
  return 0;
}

void start(void) {
  wanted = 0;
  logging = 1;
}

/* The number of records wanted; more than RECORDS says that some were lost. */
uint64_t stop(void) {
  logging = 0;
  return wanted;
}

const struct record *log_of(void) { return records; }
uint64_t log_size(void) { return RECORDS; }
