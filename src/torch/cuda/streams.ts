/**
 * @file Streams and events of a card: none can be made, and a region of no stream changes nothing.
 * @mirrors torch/cuda/streams.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { AbstractContextManager } from "#torch/_C";
import { def } from "#torch/_signature";
import { _lazy_init, needs_cuda } from "./_lazy_init.ts";

/**
 * An order of kernels on a card, of which there is none.
 * @throws {RuntimeError} always
 */
export class Stream {
  constructor() {
    throw new RuntimeError("torch.cuda.Stream requires CUDA support");
  }
}

/**
 * A moment in a stream, of which there is none.
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
 * From now on kernels would go to `stream`.
 * @param stream null: nothing is set
 */
export const set_stream = def("set_stream(stream)", (stream: Stream | null): void => {
  if (stream !== null) _lazy_init();
});

/** A region in which kernels go to `stream`; null: to where they went before. */
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

/** `StreamContext`, as one writes it. */
export const stream = def("stream(stream)", (stream: Stream | null): StreamContext => new StreamContext(stream));
