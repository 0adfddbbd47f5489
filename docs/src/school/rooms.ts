/**
 * @file The rooms of the house, from the top down: a layer's name, its page, its colour, and what the learner can do when it is lit.
 * @original
 */

export interface Room {
  readonly room: string;
  readonly title: string;
  readonly page: string;
  /** The lane of a trace that has its colour. */
  readonly lane: string;
  readonly words: string;
}

export const rooms: readonly Room[] = [
  {
    room: "front-end",
    title: "front end",
    page: "/house/front-end/",
    lane: "front-end",
    words: "the functions you call",
  },
  { room: "binding", title: "binding", page: "/house/binding/", lane: "binding", words: "from Python to C++" },
  { room: "autograd", title: "autograd", page: "/house/autograd/", lane: "autograd", words: "gradients" },
  {
    room: "dispatcher",
    title: "dispatcher",
    page: "/house/dispatcher/",
    lane: "dispatcher",
    words: "chooses the kernel",
  },
  { room: "aten", title: "aten", page: "/house/aten/", lane: "native", words: "the operators" },
  { room: "kernels", title: "kernels", page: "/house/native/", lane: "loop", words: "the arithmetic" },
  { room: "c10", title: "c10", page: "/house/c10/", lane: "memory", words: "tensors and their memory" },
  {
    room: "codegen",
    title: "codegen",
    page: "/house/codegen/",
    lane: "initialization",
    words: "generates the code between them",
  },
];

/** A room that has no page yet is one of the whole house. */
export function roomOf(room: string): Room {
  return rooms.find((each) => each.room === room) ?? { room, title: room, page: "/house/", lane: "device", words: "" };
}
