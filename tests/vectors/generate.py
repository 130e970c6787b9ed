#!/usr/bin/python3
"""Writes the golden files of the blob format. It is based on the pages in docs/dev alone:
blob.md, writing.md, store.md and journal.md.

This script is a second writer of format version 2. It shares no code with the writer in src/, so a
mistake goes unnoticed only if both writers make it in the same way. Its output is committed and
never changes: a difference means that the format changed.

    tests/vectors/generate.py            writes the files beside this script
    tests/vectors/generate.py --check    compares the files and the hexadecimal dumps in
                                         docs/dev instead; exits with 1 if one differs

README.md beside it describes the files.
"""

import hashlib
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
    """Digest 1: XXH3-64 with the filter's seed."""
    return xxhash.xxh3_64_intdigest(key, seed=seed)


def siphash(key, message):
    """SipHash-2-4 with 64 bits of output, as in its authors' reference code."""
    k0, k1 = struct.unpack("<QQ", key)
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D,
         k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rotate(x, bits):
        return (x << bits | x >> (64 - bits)) & MASK

    def rounds(count):
        for _ in range(count):
            v[0] = (v[0] + v[1]) & MASK
            v[1] = rotate(v[1], 13) ^ v[0]
            v[0] = rotate(v[0], 32)
            v[2] = (v[2] + v[3]) & MASK
            v[3] = rotate(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & MASK
            v[3] = rotate(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & MASK
            v[1] = rotate(v[1], 17) ^ v[2]
            v[2] = rotate(v[2], 32)

    padded = message + bytes(-(len(message) + 1) % 8) + bytes([len(message) & 255])
    for (word_in,) in struct.iter_unpack("<Q", padded):
        v[3] ^= word_in
        rounds(2)
        v[0] ^= word_in
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


# The first three test vectors of the reference code.
for count, expected in enumerate((
        "310e0edd47db6f72", "fd67dc93c539f874", "5a4fa9d909806c0d")):
    assert struct.pack("<Q", siphash(bytes(range(16)), bytes(range(count)))).hex() == expected


def blake(person, key, message, size):
    assert len(person) == 16
    return hashlib.blake2b(message, digest_size=size, key=key, person=person).digest()


def fingerprint(secret):
    """Identifies a secret in a blob. Never 0, which means that the blob has no secret."""
    if not secret:
        return 0
    return struct.unpack_from("<Q", blake(b"bloom fingerprnt", secret, b"", 16))[0] or 1


def digest_key(secret, seed):
    return blake(b"bloom digest key", secret, struct.pack("<Q", seed), 16)


def keyed_digest(key, seed, secret):
    """Digest 2: SipHash-2-4 with a key that is derived from the secret and the seed."""
    return siphash(digest_key(secret, seed), key)


def mix(z):
    z &= MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def word(hashed, j):
    """Word j of a digest's probe stream."""
    first = (hashed * 0xD1B54A32D192ED03) & MASK
    return first if j == 0 else mix(first + j * 0x9E3779B97F4A7C15)


class Geometry:
    """A blocked Bloom filter. Rates are measured per lane, and its lanes are its blocks."""
    scheme = 1

    def __init__(self, shards, shard_bytes, block_bytes, probes, seed, secret=b""):
        self.secret = secret
        self.shards = shards
        self.shard_bytes = shard_bytes
        self.block_bytes = block_bytes
        self.probes = probes
        self.seed = seed
        self.blocks = shards * (shard_bytes // block_bytes)
        self.body_bytes = shards * shard_bytes

    def digest(self, key):
        if self.secret:
            return keyed_digest(key, self.seed, self.secret)
        return digest(key, self.seed)

    def place(self, key):
        """The key's block, and the bits of that block in the order of the probes."""
        hashed = self.digest(key)
        block_bits = self.block_bytes * 8
        field_bits = block_bits.bit_length() - 1
        fields = 64 // field_bits
        bits = []
        for probe in range(self.probes):
            j, field = divmod(probe, fields)
            bits.append((word(hashed, j) >> (field * field_bits)) % block_bits)
        return (hashed * self.blocks) >> 64, bits

    def keys_of(self, entry):
        """The blocks, each with its bits, that an entry of a case sets."""
        return [self.place(entry)]

    def of_scheme(self):
        """The 16 bytes of the head at offset 256."""
        return bytes(16)

    def fill(self, entries):
        """The body, the first and second field of each shard's row, and the rate.

        The first field is the number of keys. The second one depends on the scheme.
        """
        body = bytearray(self.body_bytes)
        shard_keys = [0] * self.shards
        for entry in entries:
            for block, bits in self.keys_of(entry):
                is_new = False
                for bit in bits:
                    at = block * self.block_bytes + bit // 8
                    is_new = is_new or not body[at] >> (bit % 8) & 1
                    body[at] |= 1 << (bit % 8)
                shard_keys[block * self.block_bytes // self.shard_bytes] += is_new
        set_bits = [sum(bin(byte).count("1") for byte in body[at:at + self.shard_bytes])
                    for at in range(0, self.body_bytes, self.shard_bytes)]
        counts, lane_bits = self.lanes(body)
        rate = Fraction(sum(count ** self.probes for count in counts),
                        lane_bits ** self.probes * len(counts))
        return body, shard_keys, set_bits, rate

    def lanes(self, body):
        """The number of set bits of each lane, and the number of bits of a lane."""
        counts = [sum(bin(byte).count("1") for byte in body[at:at + self.block_bytes])
                  for at in range(0, self.body_bytes, self.block_bytes)]
        return counts, self.block_bytes * 8


class Reverse(Geometry):
    """A reverse index. An entry is a group and a value."""
    scheme = 2

    def __init__(self, shards, shard_bytes, probes, seed, groups, fan_out, secret=b""):
        super().__init__(shards, shard_bytes, shard_bytes, probes, seed, secret)
        self.groups = groups
        self.fan_out = fan_out
        self.rows = shard_bytes * 8 // fan_out
        self.levels = 1
        while fan_out ** self.levels < groups:
            self.levels += 1

    def of_scheme(self):
        return struct.pack("<QII", self.groups, self.fan_out, 0)

    def in_node(self, value, node):
        """A value's block in a node, its rotation, and its rows in the order of the probes."""
        hashed = self.digest(value)
        in_node = mix(hashed + (node + 1) * 0x9E3779B97F4A7C15)
        field_bits = self.rows.bit_length() - 1
        fields = 64 // field_bits
        rows = []
        for probe in range(self.probes):
            j, field = divmod(probe, fields)
            rows.append((word(in_node, j) >> (field * field_bits)) % self.rows)
        return (in_node * self.blocks) >> 64, hashed % self.fan_out, rows

    def keys_of(self, entry):
        group, value = entry
        node, keys = 0, []
        for level in range(self.levels):
            child = group // self.fan_out ** (self.levels - 1 - level) % self.fan_out
            block, rotation, rows = self.in_node(value, node)
            column = (child + rotation) % self.fan_out
            keys.append((block, [row * self.fan_out + column for row in rows]))
            node = node * self.fan_out + child + 1
        return keys

    def lanes(self, body):
        counts = []
        for at in range(0, self.body_bytes, self.block_bytes):
            block = int.from_bytes(body[at:at + self.block_bytes], "little")
            text = bin(block)[2:].zfill(self.block_bytes * 8)[::-1]
            counts += [text[column::self.fan_out].count("1") for column in range(self.fan_out)]
        return counts, self.rows

    def answer(self, body, value, level=0, node=0, first=0):
        """The groups that may hold a value, found as a reader finds them."""
        below = self.fan_out ** (self.levels - 1 - level)
        block, rotation, rows = self.in_node(value, node)
        groups = []
        for child in range(self.fan_out):
            group = first + child * below
            bits = [row * self.fan_out + (child + rotation) % self.fan_out for row in rows]
            if group >= self.groups or not all(
                    body[block * self.block_bytes + bit // 8] >> (bit % 8) & 1 for bit in bits):
                continue
            if level == self.levels - 1:
                groups.append(group)
            else:
                groups += self.answer(
                    body, value, level + 1, node * self.fan_out + child + 1, group)
        return groups


class Ribbon(Geometry):
    """A ribbon filter. Its solver uses whole rows of a shard's system of equations, as long
    integers, instead of bands of 64 bits."""
    scheme = 3
    value_bits = 0
    LEAST_CHECKS = 1
    THRESHOLDS = (0, 24, 56, 128)
    # The value of the bucket's threshold if the group contradicts, and the group's first start and
    # the start behind its last one.
    GROUPS = ((3, 56, 128), (2, 24, 56), (1, 0, 24))

    def __init__(self, shards, shard_bytes, stripes, seed, secret=b""):
        assert stripes % 2 == 0 and 10 <= stripes <= shard_bytes // 8
        self.threshold_words = (stripes + 63) // 64
        words = shard_bytes // 8 - self.threshold_words
        checks = words // stripes - self.value_bits
        assert self.LEAST_CHECKS <= checks <= 32
        super().__init__(shards, shard_bytes, shard_bytes, checks, seed, secret)
        self.stripes = stripes
        narrow = stripes - words % stripes
        self.widths = [words // stripes] * narrow + [words // stripes + 1] * (stripes - narrow)
        self.home_shards = shards
        behind = 2 * self.threshold_words
        self.levels = [(0, stripes - 2 - behind), (stripes - 2 - behind, behind), (stripes - 2, 1)]

    def of_scheme(self):
        return struct.pack("<IIQ", self.stripes, 0, 0)

    def shard_of(self, hashed):
        return hashed * self.home_shards >> 64

    def start(self, hashed, level):
        """The slot at which a digest's equation starts in level 0, 1 or 2 (3, 4 or 5: those of the
        spill shard of a map)."""
        first, count = self.levels[level % 3]
        fraction = (hashed * self.home_shards & MASK) * (1 + level * 0x3C6EF372FE94F82A) & MASK
        return 64 * first + (fraction * 64 * count >> 64)

    def is_bumped(self, thresholds, start):
        return start % 128 < self.THRESHOLDS[thresholds[start // 128]]

    def place_in_shard(self, thresholds, hashed, first=0):
        """The level of a digest and its start there, or first + 3 if all three levels bump it."""
        for level in range(first, first + 3):
            start = self.start(hashed, level)
            if not self.is_bumped(thresholds, start):
                return level, start
        return first + 3, None

    @staticmethod
    def coefficients(hashed):
        return word(hashed, 1) | 1

    @staticmethod
    def result(hashed):
        return word(hashed, 0) % (1 << 33)

    def is_contradiction(self, value):
        """Whether an equation whose coefficients became 0, and its result this value, contradicts."""
        return value != 0

    def solve(self, result_of, first_level=0):
        """Solves the equations of a dictionary from digests to results.

        Returns the shard's thresholds, one for each bucket, the value of each of its slots, and the
        digests that all three levels bump.
        """
        digests = sorted(result_of)
        pivots = {}         # by first slot; bit s of a row stands for slot s
        results = 1 << (self.value_bits + self.probes + 1)

        def add(hashed, start, added):
            """Adds an equation. Returns false if it contradicts the rows."""
            row, value = self.coefficients(hashed) << start, result_of[hashed] % results
            while row:
                slot = (row & -row).bit_length() - 1
                if slot not in pivots:
                    pivots[slot] = row, value
                    added.append(slot)
                    return True
                row, value = row ^ pivots[slot][0], value ^ pivots[slot][1]
            return not self.is_contradiction(value)

        thresholds = [0] * (self.stripes // 2)
        for level in range(first_level, first_level + 3):
            of_bucket = {}
            for hashed in digests:
                of_bucket.setdefault(self.start(hashed, level) // 128, []).append(hashed)
            for bucket in sorted(of_bucket):
                for threshold, low, high in self.GROUPS:
                    added = []
                    group = [(hashed, self.start(hashed, level)) for hashed in of_bucket[bucket]
                             if low <= self.start(hashed, level) % 128 < high]
                    if not all(add(hashed, start, added) for hashed, start in group):
                        for slot in added:
                            del pivots[slot]
                        thresholds[bucket] = threshold
                        break
            digests = [hashed for hashed in digests
                       if self.is_bumped(thresholds, self.start(hashed, level))]

        slots = [0] * (64 * self.stripes)
        for slot in sorted(pivots, reverse=True):
            row, value = pivots[slot]
            row >>= slot + 1
            for behind in range(slot + 1, slot + 1 + row.bit_length()):
                if row >> (behind - slot - 1) & 1:
                    value ^= slots[behind]
            slots[slot] = value
        return thresholds, slots, digests

    def rate_of(self, thresholds):
        """The probability that a random digest passes at one of the levels, and that all bump it."""
        reached, rate = Fraction(1), Fraction(0)
        for first, count in self.levels:
            starts = range(64 * first, 64 * (first + count))
            here = [start for start in starts if not self.is_bumped(thresholds, start)]
            rate += reached * sum(
                Fraction(1, 2 ** (self.widths[start // 64] - self.value_bits))
                for start in here) / len(starts)
            reached *= Fraction(len(starts) - len(here), len(starts))
        return rate, reached

    def packed(self, thresholds, slots):
        """The bytes of a shard."""
        packed = sum(value << 2 * bucket for bucket, value in enumerate(thresholds))
        shard = packed.to_bytes(8 * self.threshold_words, "little")
        for stripe, width in enumerate(self.widths):
            for column in range(width):
                shard += struct.pack("<Q", sum(
                    (value >> column & 1) << bit
                    for bit, value in enumerate(slots[64 * stripe:64 * stripe + 64])))
        assert len(shard) == self.shard_bytes
        return shard

    def fill(self, entries):
        of_shard = [{} for _ in range(self.shards)]
        for key in entries:
            hashed = self.digest(key)
            of_shard[self.shard_of(hashed)][hashed] = self.result(hashed)
        body, rate = bytearray(), Fraction(0)
        self.keys_in_level = [0] * 4
        for result_of in of_shard:
            thresholds, slots, _ = self.solve(result_of)
            rate += sum(self.rate_of(thresholds))
            body += self.packed(thresholds, slots)
            for hashed in result_of:
                self.keys_in_level[self.place_in_shard(thresholds, hashed)[0]] += 1
        for key in entries:
            assert self.has(body, key)
        return body, [len(digests) for digests in of_shard], [0] * self.shards, rate / self.shards

    def has(self, body, key):
        """Looks a key up as a reader does, slot by slot."""
        hashed = self.digest(key)
        shard = self.shard_of(hashed) * self.shard_bytes
        shard = body[shard:shard + self.shard_bytes]
        thresholds = [shard[bucket // 4] >> (bucket % 4 * 2) & 3
                      for bucket in range(self.stripes // 2)]
        level, start = self.place_in_shard(thresholds, hashed)
        if level == 3:
            return True
        row = self.coefficients(hashed)
        for column in range(self.widths[start // 64]):
            parity = self.result(hashed) >> column & 1
            for slot in range(start, start + 64):
                stripe = slot // 64
                at = 8 * (self.threshold_words + sum(self.widths[:stripe]) + column)
                parity ^= shard[at + slot % 64 // 8] >> (slot % 8) & row >> (slot - start) & 1
            if parity:
                return False
        return True


class Map(Ribbon):
    """A map. An entry is a key and a value. Keys that leave the third level of their home shard are in
    the spill shard, the last one."""
    scheme = 5
    LEAST_CHECKS = 0

    def __init__(self, shards, shard_bytes, stripes, value_bits, seed, secret=b""):
        self.value_bits = value_bits
        super().__init__(shards, shard_bytes, stripes, seed, secret)
        self.home_shards = max(1, shards - 1)

    def of_scheme(self):
        return struct.pack("<IIQ", self.stripes, self.value_bits, 0)

    def is_contradiction(self, value):
        return True         # whatever the values of the keys

    def fill(self, entries):
        of_shard = [{} for _ in range(self.shards)]
        for key, value in entries:
            hashed = self.digest(key)
            value %= 1 << self.value_bits
            result_of = of_shard[self.shard_of(hashed)]
            result = self.result(hashed) << self.value_bits | value
            assert result_of.setdefault(hashed, result) == result
        solved, spilled = [], {}
        self.keys_in_level = [0] * 6
        for shard, result_of in enumerate(of_shard):
            first_level = 0
            if shard == self.home_shards:
                result_of, first_level = spilled, 3
            thresholds, slots, beyond = self.solve(result_of, first_level)
            if shard < self.shards - 1:
                spilled.update((hashed, result_of.pop(hashed)) for hashed in beyond)
            else:
                assert not beyond and thresholds[-1] == 0
                of_shard[-1] = result_of
            for hashed in result_of:
                self.keys_in_level[self.place_in_shard(thresholds, hashed, first_level)[0]] += 1
            solved.append((thresholds, slots))
        rates = [self.rate_of(thresholds) for thresholds, _ in solved]
        rate = sum(rate + reached * rates[-1][0] for rate, reached in rates[:self.home_shards])
        body = b"".join(self.packed(*shard) for shard in solved)
        self.check(body, entries, rate / self.home_shards)
        return (body, [len(result_of) for result_of in of_shard], [0] * self.shards,
                rate / self.home_shards)

    def get(self, body, key):
        """Looks a key up as a reader does. Returns None if it is definitely absent."""
        hashed = self.digest(key)
        for shard, first_level in (self.shard_of(hashed), 0), (self.shards - 1, 3):
            words = struct.unpack_from("<%dQ" % (self.shard_bytes // 8), body, shard * self.shard_bytes)
            thresholds = [words[bucket // 32] >> (bucket % 32 * 2) & 3
                          for bucket in range(self.stripes // 2)]
            level, start = self.place_in_shard(thresholds, hashed, first_level)
            if level < first_level + 3:
                break
        stripe, shift = divmod(start, 64)
        behind = sum(self.widths[:stripe]) + self.threshold_words
        found = 0
        for column in range(self.widths[stripe]):
            both = words[behind + column] | words[behind + self.widths[stripe] + column] << 64
            found |= (bin(both >> shift & self.coefficients(hashed)).count("1") & 1) << column
        checks = self.widths[stripe] - self.value_bits
        if found >> self.value_bits != self.result(hashed) % (1 << checks):
            return None
        return found % (1 << self.value_bits)

    def check(self, body, entries, rate):
        """Looks up all keys, and absent ones, of which the expected number must get a value."""
        for key, value in entries:
            assert self.get(body, key) == value % (1 << self.value_bits)
        absent = 2000
        found = sum(self.get(body, b"absent-%d" % i) is not None for i in range(absent))
        deviation = float(absent * rate * (1 - rate)) ** 0.5
        assert abs(found - absent * rate) <= 4 * deviation + (1 if rate < 1 else 0), (found, float(rate))


def round_up(value, unit):
    return (value + unit - 1) // unit * unit


def rate_units(rate):
    """A rate in units of 10^-15, rounded to the nearest integer (halves up)."""
    return int(rate * 10**15 + Fraction(1, 2))


def blob(geometry, keys, capacity, asked_rate, built_ms, chunk_bytes, source=b"", signing_key=b"",
         name=b"", mark=b""):
    body, shard_keys, beside, rate = geometry.fill(keys)

    tables = b""
    for shard in range(geometry.shards):
        piece = bytes(body[shard * geometry.shard_bytes:(shard + 1) * geometry.shard_bytes])
        tables += struct.pack(
            "<IIQ", shard_keys[shard], beside[shard], xxhash.xxh3_64_intdigest(piece))
    for at in range(0, geometry.body_bytes, chunk_bytes):
        chunk = bytes(body[at:at + chunk_bytes])
        tables += (hashlib.blake2b(chunk, digest_size=16).digest() if signing_key
                   else xxhash.xxh3_128_digest(chunk))

    head_bytes = round_up(512 + len(tables) + 8, 4096)
    fixed = b"\x89BLOOM\r\n" + struct.pack(
        "<IIQQQIIIIIIQQQQQQQII",
        2, 0,
        head_bytes, head_bytes + geometry.body_bytes,
        geometry.shards, geometry.shard_bytes, geometry.block_bytes, geometry.probes,
        geometry.scheme, 2 if geometry.secret else 1, 2 if signing_key else 1,
        geometry.seed,
        sum(shard_keys), sum(beside), capacity,
        rate_units(Fraction(asked_rate)), rate_units(rate),
        built_ms, chunk_bytes, len(source))
    assert len(fixed) == 128
    fixed += source.ljust(128, b"\0")
    fixed += geometry.of_scheme() + struct.pack(
        "<QQ", fingerprint(geometry.secret), fingerprint(signing_key)).ljust(48, b"\0")
    fixed += mark.ljust(192, b"\0")
    head = (fixed + tables).ljust(head_bytes - 8, b"\0")
    if signing_key:
        signature = blake(b"bloom signature ", signing_key,
                          struct.pack("<Q", len(name)) + name + head, 32)
        head = head[:288] + signature + head[320:]
    head += struct.pack("<Q", xxhash.xxh3_64_intdigest(head))
    return head + bytes(body)


# ---- the cases ----

class Integers(list):
    """The decimal digits of consecutive integers. An int key is converted to these bytes."""

    def __init__(self, count, first=0):
        super().__init__(str(i).encode() for i in range(first, first + count))
        self.text = "%d..%d\n" % (first, first + count - 1)


BUILT_MS = 1700000000123
SECRET = bytes(range(32))
SIGNING_KEY = bytes(range(100, 132))
NAME = b"tags"

CASES = {
    # the worked example of docs/dev/blob.md
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
    "keyed-bytes": dict(
        geometry=Geometry(1, 1024, 64, 7, 42, SECRET),
        keys=[b"", b"\0", b"\0\0", b"red", b"\xff" * 8, bytes(range(256)), b"k" * 241, b"-1", b"0"],
        capacity=64, asked_rate="0.01", chunk_bytes=1024, source=b"keyed"),
    "keyed-shards": dict(
        geometry=Geometry(5, 1024, 64, 9, 0x0123456789ABCDEF, SECRET), keys=Integers(2000),
        capacity=2500, asked_rate="0.001", chunk_bytes=2048),
    "signed-tiny": dict(
        geometry=Geometry(1, 1024, 64, 7, 42), keys=[b"red", b"green", b"blue", b"red"],
        capacity=3, asked_rate="0.01", chunk_bytes=1024, source=b"colours",
        signing_key=SIGNING_KEY, name=NAME),
    "signed-keyed": dict(
        geometry=Geometry(5, 1024, 64, 6, 7, SECRET), keys=Integers(3000),
        capacity=4000, asked_rate="0.001", chunk_bytes=2048,
        signing_key=SIGNING_KEY, name=NAME),
    # the worked example of docs/dev/writing.md
    "ribbon-tiny": dict(
        geometry=Ribbon(1, 1024, 20, 42), keys=[b"red", b"green", b"blue", b"red"],
        capacity=3, asked_rate="0.015", chunk_bytes=1024, source=b"colours"),
    "ribbon-empty": dict(
        geometry=Ribbon(1, 1024, 126, 0), keys=[],
        capacity=1, asked_rate="0.5", chunk_bytes=65536),
    # Keys in all three levels, and none beyond.
    "ribbon-numbers": dict(
        geometry=Ribbon(5, 1024, 18, 3), keys=Integers(5100),
        capacity=5100, asked_rate="0.01", chunk_bytes=2048),
    # More keys than the capacity, so that all levels bump some.
    "ribbon-overfull": dict(
        geometry=Ribbon(3, 1024, 18, 11), keys=Integers(3500),
        capacity=3000, asked_rate="0.01", chunk_bytes=1024),
    # Two words of thresholds.
    "ribbon-stripes": dict(
        geometry=Ribbon(2, 2048, 100, 5), keys=Integers(12500, 10000),
        capacity=12500, asked_rate="0.3", chunk_bytes=65536),
    "ribbon-wide": dict(
        geometry=Ribbon(3, 2048, 14, MASK), keys=Integers(2300, -700),
        capacity=2300, asked_rate="0.00001", chunk_bytes=4096),
    # The widest stripes, of 33 words.
    "ribbon-widest": dict(
        geometry=Ribbon(1, 32768, 126, 9), keys=Integers(500),
        capacity=7000, asked_rate="0.000000001", chunk_bytes=32768),
    "keyed-ribbon": dict(
        geometry=Ribbon(1, 1024, 64, 7, SECRET), keys=Integers(3800),
        capacity=3800, asked_rate="0.3", chunk_bytes=1024),
}


def values(count, value_bits, first=0):
    """Consecutive integers with values of all magnitudes, the least and the greatest among them.
    Values of 64 bits have a sign."""
    listed = []
    for i in range(count):
        value = (mix(i) >> (i % value_bits)) % (1 << value_bits)
        if i < 2:
            value = -i % (1 << value_bits)
        if value_bits == 64 and value >= 1 << 63:
            value -= 1 << 64
        listed.append((str(first + i).encode(), value))
    return listed


EXTREMES = [(b"least", -1 << 63), (b"greatest", (1 << 63) - 1)]

MAPS = {
    "map-empty": dict(
        geometry=Map(1, 1024, 30, 3, 0), keys=[],
        capacity=1, asked_rate="0.5", chunk_bytes=65536),
    # Keys of any bytes, two of them set twice.
    "map-bit": dict(
        geometry=Map(1, 1024, 16, 1, 42),
        keys=[(b"", 1), (b"\0", 0), (b"\0\0", 1), (b"\n", 1), (b"\t", 0), (b"\xff" * 8, 1),
              (bytes(range(256)), 0), ("Grüße".encode(), 1), (b"-1", 1), (b"0", 0), (b"007", 1),
              (b"", 1), (b"0", 0)],
        capacity=64, asked_rate="0.02", chunk_bytes=1024, source=bytes(range(1, 129))),
    # Three home shards, and a spill shard with keys in all of its levels.
    "map-spill": dict(
        geometry=Map(4, 1024, 10, 7, 4), keys=values(1872, 7, -900),
        capacity=1872, asked_rate="0.03", chunk_bytes=2048, source=b"seven bits"),
    "map-20": dict(
        geometry=Map(1, 4096, 18, 20, MASK), keys=values(1000, 20),
        capacity=1000, asked_rate="0.005", chunk_bytes=4096),
    # A spill shard without keys.
    "map-33": dict(
        geometry=Map(3, 4096, 12, 33, 0x0123456789ABCDEF), keys=values(1000, 33),
        capacity=1200, asked_rate="0.002", chunk_bytes=8192),
    "map-64": dict(
        geometry=Map(1, 8192, 14, 64, 64), keys=values(700, 64) + EXTREMES,
        capacity=800, asked_rate="0.002", chunk_bytes=8192),
    # No check columns, except in the wide stripes, which have one.
    "map-unchecked": dict(
        geometry=Map(3, 1024, 12, 10, 12), keys=values(1200, 10),
        capacity=1300, asked_rate="1", chunk_bytes=1024),
    # No check column at all, so every key has a value. Two words of thresholds.
    "map-rate-1": dict(
        geometry=Map(1, 1024, 126, 1, 1), keys=values(1000, 1),
        capacity=7000, asked_rate="1", chunk_bytes=1024),
    # The most check columns, 32 and 33.
    "map-checks": dict(
        geometry=Map(1, 8192, 12, 53, 53), keys=values(600, 53),
        capacity=600, asked_rate="0.000000001", chunk_bytes=8192),
    # The most columns that fit, 95 and 96. Two words of thresholds.
    "map-widest": dict(
        geometry=Map(1, 65536, 86, 64, 96), keys=values(300, 64) + EXTREMES,
        capacity=5000, asked_rate="0.000000001", chunk_bytes=65536),
    "keyed-map": dict(
        geometry=Map(2, 1024, 10, 4, 7, SECRET), keys=values(610, 4),
        capacity=610, asked_rate="0.01", chunk_bytes=1024),
    "signed-map": dict(
        geometry=Map(3, 1024, 14, 3, 3), keys=values(1500, 3),
        capacity=1600, asked_rate="0.03", chunk_bytes=1024,
        signing_key=SIGNING_KEY, name=NAME),
}

# Whether keys are in each of the three levels, and beyond them: in a map, in each level of the spill
# shard.
LEVELS = {
    "ribbon-numbers": [True, True, True, False],
    "ribbon-overfull": [True, True, True, True],
    "ribbon-stripes": [True, True, True, False],
    "map-spill": [True] * 6,
    "map-20": [True, True, False, False, False, False],
    "map-33": [True, False, False, False, False, False],
}

# Too large to be committed. The keys are the decimal digits of 0 to keys - 1.
LARGE = [
    dict(geometry=Geometry(300, 1024, 64, 6, 300), keys=100000, capacity=150000,
         asked_rate="0.003", chunk_bytes=4096),
    dict(geometry=Geometry(37, 16384, 512, 8, 37), keys=200000, capacity=300000,
         asked_rate="0.0005", chunk_bytes=65536),
    dict(geometry=Geometry(2, 65536, 65536, 10, 0x8000000000000000), keys=50000, capacity=60000,
         asked_rate="0.001", chunk_bytes=131072),
]

def entries(count, groups, step):
    """Values "v0", "v1", … in groups that are far apart. Every seventh value is in two groups."""
    listed = []
    for i in range(count):
        listed.append((i * step % groups, b"v%d" % i))
        if i % 7 == 0:
            listed.append(((i * step + groups // 2) % groups, b"v%d" % i))
    return listed


REVERSE = {
    # two levels; the last node of the lower level is incomplete
    "reverse-300": dict(
        geometry=Reverse(3, 4096, 7, 300, 300, 64), keys=entries(3000, 300, 37),
        capacity=4000, asked_rate="0.01", chunk_bytes=8192, source=b"three hundred groups"),
    # three levels, two words of probes
    "reverse-deep": dict(
        geometry=Reverse(2, 8192, 9, 0x0123456789ABCDEF, 5000, 64), keys=entries(1500, 5000, 1237),
        capacity=2000, asked_rate="0.001", chunk_bytes=8192),
    # one group; the tree still has one level
    "reverse-one": dict(
        geometry=Reverse(1, 8192, 3, 0, 1, 128),
        keys=[(0, b""), (0, b"\0"), (0, b"red"), (0, b"red"), (0, b"-1"), (0, bytes(range(256)))],
        capacity=10, asked_rate="0.1", chunk_bytes=8192),
    # so full that answers include wrong groups
    "reverse-full": dict(
        geometry=Reverse(1, 4096, 2, MASK, 64, 64), keys=entries(5000, 64, 5),
        capacity=5000, asked_rate="0.1", chunk_bytes=4096),
    "keyed-reverse": dict(
        geometry=Reverse(3, 4096, 7, 300, 300, 64, SECRET), keys=entries(2000, 300, 37),
        capacity=4000, asked_rate="0.01", chunk_bytes=8192),
}

# Too large to be committed. The entries are entries(values, groups, step).
REVERSE_LARGE = [
    dict(geometry=Reverse(3, 65536, 7, 1024, 1500, 1024), values=30000, step=37,
         capacity=40000, asked_rate="0.01", chunk_bytes=65536),
    dict(geometry=Reverse(5, 65536, 11, 256, 1 << 32, 256), values=20000, step=0x9E3779B1,
         capacity=30000, asked_rate="0.0001", chunk_bytes=131072),
    dict(geometry=Reverse(37, 16384, 8, 6, 1 << 32, 64), values=9000, step=0xC2B2AE35,
         capacity=10000, asked_rate="0.005", chunk_bytes=65536),
]

# Too large to be committed. The keys are the decimal digits of 0 to keys - 1.
MAP_LARGE = [
    # Many home shards, and keys in all levels of the spill shard.
    dict(geometry=Map(37, 1024, 14, 3, 37), keys=30240, capacity=30500, asked_rate="0.02",
         chunk_bytes=4096),
    # Four words of thresholds.
    dict(geometry=Map(2, 16384, 200, 7, 200), keys=12900, capacity=12900, asked_rate="0.2",
         chunk_bytes=16384),
]

# ---- the files of a store ----

EPOCH = 0x0123456789ABCDEF
BEGIN, ADDED, LOST, PUBLISHED, END = 5, 1, 3, 2, 4


def record(kind, payload, count=0, signing_key=b"", previous=bytes(32)):
    """A record of the journal of NAME. Returns it with its signature, or with zeros."""
    size = 48 + len(payload) + (64 if signing_key else 0)
    made = b"BLJ2" + struct.pack("<IIIQQQ", size, kind, count, xxhash.xxh3_64_intdigest(NAME), BUILT_MS,
                                 fingerprint(signing_key))
    signature = bytes(32)
    if signing_key:
        made += previous + payload
        signature = blake(b"bloom journal   ", signing_key,
                          struct.pack("<QQ", EPOCH, len(NAME)) + NAME + made, 32)
        made += signature
    else:
        made += payload
    made += struct.pack("<Q", xxhash.xxh3_64_intdigest(made))
    assert len(made) == size
    return made, signature


def added(*keys):
    return ADDED, b"".join(struct.pack("<I", len(key)) + key for key in keys), len(keys)


def journal_file(records, tail=b""):
    """The file of a journal in a directory whose first record has the offset 0."""
    end = sum(map(len, records))
    head = b"\x89BLJRNL\n" + struct.pack("<IIQQ8sQQ", 1, 0, EPOCH, 0, bytes(8), end, end - len(records[-1]))
    return head + struct.pack("<Q", xxhash.xxh3_64_intdigest(head)) + b"".join(records) + tail


def position(records):
    """The position after these records."""
    check = records[-1][-8:] if records else bytes(8)
    return "%d-%d-%s" % (EPOCH, sum(map(len, records)), check.hex())


def head_of(built):
    return built[:struct.unpack_from("<Q", built, 16)[0]]


def override(head, kind, replaces=0, signing_key=b""):
    start = b"\x89BLOVR\r\n" + struct.pack("<IIQQQQ", 1, kind, 88 + len(head), BUILT_MS, replaces, fingerprint(signing_key))
    signature = bytes(32)
    if signing_key:
        signature = blake(b"bloom override  ", signing_key,
                          struct.pack("<Q", len(NAME)) + NAME + start + signature + head, 32)
    made = start + signature + head
    return made + struct.pack("<Q", xxhash.xxh3_64_intdigest(made))


def store_files():
    """Two versions of a filter, the journal that the second one follows, and overrides."""
    for prefix, signing_key in (("", b""), ("signed-", SIGNING_KEY)):
        geometry = Geometry(12, 1024, 64, 6, 42)
        keys = [b"k%d" % i for i in range(700)]
        first = blob(geometry, keys, 1000, "0.05", BUILT_MS, 1024, b"first", signing_key, NAME)
        yield "store/%sfirst.bloom" % prefix, first

        records, signature = [], bytes(32)

        def append(kind, payload, count=0):
            nonlocal signature
            made, signature = record(kind, payload, count, signing_key, signature)
            records.append(made)

        append(BEGIN, b"")
        append(*added(b"one", b"two"))
        mark = struct.pack("<QQ", EPOCH, sum(map(len, records))) + records[-1][-8:] + signature
        second = blob(geometry, keys + [b"one", b"two"], 1000, "0.05", BUILT_MS + 1000, 1024, b"second",
                      signing_key, NAME, mark)
        yield "store/%ssecond.bloom" % prefix, second
        marked = len(records)
        append(*added(b"three", b""))
        append(PUBLISHED, head_of(second)[-8:])
        append(0x80000000, b"of a later version")
        append(*added(b"four"))
        yield "store/%sjournal" % prefix, journal_file(records, b"a torn tail")
        lines = ["# position kind record; the mark of %ssecond.bloom is the position of record %d" % (prefix, marked)]
        for i, made in enumerate(records):
            lines.append("%s %d %s" % (position(records[:i + 1]), struct.unpack_from("<I", made, 8)[0], made.hex()))
        yield "store/%sjournal.txt" % prefix, ("\n".join(lines) + "\n").encode()

        # A host that serves the first version copies the chunks with equal rows and gets the others.
        lines, at = ["# chunk digest how; the host serves %sfirst.bloom and loads %ssecond.bloom" % (prefix, prefix)], 512 + 16 * 12
        hows = []
        for chunk in range(12):
            row = second[at + 16 * chunk:at + 16 * chunk + 16]
            hows.append("copy" if row == first[at + 16 * chunk:at + 16 * chunk + 16] else "get")
            lines.append("%d %s %s" % (chunk, row.hex(), hows[-1]))
        assert hows.count("get") == 2
        yield "store/%sdelta.txt" % prefix, ("\n".join(lines) + "\n").encode()

        yield "store/%spin" % prefix, override(head_of(first), 1, 0, signing_key)
        yield "store/%srollback" % prefix, override(
            head_of(first), 2, struct.unpack("<Q", head_of(second)[-8:])[0], signing_key)


# ---- files to refuse ----

# The file, the bytes to change (offset=bytes, or length=number), the sums to compute again, and the error.
REJECTS = """
tiny.bloom length=511 - SHORT
tiny.bloom 0=88 - MAGIC
tiny.bloom 8=03 head VERSION
tiny.bloom 16=0110 - HEAD_BYTES
tiny.bloom 16=0000 - HEAD_BYTES
tiny.bloom length=4095 - LENGTH
tiny.bloom 300=01 - HEAD_CHECKSUM
tiny.bloom 52=06 head SCHEME
tiny.bloom 56=02 head SCHEME
tiny.bloom 56=03 head SCHEME
tiny.bloom 60=02 head SCHEME
tiny.bloom 32=0000 head GEOMETRY
tiny.bloom 40=01 head GEOMETRY
tiny.bloom 44=04 head GEOMETRY
tiny.bloom 48=21 head GEOMETRY
tiny.bloom 120=0006 head GEOMETRY
reverse-300.bloom 256=0000 head GEOMETRY
reverse-300.bloom 264=4100 head GEOMETRY
ribbon-tiny.bloom 256=13 head GEOMETRY
ribbon-tiny.bloom 48=05 head GEOMETRY
map-bit.bloom 260=41 head GEOMETRY
tiny.bloom 12=01 head RESERVED
tiny.bloom 256=01 head RESERVED
tiny.bloom 280=01 head RESERVED
tiny.bloom 319=01 head RESERVED
tiny.bloom 328=01 head RESERVED
tiny.bloom 320=07,336=01 head RESERVED
tiny.bloom 320=07,375=01 head RESERVED
map-bit.bloom 320=07 head RESERVED
tiny.bloom 511=01 head RESERVED
tiny.bloom 32=e803 head HEAD_BYTES
tiny.bloom 24=01 head LENGTH
tiny.bloom 4000=01 head RESERVED
tiny.bloom 88=00 head META
tiny.bloom 96=ffffffffffffff head META
tiny.bloom 124=81 head META
tiny.bloom 124=06 head RESERVED
ribbon-tiny.bloom 516=01 head RESERVED
tiny.bloom 516=011e head SATURATED
tiny.bloom 512=02 head SHARD_KEYS
tiny.bloom 512=16 head SHARD_KEYS
tiny.bloom 72=04 head TOTALS
tiny.bloom 80=16 head TOTALS
tiny.bloom 104=00a0724e1809 head META
ribbon-tiny.bloom 104=0000000000000000 head META
map-bit.bloom 104=00c06e31d91003 head META
reverse-deep.bloom 256=0000040000000000,104=0080c6a47e8d03 head WRONG_GROUPS
tiny.bloom length=5121 - LENGTH
tiny.bloom 4608=ff - SHARD_CHECKSUM
tiny.bloom 4608=ff all SHARD_BITS
map-spill.bloom 7169=01 all MAP_SPILL
tiny.bloom 528=00 head CHUNK_DIGEST
signed-tiny.bloom 528=00 head CHUNK_DIGEST
store/pin length=87 - OVERRIDE
store/pin 0=88 - OVERRIDE
store/pin 16=00 head OVERRIDE
store/pin 8=02 head OVERRIDE
store/pin 12=03 head OVERRIDE
store/pin 32=01 head OVERRIDE
store/pin 40=01 - OVERRIDE
store/pin 88=03 head OVERRIDE
store/rollback 612=01 head OVERRIDE
store/journal length=63 - STORE
store/journal 0=88 - STORE
store/journal 8=02 head STORE
store/journal 12=01 head STORE
store/journal 16=0000000000000000 head STORE
store/journal 24=01 - STORE
store/journal 24=ffff head STORE
store/journal 48=ffff head STORE
store/journal 40=ffff head STORE
store/journal 68=2f - STORE
store/journal 68=ffff - STORE
"""


def changed(base, edits, sums):
    """A file of this folder with changed bytes."""
    with open(os.path.join(HERE, base), "rb") as file:
        made = bytearray(file.read())
    for edit in edits.split(","):
        at, value = edit.split("=")
        if at == "length":
            made = made[:int(value)].ljust(int(value), b"\0")
        else:
            made[int(at):int(at) + len(value) // 2] = bytes.fromhex(value)
    if sums == "all":
        head_bytes, _, shards, shard_bytes = struct.unpack_from("<QQQI", made, 16)
        chunk_bytes = struct.unpack_from("<I", made, 120)[0]
        for i in range(shards):
            shard = bytes(made[head_bytes + i * shard_bytes:head_bytes + (i + 1) * shard_bytes])
            struct.pack_into("<Q", made, 512 + 16 * i + 8, xxhash.xxh3_64_intdigest(shard))
        for i, at in enumerate(range(head_bytes, len(made), chunk_bytes)):
            made[512 + 16 * (shards + i):512 + 16 * (shards + i) + 16] = xxhash.xxh3_128_digest(bytes(made[at:at + chunk_bytes]))
    if sums != "-":
        # Of a blob's head, of an override, or of a journal's header.
        end = struct.unpack_from("<Q", made, 16)[0] if base.endswith(".bloom") else 64 if base.endswith("journal") else len(made)
        struct.pack_into("<Q", made, end - 8, xxhash.xxh3_64_intdigest(bytes(made[:end - 8])))
    return bytes(made)


def rejects_file():
    lines = ["# file changes sums xxh3_128 error"]
    for line in REJECTS.split("\n")[1:-1]:
        base, edits, sums, error = line.split(" ")
        lines.append("%s %s %s %s E_%s" % (base, edits, sums, xxhash.xxh3_128_hexdigest(changed(base, edits, sums)), error))
    return ("\n".join(lines) + "\n").encode()


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


def groups_file(keys):
    return "".join("%d\t%s\n" % (group, text_of(value)) for group, value in keys)


def values_file(keys):
    return "".join("%s\t%d\n" % (text_of(key), value) for key, value in keys)


def map_answers_file(case, built):
    """The answers for 100 absent keys."""
    geometry = case["geometry"]
    body = built[len(built) - geometry.body_bytes:]
    lines = []
    for key in (b"absent-%d" % i for i in range(100)):
        value = geometry.get(body, key)
        if value is not None and geometry.value_bits == 64:
            value -= value >> 63 << 64
        lines.append("%s\t%s\n" % (text_of(key), "none" if value is None else value))
    return "".join(lines)


def answers_file(case, built):
    """The answers for some of the added values and for 60 other values."""
    geometry = case["geometry"]
    body = built[len(built) - geometry.body_bytes:]
    values = list(dict.fromkeys(value for _, value in case["keys"]))
    values = values[::len(values) // 60 + 1] + [b"absent-%d" % i for i in range(60)]
    lines = []
    for value in values:
        answer = geometry.answer(body, value)
        assert set(group for group, other in case["keys"] if other == value) <= set(answer)
        lines.append("%s\t%s\n" % (text_of(value), ",".join(map(str, answer)) or "none"))
    return "".join(lines)


def outputs():
    for name, case in CASES.items():
        yield name + ".bloom", blob(built_ms=BUILT_MS, **case)
        assert name not in LEVELS or [count > 0 for count in case["geometry"].keys_in_level] == LEVELS[name]
        yield name + ".keys", keys_file(case["keys"]).encode()
    for name, case in MAPS.items():
        built = blob(built_ms=BUILT_MS, **case)
        assert name not in LEVELS or [count > 0 for count in case["geometry"].keys_in_level] == LEVELS[name]
        yield name + ".bloom", built
        yield name + ".values", values_file(case["keys"]).encode()
        yield name + ".answers", map_answers_file(case, built).encode()
    for name, case in REVERSE.items():
        built = blob(built_ms=BUILT_MS, **case)
        yield name + ".bloom", built
        yield name + ".groups", groups_file(case["keys"]).encode()
        yield name + ".answers", answers_file(case, built).encode()

    yield from store_files()
    yield "rejects.txt", rejects_file()

    lines = ["# key seed digest"]
    for key in VECTOR_KEYS:
        for seed in VECTOR_SEEDS:
            lines.append("%s %016x %016x" % (text_of(key), seed, digest(key, seed)))
    yield "digests.txt", ("\n".join(lines) + "\n").encode()

    lines = ["# secret fingerprint seed digest_key key digest"]
    for secret in (SECRET, SIGNING_KEY, bytes(32), b"\xff" * 32):
        for seed in (42, MASK):
            for key in VECTOR_KEYS:
                lines.append("%s %016x %016x %s %s %016x" % (
                    secret.hex(), fingerprint(secret), seed, digest_key(secret, seed).hex(),
                    text_of(key), keyed_digest(key, seed, secret)))
    yield "secrets.txt", ("\n".join(lines) + "\n").encode()

    lines = ["# key seed shards shard_bytes block_bytes probes block bit,bit,…"]
    for shards, shard_bytes, block_bytes, probes in VECTOR_GEOMETRIES:
        for key in (b"", b"a", b"abc", b"0123456789abcdef", b"-1"):
            for seed in (0, 0x0123456789ABCDEF):
                block, bits = Geometry(shards, shard_bytes, block_bytes, probes, seed).place(key)
                lines.append("%s %016x %d %d %d %d %d %s" % (
                    text_of(key), seed, shards, shard_bytes, block_bytes, probes, block,
                    ",".join(map(str, bits))))
    yield "probes.txt", ("\n".join(lines) + "\n").encode()

    lines = ["# digest j word"]
    for hashed in (0, 1, 0x0123456789ABCDEF, MASK):
        for j in (0, 1, 2, 3, 7, 31):
            lines.append("%016x %d %016x" % (hashed, j, word(hashed, j)))
    yield "words.txt", ("\n".join(lines) + "\n").encode()

    lines = ["# The keys are the decimal digits of 0 to keys - 1, in this order. The source name is empty.",
             "# shards shard_bytes block_bytes probes seed chunk_bytes capacity rate_units"
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

    lines = ["# For i from 0 to values - 1, the value \"v\" followed by i in decimal is added to the group"
             " (i * step) mod groups",
             "# and, if i is a multiple of 7, then also to the group (i * step + floor(groups / 2)) mod groups."
             " The source name",
             "# is empty.",
             "# groups fan_out shards shard_bytes probes seed chunk_bytes capacity rate_units"
             " built_ms values step blob_bytes xxh3_128"]
    for case in REVERSE_LARGE:
        g = case["geometry"]
        built = blob(g, entries(case["values"], g.groups, case["step"]), case["capacity"],
                     case["asked_rate"], BUILT_MS, case["chunk_bytes"])
        lines.append("%d %d %d %d %d %016x %d %d %d %d %d %d %d %s" % (
            g.groups, g.fan_out, g.shards, g.shard_bytes, g.probes, g.seed, case["chunk_bytes"],
            case["capacity"], rate_units(Fraction(case["asked_rate"])), BUILT_MS, case["values"],
            case["step"],
            len(built), xxhash.xxh3_128_hexdigest(built)))
    yield "reverse-large.txt", ("\n".join(lines) + "\n").encode()

    lines = ["# The keys are the decimal digits of 0 to keys - 1. The value of key i is the highest value_bits of the"
             " 64 bits of",
             "# (i * 9e3779b97f4a7c15) mod 2^64, a hexadecimal number. The source name is empty.",
             "# shards shard_bytes stripes value_bits seed chunk_bytes capacity rate_units built_ms keys blob_bytes"
             " xxh3_128"]
    for case in MAP_LARGE:
        g = case["geometry"]
        values = [(i * 0x9E3779B97F4A7C15 & MASK) >> (64 - g.value_bits) for i in range(case["keys"])]
        built = blob(g, list(zip(Integers(case["keys"]), values)), case["capacity"], case["asked_rate"],
                     BUILT_MS, case["chunk_bytes"])
        assert all(g.keys_in_level[:4])
        lines.append("%d %d %d %d %016x %d %d %d %d %d %d %s" % (
            g.shards, g.shard_bytes, g.stripes, g.value_bits, g.seed, case["chunk_bytes"],
            case["capacity"], rate_units(Fraction(case["asked_rate"])), BUILT_MS, case["keys"],
            len(built), xxhash.xxh3_128_hexdigest(built)))
    yield "map-large.txt", ("\n".join(lines) + "\n").encode()


def dump_differs(example, page):
    """Whether the dump on a page of docs/dev differs from its worked example. Dumps omit zeros."""
    dumped = bytearray(len(example))
    with open(os.path.join(HERE, "..", "..", "docs", "dev", page), encoding="utf-8") as text:
        for line in text:
            row = re.match(r"([0-9a-f]{8}): ((?:[0-9a-f]{4}\s){8})", line)
            if row:
                at = int(row.group(1), 16)
                dumped[at:at + 16] = bytes.fromhex(row.group(2))
    return dumped != example


DUMPED = {"tiny.bloom": "blob.md", "ribbon-tiny.bloom": "writing.md"}


def main():
    check = sys.argv[1:] == ["--check"]
    differing = 0
    os.makedirs(os.path.join(HERE, "store"), exist_ok=True)
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
        if name in DUMPED and dump_differs(content, DUMPED[name]):
            print("differs: the dump in docs/dev/%s of %s" % (DUMPED[name], name))
            differing += 1
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
