/**
 * @file Private names: `__x` in class `C` means `_C__x`.
 * @mirrors Python/compile.c (CPython 3.11): _Py_Mangle
 */

/** @param class_name the class whose text contains the name; null outside classes */
export function mangle(class_name: string | null, name: string): string {
  if (class_name === null || !name.startsWith("__") || name.endsWith("__") || name.includes(".")) return name;
  const stripped = class_name.replace(/^_+/, "");
  return stripped === "" ? name : `_${stripped}${name}`;
}
