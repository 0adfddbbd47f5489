/**
 * @file What the caller and the device's server say to each other, and where: one piece of shared memory.
 * @original CUDA's driver has such a queue of its own; WebGPU's calls are made by the thread that owns the device.
 * @see CommandRing.ts (who writes), server/ (who reads)
 */

// Note [Two threads and a ring]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The caller is the thread that runs the program; it may block. The server owns the device and never blocks, for WebGPU answers through
// promises. The caller puts commands into a ring of words and goes on; it waits only where a value is needed.
//
//   caller                                          server
//   ring[WRITE...] = command                        sleeps on WRITE
//   WRITE += its words, every 16 commands or when   reads from READ to WRITE, encodes into one command buffer, submits it after
//     the server sleeps; then wakes it                64 launches, when the ring is empty, and before whoever waits
//   waits on ANSWERS until DONE >= its number       DONE = number, ANSWERS += 1, wakes the caller
//
// Positions count words and only grow, modulo 2^32; a word lies at its position modulo the ring. The first word of a command is
// op | words << 8. A number (`seq`) is given to what is answered; DONE says that all up to it is done, in the order of the queue.
//
// Bytes to the device go through a window, which is a ring, too: the command says where they end, and UP_READ says up to where the server
// has taken them. Bytes from the device come through a second window, whose parts the caller allots.
//
// Where memory cannot be shared, or the thread may not block, the same server runs in the caller's thread on memory of its own.

/** Commands, with what follows the first word. Offsets and lengths in bytes are multiples of 4. */
export const Op = {
  /** id, bytes, seq: a buffer. Answered through SEGMENT_ANSWER. */
  SEGMENT: 1,
  /** id */
  RELEASE: 2,
  /** bytes, then as many, four a word: a piece of the text of the next KERNEL. */
  TEXT: 3,
  /** id: the text, as JSON: a `KernelSource`. */
  KERNEL: 4,
  /** kernel, correlation, x, y, z, n, n segments, parameters */
  LAUNCH: 5,
  /** segment, offset, bytes, position in the window, position after it */
  WRITE: 6,
  /** from segment, offset, to segment, offset, bytes */
  COPY: 7,
  /** segment, offset, bytes, where in the window, seq */
  READ: 8,
  /** seq, whether timed */
  EVENT: 9,
  /** seq: answers when all before is done and looked at for errors. */
  SYNC: 10,
  /** seq: forgets segments and kernels of the last program; a device that was lost is asked for anew. */
  RESET: 11,
} as const;

/** Words of the control block; those that different threads write lie on different cache lines. */
export const Control = {
  WRITE: 0,
  /** What the caller wants to be told. */
  TRACE: 1,
  /** Each launch is submitted alone, inside an error scope. */
  BLOCKING: 2,
  /** A wake-up call without commands; PONG repeats it. */
  PING: 3,
  /** The latest number that was given to something to be answered. */
  SEQ: 4,
  READ: 16,
  UP_READ: 17,
  SLEEPING: 32,
  DONE: 48,
  /** Grows with whatever the caller may be waiting for. */
  ANSWERS: 49,
  /** A `Failure`, 0 if all is well. Set by the server if it is 0, with the text; set back by the caller. */
  FAILED: 50,
  /** 1: a device is there, and the text area holds its properties. */
  READY: 51,
  PONG: 52,
  /** Not 0 while the server's thread does something that may take long. */
  BUSY: 53,
  /** Number of the latest SEGMENT that was answered, and whether it was refused. */
  SEGMENT_ANSWER: 54,
  SEGMENT_REFUSED: 55,
  /** Records written since the beginning. */
  RECORDS: 56,
} as const;

export const Failure = {
  /** WebGPU refused what it was asked. */
  VALIDATION: 1,
  INTERNAL: 2,
  OUT_OF_MEMORY: 3,
  /** The device is gone; nothing works until RESET. */
  LOST: 4,
  /** The server itself failed, or there is no device. */
  SERVER: 5,
  /** A kernel found something wrong. */
  ASSERTION: 6,
} as const;

/** Why commands were submitted: the index in this list. */
export const SUBMIT_REASONS = ["full", "idle", "sync", "write", "compile"] as const;
export type SubmitReason = (typeof SUBMIT_REASONS)[number];

/** What a recording is told by the server: kind, then five numbers. */
export const RecordKind = {
  /** correlation, begin, end (ns on the device), batch */
  LAUNCH: 1,
  /** batch, launches, reason, time (ms since the epoch) */
  SUBMIT: 2,
  /** seq, time (ns on the device) */
  EVENT: 3,
} as const;

const KB = 1024;
const MB = 1024 * KB;

/** Sizes, and where things lie in the memory, in bytes. Sent to the server, which has nothing but its arguments. */
export const PLACE = {
  CONTROL: 0,
  CONTROL_WORDS: 64,
  /** Length of the text, then the text. */
  MESSAGE: 4 * KB,
  MESSAGE_NBYTES: 28 * KB,
  RECORDS: 32 * KB,
  RECORDS_MAX: 8192,
  RECORD_NUMBERS: 6,
  RING: 512 * KB,
  RING_WORDS: 65536,
  /** To the device. */
  UP: 1 * MB,
  UP_NBYTES: 8 * MB,
  UP_CHUNK: 2 * MB,
  /** From the device: two parts for who waits, one for who does not. */
  DOWN: 9 * MB,
  DOWN_CHUNK: 2 * MB,
  NBYTES: 15 * MB,
  /** Launches of a command buffer at most. */
  BATCH: 64,
  /** Command buffers that may be under way; then the server reads no further. */
  UNDER_WAY: 64,
  PARAMS_NBYTES: 1024,
  /** The segment whose first words take failed assertions. */
  ASSERTION_SEGMENT: 0,
  ASSERTION_NBYTES: 16,
} as const;

/** All of it, as the server gets it. */
export const PROTOCOL = { Op, Control, Failure, SUBMIT_REASONS, RecordKind, PLACE } as const;
export type Protocol = typeof PROTOCOL;
