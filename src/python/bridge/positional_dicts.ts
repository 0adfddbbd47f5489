/**
 * @file The two things that a program writes and the library's calling convention could confuse: a dict as the last positional argument,
 * and keywords.
 * @original The library's calling convention has one object of keywords behind the other arguments.
 */

/** Dicts that a program gave as the last of its positional arguments: they are no keywords. */
export const positional_dicts = new WeakSet<object>();

/** Objects that hold the keywords of a program's call: they are no dict for the next parameter. */
export const written_keywords = new WeakSet<object>();
