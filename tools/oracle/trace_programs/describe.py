"""What is recorded of a trace. PyTorch runs this file, and so does the test."""
import re
import warnings
import torch


def scrub(text):
    text = re.sub(r'___torch_mangle_\d+\.', '', text)
    text = re.sub(r'(?:/[\w.-]+)*/(torch/|functions\.py|modules\.py)', r'\1', text)
    return re.sub(r'0x[0-9a-f]+', '0x0', text)


def graph_text(graph):
    """Without source ranges, and with the values numbered anew."""
    text = re.sub(r' # [^\n#"]*:\d+:\d+$', '', scrub(graph.str(False)), flags=re.M)
    names = {}

    def renamed(found):
        name = found.group(0)
        if name not in names:
            names[name] = '%' + str(len(names))
        return names[name]
    return re.sub(r'%[\w.]+', renamed, text)


def value(out):
    if isinstance(out, torch.Tensor):
        return [str(out.dtype), list(out.shape), [round(float(v), 4) for v in out.detach().double().reshape(-1).tolist()]]
    if isinstance(out, dict):
        return {str(k): value(v) for k, v in out.items()}
    if isinstance(out, (list, tuple)):
        return [value(v) for v in out]
    return str(out)


def failure(error):
    # Graph differences end with source locations, which contain the lines of this file.
    return {'type': type(error).__name__, 'message': scrub(str(error)).split('Trace source location')[0].split('Source Location')[0]}


def traced(make):
    func, example, options, runs = make()
    options = dict(options)
    methods = options.pop('methods', None)
    if methods is not None:
        return func, runs, torch.jit.trace_module(func, methods)
    if example is None:
        return func, runs, torch.jit.trace(func, **options)
    return func, runs, torch.jit.trace(func, example, **options)


def describe(make):
    torch.manual_seed(1)
    result = {}
    t = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        try:
            func, runs, t = traced(make)
        except Exception as error:
            result['error'] = failure(error)
    shown = [w for w in caught if 'deprecated' not in str(w.message)]
    result['warnings'] = [[w.category.__name__, scrub(str(w.message)), w.filename.split('/')[-1], w.lineno] for w in shown]
    if t is None:
        return result
    module = isinstance(t, torch.nn.Module)
    result['class'] = type(t).__name__
    names = sorted(t._c._method_names()) if module else [None]
    for name in names:
        fn = t._c._get_method(name) if module else t
        result[name or 'function'] = {'schema': scrub(str(fn.schema)), 'graph': graph_text(fn.graph), 'code': scrub(fn.code)}
    if module:
        result['inlined_graph'] = graph_text(t.inlined_graph)
        children = [(n, m) for n, m in t.named_modules() if n and m._c._has_method('forward')]
        result['submodules'] = {n: graph_text(m._c._get_method('forward').graph) for n, m in children}
    result['runs'] = []
    for args in runs:
        torch.manual_seed(1)
        try:
            result['runs'].append(value(t(*args)))
        except Exception as error:
            result['runs'].append(failure(error))
    return result
