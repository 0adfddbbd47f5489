/**
 * @file Where TorchScript's `print` writes.
 * @mirrors torch/csrc/jit/runtime/print_handler.cpp
 * @differs The default writes through `console.log`, which every host has; PyTorch's writes to C++'s stdout.
 */

/** Takes the text of a line, with its line break. */
export type PrintHandler = (text: string) => void;

const defaultPrintHandler: PrintHandler = (text) => console.log(text.replace(/\n$/, ""));

let print_handler: PrintHandler = defaultPrintHandler;

export function getDefaultPrintHandler(): PrintHandler {
  return defaultPrintHandler;
}
export function getPrintHandler(): PrintHandler {
  return print_handler;
}
export function setPrintHandler(handler: PrintHandler): void {
  print_handler = handler;
}
