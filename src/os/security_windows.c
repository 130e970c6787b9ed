#include "os/files_windows.h"

#include <aclapi.h>
#include <errno.h>
#include <sddl.h>
#include <stdio.h>

/* A security identifier with its alignment. */
typedef union sid {
	TOKEN_USER header;
	unsigned char bytes[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
} sid;

/* Gets the user on whose behalf this thread acts. */
static bool read_user(sid *user)
{
	HANDLE token;
	DWORD bytes;
	bool is_read;

	if (!OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, &token) &&
		!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) {
		return bloom_failed();
	}
	is_read = GetTokenInformation(token, TokenUser, user, sizeof *user, &bytes);
	if (!is_read) {
		(void)bloom_failed();
	}
	(void)CloseHandle(token);
	return is_read;
}

static uint32_t number_of(PSID user)
{
	UCHAR parts = *GetSidSubAuthorityCount(user);

	return parts > 0 ? *GetSidSubAuthority(user, (DWORD)parts - 1) : 0;
}

bool bloom_security_user(uint32_t *user)
{
	sid self;

	if (!read_user(&self)) {
		return false;
	}
	*user = number_of(self.header.User.Sid);
	return true;
}

PSECURITY_DESCRIPTOR bloom_security_new(void)
{
	PSECURITY_DESCRIPTOR descriptor = NULL;
	LPSTR text = NULL;
	char rules[512];
	sid self;

	if (!read_user(&self)) {
		return NULL;
	}
	if (ConvertSidToStringSidA(self.header.User.Sid, &text)) {
		/* Owner; an access list that is protected from inherited entries; full access for
		 * the owner, inherited by files and directories. The owner is stated, because the
		 * entries of a member of Administrators would otherwise belong to that group. */
		(void)snprintf(rules, sizeof rules, "O:%sD:P(A;OICI;FA;;;%s)", text, text);
		(void)LocalFree(text);
		if (ConvertStringSecurityDescriptorToSecurityDescriptorA(
			    rules, SDDL_REVISION_1, &descriptor, NULL)) {
			return descriptor;
		}
	}
	(void)bloom_failed();
	return NULL;
}

/* ---- checks ---- */

/* Returns true for SYSTEM and Administrators, who have access to everything anyway. */
static bool is_system(PSID who)
{
	return IsWellKnownSid(who, WinLocalSystemSid) ||
		IsWellKnownSid(who, WinBuiltinAdministratorsSid);
}

static bool is_trusted(PSID who, PSID self)
{
	return EqualSid(who, self) || is_system(who) ||
		IsWellKnownSid(who, WinCreatorOwnerRightsSid) ||
		IsWellKnownSid(who, WinCreatorOwnerSid);
}

/* Returns the next entry that gives rights to a user whom `self` does not trust; NULL at the end of
 * the list. An entry of an unknown type counts as such an entry.
 *
 *   *i  the index after the entry; 0 at first */
static const ACCESS_ALLOWED_ACE *next_stranger(PACL list, PSID self, DWORD *i)
{
	void *entry;

	for (; *i < list->AceCount; ++*i) {
		const ACCESS_ALLOWED_ACE *ace;

		if (!GetAce(list, *i, &entry)) {
			continue;
		}
		ace = entry;
		if (ace->Header.AceType == ACCESS_DENIED_ACE_TYPE ||
			(ace->Header.AceType == ACCESS_ALLOWED_ACE_TYPE &&
				is_trusted((PSID)(uintptr_t)&ace->SidStart, self))) {
			continue;
		}
		++*i;
		return ace;
	}
	return NULL;
}

static DWORD read_security(int handle, PSID *owner, PACL *list, PSECURITY_DESCRIPTOR *descriptor)
{
	return GetSecurityInfo(bloom_handle_of(handle), SE_FILE_OBJECT,
		OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, owner, NULL, list, NULL,
		descriptor);
}

