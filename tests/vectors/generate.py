#!/usr/bin/python3
"""Writes the golden files of the blob format from docs/format.md alone.

This is a second writer of format version 1. It shares no line with the one in src/, so that a
mistake would have to be made twice, in the same way, to go unnoticed. Its output is committed and
never changes: a difference means that the format changed.

    tests/vectors/generate.py            write the files beside this script
    tests/vectors/generate.py --check    compare instead, and the hexadecimal dump in
                                         docs/format.md too; exit 1 when something differs

What is written:

    <case>.bloom  a blob
    <case>.keys   its keys in the order of adding, one a line, in hexadecimal ("-" is the empty
                  key); a line "5..9" stands for the decimal digits of 5 to 9
    digests.txt   key, seed, high half, low half
    probes.txt    key, seed, shards, shard bytes, block bytes, probes, block, bits of that block
    words.txt     low half, j, word j of the probe stream
    large.txt     digests of blobs that are too large to be kept here
"""

import os
import re
import struct
import sys
from fractions import Fraction

import xxhash

MASK = (1 << 64) - 1
HERE = os.path.dirname(os.path.abspath(__file__))


# ---- the format ----

def digest(key, seed):
    """Digest 1: the high and the low half of XXH3-128 with the filter's seed."""
    both = xxhash.xxh3_128_intdigest(key, seed=seed)
    return both >> 64, both & MASK


