/**
 * @file Dicts that a program gave as the last of its positional arguments: the library must not take them for keywords.
 * @original The library's calling convention has one object of keywords behind the other arguments.
 */
export const positional_dicts = new WeakSet<object>();
