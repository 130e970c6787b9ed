// Executes config.w32 with the functions of PHP's own configure script, and checks the rules that they would write into the
// makefile. The argument is confutils.js of PHP's source. This script replaces the objects of Windows that confutils.js uses.
'use strict';
const fs = require('fs');
const vm = require('vm');

const confutils = fs.readFileSync(process.argv[2], 'utf8');
const config = fs.readFileSync('config.w32', 'utf8');
let failures = 0;

function check(condition, text) {
	if (!condition) {
		console.log(`config.w32: ${text}`);
		failures++;
	}
}

class Dictionary {
	constructor() { this.values = new Map(); }
	Exists(name) { return this.values.has(name); }
	Item(name) { return this.values.get(name); }
	Add(name, value) { this.values.set(name, value); }
	Remove(name) { this.values.delete(name); }
}

// Runs config.w32 as a build with phpize does. The headers and libraries in `found` exist.
function configure(found, settings) {
	const rules = [], said = [];
	const console = { WriteLine: text => said.push(text), Write: () => {}, WriteBlankLines: () => {} };
	const objects = {
		'WScript.Shell': { Environment: () => ({ Item: () => '' }), CurrentDirectory: 'C:\\bloom' },
		'Scripting.FileSystemObject': {
			FileExists: () => true, FolderExists: () => true, DeleteFile: () => {}, GetParentFolderName: path => path,
			CreateTextFile: () => ({ Write: () => {}, Close: () => {} }), OpenTextFile: () => ({ Write: () => {}, Close: () => {} }),
		},
		'Scripting.Dictionary': null,
	};
	class Quit extends Error {}
	const world = vm.createContext({
		WScript: {
			StdOut: console, StdErr: console, ScriptFullName: 'C:\\php\\configure.js',
			CreateObject: name => objects[name] || new Dictionary(),
			Quit: () => { throw new Quit(); },
		},
		GetObject: () => ({ ExecQuery: () => ({ ItemIndex: () => ({}) }) }),
		ActiveXObject: function (name) { return objects[name] || new Dictionary(); },
		MODE_PHPIZE: true, PHP_DIR: 'C:\\php', TARGET_ARCH: 'x64',
	});
	vm.runInContext(confutils, world);
	Object.assign(world, {
		PHP_PHP_BUILD: 'C:\\deps', PHP_EXTRA_INCLUDES: '', PHP_EXTRA_LIBS: '', PHP_DEBUG: 'no', PHP_MP_DISABLED: false, PHP_PGI: 'no',
		PHP_PGO: 'no', PHP_ANALYZER: 'no', PHP_BLOOM: 'yes', PHP_BLOOM_SHARED: true, PHP_BLOOM_SODIUM: 'auto',
		configure_module_dirname: '.', configure_subst: new Dictionary(), configure_hdr: new Dictionary(), build_dirs: [],
		configure_args: [], MFO: { WriteLine: text => rules.push(text), WriteBlankLines: () => {} },
		CHECK_HEADER_ADD_INCLUDE: name => found.includes(name),
		CHECK_LIB: name => found.includes(name) && (world.ADD_FLAG('LIBS_BLOOM', name), true),
		generate_version_info_resource: () => 'bloom.res', generate_version_info_manifest: () => 'bloom.manifest',
		...settings,
	});
	try {
		vm.runInContext(config, world);
	} catch (error) {
		if (!(error instanceof Quit)) {
			throw error;
		}
		return { error: said.filter(text => text.startsWith('ERROR: ')).join() };
	}
	return { rules, said, flags: name => world.configure_subst.Item(name) || '', options: world.configure_args };
}

const everything = ['xxhash.h', 'sodium.h', 'libsodium.lib'];
const built = configure(everything, {});
check(!built.error, `fails with all dependencies: ${built.error}`);
const [objects, sources] = built.rules.find(rule => rule.includes('.obj: ')).split(': ').map(list => list.trim().split(' '));
const files = sources.map(path => path.replace(/^\.\\/, '').replace(/\\/g, '/')).sort();
const expected = ['bloom.c'];
function collect(folder) {
	for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
		const path = `${folder}/${entry.name}`;
		if (entry.isDirectory()) {
			collect(path);
		} else if (path.endsWith('.c') && !path.endsWith('_posix.c')) {
			expected.push(path);
		}
	}
}
collect('src');
check(files.join() === expected.sort().join(), 'the list of files differs from those in src: '
	+ [...files.filter(file => !expected.includes(file)), ...expected.filter(file => !files.includes(file))]);
check(new Set(objects).size === files.length, 'two source files have the same object file');
check(built.flags('CFLAGS_BLOOM').includes('/D BLOOM_SODIUM=1'), 'libsodium is found, but not used');
check(/\/std:c11 .*\/I "\.\\src"/.test(built.flags('CFLAGS_BLOOM')), 'the options for C11 and for the headers are missing');
check(/ntdll\.lib.*/.test(built.flags('LIBS_BLOOM')), 'ntdll.lib is missing');
check(built.options.map(option => option.arg).join() === '--enable-bloom,--with-bloom-sodium', 'the options are wrong: '
	+ built.options.map(option => option.arg));

const without = configure(['xxhash.h'], {});
check(!without.error && without.said.some(text => text.startsWith('WARNING: building bloom without keyed filters')),
	'a missing libsodium gives no warning');
check(!without.flags('CFLAGS_BLOOM').includes('BLOOM_SODIUM'), 'libsodium is used although it is missing');
check(!configure(everything, { PHP_BLOOM_SODIUM: 'no' }).flags('CFLAGS_BLOOM').includes('BLOOM_SODIUM'),
	'libsodium is used although it is not wanted');
check(/libsodium/.test(configure(['xxhash.h'], { PHP_BLOOM_SODIUM: 'yes' }).error), 'a missing libsodium is accepted');
check(/xxhash\.h/.test(configure([], {}).error), 'a missing xxHash is accepted');
check(/64-bit/.test(configure(everything, { TARGET_ARCH: 'x86' }).error), 'a 32-bit PHP is accepted');
check(!configure([], { PHP_BLOOM: 'no' }).error, 'configure fails although bloom is disabled');
process.exit(failures ? 1 : 0);
