"""Forward-mode AD twice: numbers with a tangent of your own, and the tangent of a function of your own in PyTorch."""

import torch


class Dual:
    """A value and its tangent: how fast the value changes, if the input moves."""

    def __init__(self, value, tangent):
        self.value = value
        self.tangent = tangent

    def __add__(self, other):
        # ex:begin(26.dual)
        other = dual(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)
        # ex:stub
        # return Dual(self.value + other.value, self.tangent)
        # ex:end

    def __mul__(self, other):
        # ex:begin(26.dual)
        other = dual(other)
        return Dual(self.value * other.value, self.tangent * other.value + self.value * other.tangent)
        # ex:stub
        # return Dual(self.value * other.value, self.tangent)
        # ex:end

    def sin(self):
        # ex:begin(26.dual)
        return Dual(self.value.sin(), self.value.cos() * self.tangent)
        # ex:stub
        # return Dual(self.value.sin(), self.tangent)
        # ex:end

    def exp(self):
        # ex:begin(26.dual)
        result = self.value.exp()
        return Dual(result, result * self.tangent)
        # ex:stub
        # return Dual(self.value.exp(), self.tangent)
        # ex:end


def dual(value):
    """A number that is no Dual does not change: its tangent is zero."""
    return value if isinstance(value, Dual) else Dual(value, 0.0)


class Scaled(torch.autograd.Function):
    """x * exp(w)"""

    @staticmethod
    def forward(x, w):
        return x * w.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        # ex:begin(26.jvp)
        ctx.save_for_forward(inputs[1], output)
        # ex:stub
        # ctx.save_for_forward(*inputs)
        # ex:end

    @staticmethod
    def jvp(ctx, dx, dw):
        """The tangent of the result, if those of x and w are dx and dw."""
        # ex:begin(26.jvp)
        w, output = ctx.saved_tensors
        return dx * w.exp() + output * dw
        # ex:stub
        # return dx
        # ex:end
