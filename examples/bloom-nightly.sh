#!/bin/sh
# Builds tonight's version of a filter from a file of keys, one a line, and publishes it. Copy it to
# /usr/local/bin/bloom-nightly of the machine that has the keys, set what is marked, and call it from /etc/cron.d after
# the keys were written; cron mails what fails:
#   30 2 * * *  www-data  timeout -k 10 3h /usr/local/bin/bloom-nightly
# The user must be able to read the keys, and to write into the blob's directory and the store: not root, whom it needs
# for nothing, and no particular one, as it touches no filter of the machine. Who reads the blob can test guesses against
# it: if keys are secret, let nobody else into its directory (0700). Into a store that is a directory it must be written
# so that the hosts' users can read it, hence the umask.
#
# When it fails, hosts serve on what they had, without tonight's new keys. Its exit code says what to do:
#    0  published
#    1  a line of the keys is not in the blob: they were written to meanwhile. Run it again
#   65  the blob of last night is damaged. Remove it and run it again, which is a first night then
#   66  there are no keys, or fewer than are believable. Look at what writes them
#   73, 74  the blob cannot be written: another's directory, a full disk
#   75  the store failed. Run it again: what it has got is not written twice
#   78  more keys than there is room for. Remove the blob and run it again: the filter is sized anew, and all of it
#       travels once
# Others are those of the command line: docs/cli.md.
set -eu
umask 022

# SET: the filter's name; the file of its keys; the fewest lines that are believable, for a file that was cut off would
# make keys absent; the blob that is kept from night to night; the store.
name=booth_tags
keys=/srv/bloom-nightly/booth_tags.txt
fewest=1000
blob=/srv/bloom-nightly/booth_tags.bloom
store=redis://cache.example:6379

bloom=/usr/local/bin/bloom
lines=$(wc -l <"$keys") || exit 66
if [ "$lines" -lt "$fewest" ]; then
	echo "$keys: $lines lines, fewer than $fewest" >&2
	exit 66
fi

tonight=$blob.$$
trap 'rm -f "$tonight"' EXIT
trap 'exit 143' INT TERM HUP
if [ -e "$blob" ]; then # the same seed and size, so that only what changed travels
	"$bloom" build --quiet --like "$blob" "$tonight" "$keys"
else # the first night: room for a quarter more
	"$bloom" build --quiet --capacity $((lines + lines / 4)) "$tonight" "$keys"
fi
said=$("$bloom" check "$tonight" "$keys") || {
	code=$?
	echo "$said" >&2
	exit $code
}
"$bloom" publish --quiet "$name" "$tonight" "$store"
mv "$tonight" "$blob"
