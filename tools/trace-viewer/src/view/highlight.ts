/**
 * @file Highlighting of TypeScript and Python by Shiki's JavaScript engine, loaded at its first use. Colours are CSS variables, so
 * one pass serves both themes.
 * @original
 */
import type { ThemedToken } from "shiki/core";

export type Highlight = (code: string, lang: "typescript" | "python") => ThemedToken[][];

let loading: Promise<Highlight> | null = null;

export function loadHighlight(): Promise<Highlight> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Highlight> {
  const [{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }, typescript, python] =
    await Promise.all([
      import("shiki/core"),
      import("shiki/engine/javascript"),
      import("shiki/langs/typescript.mjs"),
      import("shiki/langs/python.mjs"),
    ]);
  const theme = createCssVariablesTheme({ name: "gtv", variablePrefix: "--gtv-code-" });
  const highlighter = await createHighlighterCore({
    themes: [theme],
    langs: [typescript.default, python.default],
    engine: createJavaScriptRegexEngine(),
  });
  return (code, lang) => highlighter.codeToTokensBase(code, { lang, theme: "gtv" });
}
