/**
 * @file TorchScript functions that several formulas call. Their names begin with `AD_`, and no operator is looked up by them.
 * @mirrors torch/csrc/jit/runtime/symbolic_script.cpp
 */

/** Reductions: the gradient gets the removed dimensions back. */
export const reductions = `
def AD_unsqueeze_multiple(t, dims: List[int], n_dims: int):
    seen = [False] * n_dims
    for i in range(len(dims)):
        seen[dims[i]] = True
    for d in range(n_dims):
        if seen[d]:
            t = t.unsqueeze(d)
    return t

def AD_sum_backward(grad, sizes: List[int], dims: Optional[List[int]], keepdim: bool):
    if not keepdim and len(sizes) > 0:
        if dims is None:
            return grad.expand(sizes)
        elif len(dims) == 1:
            return grad.unsqueeze(dims[0]).expand(sizes)
        else:
            wide = AD_unsqueeze_multiple(grad, dims, len(sizes))
            return wide.expand(sizes)
    else:
        return grad.expand(sizes)

def AD_safe_size(sizes: List[int], dims: Optional[List[int]]):
    if len(sizes) == 0:
        return 1
    size = 1
    if dims is None:
        for s in sizes:
            size *= s
    else:
        for i in range(len(dims)):
            d = dims[i]
            size *= sizes[d]
    return size

def AD_logsumexp_backward(grad, self, result, dim: List[int], keepdim: bool):
    if not keepdim and self.dim() != 0:
        n_dims = len(self.size())
        grad = AD_unsqueeze_multiple(grad, dim, n_dims)
        result = AD_unsqueeze_multiple(result, dim, n_dims)
    return grad * (self - result).exp()
`;

/** Variance: grad * 2 (x - mean) / (n - correction). */
export const variance = `
def AD_bool_to_int(b: bool):
    if b:
        i = 1
    else:
        i = 0
    return i

def AD_var_backward_0(grad, self, correction: number):
    return grad * (self - self.mean()) * 2.0 / (self.numel() - correction)

def AD_var_backward_1(grad, self, dim: List[int], correction: number, keepdim: bool):
    if self.dim() == 0:
        return AD_var_backward_0(grad, self, correction)
    self_size = self.size()
    if not keepdim and self.dim() > 1:
        grad = AD_unsqueeze_multiple(grad, dim, len(self_size))
    return grad * (self - self.mean(dim, True)) * 2.0 / (AD_safe_size(self_size, dim) - correction)

def AD_var_backward_2(grad, self, dim: Optional[List[int]], correction: Optional[number], keepdim: bool):
    if correction is None:
        correction = 1
    if self.dim() == 0 or dim is None:
        return AD_var_backward_0(grad, self, correction)
    return AD_var_backward_1(grad, self, dim, correction, keepdim)
`;

/** Products of matrices, and dimensions that change places. */
export const matrices = `
def AD_mm_backward_self(grad, mat2):
    return grad.mm(mat2.t())

def AD_mm_backward_mat2(grad, self):
    return self.t().mm(grad)

def AD_bmm_backward_self(grad, mat2):
    return grad.bmm(mat2.transpose(1, 2))

def AD_bmm_backward_mat2(grad, self):
    return self.transpose(1, 2).bmm(grad)

def AD_permute_backward(grad, fwd_dims: List[int]):
    ndims = len(fwd_dims)
    dims = [0] * ndims
    for i in range(ndims):
        dims[fwd_dims[i]] = i
    return grad.permute(dims)

def AD_unsqueeze_to_0(self, sizes: List[int]):
    ndims = len(sizes)
    for i in range(ndims):
        if sizes[i] == 1:
            self = self.unsqueeze(i)
    return self

def AD_unsqueeze_to_1(self, dim: int, sizes: List[int]):
    if len(sizes) > 0 and sizes[dim] == 1:
        return self.unsqueeze(dim)
    return self

def AD_mat_transpose(mat):
    dim = mat.dim()
    if dim == 1:
        out = mat
    elif dim == 2:
        out = mat.t()
    else:
        dims = rangelist(dim)
        dims[-1] = dim - 2
        dims[-2] = dim - 1
        out = mat.permute(dims)
    return out

def AD_matmul_bw_special_fold(mat1, mat2):
    mat1_transpose = AD_mat_transpose(mat1)
    mat1_fold = mat1_transpose.reshape(-1, mat1_transpose.size()[-1])
    mat2_fold = mat2.reshape(-1, mat2.size()[-1])
    return mat1_fold.t().mm(mat2_fold)

def AD_matmul_bw_size(mat1, mat2, out_size: List[int]):
    dim1 = mat1.dim()
    dim2 = mat2.dim()
    dim_out = len(out_size)
    if dim1 == 0 or dim2 == 0:
        out = mat1 * mat2
    elif dim_out == 2 and dim1 == dim2 and dim1 >= 3:
        out = AD_matmul_bw_special_fold(mat1, mat2)
    elif dim_out == 1 and dim1 - dim2 == 1 and dim1 >= 3:
        mat2_unsqueeze = mat2.unsqueeze(-1)
        out = AD_matmul_bw_special_fold(mat1, mat2_unsqueeze)
        out = out.squeeze(-1)
    elif dim1 + dim2 == dim_out:
        if dim2 == 1:
            target_dim2 = 0
        else:
            target_dim2 = -2
        out = torch.matmul(mat1.unsqueeze(dim1), mat2.unsqueeze(target_dim2))
    elif dim_out == dim1 - dim2:
        out = torch.matmul(mat1, mat2.unsqueeze(dim2)).squeeze(-1)
    elif dim_out == dim2 - dim1:
        out = torch.matmul(mat1.unsqueeze(-2), mat2).squeeze(-2)
    else:
        out = torch.matmul(mat1, mat2)
    return out
`;

/** Pooling to a given size: an output of size 1 is the mean. */
export const adaptive_pooling = `
def AD_adaptive_avg_pool3d_backward(grad, self, output_size: List[int]):
    if output_size[0] == 1 and output_size[1] == 1 and output_size[2] == 1:
        self_size = self.size()
        grad_self = grad.expand(self.size()) / (self_size[-1] * self_size[-2] * self_size[-3])
    else:
        grad_self = torch._adaptive_avg_pool3d_backward(grad, self)
    return grad_self

def AD_adaptive_avg_pool2d_backward(grad, self, output_size: List[int]):
    if output_size[0] == 1 and output_size[1] == 1:
        self_size = self.size()
        grad_self = grad.expand(self.size()) / (self_size[-1] * self_size[-2])
    else:
        grad_self = torch._adaptive_avg_pool2d_backward(grad, self)
    return grad_self

def AD_adaptive_avg_pool1d_backward(grad, input, output_size: List[int]):
    output_size_2d = [1, output_size[0]]
    grad_input = AD_adaptive_avg_pool2d_backward(grad.unsqueeze(2), input.unsqueeze(2), output_size_2d).squeeze(2)
    return grad_input
`;

/** The sizes to which gradients are summed; None if an argument has the size of the result. */
export function sizes_if_not_equal(name: string): string {
  return `
def ${name}(t1, t2, res):
    return torch._size_if_not_equal(t1.size(), res.size()), torch._size_if_not_equal(t2.size(), res.size())
`;
}
