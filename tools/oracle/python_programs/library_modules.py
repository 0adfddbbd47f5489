"""Programs on modules of the standard library that are written in Python here."""

# ---- dates and times
from datetime import *
d=datetime(2024,2,29,13,5,6,7)
print(d, repr(d), d.isoformat(), d.date(), d.time(), d+timedelta(days=366), d.weekday(), d.isocalendar(), d.strftime("%Y/%m/%d %H:%M:%S.%f %a %b %j %p %I"))
print(timedelta(hours=25, seconds=1.5), repr(timedelta(-1,3)), timedelta(days=1)/3, timedelta(1)//timedelta(hours=5), timedelta(1)%timedelta(hours=5), -timedelta(seconds=1))
print(datetime.strptime("2023-01-05 07:08:09.12", "%Y-%m-%d %H:%M:%S.%f"), datetime.fromisoformat("2023-01-05T07:08:09+02:00"))
print(date(2024,1,1)-date(2023,1,1), date(2024,1,1)<date(2024,1,2), date.fromisocalendar(2020,53,5), date.fromordinal(737000))
z=timezone(timedelta(hours=-5)); e=d.replace(tzinfo=z); print(e, repr(e), e.astimezone(timezone.utc), e.timestamp(), e.tzname(), e-datetime(2024,1,1,tzinfo=timezone.utc))
for f in [lambda: date(2023,2,30), lambda: datetime(2023,1,1)<datetime(2023,1,1,tzinfo=timezone.utc), lambda: datetime.strptime("x","%Y"), lambda: date.fromisoformat("2023-1-1"), lambda: timedelta("a")]:
    try: print(f())
    except Exception as ex: print(type(ex).__name__, ex)
print(time(1,2,3,4).isoformat(), time(1,2), repr(time(1,2,0,5)), f"{d:%d.%m.%y}", datetime.utcfromtimestamp(1e9+.5), hash(d)==hash(datetime(2024,2,29,13,5,6,7)), d==d.replace(), {d:1}[d])
print(datetime.min, datetime.max, timedelta.max, d.timetuple()[:8], sorted([d, datetime(2000,1,1)]))

# ---- fractions
from fractions import Fraction as F
print(F(3,6), repr(F("0.125")), F("-7/3"), F(0.1).limit_denominator(100), F(1,3)+F(1,6), F(1,3)*2, 2/F(1,3), F(7,2)//1, F(7,2)%1, divmod(F(7,2),1), F(1,2)**2, F(1,2)**-3, F(1,2)+0.5, round(F(7,2)), float(F(1,3)), F(1,2)==0.5, F(1,2)<F(2,3), hash(F(2,1))==hash(2), int(F(-7,2)), abs(F(-1,2)), -F(1,2), bool(F(0)), sum([F(1,3)]*3))
for f in [lambda:F(1,0), lambda:F("a"), lambda:F(1.5,2), lambda:F(None)]:
    try: print(f())
    except Exception as ex: print(type(ex).__name__, ex)

# ---- digests, base 64, uuid, csv and queues
import hashlib, base64, binascii, uuid, csv, io, queue, struct
for n in ["md5","sha1","sha256","sha512"]:
    for d in [b"", b"abc", b"x"*200, bytes(range(256))]: print(n, hashlib.new(n,d).hexdigest()[:40])
h=hashlib.sha256(); h.update(b"a"); g=h.copy(); h.update(b"b"); print(h.hexdigest(), g.hexdigest(), h.digest_size, h.block_size, h.name)
for d in [b"",b"a",b"ab",b"abc",b"\xff\xfe\xfd\xfc"]:
    e=base64.b64encode(d); print(e, base64.b64decode(e)==d, base64.b32encode(d), base64.b32decode(base64.b32encode(d))==d, base64.b16encode(d), base64.urlsafe_b64encode(d))
for f in [lambda:base64.b64decode("abc"), lambda:base64.b64decode("a"), lambda:base64.b64decode("ab*c", validate=True), lambda:binascii.unhexlify("abc"), lambda:binascii.unhexlify("zz"), lambda:hashlib.md5("a"), lambda: hashlib.new("foo")]:
    try: print(f())
    except Exception as ex: print(type(ex).__name__, ex)
print(binascii.crc32(b"hello"), binascii.hexlify(b"ab"), uuid.UUID(int=5), repr(uuid.uuid5(uuid.NAMESPACE_DNS,"python.org")), uuid.uuid3(uuid.NAMESPACE_URL,"x"), uuid.uuid4().version, len(str(uuid.uuid4())))
t='a,b,c\r\n1,"x, y","say ""hi"""\r\n,,\r\n"multi\nline",2,3\r\n'
print(list(csv.reader(io.StringIO(t)))); print(list(csv.DictReader(io.StringIO(t))))
o=io.StringIO(newline=''); w=csv.writer(o); w.writerows([[1,2.5,None,"a,b"],['q"q',"l\nm",""],[""]]); print(repr(o.getvalue()))
o=io.StringIO(); w=csv.DictWriter(o,["a","b"],extrasaction="ignore",lineterminator="\n"); w.writeheader(); w.writerow({"a":1,"b":2,"c":3}); print(o.getvalue())
print(list(csv.reader(["a;b;'c;d'"],delimiter=";",quotechar="'")), list(csv.reader(["1,2,\"a\""],quoting=csv.QUOTE_NONNUMERIC)))
try: csv.DictWriter(o,["a"]).writerow({"z":1})
except ValueError as e: print(e)
q=queue.Queue(2); q.put(1); q.put(2); print(q.full(), q.get(), q.qsize()); 
try: queue.Queue().get_nowait()
except queue.Empty: print("empty")
p=queue.PriorityQueue(); [p.put(x) for x in (3,1,2)]; print([p.get() for _ in range(3)])

# ---- threads, weak references, contexts
import threading, weakref, gc, contextvars, copyreg, atexit, errno, typing_extensions, secrets
l=threading.Lock()
with l: print(l.locked(), l.acquire(False))
print(l.locked(), threading.current_thread().name, threading.active_count(), threading.main_thread() is threading.current_thread())
r=threading.RLock()
with r:
    with r: print("rl")
d=threading.local(); d.x=1; print(d.x, hasattr(d,'y'))
class A:
    def m(self): return 5
a=A(); ref=weakref.ref(a); print(ref() is a, ref==weakref.ref(a), hash(ref)==hash(a))
k=weakref.WeakKeyDictionary(); k[a]=3; print(a in k, k[a], len(k), list(k.items())==[(a,3)])
v=weakref.WeakValueDictionary(); v['q']=a; print(v['q'] is a, 'q' in v, 'z' in v, list(v.keys()))
s=weakref.WeakSet([a]); print(a in s, len(s))
m=weakref.WeakMethod(a.m); print(m()())
p=weakref.proxy(a); print(p.m())
for x in [1,"a",(1,),[1],{},None]:
    try: weakref.ref(x)
    except TypeError as e: print(e)
print(weakref.ref(A) is not None, weakref.ref(lambda:1) is not None, gc.collect()>=0, gc.isenabled())
c=contextvars.ContextVar("c", default=1); t=c.set(2); print(c.get()); c.reset(t); print(c.get())
e=threading.Event(); e.set(); print(e.wait(), e.is_set()); print(errno.ENOENT, errno.errorcode[17])
with threading.Semaphore(1): print("sem")
try: l.release()
except RuntimeError as ex: print(ex)

# ---- argparse
import argparse, sys, io
def mk():
    p=argparse.ArgumentParser(prog="train", description="Train a network on data that is described in a rather long text which wraps over lines.", epilog="the end", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    p.add_argument("data", help="path to data")
    p.add_argument("extra", nargs="*", help="more")
    p.add_argument("-b","--batch-size", type=int, default=64, metavar="N", help="input batch size for training")
    p.add_argument("--lr", type=float, default=1.0, help="learning rate")
    p.add_argument("--no-cuda", action="store_true", default=False, help="disables CUDA training")
    p.add_argument("--opt", choices=["sgd","adam"], default="sgd")
    p.add_argument("-v","--verbose", action="count", default=0)
    p.add_argument("--list", action="append")
    p.add_argument("--flag", action=argparse.BooleanOptionalAction, default=True, help="a flag")
    p.add_argument("--pair", nargs=2, type=int)
    p.add_argument("--opt2", nargs="?", const="c", default="d")
    p.add_argument("--hidden", help=argparse.SUPPRESS)
    g=p.add_mutually_exclusive_group(); g.add_argument("--foo", action="store_true"); g.add_argument("--bar", action="store_const", const=5)
    g2=p.add_argument_group("special","special things"); g2.add_argument("--a-very-long-option-name-for-help", type=str, help="x y z")
    p.add_argument("--version", action="version", version="%(prog)s 1.0")
    return p
p=mk(); print(p.format_help()); print(p.format_usage())
def t(a, p=None):
    p=p or mk(); o,e=sys.stdout,sys.stderr; sys.stdout=so=io.StringIO(); sys.stderr=se=io.StringIO()
    try:
        try: r=repr(p.parse_args(a))
        except SystemExit as x: r="exit %s"%x.code
    finally: sys.stdout,sys.stderr=o,e
    print(a, r, so.getvalue()[-200:], se.getvalue()[-200:])
for a in [["d"],["d","-b","3","--lr=0.1","x","y"],["d","-vvv","--no-cuda"],["d","--opt","z"],[],["d","-b","x"],["d","--batch","5"],["d","--list","1","--list","2","--no-flag"],["d","--pair","1"],["d","--pair","1","2","--opt2","--foo"],["d","--foo","--bar"],["d","--unknown","1"],["--version"],["d","-b4","--","-x"],["d","--lr","-1.5"],["d","--o","sgd"],["d","--opt2=5"],["-v"],["d","--lr"],["d","-vb","3"]]: t(a)
def sub():
    p=argparse.ArgumentParser(prog="git"); s=p.add_subparsers(dest="cmd", required=True, help="sub help"); a=s.add_parser("add", help="adds", aliases=["a"]); a.add_argument("files", nargs="+"); b=s.add_parser("commit"); b.add_argument("-m", required=True); b.set_defaults(fn=len); return p
for a in [["add","x","y"],["commit","-m","hi"],["commit"],[],["zz"],["a","q"],["-h"],["add","-h"]]: t(a, sub())
q=argparse.ArgumentParser(prog="x", add_help=False); q.add_argument("--n", type=lambda s: int(s)); q.add_argument("rest", nargs=argparse.REMAINDER); print(q.parse_known_args(["--n","3","a","--b","c"])); t(["--n","z"], q)
ns=argparse.Namespace(a=1,b="x"); print(ns, ns==argparse.Namespace(a=1,b="x"), vars(ns), "a" in ns)
try: p.add_argument("--lr")
except argparse.ArgumentError as e: print(e)
r=argparse.ArgumentParser(prog="y", usage="%(prog)s [opts]", formatter_class=argparse.RawDescriptionHelpFormatter, description="a\n  b"); r.add_argument("--z", required=True, help="percent %% %(default)s"); print(r.format_help()); t([], r)

# ---- pickle and copy
import pickle, io, copy, collections, enum, datetime, fractions
class A:
    def __init__(self,x): self.x=x
    def __eq__(self,o): return type(o) is A and self.x==o.x
    def __repr__(self): return f"A({self.x!r})"
class B:
    def __getstate__(self): return {"q":1}
    def __setstate__(self,s): self.s=s
class C(list): pass
class D(dict): pass
class S:
    __slots__=("a","b")
class E(enum.Enum): X=1; Y="z"
class I(int): pass
class R:
    def __init__(self,v): self.v=v
    def __reduce__(self): return (R,(self.v,))
P=collections.namedtuple("P","x y")
def f(): pass
l=[1]; l.append(l)
c=C([1,2]); c.k=5
s=S(); s.a=1
vals=[None,True,0,255,256,65535,65536,-1,-129,2**31,-2**31,2**40,-2**63,2**100,1.5,float("inf"),"","abc","é€😀",b"",b"abc",b"x"*300,(),(1,),(1,2),(1,2,3),(1,2,3,4),[],[1],[1,2,3],{}, {"a":1},{1:2,"b":[3]},set(),{1},frozenset([2]),range(3),slice(1,2),...,NotImplemented,A(3),[A(1)]*2,B(),D(a=1),E.X,I(7),R(2),P(1,2),f,len,A,int,[].append,bytearray(b"q"),1+2j,ValueError("v",1),collections.OrderedDict(a=1),collections.Counter("aab"),collections.deque([1,2]),collections.defaultdict(list,{1:[2]}), datetime.date(2020,1,2), fractions.Fraction(1,2), list(range(1100)), A.__init__, "a".upper]
for v in vals:
    for p in (0,2,4):
        try:
            b=pickle.dumps(v,p); w=pickle.loads(b)
        except Exception as e: print(type(e).__name__, str(e).split(" at 0x")[0], p); continue
        name=type(v).__module__ in ("datetime","fractions") or isinstance(v,(collections.deque,collections.defaultdict)) or callable(v)
        if p in (2,4) and not name: print(p, len(b), b[:60] if len(b)<200 else hash(len(b)), repr(w)[:60].split(" at 0x")[0])
        else: print(repr(w)[:60].split(" at 0x")[0])
x=pickle.loads(pickle.dumps(l)); print(x[1] is x)
x=pickle.loads(pickle.dumps(c)); print(x, type(x).__name__, x.k)
x=pickle.loads(pickle.dumps(s)); print(x.a, hasattr(x,"b"))
x=pickle.loads(pickle.dumps(B())); print(x.s)
y=[1]; a,b=pickle.loads(pickle.dumps([y,y])); print(a is b)
for bad in [lambda:0, (i for i in []), type("L",(),{})()]:
    try: pickle.dumps(bad)
    except Exception as e: print(type(e).__name__, str(e).split(" at 0x")[0])
for bad in [b"", b"\x80", b"zz", b"\x80\x04N", b"\x80\x63N."]:
    try: print(pickle.loads(bad))
    except Exception as e: print(type(e).__name__, str(e))
class Pk(pickle.Pickler):
    def persistent_id(self,o): return ("pid",o.x) if isinstance(o,A) else None
class Up(pickle.Unpickler):
    def persistent_load(self,p): return A(p[1]*2)
o=io.BytesIO(); Pk(o).dump([A(1),A(2)]); o.seek(0); print(Up(o).load())
print(copy.copy(A(1)), copy.deepcopy([A(1)]), copy.copy(c), A(1).__reduce_ex__(2)[1:], copy.copy(s).a)

# ---- logging
import logging, io, sys
s=io.StringIO(); logging.basicConfig(stream=s, level=logging.INFO, format="%(levelname)-8s|%(name)s|%(funcName)s:%(lineno)d|%(message)s")
log=logging.getLogger("a.b"); log.info("x %d %s", 1, "y"); log.debug("no"); log.warning("w")
def f(): log.error("in f", extra={"k":1})
f()
print(s.getvalue())
print(log, log.parent, logging.getLogger("a").getEffectiveLevel(), log.isEnabledFor(10), logging.getLevelName(20), logging.getLevelName("INFO"), logging.getLevelName(33))
h=logging.StreamHandler(sys.stdout); h.setFormatter(logging.Formatter("{levelname} {message}", style="{")); log.addHandler(h); log.propagate=False; log.setLevel("DEBUG"); log.debug("dbg"); print(log.handlers[0].level, h)
log.removeHandler(h); h2=logging.NullHandler(); log.addHandler(h2); log.info("nothing")
class Fl(logging.Filter):
    def filter(self, r): return "keep" in r.getMessage()
l2=logging.getLogger("c"); l2.propagate=False; h3=logging.StreamHandler(sys.stdout); h3.addFilter(Fl()); l2.addHandler(h3); l2.warning("keep me"); l2.warning("drop")
ad=logging.LoggerAdapter(l2,{"u":1}); ad.warning("keep %s", "ad")
try: log.setLevel("X")
except ValueError as e: print(e)
logging.disable(logging.WARNING); l2.warning("keep no"); l2.error("keep err")

# ---- paths and files
from pathlib import Path, PurePosixPath, PurePath
import tempfile, os, shutil, glob
p=PurePosixPath("/a/b/c.tar.gz"); print(p, repr(p), p.name, p.stem, p.suffix, p.suffixes, p.parent, list(p.parents), p.parts, p/"x", "r"/PurePath("s"), p.with_suffix(".x"), p.with_name("q"), p.relative_to("/a"), p.is_absolute(), p.match("*.gz"), p.joinpath("d","e"), PurePath("a//b/./c/"), PurePath("."), p==PurePosixPath("/a/b/c.tar.gz"))
for f in [lambda:p.relative_to("/x"), lambda:p.with_suffix("x"), lambda:PurePath(3), lambda: p/3]:
    try: print(f())
    except Exception as ex: print(type(ex).__name__, ex)
with tempfile.TemporaryDirectory() as d:
    r=Path(d); (r/"x"/"y").mkdir(parents=True); (r/"x"/"f.txt").write_text("hi\nho"); (r/"x"/"y"/"g.py").write_bytes(b"123")
    print(sorted(str(q.relative_to(r)) for q in r.rglob("*")), (r/"x"/"f.txt").read_text().splitlines(), [q.name for q in r.glob("*/*.txt")], (r/"x").is_dir(), (r/"nope").exists(), (r/"x"/"y"/"g.py").stat().st_size)
    print(sorted(os.path.relpath(q,d) for q in glob.glob(d+"/**", recursive=True)), glob.glob("*/*.t?t", root_dir=d))
    shutil.copytree(r/"x", r/"z"); print(sorted(os.listdir(r/"z"))); shutil.rmtree(r/"x"); print(sorted(os.listdir(r)))
    with open(r/"z"/"f.txt") as fh: print(fh.read())
    try: (r/"no").read_text()
    except FileNotFoundError as ex: print(type(ex).__name__, ex.errno)
    shutil.move(str(r/"z"), str(r/"w")); print(os.listdir(r), os.path.exists(r/"w"))

# ---- built-in iterators are pickled and copied at their place
import copy, itertools, pickle
def made():
    return {
        'list': iter([1, 2, 3]), 'tuple': iter((1, 2, 3)), 'range': iter(range(2, 20, 5)), 'keys': iter({1: 2, 3: 4}), 'values': iter({1: 2, 3: 4}.values()),
        'items': iter({1: 2, 3: 4}.items()), 'set': iter({1, 2}), 'str': iter('a\u00e9c'), 'bytes': iter(b'abc'), 'enumerate': enumerate('ab', 5), 'zip': zip([1, 2], 'ab'),
        'strict': zip([1, 2], 'a', strict=True), 'map': map(abs, [-1, 2]), 'filter': filter(None, [0, 1, 2]), 'backwards': reversed([1, 2, 3]), 'tuple backwards': reversed((1, 2, 3)),
        'keys backwards': reversed({1: 2, 3: 4}), 'count': itertools.count(3), 'repeat': itertools.repeat('x', 3), 'generator': (x for x in [1, 2]),
    }
def rest(iterator):
    try:
        return list(itertools.islice(iterator, 4))
    except ValueError as error:
        return str(error)
for name in made():
    iterator = made()[name]
    next(iterator)
    try:
        print(name, rest(copy.copy(made()[name])), rest(pickle.loads(pickle.dumps(iterator))), rest(copy.deepcopy(iterator)), rest(iterator), rest(pickle.loads(pickle.dumps(iterator))))
    except TypeError as error:
        print(name, error)
print(iter([1, 2]).__reduce__()[1:], iter(range(5)).__reduce__()[1:], iter('ab').__reduce__()[1:], reversed([1, 2]).__reduce__()[1:])

# ---- classes and instances in isinstance; attributes of a dict with slots
import collections
class Called:
    def __call__(self): pass
for wrong in (Called(), (int, Called()), len):
    try:
        print(isinstance('a', wrong))
    except TypeError as error:
        print(error)
for value in (collections.defaultdict(int), {}, 3):
    try:
        print(vars(value))
    except TypeError as error:
        print(error)
class Slotted(dict):
    __slots__ = ('a',)
slotted = Slotted(k=1)
slotted.a = 2
print(slotted, slotted.a)
try:
    slotted.b = 3
except AttributeError as error:
    print(error)

# ---- a file that nobody closed is complete when it is opened again
import os, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'a.txt')
    open(path, 'w').write('one')
    print(open(path).read())
    open(path, 'ab').write(b' two')
    print(open(path, 'rb').read())

# ---- lines that a program keeps
import linecache
linecache.cache['<made>'] = (None, None, ['one\n', 'two\n'], '<made>')
print(repr(linecache.getline('<made>', 2)), repr(linecache.getline('<made>', 3)), linecache.getlines('<made>'), type(linecache.cache).__name__)
linecache.checkcache()
print('<made>' in linecache.cache, linecache.getlines('no such file'), linecache.updatecache('no such file'))
linecache.clearcache()
print(linecache.cache, repr(linecache.getline('<made>', 1)))
