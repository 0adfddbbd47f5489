/**
 * @file The protocol between the caller and the device's server: commands, answers, and their places in one piece of
 * shared memory.
 * @original CUDA's driver has such a queue of its own; WebGPU's calls are made by the thread that owns the device.
 * @see CommandRing.ts (who writes), server/ (who reads)
 */

// Note [Two threads and a ring]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The caller is the thread that runs the program; it may block. The server owns the device and never blocks, because
// WebGPU answers through promises. The caller writes commands into a ring of words and goes on; it waits only when a
// value is needed.
//
//   caller                                          server
//   ring[WRITE...] = command                        sleeps on WRITE
//   WRITE += its words, every 16 commands or when   reads from READ to WRITE, encodes into one command buffer, submits it after
//     the server sleeps; then wakes it                64 launches, when the ring is empty, and before whoever waits
//   waits on ANSWERS until DONE >= its number       DONE = number, ANSWERS += 1, wakes the caller
//
// Positions count words and only grow, modulo 2^32; the word at a position lies in the ring at the position modulo the
// ring's size. The first word of a command is op | words << 8. A command that is answered has a number (`seq`); DONE
// means that all numbers up to it are done, in the order of the queue.
//
// Bytes to the device go through a window, which is also a ring: the command says where its bytes end, and UP_READ says
// how far the server has taken them. Bytes from the device come through a second window, whose parts the caller
// assigns.
//
// If memory cannot be shared, or the thread may not block, the same server runs in the caller's thread on memory of its own.

/** The commands, each with the words that follow its first word. Offsets and lengths in bytes are multiples of 4. */
export const Op = {
  /** id, bytes, seq: makes a buffer. Answered through SEGMENT_ANSWER. */
  SEGMENT: 1,
  /** id */
  RELEASE: 2,
  /** bytes, then the text in words of four bytes: a piece of the next KERNEL's text. */
  TEXT: 3,
  /** id. The collected text is a `KernelSource` as JSON. */
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
  /** seq: answered when all commands before it are done and checked for errors. */
  SYNC: 10,
  /** seq: forgets segments and kernels; opens a lost device again. */
  RESET: 11,
} as const;

/** Words of the control block. Words that different threads write lie on different cache lines. */
export const Control = {
  WRITE: 0,
  /** Whether the caller wants trace records. */
  TRACE: 1,
  /** Each launch is submitted alone, inside an error scope. */
  BLOCKING: 2,
  /** A ping without commands; the server repeats its number in PONG. */
  PING: 3,
  /** The latest number given to a command that is answered. */
  SEQ: 4,
  READ: 16,
  UP_READ: 17,
  SLEEPING: 32,
  DONE: 48,
  /** Incremented with everything the caller may be waiting for. */
  ANSWERS: 49,
  /** A `Failure`, 0 if there is none. The server sets it if it is 0, together with the text; the caller resets it. */
  FAILED: 50,
  /** 1: a device is there, and PROPERTIES says what it is. */
  READY: 51,
  PONG: 52,
  /** Not 0 while the server's thread is in an operation that may take long. */
  BUSY: 53,
  /** Number of the latest answered SEGMENT, and whether it was refused. */
  SEGMENT_ANSWER: 54,
  SEGMENT_REFUSED: 55,
  /** Number of records written so far. */
  RECORDS: 56,
  /** The operating system's number of the server's thread, if known. */
  THREAD: 57,
} as const;

export const Failure = {
  /** WebGPU refused a command. */
  VALIDATION: 1,
  INTERNAL: 2,
  OUT_OF_MEMORY: 3,
  /** The device is lost; nothing works until RESET. */
  LOST: 4,
  /** The server itself failed, or there is no device. */
  SERVER: 5,
  /** A kernel found a condition false. */
  ASSERTION: 6,
} as const;

/** Reasons why a command buffer is submitted; records hold the index in this list. */
export const SUBMIT_REASONS = ["full", "idle", "sync", "write", "compile"] as const;
export type SubmitReason = (typeof SUBMIT_REASONS)[number];

/** Trace records of the server: kind, then five numbers. */
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

/** Sizes and places in the memory, in bytes. Sent to the server, which knows nothing but its arguments. */
export const PLACE = {
  CONTROL: 0,
  CONTROL_WORDS: 64,
  /** Error message: length of the text, then the text. */
  MESSAGE: 4 * KB,
  MESSAGE_NBYTES: 24 * KB,
  /** Properties of the device, in the same form. */
  PROPERTIES: 28 * KB,
  RECORDS: 32 * KB,
  RECORDS_MAX: 8192,
  RECORD_NUMBERS: 6,
  RING: 512 * KB,
  RING_WORDS: 65536,
  /** Window for bytes to the device. */
  UP: 1 * MB,
  UP_NBYTES: 8 * MB,
  UP_CHUNK: 2 * MB,
  /** Window for bytes from the device: two parts for a caller that waits, one for asynchronous reads. */
  DOWN: 9 * MB,
  DOWN_CHUNK: 2 * MB,
  NBYTES: 15 * MB,
  /** Largest number of launches in a command buffer. */
  BATCH: 64,
  /** Largest number of command buffers in progress; beyond it the server reads no further. */
  UNDER_WAY: 64,
  PARAMS_NBYTES: 1024,
  /** The segment whose first words hold failed assertions. */
  ASSERTION_SEGMENT: 0,
  ASSERTION_NBYTES: 16,
} as const;

/** The whole protocol, as it is sent to the server. */
export const PROTOCOL = { Op, Control, Failure, SUBMIT_REASONS, RecordKind, PLACE } as const;
export type Protocol = typeof PROTOCOL;
