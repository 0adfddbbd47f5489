/**
 * @file What the library asked of the backend, call by call, for tests to look at.
 * @original
 */

/** `exchangeDevice 1`, `record 0:2`, `block 1:0` ... (device:stream) */
export const journal: string[] = [];

/** What `call` made the library ask. */
export function asked_by(call: () => unknown): string[] {
  journal.length = 0;
  call();
  return [...journal];
}
