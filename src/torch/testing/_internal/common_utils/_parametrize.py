"""One test method becomes many: `parametrize` says over which values, `instantiate_parametrized_tests` makes the methods.

A decorator here leaves a function `parametrize_fn(test, generic_cls, device_cls)` on the method. It yields for each new test
`(function, suffix of the name, keyword arguments, function that gives the decorators to apply)`.
"""

import functools

import torch

__all__ = ['dtype_name', 'compose_parametrize_fns', 'instantiate_parametrized_tests', 'subtest', 'parametrize', 'reparametrize',
           'decorateIf', 'swap']


def dtype_name(dtype):
    return str(dtype).split('.')[1]


def _forwards(test):
    # A function of its own, so that decorators of one variant do not reach the others.
    @functools.wraps(test)
    def test_wrapper(*args, **kwargs):
        return test(*args, **kwargs)
    return test_wrapper


class _TestParametrizer:
    def _parametrize_test(self, test, generic_cls, device_cls):
        raise NotImplementedError

    def __call__(self, fn):
        if hasattr(fn, 'parametrize_fn'):
            fn.parametrize_fn = compose_parametrize_fns(fn.parametrize_fn, self._parametrize_test)
        else:
            fn.parametrize_fn = self._parametrize_test
        return fn


def compose_parametrize_fns(old_parametrize_fn, new_parametrize_fn):
    """Every variant of the old one in every variant of the new one; the new one's part of the name comes first."""
    def composite_fn(test, generic_cls, device_cls):
        for old_test, old_name, old_kwargs, old_decorators in list(old_parametrize_fn(test, generic_cls, device_cls)):
            for new_test, new_name, new_kwargs, new_decorators in new_parametrize_fn(old_test, generic_cls, device_cls):
                twice = set(old_kwargs) & set(new_kwargs)
                if twice:
                    raise RuntimeError('Parametrization over the same parameter by multiple parametrization decorators is not '
                                       f'supported. For test "{test.__name__}", the following parameters are handled multiple '
                                       f'times: {twice}')

                def decorators(kwargs, old=old_decorators, new=new_decorators):
                    return [*old(kwargs), *new(kwargs)]

                yield new_test, '_'.join(it for it in (new_name, old_name) if it), {**old_kwargs, **new_kwargs}, decorators
    return composite_fn


def instantiate_parametrized_tests(generic_cls):
    for name in tuple(dir(generic_cls)):
        generic = getattr(generic_cls, name)
        if not hasattr(generic, 'parametrize_fn'):
            continue
        delattr(generic_cls, name)
        for test, suffix, kwargs, decorators in generic.parametrize_fn(generic, generic_cls=generic_cls, device_cls=None):
            full_name = f'{test.__name__}_{suffix}'
            for decorator in decorators(kwargs):
                test = decorator(test)
            assert not hasattr(generic_cls, full_name), f'Redefinition of test {full_name}'
            setattr(generic_cls, full_name, _with_arguments(test, kwargs))
    return generic_cls


def _with_arguments(test, param_kwargs):
    @functools.wraps(test)
    def instantiated_test(self, param_kwargs=param_kwargs):
        test(self, **param_kwargs)
    return instantiated_test


class subtest:
    """One value of `parametrize` with a name or decorators of its own."""

    def __init__(self, arg_values, name=None, decorators=None):
        self.arg_values, self.name, self.decorators = arg_values, name, decorators or []


class parametrize(_TestParametrizer):
    def __init__(self, arg_str, arg_values, name_fn=None):
        self.arg_names = [it.strip() for it in arg_str.split(',') if it != '']
        self.arg_values, self.name_fn = arg_values, name_fn

    def _value_name(self, idx, name, value):
        if isinstance(value, torch.dtype):
            return dtype_name(value)
        if isinstance(value, torch.device):
            return str(value)
        if type(value).__name__ in ('OpInfo', 'ModuleInfo'):
            return value.formatted_name
        if isinstance(value, (int, float, str)):
            return f"{name}_{str(value).replace('.', '_')}"
        return f'{name}{idx}'

    def _name(self, idx, values, explicit):
        if explicit:
            return explicit
        if self.name_fn:
            return self.name_fn(*values)
        return '_'.join(self._value_name(idx, name, value) for name, value in zip(self.arg_names, values))

    def _parametrize_test(self, test, generic_cls, device_cls):
        if not self.arg_names:
            yield test, '', {}, lambda _: []
            return
        idx = None
        for idx, values in enumerate(self.arg_values):
            explicit, own, variant = None, [], test
            if isinstance(values, subtest):
                explicit, own, values, variant = values.name, values.decorators, values.arg_values, _forwards(test)
            values = list(values) if len(self.arg_names) > 1 else [values]
            if len(values) != len(self.arg_names):
                raise RuntimeError(f'Expected # values == # arg names, but got: {len(values)} values and '
                                   f'{len(self.arg_names)} names for test "{test.__name__}"')
            yield variant, self._name(idx, values, explicit), dict(zip(self.arg_names, values)), lambda _, own=own: own
        if idx is None:
            raise ValueError(f'{test}: An empty arg_values was passed to @parametrize. Note that this may result from reuse of a '
                             'generator.')


class reparametrize(_TestParametrizer):
    """Another parametrizer's variants, each changed, multiplied or dropped by `adapter_fn(name, kwargs)`."""

    def __init__(self, parametrizer, adapter_fn):
        self.parametrizer, self.adapter_fn = parametrizer, adapter_fn

    def _parametrize_test(self, test, generic_cls, device_cls):
        for variant, name, kwargs, decorators in self.parametrizer._parametrize_test(test, generic_cls, device_cls):
            for item in self.adapter_fn(name, kwargs) or ():
                if item is not None:
                    yield variant, *item, decorators


class decorateIf(_TestParametrizer):
    """Applies a decorator to those variants whose arguments meet a condition."""

    def __init__(self, decorator, predicate_fn):
        self.decorator, self.predicate_fn = decorator, predicate_fn

    def _parametrize_test(self, test, generic_cls, device_cls):
        yield _forwards(test), '', {}, lambda kwargs: [self.decorator] if self.predicate_fn(kwargs) else []


class swap(_TestParametrizer):
    """Runs a test with `torch.__future__.set_swap_module_params_on_conversion` set to each value."""

    def __init__(self, swap_values):
        self.swap_values = swap_values

    def _parametrize_test(self, test, generic_cls, device_cls):
        from ._guards import wrapSwapTensorsTest
        for value in self.swap_values:
            yield wrapSwapTensorsTest(value)(test), f'swap_{value}', {}, lambda _: []
