/**
 * @file The instructions of a pickle that PyTorch's files contain, and the names of modules in Python 2.
 * @original Python's modules `pickle` and `_compat_pickle`.
 */

/** The byte of an instruction, given by its letter, as in Python's documentation. */
function op(letter: string): number {
  return letter.charCodeAt(0);
}

export const MARK = op("(");
export const STOP = op(".");
export const BINFLOAT = op("G");
export const BININT = op("J");
export const BININT1 = op("K");
export const BININT2 = op("M");
export const NONE = op("N");
export const BINPERSID = op("Q");
export const REDUCE = op("R");
export const SHORT_BINSTRING = op("U");
export const BINUNICODE = op("X");
export const APPEND = op("a");
export const BUILD = op("b");
export const GLOBAL = op("c");
export const EMPTY_DICT = op("}");
export const APPENDS = op("e");
export const BINGET = op("h");
export const LONG_BINGET = op("j");
export const EMPTY_LIST = op("]");
export const BINPUT = op("q");
export const LONG_BINPUT = op("r");
export const SETITEM = op("s");
export const TUPLE = op("t");
export const EMPTY_TUPLE = op(")");
export const SETITEMS = op("u");
export const PROTO = 0x80;
export const NEWOBJ = 0x81;
export const TUPLE1 = 0x85;
export const TUPLE2 = 0x86;
export const TUPLE3 = 0x87;
export const NEWTRUE = 0x88;
export const NEWFALSE = 0x89;
export const LONG1 = 0x8a;
export const EMPTY_SET = 0x8f;

/** Module names of Python 3 -> Python 2: protocol 2 belongs to Python 2. */
export const IMPORT_MAPPING: ReadonlyMap<string, string> = new Map([
  ["__builtin__", "builtins"],
  ["copy_reg", "copyreg"],
  ["Queue", "queue"],
  ["repr", "reprlib"],
  ["_abcoll", "collections.abc"],
  ["UserDict", "collections"],
  ["UserList", "collections"],
  ["UserString", "collections"],
  ["whichdb", "dbm"],
  ["StringIO", "io"],
  ["cStringIO", "io"],
]);

/** Names that also changed between Python 2 and 3. */
export const NAME_MAPPING: ReadonlyMap<string, readonly [module: string, name: string]> = new Map([
  ["__builtin__.xrange", ["builtins", "range"]],
  ["__builtin__.reduce", ["functools", "reduce"]],
  ["__builtin__.intern", ["sys", "intern"]],
  ["__builtin__.unichr", ["builtins", "chr"]],
  ["__builtin__.unicode", ["builtins", "str"]],
  ["__builtin__.long", ["builtins", "int"]],
  ["itertools.izip", ["builtins", "zip"]],
  ["itertools.imap", ["builtins", "map"]],
  ["itertools.ifilter", ["builtins", "filter"]],
  ["itertools.ifilterfalse", ["itertools", "filterfalse"]],
  ["itertools.izip_longest", ["itertools", "zip_longest"]],
  ["UserDict.IterableUserDict", ["collections", "UserDict"]],
  ["UserDict.UserDict", ["collections", "UserDict"]],
  ["UserList.UserList", ["collections", "UserList"]],
  ["UserString.UserString", ["collections", "UserString"]],
  ["__builtin__.basestring", ["builtins", "str"]],
  ["exceptions.StandardError", ["builtins", "Exception"]],
]);
