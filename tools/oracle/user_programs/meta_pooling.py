# adaptive maxima
meta = dict(device="meta")
aten = torch.ops.aten
def tell(*ts):
    say(" ".join(f"{t.dtype} {list(t.shape)} {list(t.stride())}" for t in ts))
image, volume = torch.empty(2, 3, 4, 5, **meta), torch.empty(2, 3, 4, 5, 6, **meta)
last = image.to(memory_format=torch.channels_last)
for x, two, three in ((image[0], True, False), (image, True, True), (last, True, True), (volume, False, True), (volume.transpose(1, 4), False, True)):
    if two:
        tell(*aten.adaptive_max_pool2d(x, [2, 3]))
    if three:
        tell(*aten.adaptive_max_pool3d(x, [2, 1, 3]))
fails(lambda: aten.adaptive_max_pool2d(volume, [2, 3]))
fails(lambda: aten.adaptive_max_pool2d(image[:, :0], [2, 3]))
fails(lambda: aten.adaptive_max_pool2d(image, [2]))
fails(lambda: aten.adaptive_max_pool3d(image[0], [2, 3, 1]))
fails(lambda: aten.adaptive_max_pool3d(image[:, :, :0], [2, 3, 1]))
fails(lambda: aten.adaptive_max_pool3d(image, [2]))
for op, x, size in ((aten.adaptive_max_pool2d.out, image, [2, 3]), (aten.adaptive_max_pool3d.out, volume, [2, 1, 3])):
    for a in ("cpu", "meta"):
        for b in ("cpu", "meta"):
            out, indices = torch.empty(0, device=a), torch.empty(0, dtype=torch.int64, device=b)
            if a == b == "meta":
                tell(*op(x, size, out=out, indices=indices))
            else:
                fails(lambda: op(x, size, out=out, indices=indices))
    fails(lambda: op(x, size, out=torch.empty(0, **meta), indices=torch.empty(0, dtype=torch.bool, **meta)))

# means of volumes
meta = dict(device="meta")
aten = torch.ops.aten
def tell(t):
    say(f"{t.dtype} {list(t.shape)} {list(t.stride())}")
x = torch.empty(2, 3, 4, 5, 6, **meta)
last = x.to(memory_format=torch.channels_last_3d)
tell(aten.avg_pool3d(x, [2]))
tell(aten.avg_pool3d(last, [2, 3, 1], [1, 2, 3], [1, 1, 0], True))
tell(aten.avg_pool3d(x[0], [2], [1]))
tell(aten.avg_pool3d_backward(torch.empty(2, 3, 2, 2, 3, **meta), last, [2], [], [0], False, True, None))
fails(lambda: aten.avg_pool3d(x, [2, 2]))
fails(lambda: aten.avg_pool3d(x, [2], [1, 1]))
fails(lambda: aten.avg_pool3d(x, [2], [], [0, 0]))
fails(lambda: aten.avg_pool3d(x, [2], [], [2]))
fails(lambda: aten.avg_pool3d(x, [2], [0]))
fails(lambda: aten.avg_pool3d(x[0, 0], [2]))
fails(lambda: aten.avg_pool3d(x, [2], [], [0], False, True, 0))
fails(lambda: aten.avg_pool3d(x, [5, 2, 2], [], [2, 0, 0]))
fails(lambda: aten.avg_pool3d(x, [0, 2, 2]))
fails(lambda: aten.avg_pool3d(x[:, :0], [2]))
fails(lambda: aten.avg_pool3d(x.to(torch.uint8), [2]))
fails(lambda: aten.avg_pool3d.out(x, [2], out=torch.empty(0)))
fails(lambda: aten.avg_pool3d.out(x, [2], out=torch.empty(0, dtype=torch.int64, **meta)))
fails(lambda: aten.avg_pool3d_backward(torch.empty(2, 3, 2, 2, 2, **meta), x, [2], [], [0], False, True, None))
