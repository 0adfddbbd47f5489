"""`JitTestCase`: what PyTorch's tests ask of scripts and graphs.

A script is compared with the Python function that it was made of: run as Python, compiled from its text, compiled from the function. Not
here: fusion, bailouts, and the round trip through a file after each compilation.
"""

import contextlib
import functools
import inspect
import io
import math
import os
import sys
import tempfile
import textwrap

import torch
import torch.jit
from torch.testing import FileCheck

from .common_utils import TestCase, freeze_rng_state

RUN_CUDA = RUN_CUDA_MULTI_GPU = RUN_CUDA_HALF = False
FUSION_GROUP = 'prim::TensorExprGroup'


def execWrapper(code, glob, loc):
    exec(code, glob, loc)


def do_input_map(fn, input):
    if isinstance(input, torch.Tensor):
        return fn(input)
    if isinstance(input, (tuple, list)):
        return type(input)(do_input_map(fn, it) for it in input)
    if isinstance(input, dict):
        return {key: do_input_map(fn, it) for key, it in input.items()}
    return input


def get_execution_plan(graph_executor_state):
    plans = list(graph_executor_state.execution_plans.values())
    if len(plans) != 1:
        raise RuntimeError(f'This test assumes this GraphExecutor should only have one execution plan, got: {len(plans)}')
    return plans[0]


class _AssertRaisesRegexWithHighlightContext:
    def __init__(self, test_case, exception, regex, highlight):
        self.test_case, self.exception_type, self.regex, self.highlight = test_case, exception, regex, highlight

    def __enter__(self):
        return self

    def __exit__(self, type, value, traceback):
        with self.test_case.assertRaisesRegex(self.exception_type, self.regex):
            if type:
                raise value
        if self.highlight:
            FileCheck().check_source_highlighted(self.highlight).run(str(value))
        return True


class _capture(list):
    """Keeps what is written to a stream of `sys` in the meantime."""

    stream = 'stdout'

    def __enter__(self):
        self.before, self.text = getattr(sys, self.stream), io.StringIO()
        setattr(sys, self.stream, self.text)
        return self

    def __exit__(self, *error):
        self.append(self.text.getvalue())
        setattr(sys, self.stream, self.before)


class _capture_stderr(_capture):
    stream = 'stderr'


def _nodes(block, kind):
    for node in block.nodes():
        if node.kind() == kind:
            yield node
        for inner in node.blocks():
            yield from _nodes(inner, kind)


