#!/bin/sh
# Builds tonight's version of a filter from a file with one key per line and publishes it. Copy this script to
# /usr/local/bin/bloom-nightly on the machine that has the keys, set the values marked SET, and call it from /etc/cron.d
# after the keys have been written. cron reports failures by mail:
#   30 2 * * *  www-data  timeout -k 10 3h /usr/local/bin/bloom-nightly
# The user must be able to read the keys and to write to the blob's directory and to the store. It does not need to be root
# or the pool's user, because the script uses no filter on this machine. Anyone who can read the blob can test guesses
# against it, so if the keys are secret, give its directory mode 0700. If the store is a directory, the hosts' users must be
# able to read its files, so the script sets the umask.
#
# If the script fails, hosts keep serving the previous version, which lacks tonight's new keys. The exit codes are:
#    0  published
#    1  a line of the keys is not in the blob, because the key file changed during the run. Run the script again
#   65  the message says which file is bad. If it is last night's blob, it is damaged, so remove it and run the script again, as
#       on a first night. If it is the key file, it is compressed, in UTF-16, or has a line of more than 1 MiB
#   66  there are no keys, or implausibly few, or the directory of the store is missing. Check the job that writes the key
#       file, and that the store's file system is mounted
#   73, 74  the blob cannot be written: no permission, or a full disk. Or `dump` is empty, but the filter has a journal
#   75  the store failed. Run the script again: it does not upload the same chunk twice
#   78  there are more keys than the capacity allows. Remove the blob and run the script again. It then sizes the filter for
#       the new number of keys, and the whole filter is transferred once
# docs/cli.md lists the other exit codes.
set -eu
umask 022

# SET: the filter's name; the file of its keys; the minimum plausible number of lines, because a truncated file would make
# keys absent; the blob that is kept from night to night; the store.
name=booth_tags
# SET: the command that prints the keys, one per line. If `dump` is empty, another job writes the file of keys, and the filter
# cannot have a journal. To add keys between two nights, begin a journal once with `bloom mark "$name" "$store"`: from then on,
# the script takes a mark before it runs the command. See "Following a journal" in docs/operations.md.
dump=
keys=/srv/bloom-nightly/booth_tags.txt
fewest=1000
blob=/srv/bloom-nightly/booth_tags.bloom
store=redis://cache.example:6379

# Packages install bloom in /usr/bin. An installation from source links it in /usr/local/bin, where cron does not look.
PATH=$PATH:/usr/local/bin
mark=
if [ -n "$dump" ]; then # the mark comes first, so every key is in the file or after the mark
	mark=$(bloom mark --existing "$name" "$store")
	trap 'rm -f "$keys.$$"' EXIT
	sh -c "$dump" >"$keys.$$"
	mv "$keys.$$" "$keys"
fi
lines=$(wc -l <"$keys") || exit 66
if [ "$lines" -lt "$fewest" ]; then
	echo "$keys: $lines lines, fewer than $fewest" >&2
	exit 66
fi

tonight=$blob.$$
trap 'rm -f "$tonight"' EXIT
trap 'exit 143' INT TERM HUP
if [ -e "$blob" ]; then # keep the seed and the size, so that only changes are transferred
	bloom build --quiet ${mark:+--mark "$mark"} --like "$blob" "$tonight" "$keys"
else # the first night: size the filter for a quarter more keys
	bloom build --quiet ${mark:+--mark "$mark"} --capacity $((lines + lines / 4)) "$tonight" "$keys"
fi
said=$(bloom check "$tonight" "$keys") || {
	code=$?
	echo "$said" >&2
	exit $code
}
bloom publish --quiet "$name" "$tonight" "$store"
mv "$tonight" "$blob"
