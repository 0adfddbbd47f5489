/**
 * @file TypeScript highlighting by Shiki's JavaScript engine, loaded at its first use. Colours are CSS variables, so
 * one pass serves both themes.
 * @original
 */
import type { ThemedToken } from "shiki/core";

export type Highlight = (code: string) => ThemedToken[][];

let loading: Promise<Highlight> | null = null;

export function loadHighlight(): Promise<Highlight> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Highlight> {
  const [{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }, typescript] =
    await Promise.all([import("shiki/core"), import("shiki/engine/javascript"), import("shiki/langs/typescript.mjs")]);
  const theme = createCssVariablesTheme({ name: "gtv", variablePrefix: "--gtv-code-" });
  const highlighter = await createHighlighterCore({
    themes: [theme],
    langs: [typescript.default],
    engine: createJavaScriptRegexEngine(),
  });
  return (code) => highlighter.codeToTokensBase(code, { lang: "typescript", theme: "gtv" });
}
