# Functions for packages/*/tests/run, which source this file. They test a package for a framework with the framework's real
# libraries from Composer, in a temporary directory that is removed at the end. Composer keeps its usual cache.
#   BLOOM_EXTENSION   the module (default: build/plain/modules/bloom.so)
#   PHP_CONFIG        the php-config of the PHP that the module was built for (default: as scripts/php finds it)
# Exit status: 0 if all tests pass, 1 if one fails, 77 if Composer cannot download the libraries or a program is missing.

skip() { echo "$package: skipped: $1" >&2; exit 77; }
fail() { echo "$package: $1" >&2; exit 1; }

# Sets $package, $root, $work, $php_with_bloom (an array) and $fpm, and goes to a copy of the package.
begin_package() { # name, its files besides src, tests and composer.json…
	local php composer extension file
	package=$1
	shift
	root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
	extension=$(realpath -m "${BLOOM_EXTENSION:-$root/build/plain/modules/bloom.so}")
	php=$("$("$root/scripts/php" config)" --php-binary) || skip 'there is no php-config'
	composer=$(command -v composer) || skip 'composer is not installed'
	fpm=$("$root/scripts/php" fpm) || skip 'php-fpm is not installed'
	[[ -f $extension ]] || skip "there is no extension at $extension; build it, or set BLOOM_EXTENSION"
	php_with_bloom=("$php" -d "extension=$extension")
	work=$(mktemp -d "${TMPDIR:-/tmp}/bloom-$package.XXXXXXXX")
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' INT TERM HUP
	"$root/scripts/php" settings >"$work/php.ini"
	# A folder without settings: proc_open() does not pass on empty variables, so PHP would read the system's.
	export PHPRC=$work PHP_INI_SCAN_DIR=$work/bin
	[[ $("${php_with_bloom[@]}" -r 'echo extension_loaded("bloom");' 2>&1) == 1 ]] || fail "$php cannot load $extension"
	export BLOOM_EXTENSION=$extension BLOOM_FPM=$fpm

	mkdir -p "$work"/{app,bin,tmp,packages/kit} "$work/packages/$package"
	for file in composer.json src tests "$@"; do
		cp -r "$root/packages/$package/$file" "$work/packages/$package/"
	done
	cp -rT "$root/packages/kit" "$work/packages/kit"
	cp "$root"/tests/lib/phpunit.xml "$root"/tests/lib/phpstan.neon "$root/stubs/bloom.stub.php" "$work/packages/$package/"
	[[ ! -f $root/docs/$package.md ]] || cp "$root/docs/$package.md" "$work/packages/$package/"
	mkdir "$work/packages/kit/tests/lib"
	cp "$root"/tests/lib/{DatabaseServer,FastCgiClient,FpmServer}.php "$work/packages/kit/tests/lib/"
	printf '#!/bin/sh\nexec %q -d %q %q "$@" --no-interaction --no-ansi\n' "$php" "extension=$extension" "$composer" >"$work/bin/composer"
	chmod +x "$work/bin/composer"
	export PATH="$work/bin:$PATH" TMPDIR="$work/tmp" COMPOSER_ALLOW_SUPERUSER=1
	cd "$work/packages/$package"
	composer config repositories.bloom '{"type": "path", "url": "../kit",
		"options": {"symlink": false, "versions": {"bloom/kit": "1.0.0"}}}'
}

# Runs a command that uses Composer. A failed download ends the script with status 77.
download() { # command…
	local log=$work/composer.log failures='curl error|could not be (fully )?(loaded|downloaded)|could not resolve host'
	failures+='|network disabled|connection (refused|timed out|reset)|failed to open stream'
	if "$@" >"$log" 2>&1; then
		return
	fi
	if grep -qiE "$failures" "$log"; then
		skip "Composer cannot download the libraries: $(grep -iE -m 1 "$failures" "$log" | sed 's/^ *//; s/ *$//')"
	fi
	cat "$log" >&2
	fail "this command failed: $*"
}

run_tests() { # argument of PHPUnit…
	"${php_with_bloom[@]}" vendor/bin/phpstan analyse --no-progress --memory-limit=1G || fail 'PHPStan found errors'
	"${php_with_bloom[@]}" -d "bloom.path=$work/segment" vendor/bin/phpunit "$@" || fail 'tests failed'
}

# Makes the files of a release of the last commit in $work/release, and sets version.
make_release() {
	git -C "$root" rev-parse HEAD >/dev/null 2>&1 || skip 'there is no git repository'
	"${php_with_bloom[@]}" -r 'exit(extension_loaded("zip") ? 0 : 1);' || skip "PHP's zip extension, which Composer needs, is not installed"
	version=$(sed -nE 's/^#define PHP_BLOOM_VERSION "(.*)"/\1/p' "$root/php_bloom.h")
	git clone -q "$root" "$work/clone"
	(
		cd "$work/clone"
		sed -i "0,/^## .*/s//## $version (2026-12-01)/" CHANGELOG.md
		scripts/manifest
		git -c user.name=test -c user.email=test@localhost commit -q --allow-empty -am release
		scripts/release --untested --output "$work/release" >/dev/null
	)
}

# Installs the package into the application in $work/app with the commands of its page.
install_as_documented() {
	make_release
	cd "$work/app"
	awk '/^```sh$/ { code = 1; next } /^```$/ { code = 0 } code' "$work/packages/$package/$package.md" |
		sed "s#/opt/bloom-release#$work/release#" >"$work/install"
	grep -q 'composer require' "$work/install" || fail "docs/$package.md has no commands for the installation"
	download bash -eu "$work/install"
}
