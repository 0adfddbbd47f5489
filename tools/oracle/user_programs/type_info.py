# what a dtype can hold
for d in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
    f = torch.finfo(d)
    say(f, f.bits, f.dtype, f.eps, f.smallest_normal, f.tiny, f.resolution, f.max - f.max / 2, -f.min / f.max == 1)
    say(f == torch.finfo(d), f == torch.finfo(torch.float32), f != torch.finfo(d), isinstance(f, torch.finfo), isinstance(f, torch.iinfo))
for d in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint32, torch.uint64):
    i = torch.iinfo(d)
    say(i, i.bits, i.max, i.min, i.dtype, i == torch.iinfo(d), i == torch.iinfo(torch.int8))
say(torch.finfo(), torch.finfo(type=torch.float16), torch.finfo.__name__)
torch.set_default_dtype(torch.float64)
say(torch.finfo())
torch.set_default_dtype(torch.float32)
scores = torch.zeros(2, 2).masked_fill(torch.tensor([True, False]), torch.finfo(torch.float32).min)
say(scores, scores.softmax(1))

# dtypes of the other kind
fails(lambda: torch.finfo(torch.int8))
fails(lambda: torch.finfo(torch.bool))
fails(lambda: torch.iinfo(torch.float32))
fails(lambda: torch.iinfo(torch.bool))
fails(lambda: torch.iinfo())
fails(lambda: torch.finfo(3))
fails(lambda: torch.iinfo("x"))
fails(lambda: torch.finfo(dtype=torch.float16))
