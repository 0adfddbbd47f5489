# Programs that use the standard library.

# ---- dataclasses
import dataclasses
from dataclasses import *
from typing import ClassVar, List
@dataclass
class A:
    x: int
    y: float = 2.0
    z: list = field(default_factory=list)
    c: ClassVar[int] = 3
a=A(1); print(a, a==A(1), a!=A(2), fields(A)[0].name); print(A.__doc__)
try: A()
except TypeError as e: print(e)
try: A(1,2,3,4)
except TypeError as e: print(e)
@dataclass(order=True, frozen=True)
class P:
    a: int
    b: str = field(default='q', compare=False, repr=False)
p=P(1); print(p, P(1)<P(2), P(3)>=P(2), hash(p)==hash(P(1,'z')), {p:1}[P(1)])
try: p.a=4
except FrozenInstanceError as e: print(e)
try: del p.a
except FrozenInstanceError as e: print(e)
@dataclass
class B(A):
    w: int = 9
    _: KW_ONLY
    k: int = 1
    i: InitVar[int] = 5
    def __post_init__(self, i): self.sum=self.x+i
b=B(1,w=4,k=7,i=2); print(b,b.sum,B.__match_args__,asdict(b),astuple(b),replace(b,x=5,i=1))
try:
    @dataclass
    class C:
        a:int=1
        b:int
except TypeError as e: print(e)
try:
    @dataclass
    class C:
        a:list=[]
except ValueError as e: print(e)
M=make_dataclass('M',['a',('b',int),('c',int,field(default=4))],namespace={'f':lambda s:s.a}); print(M(1,2),M(1,2).f(), is_dataclass(M), is_dataclass(M(1,2)))
@dataclass
class T:
    kids: list
    d: dict
print(asdict(T([T([],{1:A(2)})],{})))
@dataclass(eq=False)
class E: 
    a:int
print(E(1)==E(1), E.__hash__ is object.__hash__)
@dataclass(unsafe_hash=True)
class U:
    a:int
print(hash(U(3))==hash((3,)))
print(A.__dataclass_params__, A.__init__.__qualname__, A.__init__.__annotations__)
@dataclass
class R:
    me: object=None
r=R(); r.me=r; print(r)
@dataclass(slots=True)
class S:
    a:int=1
print(S(), S.__slots__)
@dataclass(kw_only=True)
class K:
    a:int
    b:int=2
try: K(1)
except TypeError as e: print(e)
print(K(a=1))
match A(1,2,3):
    case A(x,y,z): print(x,y,z)
try: fields(3)
except TypeError as e: print(e)
try: asdict(A)
except TypeError as e: print(e)
try: dataclasses.field(default=3, default_factory=list)
except ValueError as e: print(e)
try:
    @dataclass
    class N(P):
        z:int=0
except TypeError as e: print(e)

# ---- enum
import enum
from enum import *
class Color(Enum):
    RED=1
    GREEN=2
    BLUE=auto()
    CRIMSON=1
    def hi(self): return self.name.lower()
print(repr(Color.RED), Color.RED, Color(2), Color['BLUE'], list(Color), len(Color), Color.CRIMSON is Color.RED, Color.RED.hi(), Color, f'{Color.RED:>12}|')
print(Color.__members__)
for f in (lambda: Color(9), lambda: Color['X'], lambda: setattr(Color,'RED',3), lambda: setattr(Color.RED,'value',3)):
    try: f()
    except Exception as e: print(type(e).__name__, e)
try:
    class D(Enum):
        A=1
        A=2
except TypeError as e: print(e)
try:
    class D(Color): X=1
except TypeError as e: print(e)
class Planet(Enum):
    EARTH=(5.9,6.3)
    MARS=(6.4,3.3)
    def __init__(self,m,r): self.m=m; self.r=r
    @property
    def g(self): return self.m/self.r
print(Planet.EARTH.g, Planet.EARTH, Planet((6.4,3.3)), Planet.MARS.value)
class Coord(Enum):
    def __new__(cls, v, label):
        o=object.__new__(cls); o._value_=v; o.label=label; return o
    A=(1,'a')
    B=(2,'b')
print(Coord.A.label, Coord(2), Coord.B.value)
class P(Flag):
    R=auto(); W=auto(); X=auto()
    RW=R|W
