"""Reads blobs of all schemes, as blob.md specifies them. The comments name its headings.

    python3 blob.py FILE [KEY...]    looks up keys in a blob without a secret

It is written to be read beside the page, so it is short rather than fast. Needs the module xxhash.
"""

import hashlib, struct, sys
from xxhash import xxh3_64_intdigest as xxh3, xxh3_128_digest

M = 2**64 - 1

def rotate(x, bits):
    return (x << bits | x >> 64 - bits) & M

def siphash(key, message, c, d):                            # Notation and arithmetic
    k0, k1 = struct.unpack("<QQ", key)
    v0, v1, v2, v3 = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573
    padded = message + bytes(-(len(message) + 1) % 8) + bytes([len(message) & 255])
    for word in [*struct.unpack(f"<{len(padded) // 8}Q", padded), None]:
        v2, v3 = (v2, v3 ^ word) if word is not None else (v2 ^ 255, v3)
        for _ in range(d if word is None else c):
            v0, v2 = v0 + v1 & M, v2 + v3 & M
            v1, v3, v0 = rotate(v1, 13) ^ v0, rotate(v3, 16) ^ v2, rotate(v0, 32)
            v2, v0 = v2 + v1 & M, v0 + v3 & M
            v1, v3, v2 = rotate(v1, 17) ^ v2, rotate(v3, 21) ^ v0, rotate(v2, 32)
        v0 ^= word or 0
    return v0 ^ v1 ^ v2 ^ v3

def murmur3(key):
    a, b, h, g = 0x87C37B91114253D5, 0x4CF5AD432745937F, 0, 0
    for at in range(0, len(key) + 1, 16):
        k, l = struct.unpack("<QQ", key[at:at + 16].ljust(16, b"\0"))
        h, g = h ^ rotate(k * a & M, 31) * b & M, g ^ rotate(l * b & M, 33) * a & M
        if at + 16 <= len(key):
            h = (rotate(h, 27) + (g ^ rotate(l * b & M, 33) * a & M)) * 5 + 0x52DCE729 & M
            g = (rotate(g, 31) + h) * 5 + 0x38495AB5 & M
    h, g = h ^ len(key), g ^ len(key)
    for end in range(2):
        h = h + g & M
        g = g + h & M
        for _ in range(0 if end else 1):
            for multiplier in 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53, 1:
                h, g = (h ^ h >> 33) * multiplier & M, (g ^ g >> 33) * multiplier & M
    return h, g

def murmur64a(key, seed):
    m, whole = 0xC6A4A7935BD1E995, len(key) // 8 * 8
    h = seed ^ len(key) * m & M
    for (k,) in struct.iter_unpack("<Q", key[:whole]):
        k = k * m & M
        h = (h ^ (k ^ k >> 47) * m & M) * m & M
    if whole < len(key):
        h = (h ^ int.from_bytes(key[whole:], "little")) * m & M
    h = (h ^ h >> 47) * m & M
    return h ^ h >> 47

def mix(z):                                                 # From key to digest
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M
    z = (z ^ z >> 27) * 0x94D049BB133111EB & M
    return z ^ z >> 31

