#!/usr/bin/python3
"""Lets a server with BF.* commands make a Bloom filter, and writes how the server saves it.

    bf.py SOCKET dump|scandump N ABSENT FILTER LIST ERROR CAPACITY [OPTION...]
    bf.py SOCKET restore|loadchunk N ABSENT FILTER LIST

SOCKET is the Unix socket of the server. The filter is reserved with ERROR, CAPACITY and the options
of BF.RESERVE (NONSCALING, or EXPANSION and a number) and receives key:0 … key:<N - 1>. FILTER
receives the reply to DUMP, or the header and the chunks of BF.SCANDUMP one after the other. LIST
receives, one a line, each i < ABSENT for which BF.MEXISTS does not rule out absent:<i>.

The server checks the file: the filter is deleted, restored from FILTER, and only then queried.
The forms restore and loadchunk do only that, with a FILTER that another program wrote. They fail if
the server refuses the file or denies one of the N keys.
"""

import socket
import struct
import sys

BATCH = 1000
CHUNK = 16 << 20


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
            raise SystemExit("bf.py: the server answered: " + rest.decode())
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
    chunks = []
    position = 0
    while True:
        position, data = server.call("BF.SCANDUMP", key, position)
        if position == 0:
            return b"".join(chunks)
        chunks.append(data)


def load_chunks(server, key, data):
    """Each chunk belongs to one layer and is at most 16 MiB long, as BF.SCANDUMP would split them."""
    layers = struct.unpack_from("<I", data, 8)[0]
    end = 20 + 53 * layers
    server.call("BF.LOADCHUNK", key, 1, data[:end])
    position = 1
    for layer in range(layers):
        length = struct.unpack_from("<Q", data, 20 + 53 * layer)[0]
        while length > 0:
            chunk = data[end : end + min(length, CHUNK)]
            if not chunk:
                raise SystemExit("bf.py: the file ends in layer %d" % layer)
            position += len(chunk)
            server.call("BF.LOADCHUNK", key, position, chunk)
            end += len(chunk)
            length -= len(chunk)
    if end != len(data):
        raise SystemExit("bf.py: %d bytes follow the last layer" % (len(data) - end))


def make(server, key, form, keys, reserve):
    server.call("BF.RESERVE", key, *reserve)
    for _, batch in batches("key", keys):
        server.call("BF.MADD", key, *batch)
    return server.call("DUMP", key) if form == "dump" else scan(server, key)


def main(path, form, keys, absent, filter_file, list_file, *reserve):
    server = Server(path)
    key = "bf.py"
    server.call("DEL", key)
    if form in ("dump", "scandump"):
        data = make(server, key, form, int(keys), reserve)
        with open(filter_file, "wb") as file:
            file.write(data)
        server.call("DEL", key)
    else:
        with open(filter_file, "rb") as file:
            data = file.read()
    if form in ("dump", "restore"):
        server.call("RESTORE", key, 0, data)
    else:
        load_chunks(server, key, data)

    for first, batch in batches("key", int(keys)):
        for i, answer in enumerate(server.call("BF.MEXISTS", key, *batch), first):
            if answer != 1:
                raise SystemExit("bf.py: the restored filter denies key:%d" % i)
    with open(list_file, "w", encoding="ascii") as file:
        for first, batch in batches("absent", int(absent)):
            for i, answer in enumerate(server.call("BF.MEXISTS", key, *batch), first):
                if answer == 1:
                    file.write("%d\n" % i)
    info = server.call("BF.INFO", key)
    print(" ".join(str(x) if isinstance(x, int) else x.decode() for x in info if x is not None))
    server.call("DEL", key)


if __name__ == "__main__":
    form = sys.argv[2] if len(sys.argv) > 2 else ""
    reserves = form in ("dump", "scandump")
    if not (reserves and len(sys.argv) >= 9) and not (form in ("restore", "loadchunk") and len(sys.argv) == 7):
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
