/**
 * @file `memset` for the heap.
 * @original PyTorch calls the C library's `memset`. `TypedArray.fill` writes shared memory element by element and takes
 * 3 to 10 times as long.
 */

/** `memory.fill` of WebAssembly: address, byte, count. */
export type Fill = (begin: number, value: number, nbytes: number) => void;

/**
 * The module, byte by byte:
 *
 *     (module (import "c10" "memory" (memory 1 32768 shared))
 *       (func (export "fill") (param i32 i32 i32)
 *         local.get 0  local.get 1  local.get 2  memory.fill))
 */
// biome-ignore format: a section a line
const module_bytes = (shared: boolean): number[] => [
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // "\0asm", version 1
  1, 7, 1, 0x60, 3, 0x7f, 0x7f, 0x7f, 0, // a type: (i32, i32, i32) -> ()
  2, 18, 1, 3, 0x63, 0x31, 0x30, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, shared ? 3 : 1, 1, 0x80, 0x80, 2, // the import
  3, 2, 1, 0, // a function of the type
  7, 8, 1, 4, 0x66, 0x69, 0x6c, 0x6c, 0, 0, // is exported as "fill"
  10, 13, 1, 11, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfc, 11, 0, 0x0b, // its body
];

export function make_fill(memory: WebAssembly.Memory, shared: boolean): Fill {
  const module = new WebAssembly.Module(Uint8Array.from(module_bytes(shared)));
  return new WebAssembly.Instance(module, { c10: { memory } }).exports["fill"] as Fill;
}