static bloom_status check_access(int handle, const char *subject, bloom_error *error)
{
	PSECURITY_DESCRIPTOR descriptor;
	bloom_status status = BLOOM_OK;
	DWORD code, next = 0;
	PSID owner;
	PACL list;
	sid self;

	if (!read_user(&self)) {
		return bloom_fail_system(error, subject);
	}
	code = read_security(handle, &owner, &list, &descriptor);
	if (code != ERROR_SUCCESS) {
		SetLastError(code);
		(void)bloom_failed();
		return bloom_fail_system(error, subject);
	}
	if (!EqualSid(owner, self.header.User.Sid)) {
		status = bloom_fail(error, BLOOM_E_REFUSED_OWNER, 0, "%s (owned by user %lu)",
			subject, (unsigned long)number_of(owner));
	} else if (list == NULL || next_stranger(list, self.header.User.Sid, &next) != NULL) {
		status = bloom_fail(
			error, BLOOM_E_REFUSED_MODE, 0, "%s (its access control list)", subject);
	}
	(void)LocalFree(descriptor);
	return status;
}

bloom_status bloom_entry_check(
	int handle, bool is_directory, const char *subject, bloom_error *error)
{
	BY_HANDLE_FILE_INFORMATION found;

	if (!GetFileInformationByHandle(bloom_handle_of(handle), &found)) {
		(void)bloom_failed();
		return bloom_fail_system(error, subject);
	}
	if ((found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 ||
		((found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) != is_directory ||
		(!is_directory && found.nNumberOfLinks > 1)) {
		return bloom_fail(error, BLOOM_E_REFUSED_TYPE, 0, "%s", subject);
	}
	return check_access(handle, subject, error);
}

/* ---- secrets ---- */

/* Returns true for groups that contain every user or every user of the host. */
static bool is_everyone(PSID who)
{
	return IsWellKnownSid(who, WinWorldSid) || IsWellKnownSid(who, WinAuthenticatedUserSid) ||
		IsWellKnownSid(who, WinBuiltinUsersSid) || IsWellKnownSid(who, WinInteractiveSid) ||
		IsWellKnownSid(who, WinAnonymousSid) || IsWellKnownSid(who, WinBuiltinGuestsSid);
}

/* Returns true if only trusted users may write, and only they and particular groups may read. */
static bool is_private(PACL list, PSID self)
{
	static const ACCESS_MASK writing = FILE_WRITE_DATA | FILE_APPEND_DATA | DELETE | WRITE_DAC |
		WRITE_OWNER | GENERIC_WRITE | GENERIC_ALL;
	const ACCESS_ALLOWED_ACE *ace;
	DWORD next = 0;

	while ((ace = next_stranger(list, self, &next)) != NULL) {
		if (ace->Header.AceType != ACCESS_ALLOWED_ACE_TYPE || (ace->Mask & writing) != 0 ||
			is_everyone((PSID)(uintptr_t)&ace->SidStart)) {
			return false;
		}
	}
	return true;
}

bloom_status bloom_security_check_secret(int file, const char *path, bloom_error *error)
{
	PSECURITY_DESCRIPTOR descriptor;
	bloom_status status = BLOOM_OK;
	PSID owner;
	PACL list;
	DWORD code;
	sid self;

	if (!read_user(&self)) {
		return bloom_fail(error, BLOOM_E_SECRET_FILE, errno, "%.600s", path);
	}
	code = read_security(file, &owner, &list, &descriptor);
	if (code != ERROR_SUCCESS) {
		SetLastError(code);
		(void)bloom_failed();
		return bloom_fail(error, BLOOM_E_SECRET_FILE, errno, "%.600s", path);
	}
	if (!EqualSid(owner, self.header.User.Sid) && !is_system(owner)) {
		status = bloom_fail(error, BLOOM_E_SECRET_MODE, 0, "%.180s: owned by user %lu",
			path, (unsigned long)number_of(owner));
	} else if (list == NULL || !is_private(list, self.header.User.Sid)) {
		status = bloom_fail(
			error, BLOOM_E_SECRET_MODE, 0, "%.180s: its access control list", path);
	}
	(void)LocalFree(descriptor);
	return status;
}
