/**
 * @file The instructions of a pickle, and the names of modules in Python 2.
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

// Instructions that the full unpickler knows and the restricted one does not: protocols 0 and 1, then 2 to 5.
export const POP = op("0");
export const POP_MARK = op("1");
export const DUP = op("2");
export const FLOAT = op("F");
export const INT = op("I");
export const LONG = op("L");
export const PERSID = op("P");
export const STRING = op("S");
export const BINSTRING = op("T");
export const UNICODE = op("V");
export const DICT = op("d");
export const GET = op("g");
export const INST = op("i");
export const LIST = op("l");
export const OBJ = op("o");
export const PUT = op("p");
export const EXT1 = 0x82;
export const EXT2 = 0x83;
export const EXT4 = 0x84;
export const LONG4 = 0x8b;
export const BINBYTES = op("B");
export const SHORT_BINBYTES = op("C");
export const SHORT_BINUNICODE = 0x8c;
export const BINUNICODE8 = 0x8d;
export const BINBYTES8 = 0x8e;
export const ADDITEMS = 0x90;
export const FROZENSET = 0x91;
export const NEWOBJ_EX = 0x92;
export const STACK_GLOBAL = 0x93;
export const MEMOIZE = 0x94;
export const FRAME = 0x95;
export const BYTEARRAY8 = 0x96;
export const NEXT_BUFFER = 0x97;
export const READONLY_BUFFER = 0x98;

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
