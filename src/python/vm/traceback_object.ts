/**
 * @file The type `traceback`: one frame that an exception left, and the next.
 * @mirrors Python/traceback.c (CPython 3.11)
 */
import { define_attributes } from "../Objects/descrobject.ts";
import type { PyTraceback } from "../Objects/exceptions.ts";
import { builtin_type } from "../Objects/typeobject.ts";

export class Traceback implements PyTraceback {
  readonly tb_frame: unknown;
  readonly tb_lasti: number;
  readonly tb_lineno: number;
  tb_next: PyTraceback | null;

  constructor(frame: unknown, lasti: number, lineno: number, next: PyTraceback | null) {
    this.tb_frame = frame;
    this.tb_lasti = lasti;
    this.tb_lineno = lineno;
    this.tb_next = next;
  }
}

const traceback_type = builtin_type("traceback", { cls: Traceback });
define_attributes(traceback_type, {
  tb_frame: (self: Traceback) => self.tb_frame,
  // CPython counts bytes, two for each code unit.
  tb_lasti: (self: Traceback) => 2 * self.tb_lasti,
  tb_lineno: (self: Traceback) => self.tb_lineno,
  tb_next: [
    (self: Traceback) => self.tb_next,
    (self: Traceback, next: PyTraceback | null) => void (self.tb_next = next),
  ],
});
