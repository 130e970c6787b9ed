#include "os/system_posix.h"

#include "os/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#if BLOOM_LINUX
#include <sys/statfs.h>
#endif

#include "os/files_posix.h"

/* Creates a directory with mode 0700. An existing entry is not an error; in that case *created is
 * false. */
static bloom_status make_directory(int parent, const char *name, bool *created, bloom_error *error)
{
	*created = mkdirat(parent, name, 0700) == 0;
	if (!*created && errno != EEXIST) {
		/* BLOOM_E_NOT_FOUND means that a filter does not exist. A missing parent means that
		 * the path is invalid, so it is reported with a different status. */
		return errno == ENOENT ? bloom_fail(error, BLOOM_E_SYSTEM, ENOENT, "%s", name)
				       : bloom_fail_system(error, name);
	}
	/* The umask may have removed the owner's permissions, which are needed to open the
	 * directory. Root can open the directory without these permissions and sets the mode later,
	 * through the descriptor. For root, fchmodat() would be unsafe: it follows symbolic links,
	 * and another user could replace the directory with a link. */
	if (*created && geteuid() != 0 && fchmodat(parent, name, 0700, 0) != 0) {
		return bloom_fail_system(error, name);
	}
	return BLOOM_OK;
}

/* Sets the mode and owner of a directory that root has just created. Another user may have replaced
 * the directory in the meantime. The function does not change a directory that does not belong to
 * root; the subsequent check rejects such a directory. */
static bool take_over(int handle, const bloom_owner *owner)
{
	struct stat found;

	if (geteuid() != 0 || fstat(handle, &found) != 0 || found.st_uid != 0) {
		return true;
	}
	return fchmod(handle, 0700) == 0 && (owner == NULL || bloom_entry_chown(handle, owner));
}

/* Reports that a directory could not be opened. If permission was denied because the directory
 * belongs to another user, the error names both users. */
