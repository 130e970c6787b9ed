#!/usr/bin/python3
"""Lets a server with BF.* commands make a Bloom filter, and writes how the server saves it.

    bf.py SOCKET dump|scandump N ABSENT FILTER LIST ERROR CAPACITY [OPTION...]

SOCKET is the Unix socket of the server. The filter is reserved with ERROR, CAPACITY and the options
of BF.RESERVE (NONSCALING, or EXPANSION and a number) and receives key:0 … key:<N - 1>. FILTER
receives the reply to DUMP, or the header and the chunks of BF.SCANDUMP one after the other. LIST
receives, one a line, each i < ABSENT for which BF.MEXISTS does not rule out absent:<i>.

The server checks the file: the filter is deleted, restored from FILTER, and only then queried.
"""

import socket
import sys

BATCH = 1000


class Server:
    """A connection that speaks RESP2, so no client library is needed."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")

    def call(self, *arguments):
        request = b"*%d\r\n" % len(arguments)
        for argument in arguments:
            value = argument if isinstance(argument, bytes) else str(argument).encode()
            request += b"$%d\r\n%s\r\n" % (len(value), value)
        self.socket.sendall(request)
        return self.reply()

    def reply(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise EOFError("the server closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise ValueError(rest.decode())
        if kind == b":":
            return int(rest)
        if kind == b"+":
            return rest
        if kind == b"$":
            return None if rest == b"-1" else self.file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self.reply() for _ in range(int(rest))]
        raise ValueError("unexpected reply %r" % line)


def batches(prefix, count):
    for first in range(0, count, BATCH):
        indices = range(first, min(first + BATCH, count))
        yield first, ["%s:%d" % (prefix, i) for i in indices]


def scan(server, key):
    """The header, and the chunks with the positions that BF.LOADCHUNK wants for them."""
    chunks = []
    position = 0
    while True:
        position, data = server.call("BF.SCANDUMP", key, position)
        if position == 0:
            return chunks
        chunks.append((position, data))


def main(path, form, keys, absent, filter_file, list_file, *reserve):
    if form not in ("dump", "scandump"):
        raise SystemExit('bf.py: the form is "%s"; it must be dump or scandump' % form)
    server = Server(path)
    key = "bf.py"
    server.call("DEL", key)
    server.call("BF.RESERVE", key, *reserve)
    for _, batch in batches("key", int(keys)):
        server.call("BF.MADD", key, *batch)

    if form == "dump":
        data = server.call("DUMP", key)
        server.call("DEL", key)
        server.call("RESTORE", key, 0, data)
    else:
        chunks = scan(server, key)
        data = b"".join(chunk for _, chunk in chunks)
        server.call("DEL", key)
        for position, chunk in chunks:
            server.call("BF.LOADCHUNK", key, position, chunk)
    with open(filter_file, "wb") as file:
        file.write(data)

    for first, batch in batches("key", int(keys)):
        if 0 in server.call("BF.MEXISTS", key, *batch):
            raise SystemExit("bf.py: the restored filter denies a key after key:%d" % first)
    with open(list_file, "w", encoding="ascii") as file:
        for first, batch in batches("absent", int(absent)):
            for i, answer in enumerate(server.call("BF.MEXISTS", key, *batch), first):
                if answer == 1:
                    file.write("%d\n" % i)
    print(" ".join(str(x) if isinstance(x, int) else x.decode() for x in server.call("BF.INFO", key) if x is not None))
    server.call("DEL", key)


if __name__ == "__main__":
    if len(sys.argv) < 9:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
