# tracebacks are recorded, too
# ---- groups are made
def t(f):
    try: print(f())
    except BaseException as e: print(type(e).__name__, e)
t(lambda: ExceptionGroup())
t(lambda: ExceptionGroup("a"))
t(lambda: ExceptionGroup(1, [ValueError(1)]))
t(lambda: ExceptionGroup("a", 3))
t(lambda: ExceptionGroup("a", {ValueError(1)}))
t(lambda: ExceptionGroup("a", []))
t(lambda: ExceptionGroup("a", [1]))
t(lambda: ExceptionGroup("a", [ValueError]))
t(lambda: ExceptionGroup("a", [KeyboardInterrupt()]))
t(lambda: BaseExceptionGroup("a", [KeyboardInterrupt()]))
t(lambda: repr(BaseExceptionGroup("a", [ValueError(1)])))
t(lambda: repr(BaseExceptionGroup("a", (ValueError(1), TypeError()))))
t(lambda: ExceptionGroup("a", [ValueError(1)], x=1))
t(lambda: ExceptionGroup(message="a", exceptions=[ValueError(1)]))
class M(ExceptionGroup): pass
t(lambda: M("a", [KeyboardInterrupt()]))
t(lambda: repr(M("a", [ValueError(2)])))
class B(BaseExceptionGroup): pass
t(lambda: repr(B("a", [ValueError(2)])))
class V(ExceptionGroup, ValueError): pass
t(lambda: repr(V("a", [ValueError(2)])))
print(V.__mro__, ExceptionGroup.__mro__, ExceptionGroup.__bases__, ExceptionGroup.__base__)
def f():
    class O(ExceptionGroup, OSError): pass
t(f)
# ---- groups are divided
def t(f):
    try: print(f())
    except BaseException as e: print(type(e).__name__, e)
e = ExceptionGroup("m", [ValueError(1), TypeError(2), ExceptionGroup("n", [ValueError(3), KeyError(4)])])
t(lambda: e.split(ValueError))
t(lambda: e.subgroup((ValueError, KeyError)))
t(lambda: e.subgroup(lambda x: isinstance(x, KeyError)))
t(lambda: e.subgroup(len))
t(lambda: e.subgroup(1))
t(lambda: e.subgroup(int))
t(lambda: e.subgroup((ValueError, 1)))
t(lambda: e.subgroup([ValueError, 1]))
t(lambda: e.split(ExceptionGroup)[0] is e)
t(lambda: e.message)
t(lambda: e.exceptions)
t(lambda: e.args)
def g(): e.message = 3
t(g)
def g(): e.exceptions = 3
t(g)
def g(): del e.exceptions
t(g)
t(lambda: ExceptionGroup[int])
t(lambda: type(e.derive([ValueError(1)])))
t(lambda: B('x', [KeyboardInterrupt(), ValueError(2)]).split(ValueError))
class D(ExceptionGroup):
    def __new__(cls, message, excs, extra=None):
        o = super().__new__(cls, message, excs); o.extra = extra; return o
    def derive(self, excs): return D(self.message, excs, self.extra)
d = D('dd', [ValueError(1), TypeError(1)], 5)
d.add_note('hey'); d.__cause__ = KeyError(1)
m, r = d.split(TypeError)
print(repr(m), repr(r), m.extra, m.__notes__, m.__notes__ is d.__notes__, repr(m.__cause__))
class E2(ExceptionGroup):
    def derive(self, excs): return 3
t(lambda: E2('x', [ValueError(1), TypeError(1)]).split(ValueError))
class E3(ExceptionGroup):
    def derive(self): return 3
t(lambda: E3('x', [ValueError(1), TypeError(1)]).split(ValueError))
import pickle, copy
print(repr(copy.copy(e)))
l=[ValueError(1)]; x=ExceptionGroup('q', l); l.append(KeyError()); print(repr(x), x.exceptions, str(x), str(e))
print(ExceptionGroup.__doc__ is None, BaseExceptionGroup.__module__)
# ---- parts for handlers
import traceback, sys
def show(f):
    print('----', f.__name__)
    try: print('ret', f())
    except BaseException as e:
        traceback.print_exc(file=sys.stdout)
def a():
    try: raise ExceptionGroup("g", [ValueError(1), TypeError(2), KeyError(3)])
    except* ValueError as e: print(repr(e), e.__traceback__ is not None, sys.exc_info()[1] is e)
    except* TypeError: print('type', repr(sys.exc_info()[1]))
show(a)
def b():
    try: raise ValueError(1)
    except* ValueError as e: print(repr(e), e.__traceback__, repr(e.__context__)); raise
show(b)
def c():
    try: raise ExceptionGroup("g", [ValueError(1), TypeError(2), KeyError(3)])
    except* ValueError as e: raise OSError(4)
    except* TypeError: raise
    finally: print('fin')
show(c)
def d():
    try: raise ExceptionGroup("g", [ValueError(1), TypeError(2), KeyError(3)])
    except* ValueError as e: raise OSError(4) from e
    except* (TypeError, KeyError) as e: raise e
show(d)
def e():
    try: pass
    except* ValueError: pass
    else: print('else')
    finally: print('f')
    return 3
show(e)
def f():
    try: raise ExceptionGroup("g", [ValueError(1)])
    except* ExceptionGroup: pass
show(f)
def g():
    try: raise ExceptionGroup("g", [ValueError(1)])
    except* (ValueError, BaseExceptionGroup): pass
