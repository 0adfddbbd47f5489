"""Pickles in files: what stands outside of a pickle, the storages, has a persistent id."""

import io


def dumps(obj, persistent_id, pickle_module, protocol):
    class PyTorchPickler(pickle_module.Pickler):
        def persistent_id(self, obj):
            return persistent_id(obj)

    buffer = io.BytesIO()
    PyTorchPickler(buffer, protocol=protocol).dump(obj)
    return buffer.getvalue()


def loads(data, persistent_load, storage_type, pickle_module, arguments):
    """The value of a pickle, and the number of its bytes."""

    class UnpicklerWrapper(pickle_module.Unpickler):
        def find_class(self, mod_name, name):
            if type(name) is str and 'Storage' in name:
                found = storage_type(name)
                if found is not None:
                    return found
            # A module that PyTorch had in version 1.0.
            return super().find_class('torch._tensor' if mod_name == 'torch.tensor' else mod_name, name)

    buffer = io.BytesIO(data)
    unpickler = UnpicklerWrapper(buffer, **arguments)
    unpickler.persistent_load = persistent_load
    return unpickler.load(), buffer.tell()
