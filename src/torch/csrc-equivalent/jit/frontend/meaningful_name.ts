/**
 * @file Which names of variables become names of values: all but `_0`, `_1` and the compiler's own, so that printed code can be read
 * in again and gives the same names.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.h#meaningfulName
 */
export function meaningfulName(name: string): boolean {
  return name !== "" && !name.startsWith("$") && !/^_\d*$/.test(name);
}
