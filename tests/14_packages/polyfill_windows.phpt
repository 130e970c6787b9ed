--TEST--
Under rules of Windows, the package in pure PHP loses no key, and refuses what Windows forbids with a typed error
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/twin.inc';
echo compare(__DIR__ . '/polyfill_filters.inc', 'windows'), "\n";
echo implode("\n", lines_of(__DIR__ . '/polyfill_windows.inc', 'windows')), "\n";
?>
--EXPECT--
27
two names that differ in case: ["Tags","tags"] | true | true | true | true
a load while another process reads: Bloom\SegmentException: {segment}/tags: the operating system refused the operation: Permission denied #57 | true
the next load: Bloom\LoadedFilter | true
a load while another process reads for a moment: Bloom\LoadedFilter
a lookup while another process replaces the file: true | true
con: Bloom\LoadedFilter | true
Nul.x: Bloom\LoadedFilter | true
end.: Bloom\LoadedFilter | true
end: Bloom\LoadedFilter | true
all: ["Nul.x","con","end","end.","tags"] | [true,true,true,true] | ["tags"]
a load while another process reads the old file: Bloom\LoadedFilter | 2
the next load: Bloom\LoadedFilter | 1 | true
a drop while another process reads: Bloom\SegmentException: {segment}/tags: the operating system refused the operation: Permission denied #57 | true
the next drop: true | null
a writer holds the lock: true | Bloom\BusyException: locking: another writer held the lock for the whole lock timeout (try again, or raise bloom.lock_timeout) #60 | Bloom\BusyException: locking: another writer held the lock for the whole lock timeout (try again, or raise bloom.lock_timeout) #60
afterwards: true | false | true
a store: {"chunks":1,"chunksWritten":1,"bytesWritten":5120,"warning":null} | "switched" | true | "not due" | ["night","night%3achunks","night%3alock","night%3apublisher"]
broken rules: 0
