/**
 * @file Makes names unique: `__torch__.f` becomes `__torch__.___torch_mangle_0.f`. The number counts in the process.
 * @mirrors torch/csrc/jit/frontend/name_mangler.cpp
 */

let mangleIndex_ = 0;
const manglePrefix = "___torch_mangle_";

export function mangle(name: string): string {
  const atoms = name.split(".");
  const i = atoms.findIndex((atom) => atom.startsWith(manglePrefix));
  const mangled = `${manglePrefix}${mangleIndex_++}`;
  if (i >= 0) atoms[i] = mangled;
  else atoms.splice(atoms.length - 1, 0, mangled);
  return atoms.join(".");
}
