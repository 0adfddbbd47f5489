/**
 * @file `NotImplemented`: a special method's way to say that it does not know the other operand. The library and Python programs share it.
 * @mirrors Objects/object.c#_Py_NotImplementedStruct (CPython 3.11)
 */
export const NotImplemented: unique symbol = Symbol("NotImplemented");
