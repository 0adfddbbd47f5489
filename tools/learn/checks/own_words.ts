/**
 * @file The message of an error in a learner's file, with the names that stand in the file.
 * @original
 */

/** Translation writes the exports of a module as `exports.name`, and the engine's messages repeat it. */
export function own_words(message: string): string {
  return message.replace(/\bexports\.(?=\w)/g, "");
}