static bloom_status fail_to_open(int parent, const char *name, bloom_error *error)
{
	int os_error = errno;
	struct stat found;

	if (os_error == EACCES && fstatat(parent, name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
		found.st_uid != geteuid()) {
		return bloom_fail(error, BLOOM_E_REFUSED_OWNER, 0,
			"%.600s (owned by user %u; this process is user %u)", name,
			(unsigned)found.st_uid, (unsigned)geteuid());
	}
	errno = os_error;
	return bloom_fail_system(error, name);
}

static bloom_status open_directory_once(int parent, const char *name, bool create,
	const bloom_owner *owner, int *directory, bloom_owner *found_owner, bloom_error *error)
{
	struct stat found;
	bool created = false;
	bloom_status status = create ? make_directory(parent, name, &created, error) : BLOOM_OK;
	int handle;

	if (status != BLOOM_OK) {
		return status;
	}
	handle = bloom_entry_open(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
	if (handle < 0) {
		return fail_to_open(parent, name, error);
	}
	status = created && !take_over(handle, owner)
		? bloom_fail_system(error, name)
		: bloom_entry_check(handle, S_IFDIR, owner, &found, name, error);
	if (status != BLOOM_OK) {
		bloom_close(&handle);
		return status;
	}
	if (found_owner != NULL) {
		*found_owner = (bloom_owner){.user = found.st_uid, .group = found.st_gid};
	}
	*directory = handle;
	return BLOOM_OK;
}

static bloom_status open_directory(int parent, const char *name, bool create,
	const bloom_owner *owner, int *directory, bloom_owner *found_owner, bloom_error *error)
{
	bloom_error local;
	bloom_error *detail = error != NULL ? error : &local;
	bloom_status status =
		open_directory_once(parent, name, create, owner, directory, found_owner, detail);

	/* A directory with the wrong owner may have been left behind by a root process that was
	 * killed between mkdir and chown. Such a directory is empty, and the parent directory
	 * belongs to `owner`, so this process may remove it and try again. */
	if (create && owner != NULL &&
		(status == BLOOM_E_REFUSED_OWNER ||
			(status == BLOOM_E_SYSTEM && detail->os_error == EACCES)) &&
		unlinkat(parent, name, AT_REMOVEDIR) == 0) {
		status = open_directory_once(
			parent, name, create, owner, directory, found_owner, detail);
	}
	return status;
}

bool bloom_path_is_absolute(const char *path)
{
	return path[0] == '/';
}

bool bloom_path_default(char *path, size_t capacity)
{
	int bytes = snprintf(path, capacity, "/dev/shm/php-bloom-%lu", (unsigned long)geteuid());

	return bytes > 0 && (size_t)bytes < capacity;
}

bloom_status bloom_directory_open(
	const char *path, bool create, int *directory, bloom_owner *owner, bloom_error *error)
{
	return open_directory(AT_FDCWD, path, create, NULL, directory, owner, error);
}

bool bloom_owner_is_self(bloom_owner owner)
{
	return owner.user == geteuid();
}

bloom_status bloom_directory_open_at(int parent, const char *name, bool create, bloom_owner owner,
	int *directory, bloom_error *error)
{
	return open_directory(parent, name, create, &owner, directory, NULL, error);
}

bloom_status bloom_directory_remove(int parent, const char *name, bloom_error *error)
{
	return bloom_entry_remove(parent, name, AT_REMOVEDIR, error);
}

static bool same_file(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

bloom_status bloom_directory_check_name(
	int parent, const char *name, int directory, bloom_error *error)
{
	struct stat named, open;
	bool exists = fstatat(parent, name, &named, AT_SYMLINK_NOFOLLOW) == 0;

	/* Report the directory as gone only if the lookup itself succeeded. */
	if ((!exists && errno != ENOENT) || fstat(directory, &open) != 0) {
		return bloom_fail_system(error, name);
	}
	return exists && same_file(&named, &open) ? BLOOM_OK
						  : bloom_fail(error, BLOOM_E_GONE, 0, "%s", name);
}

bloom_status bloom_directory_each(
	int directory, bloom_visit visit, void *context, bloom_error *error)
{
	/* Open the directory again: the read position belongs to the open file description, and
	 * other code may be reading through `directory`. */
	int handle = bloom_entry_open(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	struct dirent *entry;
	bloom_status status;
	DIR *stream;

	if (handle < 0) {
		return bloom_fail_system(error, "directory");
	}
	stream = fdopendir(handle);
	if (stream == NULL) {
		bloom_close(&handle);
		return bloom_fail_system(error, "directory");
	}
	errno = 0; /* readdir() returns NULL at the end and on failure; errno tells them apart */
	while ((entry = readdir(stream)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
			!visit(context, entry->d_name)) {
			break;
		}
		errno = 0;
	}
	status = entry == NULL && errno != 0 ? bloom_fail_system(error, "directory") : BLOOM_OK;
	(void)closedir(stream);
	return status;
}

uint64_t bloom_directory_free_bytes(int directory)
{
	struct statvfs found;

	/* A tmpfs without a size limit reports a total of 0 blocks. */
	if (fstatvfs(directory, &found) != 0 || found.f_blocks == 0) {
		return UINT64_MAX;
	}
	return (uint64_t)found.f_bavail * found.f_frsize;
}

/* Returns the type of an open entry's file system, as listed in statfs(2) and linux/magic.h; 0 on
 * failure. POSIX does not have such types. */
static uint32_t file_system(int file)
{
#if BLOOM_LINUX
	struct statfs found;

	return fstatfs(file, &found) == 0 ? (uint32_t)found.f_type : 0;
#else
	(void)file;
	return 0;
#endif
}

bool bloom_directory_is_memory(int directory)
{
	return file_system(directory) == UINT32_C(0x01021994); /* tmpfs */
}

bool bloom_directory_is_network(int directory)
{
	switch (file_system(directory)) {
	case UINT32_C(0x00006969): /* NFS */
	case UINT32_C(0x0000517B): /* SMB */
	case UINT32_C(0xFF534D42): /* CIFS */
	case UINT32_C(0xFE534D42): /* SMB 2 and later */
	case UINT32_C(0x5346414F): /* AFS */
	case UINT32_C(0x6B414653): /* AFS, the kernel's client */
	case UINT32_C(0x73757245): /* Coda */
	case UINT32_C(0x00C36400): /* Ceph */
	case UINT32_C(0x01021997): /* 9P */
	case UINT32_C(0x0BD00BD0): /* Lustre */
	case UINT32_C(0x47504653): /* GPFS */
	case UINT32_C(0x01161970): /* GFS2 */
	case UINT32_C(0x7461636F): /* OCFS2 */
		return true;
	default:
		return false;
	}
}