show(g)
def h():
    try: raise ExceptionGroup("g", [ValueError(1)])
    except* int: pass
show(h)
# ---- what is raised in the end
import traceback, sys
def show(f):
    print('----', f.__name__)
    try: print('ret', f())
    except BaseException as e:
        traceback.print_exc(file=sys.stdout)
def i():
    try: raise KeyboardInterrupt()
    except* KeyboardInterrupt as e: print(repr(e))
    try: 1/0
    except* KeyError as e: print(repr(e))
show(i)
def j():
    try:
        try: raise ExceptionGroup("g", [ValueError(1), ExceptionGroup("h", [TypeError(2), KeyError(2)])])
        except* KeyError: raise RuntimeError('x')
    except* RuntimeError as e: print('caught', repr(e)); raise ValueError('last')
show(j)
def m():
    e = ExceptionGroup("g", [ValueError(1), KeyError(2), TypeError()])
    e.add_note('n1\nn2')
    e.exceptions[0].add_note('inner')
    try: raise e
    except* KeyError: pass
show(m)
# ---- nested, many and chained groups
import traceback, sys
def show(f):
    print('----', f.__name__)
    try: print('ret', f())
    except BaseException as e:
        traceback.print_exc(file=sys.stdout)
def n():
    ex = []
    for i in range(20):
        try: raise ValueError(i)
        except ValueError as e: ex.append(e)
    raise ExceptionGroup("many", ex)
show(n)
def o():
    e = ValueError(0)
    for i in range(13): e = ExceptionGroup(f"l{i}", [e])
    raise e
show(o)
def p():
    def inner():
        try: raise KeyError(1)
        except KeyError as k:
            try: raise ExceptionGroup("in", [ValueError(1)]) from k
            except ExceptionGroup as e: return e
    try: raise ExceptionGroup("out", [inner(), TypeError("multi\nline\n\nend")])
    except ExceptionGroup as e: raise RuntimeError("wrap") from e
show(p)
def q():
    for x in range(3):
        try:
            if x: raise ExceptionGroup("g", [ValueError(x), KeyError(x)])
        except* ValueError as e:
            print(x, e.exceptions)
            try: raise e
            except* ValueError as e2: print('inner', e2.exceptions, e2 is e)
        except* KeyError: print(x, 'key')
show(q)
def r():
    try: raise ExceptionGroup("g", [ValueError(1), ValueError(2), TypeError()])
    except* ValueError as e:
        try: pass
        finally: raise ExceptionGroup("new", e.exceptions)
    except* TypeError as e: raise TypeError('again') from None
show(r)
# ---- a group that ends the program
import traceback
print(''.join(traceback.format_exception(ExceptionGroup("not raised", [ValueError(1), ExceptionGroup("x", [KeyError()])]))))
print(''.join(traceback.format_exception(ExceptionGroup("not raised", [ValueError(1)]), chain=False)))
print(traceback.format_exception_only(ExceptionGroup("not raised", [ValueError(1)])))
try:
    raise ExceptionGroup("top", [ValueError(1), OSError(2, 'x')])
except* ValueError: raise NameError('zz')
# ---- the module traceback
import traceback, sys
def f(n):
    if n: f(n-1)
    else: x = [1]; return x[0] + x[5]
try: f(6)
except Exception as e:
    t = e.__traceback__
    print(traceback.format_tb(t, 2), traceback.format_tb(t, -2))
    s = traceback.extract_tb(t)
    print(type(s), s[0], len(s), s[0].line, s.format(), s[-1].name, s[-1].lineno)
    print(traceback.format_list(s[:2]))
    print(traceback.format_exception(e, limit=1))
    print(traceback.format_exc(-1))
    te = traceback.TracebackException.from_exception(e)
    print(str(te), list(te.format_exception_only()), te.exc_type, len(te.stack), ''.join(te.format()), te.__cause__, te.__context__)
    print(list(traceback.walk_tb(t))[0][1])
    print(traceback.FrameSummary('a.py', 3, 'f', line='  zz ', locals={'a': 1}), traceback.FrameSummary('a.py', 3, 'f', lookup_line=False).line)
    print(s == traceback.extract_tb(t), s[0] == tuple(s[0]), s[0] == ('a',))
    print(traceback.StackSummary.from_list([('x.py', 1, 'g', 'code'), s[0]]).format())
    print(traceback.StackSummary.extract(traceback.walk_tb(t), limit=2).format())
try:
    try: 1/0
    except ZeroDivisionError as z: raise KeyError('a') from z
except KeyError as k:
    te = traceback.TracebackException.from_exception(k)
    print(te.__cause__.exc_type, te.__suppress_context__, list(te.__cause__.format_exception_only()), te == traceback.TracebackException.from_exception(k))
    g = ExceptionGroup('gg', [k, ValueError(3)])
    te = traceback.TracebackException.from_exception(g, max_group_width=1)
    print(len(te.exceptions), ''.join(te.format()))
def st():
    return traceback.format_stack(), traceback.extract_stack()[-1].name
print(st())
try: compile('a b', 'x', 'exec')
except SyntaxError as e:
    print(traceback.format_exception_only(type(e), e), traceback.format_exception(e)[-3:])
    te = traceback.TracebackException.from_exception(e)
    print(te.filename, te.lineno, te.text, te.offset, te.msg, te.end_lineno)
print(traceback.format_exception_only(KeyError, KeyError('x')), traceback.format_exception_only(ValueError, None), traceback.format_exception_only(None, None))
