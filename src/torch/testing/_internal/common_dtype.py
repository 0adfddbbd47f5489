"""Sets of dtypes that tests run over. They are tuples; adding dtypes gives a longer one."""

import torch


class _dispatch_dtypes(tuple):
    def __add__(self, other):
        assert isinstance(other, tuple), f'Expected other to be a tuple, got {type(other)}'
        return _dispatch_dtypes(tuple(self) + tuple(other))


def _validate_dtypes(*dtypes):
    for dtype in dtypes:
        assert isinstance(dtype, torch.dtype), f'Expected dtype to be torch.dtype, got {type(dtype)}'
    return dtypes


_floating = _dispatch_dtypes((torch.float32, torch.float64))
_complex = _dispatch_dtypes((torch.complex64, torch.complex128))
_integral = _dispatch_dtypes((torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64))
_float8 = _dispatch_dtypes(getattr(torch, name) for name in
                           ('float8_e4m3fn', 'float8_e4m3fnuz', 'float8_e5m2', 'float8_e5m2fnuz') if hasattr(torch, name))

# Each set has two functions: the set, and the set with more dtypes.
_SETS = {
    'empty_types': _dispatch_dtypes(()),
    'floating_types': _floating,
    'floating_types_and_half': _floating + (torch.half,),
    'floating_and_complex_types': _floating + _complex,
    'double_types': _dispatch_dtypes((torch.float64, torch.complex128)),
    'integral_types': _integral,
    'all_types': _floating + _integral,
    'complex_types': _complex,
    'all_types_and_complex': _floating + _integral + _complex,
    'all_types_and_half': _floating + _integral + (torch.half,),
    'all_mps_types': _dispatch_dtypes((torch.float, torch.half, torch.bfloat16)) + _integral,
    'float8_types': _float8,
}


def _define(name, types):
    def plain():
        return types

    def extended(*dtypes):
        return types + _validate_dtypes(*dtypes)

    for function, its_name in ((plain, name), (extended, name + '_and')):
        function.__name__ = function.__qualname__ = its_name
        globals()[its_name] = function


for _name, _types in _SETS.items():
    if not _name.endswith('_and_half'):
        _define(_name, _types)


def floating_types_and_half():
    return _SETS['floating_types_and_half']


def all_types_and_half():
    return _SETS['all_types_and_half']


def all_types_complex_float8_and(*dtypes):
    return _floating + _integral + _complex + _float8 + _validate_dtypes(*dtypes)


def custom_types(*dtypes):
    return _dispatch_dtypes(_validate_dtypes(*dtypes))


def get_all_int_dtypes():
    return list(_integral)


def get_all_fp_dtypes(include_half=True, include_bfloat16=True):
    return list(_floating) + [torch.float16] * include_half + [torch.bfloat16] * include_bfloat16


def get_all_complex_dtypes(include_complex32=False):
    return [torch.complex32] * include_complex32 + list(_complex)


def get_all_qint_dtypes():
    return [torch.qint8, torch.quint8, torch.qint32, torch.quint4x2, torch.quint2x4]


def get_all_dtypes(include_half=True, include_bfloat16=True, include_bool=True, include_complex=True,
                   include_complex32=False, include_qint=False):
    return (get_all_int_dtypes() + get_all_fp_dtypes(include_half, include_bfloat16) + [torch.bool] * include_bool
            + (get_all_complex_dtypes(include_complex32) if include_complex else [])
            + (get_all_qint_dtypes() if include_qint else []))


def get_all_math_dtypes(device):
    return get_all_int_dtypes() + get_all_fp_dtypes(device.startswith('cuda'), False) + get_all_complex_dtypes()


float_to_corresponding_complex_type_map = {
    torch.float16: torch.complex32,
    torch.float32: torch.complex64,
    torch.float64: torch.complex128,
}
