/**
 * @file Stands in pages where the theme asks for Prism: code is coloured by Shiki when the site is built, so the grammars and themes of a
 * second highlighter would only be carried.
 * @original
 */
import type { ReactNode } from "react";

export const Prism = { languages: {} };
export const themes = {};

interface Rendered {
  readonly className: string;
  readonly style: Readonly<Record<string, never>>;
  readonly tokens: readonly { readonly content: string }[][];
  readonly getLineProps: () => object;
  readonly getTokenProps: (of: { readonly token: { readonly content: string } }) => object;
}

/** Text that only the page has, without colours. */
export function Highlight({
  code,
  children,
}: {
  code: string;
  children: (rendered: Rendered) => ReactNode;
}): ReactNode {
  return children({
    className: "",
    style: {},
    tokens: code.split("\n").map((content) => [{ content }]),
    getLineProps: () => ({}),
    getTokenProps: ({ token }) => ({ children: token.content }),
  });
}
