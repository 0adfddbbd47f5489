/**
 * @file "What if" switches of the walkthroughs: each puts one text of the program in the place of another.
 * @original
 */

export interface Switch {
  readonly label: string;
  /** The first is what the program has. */
  readonly choices: readonly { readonly label: string; readonly code: string }[];
}

const choice = (label: string, code: string) => ({ label, code });

/** By walkthrough. A test makes each choice and sees that the trace changes. */
export const switches: Readonly<Record<string, readonly Switch[]>> = {};
