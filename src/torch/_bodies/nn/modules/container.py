"""Containers."""
from typing import Dict


class Sequential:
    _modules: Dict[str, int]

    def forward(self, input):
        for module in self:
            input = module(input)
        return input


class ModuleList:
    _modules: Dict[str, int]


class ModuleDict:
    _modules: Dict[str, int]


class ParameterList:
    pass


class ParameterDict:
    pass
