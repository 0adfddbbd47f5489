"""Numbers of the errors of system calls, as Linux has them."""

errorcode = {}
for _name, _number in [
    ('EPERM', 1), ('ENOENT', 2), ('ESRCH', 3), ('EINTR', 4), ('EIO', 5), ('ENXIO', 6), ('E2BIG', 7), ('ENOEXEC', 8), ('EBADF', 9),
    ('ECHILD', 10), ('EAGAIN', 11), ('ENOMEM', 12), ('EACCES', 13), ('EFAULT', 14), ('EBUSY', 16), ('EEXIST', 17), ('EXDEV', 18),
    ('ENODEV', 19), ('ENOTDIR', 20), ('EISDIR', 21), ('EINVAL', 22), ('ENFILE', 23), ('EMFILE', 24), ('ENOTTY', 25), ('EFBIG', 27),
    ('ENOSPC', 28), ('ESPIPE', 29), ('EROFS', 30), ('EMLINK', 31), ('EPIPE', 32), ('EDOM', 33), ('ERANGE', 34), ('EDEADLK', 35),
    ('ENAMETOOLONG', 36), ('ENOSYS', 38), ('ENOTEMPTY', 39), ('ELOOP', 40), ('EADDRINUSE', 98), ('ECONNABORTED', 103),
    ('ECONNRESET', 104), ('ETIMEDOUT', 110), ('ECONNREFUSED', 111), ('EALREADY', 114), ('EINPROGRESS', 115),
]:
    globals()[_name] = _number
    errorcode[_number] = _name
EWOULDBLOCK = EAGAIN
EDEADLOCK = EDEADLK