def word(low, j):
    """Word j of the probe stream; word 0 is the low half itself."""
    if j == 0:
        return low
    z = (low + j * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Geometry:
    def __init__(self, shards, shard_bytes, block_bytes, probes, seed):
        self.shards = shards
        self.shard_bytes = shard_bytes
        self.block_bytes = block_bytes
        self.probes = probes
        self.seed = seed
        self.blocks = shards * (shard_bytes // block_bytes)
        self.body_bytes = shards * shard_bytes

    def place(self, key):
        """The key's block, and the bits of that block in the order of the probes."""
        high, low = digest(key, self.seed)
        block_bits = self.block_bytes * 8
        field_bits = block_bits.bit_length() - 1
        fields = 64 // field_bits
        bits = []
        for probe in range(self.probes):
            j, field = divmod(probe, fields)
            bits.append((word(low, j) >> (field * field_bits)) % block_bits)
        return (high * self.blocks) >> 64, bits


def round_up(value, unit):
    return (value + unit - 1) // unit * unit


def rate_units(rate):
    """A rate as a whole number of 10^-15, halves rounded up."""
    return int(rate * 10**15 + Fraction(1, 2))


def blob(geometry, keys, capacity, asked_rate, built_ms, chunk_bytes, source=b""):
    body = bytearray(geometry.body_bytes)
    shard_keys = [0] * geometry.shards
    for key in keys:
        block, bits = geometry.place(key)
        is_new = False
        for bit in bits:
            at = block * geometry.block_bytes + bit // 8
            is_new = is_new or not body[at] >> (bit % 8) & 1
            body[at] |= 1 << (bit % 8)
        shard_keys[block * geometry.block_bytes // geometry.shard_bytes] += is_new

    tables = b""
    all_bits = 0
    for shard in range(geometry.shards):
        piece = bytes(body[shard * geometry.shard_bytes:(shard + 1) * geometry.shard_bytes])
        set_bits = sum(bin(byte).count("1") for byte in piece)
        all_bits += set_bits
        tables += struct.pack(
            "<IIQ", shard_keys[shard], set_bits, xxhash.xxh3_64_intdigest(piece))
    for at in range(0, geometry.body_bytes, chunk_bytes):
        tables += xxhash.xxh3_128_digest(bytes(body[at:at + chunk_bytes]))

    block_bits = geometry.block_bytes * 8
    rates = Fraction(0)
    for at in range(0, geometry.body_bytes, geometry.block_bytes):
        count = sum(bin(byte).count("1") for byte in body[at:at + geometry.block_bytes])
        rates += Fraction(count, block_bits) ** geometry.probes

    head_bytes = round_up(512 + len(tables) + 8, 4096)
    fixed = b"\x89BLOOM\r\n" + struct.pack(
        "<IIQQQIIIIIIQQQQQQQII",
        1, 0,
        head_bytes, head_bytes + geometry.body_bytes,
        geometry.shards, geometry.shard_bytes, geometry.block_bytes, geometry.probes,
        1, 1, 1,
        geometry.seed,
        sum(shard_keys), all_bits, capacity,
        rate_units(Fraction(asked_rate)), rate_units(rates / geometry.blocks),
        built_ms, chunk_bytes, len(source))
    assert len(fixed) == 128
    fixed += source.ljust(128, b"\0") + bytes(256)
    head = (fixed + tables).ljust(head_bytes - 8, b"\0")
    head += struct.pack("<Q", xxhash.xxh3_64_intdigest(head))
    return head + bytes(body)


# ---- the cases ----

class Integers(list):
    """The decimal digits of consecutive numbers: the keys that ints stand for."""

    def __init__(self, count, first=0):
        super().__init__(str(i).encode() for i in range(first, first + count))
        self.text = "%d..%d\n" % (first, first + count - 1)


BUILT_MS = 1700000000123

CASES = {
    # the worked example of docs/format.md
    "tiny": dict(
        geometry=Geometry(1, 1024, 64, 7, 42), keys=[b"red", b"green", b"blue", b"red"],
        capacity=3, asked_rate="0.01", chunk_bytes=1024, source=b"colours"),
    "empty": dict(
        geometry=Geometry(1, 1024, 64, 6, 0), keys=[],
        capacity=1, asked_rate="0.5", chunk_bytes=65536),
    "shards": dict(
        geometry=Geometry(5, 1024, 64, 6, 0x0123456789ABCDEF), keys=Integers(3000),
        capacity=4000, asked_rate="0.001", chunk_bytes=2048,
        source="Étiquettes \u2116 7".encode()),
    "defaults": dict(
        geometry=Geometry(2, 8192, 64, 7, MASK), keys=Integers(12000, -6000),
        capacity=13000, asked_rate="0.01", chunk_bytes=8192),
    "probes-1": dict(
        geometry=Geometry(1, 1024, 64, 1, 7), keys=Integers(100),
        capacity=100, asked_rate="0.05", chunk_bytes=1024),
    "probes-9": dict(
        geometry=Geometry(1, 1024, 64, 9, 9), keys=Integers(200),
        capacity=200, asked_rate="0.000001", chunk_bytes=1024),
    "probes-32": dict(
        geometry=Geometry(1, 1024, 64, 32, 32), keys=Integers(40),
        capacity=40, asked_rate="0.000000001", chunk_bytes=1024),
    "classic": dict(
        geometry=Geometry(2, 2048, 2048, 7, 0xFFFFFFFF), keys=Integers(2500),
        capacity=3000, asked_rate="0.015", chunk_bytes=4096),
    "block-8": dict(
        geometry=Geometry(3, 1024, 8, 11, 8), keys=Integers(500),
        capacity=500, asked_rate="0.1", chunk_bytes=1024),
    "bytes": dict(
        geometry=Geometry(1, 1024, 128, 5, 1),
        keys=[b"", b"\0", b"\0\0", b"\n", b"\r\n", b"\xff" * 8, bytes(range(256)),
              "Grüße".encode(), b"k" * 241, b"k" * 1025, b"-1", b"0", b"007"],
        capacity=64, asked_rate="0.02", chunk_bytes=1024, source=bytes(range(1, 129))),
}

# Too large to be kept: the keys are the decimal digits of 0 to keys-1.
LARGE = [
    dict(geometry=Geometry(300, 1024, 64, 6, 300), keys=100000, capacity=150000,
         asked_rate="0.003", chunk_bytes=4096),
    dict(geometry=Geometry(37, 16384, 512, 8, 37), keys=200000, capacity=300000,
         asked_rate="0.0005", chunk_bytes=65536),
    dict(geometry=Geometry(2, 65536, 65536, 10, 0x8000000000000000), keys=50000, capacity=60000,
         asked_rate="0.001", chunk_bytes=131072),
]

VECTOR_KEYS = [
    b"", b"\0", b"a", b"ab", b"abc", b"abcd", b"12345678", b"123456789",
    b"0123456789abcdef", b"0123456789abcdefg", bytes(range(128)), bytes(range(129)),
    bytes(range(240)), bytes(range(241)), bytes(i * 7 % 256 for i in range(512)),
    bytes(i * 7 % 256 for i in range(513)), bytes(i % 251 for i in range(1025)),
    b"\xff\xfe\xfd", "Grüße".encode(), b"0", b"-1", b"9223372036854775807",
    b"-9223372036854775808",
]
VECTOR_SEEDS = [0, 1, 42, 0x0123456789ABCDEF, MASK]
VECTOR_GEOMETRIES = [
    (1, 1024, 64, 1), (1, 1024, 64, 6), (10, 8192, 64, 7), (10, 8192, 64, 8), (10, 8192, 64, 9),
    (3, 8192, 64, 15), (3, 8192, 64, 32), (1, 1024, 1024, 7), (7, 8192, 8192, 7),
    (7, 65536, 65536, 12), (9, 1024, 8, 4), (9, 1024, 8, 10), (9, 1024, 8, 11), (9, 1024, 16, 10),
    (1 << 32, 1024, 8, 3), (1 << 26, 65536, 64, 7), (999983, 8192, 64, 6),
]


def text_of(key):
    return key.hex() or "-"


def keys_file(keys):
    if isinstance(keys, Integers):
        return keys.text
    return "".join(text_of(key) + "\n" for key in keys)


def outputs():
    for name, case in CASES.items():
        yield name + ".bloom", blob(built_ms=BUILT_MS, **case)
        yield name + ".keys", keys_file(case["keys"]).encode()

    lines = ["# key seed high low"]
    for key in VECTOR_KEYS:
        for seed in VECTOR_SEEDS:
            lines.append("%s %016x %016x %016x" % (text_of(key), seed, *digest(key, seed)))
    yield "digests.txt", ("\n".join(lines) + "\n").encode()

    lines = ["# key seed shards shard_bytes block_bytes probes block bit,bit,…"]
    for shards, shard_bytes, block_bytes, probes in VECTOR_GEOMETRIES:
        for key in (b"", b"a", b"abc", b"0123456789abcdef", b"-1"):
            for seed in (0, 0x0123456789ABCDEF):
                block, bits = Geometry(shards, shard_bytes, block_bytes, probes, seed).place(key)
                lines.append("%s %016x %d %d %d %d %d %s" % (
                    text_of(key), seed, shards, shard_bytes, block_bytes, probes, block,
                    ",".join(map(str, bits))))
    yield "probes.txt", ("\n".join(lines) + "\n").encode()

    lines = ["# low j word"]
    for low in (0, 1, 0x0123456789ABCDEF, MASK):
        for j in (1, 2, 3, 7, 31):
            lines.append("%016x %d %016x" % (low, j, word(low, j)))
    yield "words.txt", ("\n".join(lines) + "\n").encode()

    lines = ["# shards shard_bytes block_bytes probes seed chunk_bytes capacity rate_units"
             " built_ms keys blob_bytes xxh3_128"]
    for case in LARGE:
        g = case["geometry"]
        built = blob(g, Integers(case["keys"]), case["capacity"], case["asked_rate"], BUILT_MS,
                     case["chunk_bytes"])
        lines.append("%d %d %d %d %016x %d %d %d %d %d %d %s" % (
            g.shards, g.shard_bytes, g.block_bytes, g.probes, g.seed, case["chunk_bytes"],
            case["capacity"], rate_units(Fraction(case["asked_rate"])), BUILT_MS, case["keys"],
            len(built), xxhash.xxh3_128_hexdigest(built)))
    yield "large.txt", ("\n".join(lines) + "\n").encode()


def dump_differs(example):
    """Whether the dump in docs/format.md is not the worked example, zeros left out."""
    dumped = bytearray(len(example))
    with open(os.path.join(HERE, "..", "..", "docs", "format.md"), encoding="utf-8") as page:
        for line in page:
            row = re.match(r"([0-9a-f]{8}): ((?:[0-9a-f]{4}\s){8})", line)
            if row:
                at = int(row.group(1), 16)
                dumped[at:at + 16] = bytes.fromhex(row.group(2))
    return dumped != example


def main():
    check = sys.argv[1:] == ["--check"]
    differing = 0
    for name, content in outputs():
        path = os.path.join(HERE, name)
        if not check:
            with open(path, "wb") as file:
                file.write(content)
            continue
        try:
            with open(path, "rb") as file:
                same = file.read() == content
        except FileNotFoundError:
            same = False
        if not same:
            print("differs: " + name)
            differing += 1
        if name == "tiny.bloom" and dump_differs(content):
            print("differs: the dump in docs/format.md")
            differing += 1
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