def fields_of(digest, count, bits):
    """The first fields of a probe stream, each of a number of bits."""
    word0, each = digest * 0xD1B54A32D192ED03 & M, 64 // bits
    for p in range(count):
        word = mix(word0 + p // each * 0x9E3779B97F4A7C15 & M) if p >= each else word0
        yield word >> p % each * bits & (1 << bits) - 1

def blake(person, key, message, size):
    return hashlib.blake2b(message, digest_size=size, key=key, person=person).digest()

def fingerprint(secret):
    return struct.unpack_from("<Q", blake(b"bloom fingerprnt", secret, b"", 16))[0] or 1

class Refused(Exception):
    pass

def require(condition, code):
    if not condition:
        raise Refused(code)

def power_of_two(number, least, most):
    return least <= number <= most and number & number - 1 == 0

class Blob:
    def __init__(self, blob, secret=b"", signing_key=b"", name=b""):
        self.blob, self.secret = blob, secret
        self.check_head(signing_key, name)
        self.check_body()

    def check_head(self, signing_key, name):                # What a reader checks
        b = self.blob
        require(len(b) >= 512, "E_SHORT")
        require(b[:8] == b"\x89BLOOM\r\n", "E_MAGIC")
        version, reserved, head, file, S, size, block, k, scheme, digest, chunk_digest = struct.unpack_from("<IIQQQIIIIII", b, 8)
        seed, keys, set_bits, capacity, asked, measured, built, chunk, source = struct.unpack_from("<QQQQQQQII", b, 64)
        require(version == 2, "E_VERSION")
        require(head > 0 and head % 4096 == 0, "E_HEAD_BYTES")
        require(head <= len(b), "E_LENGTH")
        require(struct.unpack_from("<Q", b, head - 8)[0] == xxh3(b[:head - 8]), "E_HEAD_CHECKSUM")
        u32 = struct.unpack_from("<IIII", b, 256)
        keyed_by, signed_by = struct.unpack_from("<QQ", b, 272)
        m, V, L = u32[0], u32[1] if scheme == 5 else 0, u32[1] if scheme == 4 else 0
        N, F = struct.unpack_from("<QI", b, 256) if scheme == 2 else (0, 0)
        require(1 <= scheme <= 5 and (scheme != 4 or 1 <= m <= 5) and 1 <= digest <= 3 and (digest == 3) == (scheme == 4)
                and 1 <= chunk_digest <= 2 and (digest != 2 or keyed_by) and (chunk_digest != 2 or signed_by), "E_SCHEME")
        T, words = -(-m // 64), size // 8 - -(-m // 64)
        r = words // m - V if scheme in (3, 5) and m else 0
        require(power_of_two(size, 1024, 65536) and power_of_two(block, 8, size) and 1 <= S <= 2**42 // size
                and (scheme == 5 or 1 <= k) and k <= (255 if scheme == 4 else 32)
                and (scheme == 1 or block == size), "E_GEOMETRY")
        require(scheme != 2 or 1 <= N <= 2**32 and power_of_two(F, 64, 1024) and size >= 64 * F, "E_GEOMETRY")
        require(scheme not in (3, 5) or m % 2 == 0 and 10 <= m <= size // 8 and k == r, "E_GEOMETRY")
        require(scheme != 5 or 1 <= V <= 64, "E_GEOMETRY")
        require(scheme != 4 or 1 <= L <= min(1024, S), "E_GEOMETRY")
        require(chunk % size == 0 and size <= chunk <= 2**30, "E_GEOMETRY")
        used = {2: 12, 3: 4, 4: 8, 5: 8}.get(scheme, 0)
        epoch, offset = struct.unpack_from("<QQ", b, 320)
        mark = 320 if scheme not in (1, 3) or not epoch else 336 if not offset else 376
        require(not any((reserved, *b[256 + used:272], digest != 2 and keyed_by, chunk_digest != 2 and signed_by,
                         *(b[288:320] if chunk_digest != 2 else b""), *b[mark:376],
                         *(b[376:408] if (scheme, m) != (4, 3) else b""), *b[408:512], scheme == 4 and seed)), "E_RESERVED")
        C = -(-S * size // chunk)
        end = 512 + 16 * (S + C + L)
        require(head == (end + 8 + 4095) // 4096 * 4096, "E_HEAD_BYTES")
        require(file == head + S * size, "E_LENGTH")
        require(not any(b[end:head - 8]), "E_RESERVED")
        require(1 <= capacity <= 10**12 and asked <= 10**15 and measured <= 10**15 and source <= 128, "E_META")
        require(not any(b[128 + source:256]), "E_RESERVED")
        layers = [struct.unpack_from("<QII", b, end - 16 * L + 16 * i) for i in range(L)]
        for bits, probes, shards in layers:
            require(1 <= probes <= k and 8 * size * (shards - 1) < bits <= 8 * size * shards and bits >= 1
                    and (m < 4 or bits % 64 == 0), "E_GEOMETRY")
        require(scheme != 4 or sum(layer[2] for layer in layers) == S and max(layer[1] for layer in layers) == k, "E_GEOMETRY")
        rows = [struct.unpack_from("<IIQ", b, 512 + 16 * i) for i in range(S)]
        for row_keys, row_bits, _ in rows:
            if scheme in (3, 5):
                require(row_bits == 0, "E_RESERVED")
                continue
            require(scheme != 4 or row_keys == 0, "E_SHARD_KEYS")
            require(row_bits <= 8 * size * 15 // 16, "E_SATURATED")
            require(scheme == 4 or row_keys <= row_bits <= row_keys * k, "E_SHARD_KEYS")
        require((scheme == 4 or keys == sum(row[0] for row in rows)) and set_bits == sum(row[1] for row in rows), "E_TOTALS")
        rate, most = measured / 1e15, set_bits / (8 * S * size)
        least = most**k
        if scheme in (3, 5):
            least, most = 2.0**-(k + 1), 2.0**-k if scheme == 5 else 1
        if scheme == 4:
            least, first = 1, 0
            for bits, probes, shards in layers:
                ones = sum(row[1] for row in rows[first:first + shards])
                require(ones <= bits, "E_META")
                least, first = least * (1 - (ones / bits)**probes), first + shards
            least = most = 1 - least
        if scheme == 2:
            levels = next(level for level in range(1, 7) if F**level >= N)
            wrong, nodes = 1, 1
            for level in range(1, levels + 1):
                below = -(-N // F**(levels - level))
                wrong, nodes = rate * below / nodes * wrong, below
            require(wrong <= 10000, "E_WRONG_GROUPS")
            self.levels = levels
        require(least * (1 - 1e-6) - 1e-15 <= rate <= most * (1 + 1e-6) + 1e-15, "E_META")
        if signing_key:                                     # Signatures
            require(chunk_digest == 2, "E_UNSIGNED")
            require(signed_by == fingerprint(signing_key), "E_SIGNER")
            message = struct.pack("<Q", len(name)) + name + b[:288] + bytes(32) + b[320:head - 8]
            require(blake(b"bloom signature ", signing_key, message, 32) == b[288:320], "E_SIGNATURE")
        self.head, self.file, self.S, self.size, self.block, self.k, self.scheme = head, file, S, size, block, k, scheme
        self.keyed_by, self.seed, self.m, self.V, self.N, self.F, self.T = keyed_by, seed, m, V, N, F, T
        self.layers, self.rows, self.chunk, self.chunk_digest, self.keyed = layers, rows, chunk, chunk_digest, digest == 2

    def shard(self, i):                                     # Layout
        return self.blob[self.head + i * self.size:self.head + (i + 1) * self.size]

    def check_body(self):
        require(len(self.blob) == self.file, "E_LENGTH")
        for i, (_, bits, checksum) in enumerate(self.rows):
            require(xxh3(self.shard(i)) == checksum, "E_SHARD_CHECKSUM")
            require(self.scheme in (3, 5) or bin(int.from_bytes(self.shard(i), "little")).count("1") == bits, "E_SHARD_BITS")
            require(self.scheme != 5 or i < self.S - 1 or self.threshold(i, (self.m - 2) // 2) == 0, "E_MAP_SPILL")
        for at in range(self.head, self.file, self.chunk):
            chunk, row = self.blob[at:at + self.chunk], 512 + 16 * self.S + 16 * ((at - self.head) // self.chunk)
            digest = xxh3_128_digest(chunk) if self.chunk_digest == 1 else hashlib.blake2b(chunk, digest_size=16).digest()
            require(self.blob[row:row + 16] == digest, "E_CHUNK_DIGEST")

    def digest(self, key):                                  # From key to digest
        if not self.keyed:
            return xxh3(key, self.seed)
        require(self.secret and fingerprint(self.secret) == self.keyed_by, "E_SECRET")
        return siphash(blake(b"bloom digest key", self.secret, struct.pack("<Q", self.seed), 16), key, 2, 4)

    def bit(self, first, number):
        """A bit of the body, counted from a byte."""
        return self.blob[self.head + first + number // 8] >> number % 8 & 1

    def answer(self, key):
        """True: maybe, False: definitely not. For an index the groups, for a map the value or None."""
        return {1: self.bloom, 2: self.groups, 3: self.ribbon, 4: self.foreign, 5: self.value}[self.scheme](key)

    def bloom(self, key):                                   # The blocked Bloom filter
        digest, bits = self.digest(key), 8 * self.block
        block = digest * (self.S * self.size // self.block) >> 64
        return all(self.bit(block * self.block, bit) for bit in fields_of(digest, self.k, bits.bit_length() - 1))

    def groups(self, value):                                # The reverse index
        value, found = self.digest(value), [(0, 0)]          # node and first group below it
        for level in range(self.levels):
            below, nodes, found = self.F**(self.levels - 1 - level), found, []
            for node, first in nodes:
                digest = mix(value + (node + 1) * 0x9E3779B97F4A7C15 & M)
                block, rows = digest * self.S >> 64, 8 * self.size // self.F
                rows = list(fields_of(digest, self.k, rows.bit_length() - 1))
                for child in range(self.F):
                    column = (child + value) % self.F
                    if first + child * below < self.N and all(self.bit(block * self.size, row * self.F + column) for row in rows):
                        found.append((node * self.F + child + 1, first + child * below))
        return [group for _, group in found]

    def threshold(self, shard, bucket):
        return self.shard(shard)[bucket // 4] >> bucket % 4 * 2 & 3

    def parities(self, digest, product, shard, level):
        """The parities of an equation, and their number; or None if its bucket bumps the equation."""
        b, n = [(0, self.m - 2 - 2 * self.T), (self.m - 2 - 2 * self.T, 2 * self.T), (self.m - 2, 1)][level % 3]
        start = 64 * b + (((product & M) * (1 + level * 0x3C6EF372FE94F82A) & M) * 64 * n >> 64)
        if start % 128 < (0, 24, 56, 128)[self.threshold(shard, start // 128)]:
            return None
        words = struct.unpack(f"<{self.size // 8}Q", self.shard(shard))
        t, shift = divmod(start, 64)
        least, wide = divmod(len(words) - self.T, self.m)
        width, first = least + (t >= self.m - wide), self.T + t * least + max(0, t - self.m + wide)
        coefficients = mix(digest * 0xD1B54A32D192ED03 + 0x9E3779B97F4A7C15 & M) | 1
        both = [words[first + c] | words[first + width + c] << 64 for c in range(width)]
        return sum((bin(x >> shift & coefficients).count("1") & 1) << c for c, x in enumerate(both)), width

    def ribbon(self, key):                                  # The ribbon filter
        digest = self.digest(key)
        product = digest * self.S
        for level in range(3):                              # level 1 is 0 here
            found = self.parities(digest, product, product >> 64, level)
            if found:
                return found[0] == digest * 0xD1B54A32D192ED03 % 2**found[1]
        return True

    def value(self, key):                                   # The map
        digest = self.digest(key)
        product = digest * max(1, self.S - 1)
        for level in range(6):
            found = self.parities(digest, product, product >> 64 if level < 3 else self.S - 1, level)
            if found:
                checks = digest * 0xD1B54A32D192ED03 % 2**(found[1] - self.V)
                return found[0] % 2**self.V if found[0] >> self.V == checks else None

    def foreign(self, key):                                 # The filter of another system
        if self.m == 2:
            h = murmur64a(key, 0xC6A4A7935BD1E995)
            g = murmur64a(key, h)
        elif self.m == 3:
            h, g = (siphash(self.blob[at:at + 16], struct.pack("<Q", len(key)) + key, 1, 3) for at in (376, 392))
        else:
            h, g = murmur3(key)
        def index(i):
            if self.m == 3:
                return (h, g)[i] if i < 2 else (h + i * g & M) % (2**64 - 59)
            if self.m == 5:
                x = h + (i + 1) * (h >> 32) & 2**32 - 1
                return x if x < 2**31 else 2**32 - 1 - x
            return h + i * g & (M >> 1 if self.m == 4 else M)
        first = 0
        for bits, probes, shards in self.layers:
            if all(self.bit(first * self.size, index(i) % bits ^ (7, 0, 0, 56, 56)[self.m - 1]) for i in range(probes)):
                return True
            first += shards
        return False

if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        loaded = Blob(file.read())
    for key in sys.argv[2:]:
        print(loaded.answer(key.encode()))
