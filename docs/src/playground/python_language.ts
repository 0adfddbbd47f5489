/**
 * @file The editor's colours and indentation for Python. Loaded with the first Python program, never with a TypeScript one.
 * @original
 */
export { pythonLanguage } from "@codemirror/lang-python";
