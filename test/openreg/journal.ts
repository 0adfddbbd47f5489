/**
 * @file A journal of the library's calls to the backend, for tests.
 * @original
 */

/** `exchangeDevice 1`, `record 0:2`, `block 1:0` ... (device:stream) */
export const journal: string[] = [];

/** The calls to the backend that `call` caused. */
export function asked_by(call: () => unknown): string[] {
  journal.length = 0;
  call();
  return [...journal];
}