print(repr(P.R|P.W), P.RW, repr(P.R|P.X), P.R|P.X, P(0), repr(P(0)), P.R in P.RW, list(P.RW), ~P.R, bool(P(0)), P.R&P.W, P.R^P.RW, list(P), len(P.RW))
for f in (lambda: P(8), lambda: P.R|1, lambda: P('a'), lambda: P(-1), lambda: P(-9)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
class I(IntEnum):
    A=1; B=2
print(repr(I.A), I.A, I.A+1, I.A==1, I.A<I.B, [10,20,30][I.A], {1:'x'}[I.A], f'{I.B:03d}', int(I.B), I(2), sorted([I.B,I.A]), 3-I.A, I.B*2.5, -I.A, I.B|4, 5%I.B, I.A/2)
class S(StrEnum):
    A=auto(); B='bee'
print(repr(S.A), S.A, S.B=='bee', S.B.upper(), f'{S.B:>5}', S.A+'x', len(S.B), S('bee'), 'e' in S.B, {S.A:1}['a'])
class IF(IntFlag):
    A=1; B=2
print(repr(IF.A|IF.B), IF.A|IF.B, repr(IF(9)), repr(IF(8)), IF.A|4, repr(~IF.A), IF.A+1, repr(IF(0)), IF.A==1, repr(IF.A|8), repr(1|IF.B))
F=Enum('F','A B C'); print(list(F), F.A.value, F.__module__)
F=Enum('F',{'x':10,'y':20}); print(list(F))
F=Flag('FF',['q','r']); print(list(F))
try:
    @unique
    class U(Enum):
        A=1; B=1
except ValueError as e: print(e)
class M(Enum):
    A=1
    @classmethod
    def _missing_(cls, v): return cls.A if v=='a' else None
print(M('a'))
try: M('b')
except ValueError as e: print(e)
class Auto(Enum):
    @staticmethod
    def _generate_next_value_(name,start,count,last): return name+str(count)
    X=auto(); Y=auto()
print(list(Auto), Color.RED==Color.RED, Color.RED!=Color.GREEN, Color.RED==1, hash(Color.RED)==hash('RED'), isinstance(Color.RED,Color), type(Color.RED))
import copy
print(copy.copy(Color.RED) is Color.RED, copy.deepcopy([Color.RED])[0] is Color.RED)
class Base(Enum):
    def show(self): return f'<<{self.value}>>'
class Sub(Base):
    Z=3
print(Sub.Z.show(), Sub.Z.name)
print(Color.RED.__class__, Color.__name__, list(reversed(Color)), bool(Color), Color.RED in Color)
try: Color.RED < Color.GREEN
except TypeError as e: print(e)
print(FlagBoundary.STRICT, repr(KEEP))
class T(tuple, Enum):
    A=1,2
print(repr(T.A), T.A[0])
class WithNested(Enum):
    A=1
    __private=3
    _x=5
    def f(self): pass
    g=lambda self: self.value
print(list(WithNested), WithNested.A.g())
class Hash(Enum):
    A=[1]
    B=[2]
print(Hash([2]), Hash.A)

# ---- typing
import typing
from typing import *
from dataclasses import dataclass
T=TypeVar('T'); K=TypeVar('K',bound=int); P=ParamSpec('P')
for x in [Any, List[int], Dict[str,int], Optional[int], Union[int,str,int], Union[int,None,str], Tuple[int,...], Tuple[int,str], Tuple[()], Callable[[int,str],bool], Callable[...,int], Callable[P,int], Literal[1,'a',True], ClassVar[int], Final[str], List, Dict, Callable, Type[int], Iterable[T], Mapping[str,T][int], List[T][str], Annotated[int,'x',3], Optional['Foo'], List['Foo'], T, K, Sequence[int], Deque[int], Union[List[int],Dict[str,Tuple[int,int]]], NoReturn, Self, Generator[int,None,str], Set[int], FrozenSet[str], AnyStr, Optional[Callable[[int],int]], Concatenate[int,P], DefaultDict[str,int], int|None, list[int]|str, Iterator, Pattern, Hashable]:
    print(x, get_origin(x), get_args(x))
print(List[int]==List[int], Union[int,str]==Union[str,int], hash(List[int])==hash(List[int]), Optional[int]==Union[int,None], Union[int,str]==(int|str))
class Stack(Generic[T]):
    def __init__(self): self.x=[]
    def push(self,v:T)->None: self.x.append(v)
s=Stack[int](); s.push(1); print(s.x, Stack[int], Stack.__parameters__, Stack[int].__origin__ is Stack, s.__orig_class__)
class M(Mapping[str,T]):
    def __getitem__(self,k): return k
    def __len__(self): return 0
    def __iter__(self): return iter(())
print(M().get('q'), M.__mro__[1], isinstance(M(), Mapping))
class N(NamedTuple):
    x:int
    y:str='a'
    def f(self): return self.x
print(N(1), N(1).f(), N(2,'b')._asdict(), N._fields, N.__annotations__, N._field_defaults)
N2=NamedTuple('N2',[('a',int),('b',str)]); print(N2(1,'x'))
class TD(TypedDict):
    a:int
    b:str
class TD2(TD,total=False):
    c:int
print(TD(a=1,b='x'), TD.__annotations__, sorted(TD2.__required_keys__), sorted(TD2.__optional_keys__), TD2.__total__)
@runtime_checkable
class Pr(Protocol):
    def run(self)->int: ...
class R:
    def run(self): return 1
print(isinstance(R(),Pr), isinstance(3,Pr), issubclass(R,Pr))
class Pr2(Protocol):
    x:int
for f in (lambda:isinstance(3,Pr2), lambda:Pr(), lambda:Any(), lambda:isinstance(1,Any), lambda:Union[1], lambda:List[int,str], lambda:isinstance([],List[int]), lambda:Optional[int,str], lambda: Dict[int], lambda:Generic[int], lambda:Stack[int,str], lambda: Union[int,str]()):
    try: print(f())
    except TypeError as e: print(e)
def f(a:int, b:'Optional[Foo]'=None, *c:'int')->'List[Foo]': ...
class Foo: 
    z:'Foo'
    w:ClassVar[int]=3
print(get_type_hints(f), get_type_hints(Foo), get_type_hints(N))
print(cast(int,'x'), NewType('UserId',int), NewType('UserId',int)(5), TYPE_CHECKING)
def g(x:Annotated[int,'m'])->None: ...
print(get_type_hints(g), get_type_hints(g,include_extras=True))
@overload
def h(a:int)->int: ...
@overload
def h(a:str)->str: ...
def h(a): return a
print(h(3), len(get_overloads(h)))
print(isinstance([],List), issubclass(list,List), isinstance({},Mapping), isinstance(3,SupportsInt))
print(T.__name__, K.__bound__, T.__constraints__, AnyStr.__constraints__)
class G(Generic[T], Sequence[T]):
    def __getitem__(self,i): return i
    def __len__(self): return 3
print([c.__name__ for c in G.__mro__], G[int])
print(ForwardRef('int'), ForwardRef('a')==ForwardRef('a'))
print(List[Any], Dict[Any,Optional[float]], Union[int], Optional[None], Literal['a'].__args__)
@final
class Z: pass
print(Z.__final__)

# ---- functools
import functools, collections, operator, itertools, contextlib, copy, random, re, json, math, time, sys, abc, types, warnings
from functools import *
from collections import *
print(reduce(operator.add,[1,2,3],10), partial(int,base=2)('101'), partial(print,1,sep='-'))
@lru_cache(maxsize=2)
def f(x,y=1): 
    print('call',x,y); return x+y
print(f(1),f(1),f(2,y=3),f(1,1),f.cache_info()); f.cache_clear(); print(f.cache_info(), f.__name__, f.__wrapped__.__name__)
@cache
def fib(n): return n if n<2 else fib(n-1)+fib(n-2)
print(fib(100))
class A:
    @cached_property
    def v(self): print('once'); return 5
    @lru_cache
    def m(self,x): return x*2
a=A(); print(a.v,a.v,a.m(3),a.m(3))
def deco(g):
    @wraps(g)
    def w(*a): 'inner'; return g(*a)
    return w
@deco
def hello(x): 'doc'; return x
print(hello.__name__, hello.__doc__, hello.__wrapped__(3))
@total_ordering
class V:
    def __init__(s,x): s.x=x
    def __eq__(s,o): return s.x==o.x
    def __lt__(s,o): return s.x<o.x
print(V(1)<=V(1), V(2)>V(1), V(1)>=V(2))
print(sorted([3,1,2],key=cmp_to_key(lambda a,b:b-a)))
@singledispatch
def sd(x): return 'obj'
@sd.register(int)
def _(x): return 'int'
@sd.register
def _(x:list): return 'list'
print(sd(1),sd('a'),sd([]),sd(True))
class PM:
    def f(self,a,b): return (a,b)
    g=partialmethod(f,1)
print(PM().g(2))

# ---- collections
import functools, collections, operator, itertools, contextlib, copy, random, re, json, math, time, sys, abc, types, warnings
from functools import *
from collections import *
P=namedtuple('P','x y',defaults=[5]); p=P(1); print(p,p.x,p._replace(y=2),p._asdict(),P._fields,p==(1,5),P._make([3,4]),P.__name__,repr(P))
try: P()
except TypeError as e: print(e)
try: P(1,2,3)
except TypeError as e: print(e)
try: namedtuple('Q','a a')
except ValueError as e: print(e)
x,y=p; print(x,y, p[0], len(p), P.x.__doc__)
c=Counter('abracadabra'); print(c, c.most_common(2), c['z'], c+Counter('aaa'), c-Counter('aaa'), sorted(c.elements()), c.total(), c&Counter('ab'), c|Counter('zz'))
d=defaultdict(list); d['a'].append(1); print(d, d['b'], dict(d), 'q' in d)
o=OrderedDict(a=1,b=2,c=3); o.move_to_end('a'); print(o, o.popitem(), list(reversed(o)), o==OrderedDict(b=2,c=3)); o.move_to_end('c',last=False); print(o)
dq=deque([1,2,3],maxlen=3); dq.append(4); print(dq, dq[0], dq.popleft()); dq.rotate(1); dq.appendleft(9); print(dq, list(dq), 4 in dq, dq.index(4) if 4 in dq else None); dq.extendleft([7,8]); print(dq)
q=deque(range(10)); q.rotate(3); print(q, q.pop(), q.count(3)); q.remove(5); print(len(q), q==deque(q), deque([1])+deque([2]), deque([1])*2)
try: deque().pop()
except IndexError as e: print(e)
try: 
    for i in q: q.append(1)
except RuntimeError as e: print(e)
cm=ChainMap({'a':1},{'a':2,'b':3}); print(cm['a'],cm['b'],dict(cm),len(cm),cm.new_child({'z':1}))
class UD(UserDict):
    def __setitem__(s,k,v): super().__setitem__(k.upper(),v)
u=UD(a=1); u['b']=2; print(u, u.get('A'), dict(u))
print(UserList([1,2])+[3], UserString('abc').upper())

# ---- operator and itertools
import functools, collections, operator, itertools, contextlib, copy, random, re, json, math, time, sys, abc, types, warnings
from functools import *
from collections import *
print(operator.itemgetter(1,0)('ab'), operator.attrgetter('real')(3), operator.methodcaller('upper')('x'), operator.itemgetter(2), operator.attrgetter('a.b'))
print(list(itertools.chain([1],[2,3])), list(itertools.chain.from_iterable(['ab','c'])), list(itertools.accumulate([1,2,3])), list(itertools.accumulate([1,2,3],operator.mul,initial=2)))
print(list(itertools.product('ab',repeat=2)), list(itertools.permutations('abc',2)), list(itertools.combinations('abcd',2))[:3], list(itertools.combinations_with_replacement('ab',2)))
print([(k,list(g)) for k,g in itertools.groupby('aabbc')], list(itertools.zip_longest('ab','c',fillvalue='-')), list(itertools.islice('abcdef',1,5,2)), list(itertools.pairwise('abc')))
print(list(itertools.starmap(pow,[(2,3)])), list(itertools.takewhile(lambda x:x<3,range(9))), list(itertools.dropwhile(lambda x:x<3,range(5))), list(itertools.filterfalse(None,[0,1])), list(itertools.compress('abc',[1,0,1])), itertools.count(3,2), itertools.repeat(1,3), list(itertools.repeat(1,3)))
a1,b1=itertools.tee([1,2,3]); print(list(a1),list(b1), next(itertools.cycle([5])), list(itertools.islice(itertools.count(1.5,0.5),3)))
for e in ('itertools.islice([1],-1)','itertools.combinations([1],-1)','itertools.product([1],repeat=-1)','itertools.count("a")','itertools.permutations("a",1.5)', 'itertools.chain(1).__next__()'):
    try: print(eval(e))
    except Exception as ex: print(type(ex).__name__, ex)

# ---- contextlib
import functools, collections, operator, itertools, contextlib, copy, random, re, json, math, time, sys, abc, types, warnings
from functools import *
from collections import *
@contextlib.contextmanager
def cmg(x):
    print('in'); 
    try: yield x
    except ValueError as e: print('caught',e)
    finally: print('out')
with cmg(3) as v: print(v)
with cmg(3): raise ValueError('boo')
try:
    with cmg(1): raise KeyError('k')
except KeyError as e: print('key',e)
with contextlib.suppress(ZeroDivisionError): 1/0
with contextlib.ExitStack() as st:
    st.enter_context(cmg(1)); st.callback(print,'cb'); print('body')
import io
buf=io.StringIO()
with contextlib.redirect_stdout(buf): print('hidden')
print(repr(buf.getvalue()))
with contextlib.nullcontext(4) as n: print(n)
class CD(contextlib.ContextDecorator):
    def __enter__(s): print('E'); return s
    def __exit__(s,*a): print('X')
@CD()
def ff(): print('ff')
ff()

# ---- copy, types, abc, warnings
import functools, collections, operator, itertools, contextlib, copy, random, re, json, math, time, sys, abc, types, warnings
from functools import *
from collections import *
l=[1,[2,3],{'a':[4]}]; m=copy.deepcopy(l); m[1].append(9); print(l,m,copy.copy(l)[1] is l[1])
class O:
    def __init__(s): s.a=[1]; s.me=s
o=O(); o2=copy.deepcopy(o); print(o2.a is o.a, o2.me is o2, copy.copy(o).a is o.a)
print(types.SimpleNamespace(a=1), types.FunctionType, isinstance(len,types.BuiltinFunctionType), types.MappingProxyType({'a':1}))
class Ab(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
try: Ab()
except TypeError as e: print(e)
class Im(Ab):
    def f(self): return 1
print(Im().f(), isinstance(Im(),Ab)); Ab.register(int); print(isinstance(3,Ab), issubclass(int,Ab))
from collections.abc import *
print(isinstance([],Sequence),isinstance({},Mapping),isinstance((x for x in []),Generator),isinstance(3,Hashable),isinstance([],Hashable),isinstance(print,Callable),isinstance('a',Iterable),isinstance(iter([]),Iterator), Iterable[int])
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter('always'); warnings.warn('hey'); warnings.warn('dep',DeprecationWarning)
print(len(w), w[0].message, w[0].category, w[1].category.__name__)
with warnings.catch_warnings():
    warnings.simplefilter('error')
    try: warnings.warn('err')
    except UserWarning as e: print('raised',e)

# ---- random
import random
for s in [*range(30), 'abc', 'é', b'xy', 1.5, -2.5, None.__class__.__name__, 2**70, -7, True, 10**30, 'x'*200, 0.1, 3e300, 12345, 99, 'seed', 7.0, b'', '', 2**32, 2**31]:
    random.seed(s); r=random
    print(repr(s)[:12], r.random(), r.getrandbits(9), r.getrandbits(40), r.randint(1,6), r.randrange(0,100,7), r.randrange(10), r.choice('abcdef'), r.choices([1,2,3],k=3), r.choices('ab',weights=[1,5],k=4), r.sample(range(100),5), r.sample('abcdefgh',8), r.sample(range(10**6),30)[-3:], r.uniform(2,5))
    l=list(range(12)); r.shuffle(l); print(l, r.gauss(0,1), r.gauss(1,2), r.normalvariate(0,1), r.lognormvariate(0,.5), r.expovariate(1.5), r.betavariate(2,3), r.gammavariate(.5,1), r.gammavariate(1,2), r.gammavariate(3,2), r.triangular(0,1,.3), r.paretovariate(3), r.weibullvariate(1,2), r.vonmisesvariate(0,4), r.randbytes(5), r.sample(['a','b'],counts=[3,2],k=3))
R=random.Random(4); st=R.getstate(); a=R.random(); R.setstate(st); print(a==R.random(), len(st[1]), random.Random(4).random()==a)
for f in (lambda:random.randint(5,1),lambda:random.choice([]),lambda:random.sample([1],2),lambda:random.randrange(0),lambda:random.seed([]),lambda:random.sample({1},1),lambda:random.choices([1],[0]), lambda:random.getrandbits(-1), lambda:random.choices([1,2],5)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
class My(random.Random):
    def random(self): return .5
print(My().uniform(0,2), My(3).random())

# ---- json
import json, random
random.seed(1)
def val(d=0):
    k=random.randrange(10 if d<4 else 7)
    if k==0: return None
    if k==1: return random.random()<.5
    if k==2: return random.randint(-10**random.randint(0,25),10**6)
    if k==3: return random.uniform(-1,1)*10**random.randint(-20,20)
    if k in(4,5,6): return ''.join(chr(random.choice([random.randint(0,127),random.randint(128,0x2fff),0x1f600,34,92,10])) for _ in range(random.randint(0,8)))
    if k==7: return tuple(val(d+1) for _ in range(random.randint(0,3)))
    if k==8: return [val(d+1) for _ in range(random.randint(0,4))]
    return {random.choice([str(random.randint(0,99)),random.randint(0,99),None,True,1.5,'é']):val(d+1) for _ in range(random.randint(0,4))}
h=0
for i in range(150):
    v=val(); s=json.dumps(v); print(s); 
    w=json.loads(s); print(repr(w)); print(json.dumps(v,indent=2)==json.dumps(w,indent=2), json.dumps(w,sort_keys=True,indent='\t',ensure_ascii=False).encode('utf-8','surrogatepass'), json.dumps(v,separators=(',',':')))
bad=['','[','[1','[1,','[1,]','{','{"a"','{"a":','{"a":1','{"a":1,','{"a":1,}','{a:1}',"{'a':1}",'nul','tru','"abc','"a\nb"','"\\x"','"\\u12"','01','1.','.5','-','1e','[1 2]','{"a" 1}','1 2','\ufeff1','Infinity','-Infinity','NaN','"\\ud83d\\ude00"','"\\ud83d"',' [1] ','[]]','\x00','"\\u00g0"','[,]','{,}','😀','["😀" x]','+1','1.0e5','1E5','-0','-0.0','1'*30,'[1,\n2,\n x]']
for b in bad:
    try: print(repr(json.loads(b)))
    except json.JSONDecodeError as e: print(repr(b), e, e.msg, e.pos, e.lineno, e.colno)
class Foo: pass
for f in (lambda:json.dumps(Foo()),lambda:json.dumps({(1,2):3}),lambda:json.dumps({1,2}),lambda:json.dumps(float('nan')),lambda:json.dumps(float('inf'),allow_nan=False),lambda:json.dumps({(1,):2,'a':1},skipkeys=True),lambda:json.loads(5),lambda:json.dumps(3+4j),lambda:json.dumps({1:2,'a':3},sort_keys=True),lambda:json.dumps(Foo(),default=lambda o:'foo'),lambda:json.dumps([1,{'b':2,'a':[]},{}],indent=4),lambda:json.loads('{"a":1}',object_hook=lambda d:list(d)),lambda:json.loads('[1.5,2]',parse_float=str,parse_int=lambda s:s+'!'),lambda:json.loads('{"a":1,"a":2}',object_pairs_hook=list),lambda:json.loads('NaN',parse_constant=lambda s:s), lambda: json.loads(b'[1]')):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
l=[]; l.append(l)
try: json.dumps(l)
except ValueError as e: print(e)
class E(json.JSONEncoder):
    def default(self,o): return {'x':1} if isinstance(o,Foo) else super().default(o)
print(json.dumps([Foo()],cls=E), E().encode({'a':Foo()}), json.JSONDecoder().raw_decode('[1] x'))
import io
b=io.StringIO(); json.dump({'a':1},b); b.seek(0); print(json.load(b))
try: json.loads('[')
except ValueError as e: print(type(e), isinstance(e,json.decoder.JSONDecodeError))

# ---- io, os, tempfile
import io, os, tempfile, os.path as p
s=io.StringIO('a\nb\nc'); print(s.read(1), s.readline(), list(s), s.getvalue(), s.tell()); s.seek(0); s.write('ZZ'); print(s.getvalue(), s.readlines()); s.seek(0,2); s.write('!'); print(repr(s.getvalue())); s.truncate(2); print(s.getvalue())
b=io.BytesIO(b'abc\ndef'); print(b.read(2), b.readline(), b.read(), b.getvalue()); b.seek(1); b.write(b'XX'); print(b.getvalue(), b.tell())
b.close()
for f in (lambda:b.read(), lambda:s.write(b'x'), lambda:io.BytesIO('x'), lambda:open('/nonexistent/x'), lambda:open('/tmp'), lambda:open('x','q'), lambda:open('x','rw'), lambda:open('x','bt')):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
with tempfile.TemporaryDirectory() as d:
    f=p.join(d,'x.txt')
    with open(f,'w') as h: print(h.write('hello\nworld\n'), h.name==f, h.mode); h.writelines(['1\n','2'])
    with open(f) as h: print(h.read())
    for line in open(f): print(repr(line))
    with open(f,'a') as h: h.write('END')
    with open(f,'rb') as h: print(h.read(), h.mode)
    with open(f,'r+') as h: print(h.readline()); h.write('ZZ'); 
    print(open(f).read())
    with open(f) as h:
        try: h.write('x')
        except io.UnsupportedOperation as e: print(e)
    print(h.closed)
    try: h.read()
    except ValueError as e: print(e)
    os.makedirs(p.join(d,'a','b')); print(sorted(os.listdir(d)), p.isdir(p.join(d,'a')), p.isfile(f), p.getsize(f), p.exists(p.join(d,'zz')))
    for root,ds,fs in os.walk(d): print(root==d, sorted(ds), sorted(fs))
    os.rename(f,p.join(d,'y')); os.remove(p.join(d,'y')); print(os.listdir(d))
    try: os.remove(f)
    except FileNotFoundError as e: print(e.errno, e.strerror, e.filename==f)
    try: open(p.join(d,'x'),'x').close(); open(p.join(d,'x'),'x')
    except FileExistsError as e: print('exists', e.errno)
print(p.exists(d))
with tempfile.NamedTemporaryFile('w+',suffix='.py') as t: t.write('q'); t.seek(0); print(t.read(), t.name.endswith('.py'))
print(p.join('a','b','/c','d'), p.split('/a/b.c'), p.splitext('a/b.tar.gz'), p.splitext('.x'), p.basename('/a/'), p.dirname('/a/b'), p.normpath('a/./b/../c//d'), p.isabs('/x'), p.relpath('/a/b','/a/c'), p.commonprefix(['abc','abd']), p.commonpath(['/a/b','/a/c']), p.normpath('/../x'), p.normpath('../..'))
print(os.sep, os.linesep, os.name, os.getcwd()==p.abspath('.'), os.environ.get('NOPE','dflt'), os.getenv('NOPE'))

# ---- textwrap, string, statistics, pprint, inspect and others
import textwrap, string, statistics as st, pprint, numbers, copy, inspect, traceback, sys, keyword, bisect, heapq, functools, operator
t="The quick brown fox—jumped over the lazy-dog's back, and re-entered the well-known hole in-between; supercalifragilisticexpialidocious! -- end."
for w in (10,20,33,70): print(textwrap.wrap(t,w)); print(textwrap.fill(t,w,initial_indent='* ',subsequent_indent='  '))
print(textwrap.dedent('  a\n    b\n\n  c'), textwrap.indent('a\n\nb','> '), textwrap.shorten(t,30), textwrap.wrap(t,20,max_lines=2), textwrap.wrap(t,12,break_long_words=False,break_on_hyphens=False), textwrap.wrap('a  b\tc. D',80,fix_sentence_endings=True), textwrap.wrap('',5), textwrap.wrap('  x  y',4,drop_whitespace=False))
print(string.ascii_letters, string.digits, string.punctuation, repr(string.whitespace), string.capwords('hello world foo'), string.Template('$a ${b} $$ $c').safe_substitute(a=1,b=2))
for f in (lambda: string.Template('$a').substitute(), lambda: string.Template('$ x').substitute(), lambda: string.Template('hi $name').substitute({'name':'Bob'})):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
d=[2.5,3.25,5.5,11.25,11.75,1]; e=[1,2,3,4,4]
print(st.mean(d), st.mean(e), st.mean([1,2]), st.mean([1,3]), st.median(d), st.median(e), st.mode(e), st.stdev(d), st.pstdev(d), st.variance(d), st.pvariance(e), st.fmean(e), st.geometric_mean(d), st.harmonic_mean([40,60]), st.quantiles(d), st.quantiles(d,n=10,method='inclusive'), st.median_low(e), st.median_high(e), st.multimode('aabb'), st.median_grouped(e), st.stdev([1,2,3,4]), st.variance([1,2,3,4]), st.correlation(d,[1,2,3,4,5,6]), st.covariance(d,[1,2,3,4,5,6]), st.linear_regression(d,[1,2,3,4,5,6]), st.mean([0.1]*10), st.stdev([0.1,0.2,0.3]), st.pvariance([0.1,0.2],0.15), st.mean([True,False]), st.stdev([1e10,1e10+1,1e10+2]))
for f in (lambda:st.mean([]), lambda:st.stdev([1]), lambda:st.mode([]), lambda:st.median([]), lambda:st.mean(['a'])):
    try: print(f())
    except Exception as ex: print(type(ex).__name__, ex)
n=st.NormalDist(10,2); print(n, n.cdf(12), n.pdf(10), n.zscore(14), n+n, n*2, n.samples(2,seed=1))
pprint.pprint({'b':list(range(40)),'a':{'x':'y'*60,'z':[1,2,{'q':('w'*30,'v'*40)}]}}); pprint.pprint([1,2]); pprint.pprint({'k':1,'a':2}); pprint.pprint([{'name':'alpha','values':[1.5,2.5]}]*3, width=40); print(pprint.pformat('long text '*12)); pprint.pprint(set(range(30))); pprint.pprint([[1,[2,[3,[4]]]]],depth=2); pprint.pprint({1:'a','b':2}, indent=4,width=10)
print(isinstance(1,numbers.Integral), isinstance(1.0,numbers.Real), isinstance(1,numbers.Rational), isinstance(1.0,numbers.Rational), isinstance(1j,numbers.Complex), isinstance('1',numbers.Number), isinstance(True,numbers.Integral))
def f(a,b:int=2,/,c=3,*args,d,e:'str'="x",**kw)->float: return 1
print(inspect.signature(f), inspect.getfullargspec(f), list(inspect.signature(f).parameters.values()), inspect.signature(lambda x,*,y=1:0), inspect.signature(functools.partial(f,1,d=3)))
ba=inspect.signature(f).bind(1,2,3,4,5,d=6,z=7); print(ba, ba.args, ba.kwargs); ba=inspect.signature(f).bind(1,d=2); ba.apply_defaults(); print(ba.arguments)
for g in (lambda:inspect.signature(f).bind(1), lambda:inspect.signature(f).bind(), lambda:inspect.signature(lambda a:0).bind(1,2), lambda:inspect.signature(lambda a:0).bind(1,b=2), lambda:inspect.signature(3)):
    try: print(g())
    except Exception as ex: print(type(ex).__name__, ex)
class K:
    "doc of K"
    def __init__(self,x,y=2): pass
    def m(self,q): return q
    @classmethod
    def c(cls,z): pass
    @staticmethod
    def s(w): pass
    @property
    def p(self): return 1
print(inspect.signature(K), inspect.signature(K(1).m), inspect.signature(K.m), inspect.signature(K.c), inspect.signature(K.s), inspect.getdoc(K), inspect.isclass(K), inspect.isfunction(f), inspect.ismethod(K(1).m), inspect.isbuiltin(len), inspect.isgeneratorfunction(f), inspect.ismodule(inspect))
print([n for n,_ in inspect.getmembers(K,inspect.isfunction)], inspect.cleandoc('  a\n    b\n   c'), inspect.stack()[0].function, inspect.getmro(K)[-1])
try: 1/0
def boom(): raise KeyError('k')
try: boom()
except KeyError as ex: print(traceback.format_exception_only(ex), traceback.extract_tb(ex.__traceback__)[-1].name, traceback.extract_tb(ex.__traceback__)[-1].lineno); print(sys.exc_info()[0])
print(bisect.bisect([1,2,2,3],2), bisect.bisect_left([1,2,2,3],2), keyword.iskeyword('if'))
h=[5,1,4,2]; heapq.heapify(h); print(h, heapq.heappop(h), heapq.heappushpop(h,3), heapq.nlargest(2,h), heapq.nsmallest(2,[3,1,2]), list(heapq.merge([1,4],[2,3],key=lambda x:x)), list(heapq.merge([4,1],[3,2],reverse=True))); heapq.heappush(h,0); print(h)
c=copy.deepcopy({'a':[1,{2}],'b':(1,[2])}); print(c, copy.copy([1]), copy.copy(K(1)).__class__, copy.deepcopy(f) is f)

# ---- re
import re
print(re.compile(r'a(?P<n>b)', re.I|re.M), re.I, re.I|re.S, repr(re.I), re.compile('x').flags, re.compile('x',re.A).flags)
m=re.match(r'(?P<a>\w+) (?P<b>\d+)?(x)?','hello 12'); print(m, m.groups(), m.groupdict(), m['a'], m[2], m.span('b'), m.start(), m.end(2), m.lastgroup, m.lastindex, m.expand(r'\2-\g<a>'), m.string, m.re.pattern, m.pos, m.endpos, bool(m), m.group(1,2), m.group(3), m.groups('?'))
print(re.sub(r'(\w+) (\w+)',r'\2 \1','hello world'), re.sub('a','b','aaa',2), re.sub(r'\d+',lambda m:str(int(m[0])*2),'a1b22'), re.subn('x','y','xx'), re.split(r'(,)\s*','a, b,c'), re.findall(r'(\w)=(\d)','a=1 b=2'), [x.group() for x in re.finditer('o','foo')], re.escape('a.b*c-d e'), re.fullmatch('a+','aaa'), re.search('z','a'))
for f in (lambda:re.compile('('), lambda:re.compile('*'), lambda:re.sub('a',r'\9','a'), lambda:re.sub('(?P<x>a)',r'\g<y>','a'), lambda:re.match('a',5), lambda:re.match(b'a','a'), lambda:re.compile(5), lambda:m.group('zz'), lambda:re.compile('a\n(b'), lambda:re.compile(re.compile('a'),re.I)):
    try: print(f())
    except Exception as e: print(type(e), e)
try: re.compile('a(b')
except re.error as e: print(e.msg,e.pattern,e.pos,e.lineno,e.colno)
print(re.match(b'(a)(.)',b'ab').groups(), re.sub(b'a',b'x',b'banana'), re.findall(rb'\w',b'\xe9a'), re.split(b',',b'a,b'))
p=re.compile('a'); print(p==re.compile('a'), hash(p)==hash(re.compile('a')), {p:1}[re.compile('a')], p.groupindex, p.groups, isinstance(p,re.Pattern), type(m))
import copy
print(copy.deepcopy(p) is p, re.purge())

# ---- unittest
import unittest, sys, warnings
class T(unittest.TestCase):
    @classmethod
    def setUpClass(cls): print('class')
    def setUp(self): self.addCleanup(lambda: None)
    def test_ok(self): self.assertEqual(1,1); self.assertTrue(True); self.assertIn(1,[1])
    def test_fail(self): 
        "A doc line."
        self.assertEqual(1,2,'why')
    def test_list(self): self.assertEqual([1,2,3],[1,2,4])
    def test_dict(self): self.assertEqual({'a':1,'b':2},{'a':1,'b':3})
    def test_str(self): self.assertEqual('hello\nworld','hello\nwurld')
    def test_error(self): {}['x']
    @unittest.skip('no')
    def test_skip(self): pass
    def test_skip2(self): self.skipTest('later')
    @unittest.expectedFailure
    def test_xf(self): self.fail()
    @unittest.expectedFailure
    def test_us(self): pass
    def test_raises(self):
        with self.assertRaises(ValueError) as cm: raise ValueError('q')
        self.assertEqual(str(cm.exception),'q')
        with self.assertRaisesRegex(ValueError,'a+'): raise ValueError('caab')
        self.assertRaises(KeyError, lambda: {}[1])
        with self.assertWarns(UserWarning): warnings.warn('x')
    def test_nr(self):
        with self.assertRaises(ValueError): pass
    def test_rx(self):
        with self.assertRaisesRegex(ValueError,'abc'): raise ValueError('xyz')
    def test_sub(self):
        for i in range(3):
            with self.subTest('m',i=i): self.assertEqual(i%2,0)
    def test_almost(self): self.assertAlmostEqual(1.0,1.1)
    def test_set(self): self.assertEqual({1},{2})
    def test_count(self): self.assertCountEqual([1,1,2],[1,2,3])
    def test_in(self): self.assertIn(3,[1])
    def test_is(self): self.assertIsNone(3)
    def test_inst(self): self.assertIsInstance(3,str)
    def test_regex(self): self.assertRegex('abc','x')
    def test_less(self): self.assertLess(3,2)
    def test_tuple(self): self.assertEqual((1,2),(1,2,3))
    def test_long(self): self.assertEqual('a'*100+'b','a'*100+'c')
@unittest.skip('all')
class S(unittest.TestCase):
    def test_a(self): pass
import io
for verbosity in (1, 2):
    stream = io.StringIO()
    result = unittest.TextTestRunner(stream, verbosity=verbosity).run(unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__]))
    print([line for line in stream.getvalue().split('\n') if not line.startswith(('Ran', '    ', '  File'))], result)

# ---- struct
import struct
from struct import *
for f,v in (('<i',[1]),('>h',[-2]),('!Q',[2**63]),('@bhilq',[1,2,3,4,5]),('=bhilq',[1,2,3,4,5]),('<2f d',[1.5,-2.25,.1]),('3s5sx?',[b'ab',b'abcdefg',True]),('4p',[b'abcdef']),('<3B',[1,2,255]),('c',[b'x']),('n',[-1])):
    b=pack(f,*v); print(f,b,unpack(f,b),calcsize(f))
for g in (lambda:pack('b',200),lambda:pack('i','x'),lambda:pack('ii',1),lambda:unpack('i',b'1'),lambda:calcsize('z'),lambda:pack('H',-1),lambda:pack('<I',2**40),lambda:pack('f','a'),lambda:pack('s','x'),lambda:pack('h',40000),lambda:calcsize('3')):
    try: print(g())
    except struct.error as e: print(e)
s=Struct('<hh'); print(s.size, s.pack(1,2), list(s.iter_unpack(b'\1\0\2\0'*2)), s.unpack_from(b'zz\1\0\2\0',2))

# ---- sys, time and attributes of built-in types
from collections import deque
import re, random, functools, itertools, time, sys
print(hasattr(deque(),'values'), hasattr(re.compile('a'),'translation'), hasattr(re.match('a','a'),'places'), hasattr(functools.partial(print),'results'), hasattr(random.Random(),'state'))
try: deque().zz=1
except AttributeError as e: print(e)
try: re.compile('a').x=1
except AttributeError as e: print(e)
p=functools.partial(print); p.x=5; print(p.x, p.func, p.args, p.keywords)
print(type(itertools.chain()), itertools.chain, functools.partial, deque, re.Pattern, re.Match, type(operator) if 0 else '')
print(time.gmtime(0), time.strftime('%Y-%m-%d %H:%M:%S %a %b %j',time.gmtime(86400*200)), time.asctime(time.gmtime(0)), time.gmtime(0).tm_year, time.gmtime(0)[0])
t=time.perf_counter(); time.sleep(.01); print(time.perf_counter()-t>.009, isinstance(time.time(),float), isinstance(time.time_ns(),int))
print(sys.maxsize, sys.byteorder, sys.float_info.epsilon, sys.float_info.max, sys.getrecursionlimit(), sys.version_info[:2], sys.platform, 'sys' in sys.modules, sys.argv!=None)
try: sys.exit(3)
except SystemExit as e: print(e.code)
sys.stdout.write('w\n'); print('to err',file=sys.stderr); sys.stdout.flush()
try: raise ValueError('x')
except ValueError: print(sys.exc_info()[:2])
print(sys.exc_info())
class L(list): pass
print(sys.implementation.name!='' , sys.flags.optimize, sys.hexversion==0x30b07f0)
import collections
print(collections.deque.__name__, collections.deque.__module__, collections.Counter.__module__, functools.partial.__module__)
class D2(deque):
    def hi(self): return len(self)
print(D2([1,2]).hi(), D2([1],maxlen=2), isinstance(D2(),deque))
class P2(functools.partial): pass
print(P2(int,'3')())
class R2(random.Random):
    pass
print(R2(5).random()==random.Random(5).random())
import copy
print(copy.copy(deque([1])), copy.deepcopy(deque([[1]])))
print(copy.deepcopy(collections.OrderedDict(a=[1])), copy.deepcopy(collections.defaultdict(list,{'a':[1]})), copy.copy(collections.Counter('aab')))
P=collections.namedtuple('P','x y'); print(copy.copy(P(1,2)), copy.deepcopy(P([1],2)), P(1,2)+(3,), P(1,2)<P(1,3), hash(P(1,2))==hash((1,2)), isinstance(P(1,2),tuple))
import enum, dataclasses
@dataclasses.dataclass
class DD:
    e: enum.Enum
    l: list
c=copy.deepcopy(DD(None,[1])); print(c)
    try: print(f())
    except Exception as e: print(type(e).__name__, e)

# ---- itertools at random
import itertools as it, random
random.seed(3)
for _ in range(100):
    n=random.randint(0,6); a=[random.randint(0,3) for _ in range(n)]; b=''.join(random.choice('abc') for _ in range(random.randint(0,4))); r=random.randint(0,4)
    print(list(it.permutations(a,r)), list(it.combinations(b,r)), list(it.combinations_with_replacement(b,r)), list(it.product(a,b,repeat=random.randint(0,1)))[:9], list(it.islice(a,random.randint(0,7),random.choice([None,random.randint(0,9)]),random.randint(1,3))), [(k,list(g)) for k,g in it.groupby(a,lambda x:x//2)], list(it.accumulate(a,max)), list(it.zip_longest(a,b,[1])), list(it.pairwise(b)), list(it.chain(a,b)), list(it.compress(a,[r,n,0,1])), list(it.takewhile(lambda x:x<r,a)), list(it.dropwhile(lambda x:x<r,a)), [list(x) for x in it.tee(a,r)], list(it.islice(it.cycle(a),r)) )
g=it.groupby('aab'); k1,g1=next(g); next(g); print(list(g1))
x=iter([1,2,3,4]); print(list(it.islice(x,2)), list(x))
a,b=it.tee(iter(range(5))); print(next(a),next(a),next(b),list(a),list(b))


# ---- messages of containers that CPython writes in C

from collections import OrderedDict, defaultdict
class Own(OrderedDict):
    pass
for f in (lambda: OrderedDict() + 1, lambda: defaultdict(int) < 1, lambda: Own() + 1, lambda: OrderedDict().nope, lambda: OrderedDict(1)):
    try:
        f()
    except Exception as error:
        print(type(error).__name__, error)
print(OSError(None, 2), OSError(1), repr(OSError(None, None)), OSError(1, 2, 3), OSError(None, 'a', 'f'))
for name in 'split', 'subgroup':
    try:
        getattr(ExceptionGroup('a', [ValueError()]), name)()
    except TypeError as error:
        print(error)
