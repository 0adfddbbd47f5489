/**
 * @file Streams and events of CUDA: none can be created, and a context with stream null changes nothing.
 * @mirrors torch/cuda/streams.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { AbstractContextManager } from "#torch/_C";
import { def } from "#torch/_signature";
import { _lazy_init, needs_cuda } from "./_lazy_init.ts";

/**
 * A queue of kernels on a CUDA device; it cannot be created here.
 * @throws {RuntimeError} always
 */
export class Stream {
  constructor() {
    throw new RuntimeError("torch.cuda.Stream requires CUDA support");
  }
}

/**
 * An event in a CUDA stream; it cannot be created here.
 * @throws {RuntimeError} always
 */
export class Event {
  constructor() {
    throw new RuntimeError("Tried to instantiate dummy base class Event");
  }
}

export const current_stream = needs_cuda("current_stream(device=None)");
export const default_stream = needs_cuda("default_stream(device=None)");

/**
 * Makes `stream` the current stream.
 * @param stream null: nothing is set
 */
export const set_stream = def("set_stream(stream)", (stream: Stream | null): void => {
  if (stream !== null) _lazy_init();
});

/** A context in which kernels go to `stream`; null changes nothing. */
export class StreamContext extends AbstractContextManager {
  readonly stream: Stream | null;

  constructor(stream: Stream | null) {
    super();
    this.stream = stream;
  }

  override __enter__(): this {
    if (this.stream !== null) _lazy_init();
    return this;
  }

  override __exit__(): void {}
}

/** Creates a `StreamContext`. */
export const stream = def("stream(stream)", (stream: Stream | null): StreamContext => new StreamContext(stream));
