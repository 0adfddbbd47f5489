/**
 * @file The repository's sources as this page serves them, below `sources/`; a file is fetched once.
 * @original
 */
import { isPlainPath } from "../model/eventsOf.ts";

const texts = new Map<string, Promise<string>>();

export function loadSource(path: string): Promise<string> {
  if (!isPlainPath(path)) return Promise.reject(new Error(`${path} is no file of the repository`));
  let text = texts.get(path);
  if (text === undefined) {
    text = fetch(`sources/${path}`).then((answer) => {
      if (!answer.ok) throw new Error(`the page has no such file (${answer.status})`);
      return answer.text();
    });
    texts.set(path, text);
  }
  return text;
}
