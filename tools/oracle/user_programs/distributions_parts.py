# constraints
D = torch.distributions
C = D.constraints
t = torch.tensor
x = t([[0.0, 1.0], [0.5, 0.5], [-1.0, 2.0], [3.0, float("nan")]])
for c in (C.boolean, C.one_hot, C.nonnegative_integer, C.positive_integer, C.integer_interval(0, 2), C.real, C.real_vector, C.positive, C.nonnegative, C.greater_than(0.5),
          C.greater_than_eq(t([0.5, 1.0])), C.less_than(1), C.less_than(t(0.5)), C.unit_interval, C.interval(0, t([1.0, 0.2])), C.half_open_interval(0.5, 2), C.simplex, C.multinomial(2),
          C.independent(C.positive, 1), C.cat([C.real, C.positive], 1), C.cat([C.real, C.positive], 0, [1, 3]), C.stack([C.real, C.positive], 1), C.independent(C.independent(C.real, 1), 1)):
    say(c, c.is_discrete, c.event_dim, c.check(x))
m = t([[[1.0, 0.0], [0.5, 2.0]], [[1.0, 0.5], [0.5, 1.0]], [[1.0, 2.0], [2.0, 1.0]], [[1.0, 0.0], [0.6, 0.8]], [[1.0, 2.0], [0.0, 1.0]]])
for c in (C.lower_triangular, C.lower_cholesky, C.corr_cholesky, C.square, C.symmetric, C.positive_semidefinite, C.positive_definite):
    say(c, c.is_discrete, c.event_dim, c.check(m), c.check(m[:3]), c.check(m[1]))
say(C.square.check(torch.zeros(3, 2, 4)))
say(C.is_dependent(C.dependent), C.is_dependent(C.real), C.is_dependent(D.Uniform.support), C.is_dependent(D.Normal.support), D.Categorical.support.is_discrete, D.Categorical.support.event_dim)
fails(lambda: C.dependent.check(x))
fails(lambda: C.dependent.is_discrete)
fails(lambda: D.Independent.support.event_dim)
fails(lambda: C.independent(3, 1))
fails(lambda: C.independent(C.real, -1))
fails(lambda: C.independent(C.real, 1.5))
fails(lambda: C.independent(C.real, 3).check(x))
fails(lambda: C.cat([3]))
fails(lambda: C.cat([C.real], lengths=[1, 2]))
fails(lambda: C.stack([C.real], 2).check(x))
fails(lambda: C.Constraint().check(x))
say(D.Normal.arg_constraints, D.Categorical.has_enumerate_support, D.Normal.has_rsample)

# transforms
D = torch.distributions
t = torch.tensor
x = t([[0.2, -0.5], [1.5, 0.7]], requires_grad=True)
for f in (D.ExpTransform(), D.PowerTransform(t([2.0, 3.0])), D.PowerTransform(2), D.SigmoidTransform(), D.SoftplusTransform(), D.TanhTransform(), D.AbsTransform(), D.AffineTransform(1, -2),
          D.AffineTransform(t([1.0, 2.0]), t([-2.0, 3.0])), D.AffineTransform(0, 3, event_dim=1), D.ReshapeTransform([2], [2, 1]), D.identity_transform,
          D.ComposeTransform([D.ExpTransform(), D.AffineTransform(0, 2)]), D.IndependentTransform(D.ExpTransform(), 1),
          D.ComposeTransform([D.IndependentTransform(D.TanhTransform(), 1), D.AffineTransform(0, t([1.0, 2.0])), D.ReshapeTransform([2], [1, 2])])):
    say(f, f.domain, f.codomain, f.bijective, f.inv, f.inv.domain, f.inv.codomain, f.inv.bijective)
    for what in (lambda: f.sign, lambda: f.event_dim, lambda: f.inv.sign):
        try:
            say(what())
        except (NotImplementedError, ValueError) as e:
            say(type(e).__name__, *e.args)
    z = x.abs() if isinstance(f, D.PowerTransform) else x
    y = f(z)
    say(y, f.inv(y), list(f.forward_shape(torch.Size([3, 2]))), list(f.inverse_shape(y.shape)))
    if f.bijective:
        j = f.log_abs_det_jacobian(z, y)
        say(j, f.inv.log_abs_det_jacobian(y, z))
        if j.requires_grad:
            say(torch.autograd.grad(j.sum(), x)[0])
    say(f == f, f.inv.inv is f, f == D.ExpTransform(), f.inv == D.ExpTransform().inv)
say(D.AffineTransform(0, 1) == D.AffineTransform(0, t([1.0, 1.0])), D.AffineTransform(0, 1) == D.AffineTransform(0, 2), D.PowerTransform(2) == D.PowerTransform(2.0))
say(D.ComposeTransform([D.ExpTransform()]) == D.ComposeTransform([D.ExpTransform()]), D.ComposeTransform([]) == D.ComposeTransform([D.ExpTransform()]))
big = t([30.0])
say(D.TanhTransform().inv(D.TanhTransform()(big)))
f = D.TanhTransform(cache_size=1)
y = f(big)
say(f.inv(y) is big, f(big) is y)
say(f.with_cache(1) is f, f.with_cache(0) is f, D.AffineTransform(0, 1).with_cache().event_dim)
fails(lambda: D.ExpTransform(2))
fails(lambda: D.IndependentTransform(D.ExpTransform(), 3)(x))
fails(lambda: D.ReshapeTransform([2], [3]))
fails(lambda: D.ReshapeTransform([2], [2, 1]).forward_shape(torch.Size([3])))
fails(lambda: D.ReshapeTransform([2], [2, 1]).inverse_shape(torch.Size([3])))
fails(lambda: D.transforms.Transform()(x))

# utilities
U = torch.distributions.utils
t = torch.tensor
say(list(U.broadcast_all(1, 2.5, True)), list(U.broadcast_all(t([1, 2]), 3)), list(U.broadcast_all(t([[1.0], [2.0]]), t([1, 2]), 3)))
fails(lambda: U.broadcast_all([1], 2))
p = t([0.0, 0.3, 1.0])
say(U.clamp_probs(p), U.clamp_probs(p.double()), U.probs_to_logits(p), U.probs_to_logits(p, True), U.logits_to_probs(p), U.logits_to_probs(p, is_binary=True))
m = torch.arange(9.0).view(3, 3)
for diag in (-1, 0, 1):
    v = U.tril_matrix_to_vec(m, diag)
    say(v, U.vec_to_tril_matrix(v, diag))
fails(lambda: U.tril_matrix_to_vec(m, 3))
fails(lambda: U.vec_to_tril_matrix(torch.zeros(4)))