class JitTestCase(TestCase):
    _do_cuda_memory_leak_check = True
    _restored_warnings = False
    capture_stdout, capture_stderr = _capture, _capture_stderr

    def setHooks(self):
        pass

    def clearHooks(self):
        pass

    def getExportImportCopy(self, m, also_test_file=True, map_location=None):
        buffer = io.BytesIO()
        torch.jit.save(m, buffer)
        buffer.seek(0)
        imported = torch.jit.load(buffer, map_location=map_location)
        if not also_test_file:
            return imported
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'm.pt')
            imported.save(path)
            return torch.jit.load(path, map_location=map_location)

    getExportImportCopyWithPacking = getExportImportCopy

    def _count(self, graph, kind, consider_subgraphs):
        if consider_subgraphs:
            text = str(graph)
            return text.count(kind) - text.count(f'with {kind}')
        return len(list(_nodes(graph, kind)))

    def assertGraphContains(self, graph, kind, consider_subgraphs=False):
        self.assertTrue(self._count(graph, kind, consider_subgraphs) > 0)

    def assertGraphContainsExactly(self, graph, kind, num_kind_nodes, consider_subgraphs=False):
        actual = self._count(graph, kind, consider_subgraphs)
        if actual != num_kind_nodes:
            subgraph = 'including' if consider_subgraphs else 'excluding'
            raise AssertionError(f'{graph}\nError: graph contains {actual} {kind} nodes ({subgraph} subgraphs) but expected {num_kind_nodes}')

    def run_pass(self, name, trace):
        graph = trace if isinstance(trace, torch._C.Graph) else trace.graph()
        torch._C._jit_pass_lint(graph)
        result = getattr(torch._C, '_jit_pass_' + name)(graph)
        if result is not None and not isinstance(result, bool):
            graph = result
        torch._C._jit_pass_lint(graph)
        if not isinstance(trace, torch._C.Graph):
            trace.set_graph(graph)
        return graph

    def get_frame_vars(self, frames_up):
        frame = inspect.currentframe()
        for _ in range(frames_up + 1):
            frame = frame.f_back
        return {**frame.f_locals, **frame.f_globals}

    def assertRaisesRegexWithHighlight(self, exception, regex, highlight):
        return _AssertRaisesRegexWithHighlightContext(self, exception, regex, highlight)

    def _python_function(self, script, name, frames_up):
        if not isinstance(script, str):
            return script
        names, made = self.get_frame_vars(frames_up + 1), {}
        execWrapper(script, names, made)
        names.update(made)
        return names[name]

    def checkScriptRaisesRegex(self, script, inputs, exception, regex, name=None, outputs=None, capture_output=False, frames_up=1,
                               profiling=None):
        """Python, the text and the function all raise the exception."""
        with self.assertRaisesRegex(exception, regex):
            self._python_function(script, name, frames_up)(*inputs)
        text = script if isinstance(script, str) else textwrap.dedent(inspect.getsource(script))
        with self.assertRaisesRegex(exception, regex):
            unit = torch.jit.CompilationUnit(text, _frames_up=frames_up)
            getattr(unit, name or script.__name__)(*inputs)
        if not isinstance(script, str):
            with self.assertRaisesRegex(exception, regex):
                torch.jit.script(script)(*inputs)

    def checkScript(self, script, inputs, name='func', optimize=True, inputs_requires_grad=False, capture_output=False, frames_up=1,
                    profiling=None, atol=None, rtol=None):
        """The script, run twice, gives what Python gives."""
        with torch.jit.optimized_execution(optimize):
            if isinstance(script, str):
                scripted = getattr(torch.jit.CompilationUnit(script, _frames_up=frames_up), name)
            else:
                self.checkScript(textwrap.dedent(inspect.getsource(script)), inputs, script.__name__, optimize=optimize,
                                 inputs_requires_grad=inputs_requires_grad, capture_output=capture_output, frames_up=2)
                scripted = torch.jit.script(script, _frames_up=1)
            python_fn = self._python_function(script, name, frames_up)
            given = do_input_map(lambda t: t.detach().requires_grad_(), inputs) if inputs_requires_grad else inputs
            with self.capture_stdout() if capture_output else contextlib.nullcontext():
                first, second, expected = scripted(*given), scripted(*given), python_fn(*inputs)
            self.assertEqual(expected, first, atol=atol, rtol=rtol)
            self.assertEqual(first, second, atol=atol, rtol=rtol)
            return scripted

    def checkTrace(self, func, reference_tensors, input_tensors=None, drop=None, allow_unused=False, verbose=False,
                   inputs_require_grads=True, check_tolerance=1e-5, export_import=True, _force_outplace=False, grad_atol=None,
                   grad_rtol=None):
        """A recording gives what the function gives, with its first and second derivatives."""
        def all_sum(values):
            values = values[:-drop] if drop is not None else values
            return sum(math.log(i + 2) * v.sum() for i, v in enumerate(values) if v is not None)

        def leaves(it):
            if isinstance(it, torch.Tensor):
                return [it]
            return [leaf for part in (it.values() if isinstance(it, dict) else it) for leaf in leaves(part)]

        traced = torch.jit.trace(func, reference_tensors if input_tensors is None else input_tensors, check_tolerance=check_tolerance,
                                 _force_outplace=_force_outplace, check_trace=False)
        if export_import:
            traced = self.getExportImportCopy(traced)
        if verbose:
            print(traced.graph)
        self.assertEqual(func(*reference_tensors), traced(*reference_tensors))
        if not inputs_require_grads:
            return traced

        def derivatives(run):
            given = do_input_map(lambda t: t.detach().clone().requires_grad_(), reference_tensors)
            flat, outputs = leaves(given), run(*given)
            total = all_sum(outputs)
            grads = torch.autograd.grad(total, flat, create_graph=True, allow_unused=allow_unused)
            return outputs, grads, torch.autograd.grad(all_sum(grads) * total, flat, allow_unused=allow_unused)

        (outputs, grads, grads2), (outputs_ge, grads_ge, grads2_ge) = derivatives(func), derivatives(traced)
        self.assertEqual(outputs, outputs_ge)
        self.assertEqual(grads, grads_ge, atol=grad_atol, rtol=grad_rtol)
        for g2, g2_ge in zip(grads2, grads2_ge, strict=True):
            if g2 is not None or g2_ge is not None:
                self.assertEqual(g2, g2_ge, atol=8e-4, rtol=8e-4)
        return traced

    def checkModule(self, nn_module, args):
        scripted = torch.jit.script(nn_module)
        with freeze_rng_state():
            expected = nn_module(*args)
        with freeze_rng_state():
            actual = scripted(*args)
        self.assertEqual(expected, actual)
        return scripted


class NoTracerWarnContextManager:
    def __enter__(self):
        self.before = torch._C._jit_get_tracer_state_warn()
        torch._C._jit_set_tracer_state_warn(False)

    def __exit__(self, *error):
        torch._C._jit_set_tracer_state_warn(self.before)


@contextlib.contextmanager
def inline_everything_mode(should_inline):
    before = torch._C._jit_get_inline_everything_mode()
    torch._C._jit_set_inline_everything_mode(should_inline)
    try:
        yield
    finally:
        torch._C._jit_set_inline_everything_mode(before)


def _with_inlining(should_inline):
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            with inline_everything_mode(should_inline):
                fn(*args, **kwargs)
        return wrapper
    return decorate


_inline_everything, _tmp_donotuse_dont_inline_everything = _with_inlining(True), _with_inlining(False)


def _unchanged(fn):
    return fn


# There is no fuser, so nothing is switched.
enable_cpu_fuser = _unchanged


def enable_cpu_fuser_if(cond):
    return _unchanged


@contextlib.contextmanager
def disable_autodiff_subgraph_inlining(enabled=True):
    yield


@contextlib.contextmanager
def set_fusion_group_inlining(inlining):
    yield


def _trace(*args, **kwargs):
    def wrapper(func):
        return torch.jit.trace(func, args, **kwargs)
    return wrapper


def get_forward(c):
    return c._get_method('forward')


def get_forward_graph(c):
    return c._get_method('forward').graph


def get_module_method(m, module, method):
    return m._c.getattr(module)._get_method(method)


def attrs_with_prefix(module, prefix):
    return [name for name, _ in module._modules._c.items() if name.startswith(prefix)]


def warmup_backward(f, *args):
    results = []
    for _ in range(3):
        if len(args) > 0:
            results.append(torch.autograd.grad(f, *args))
        else:
            f.backward(retain_graph=True)
    return results


def make_global(*args):
    """Puts classes into the globals of the module that defines them, where a script looks for them."""
    for it in args:
        setattr(sys.modules[it.__module__], it.__name__, it)


def clone_inputs(args):
    return [it.detach().clone().requires_grad_(it.requires_grad) if isinstance(it, torch.Tensor) else it for it in args]


def is_lambda(lamb):
    return isinstance(lamb, type(lambda: 0)) and lamb.__name__ == '<lambda>'
