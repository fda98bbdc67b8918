// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose files have most of what waits to be written. */
#include "memowner/files.h"
#include "pageowner/view.h"
#include "stub.h"
#include "test.h"

#define LOG 0xffff888000100000ULL
#define TABLE 0xffff888000200000ULL

static struct stub stub;
static struct owner_view view;
static struct summary sum;
static struct summary_files files;

static void begin(void)
{
	STUB_OPEN(stub);
	sum = (struct summary){ .dump = &stub.dump, .view = &view, .ram_pages = 1000 };
	files = (struct summary_files){ .files = { .dump = &stub.dump } };
	hash_u64_init(&files.pages.uses, &stub.arena, sizeof(struct file_use));
	hash_u64_init(&files.files.files, &stub.arena, sizeof(struct cached_file));
}

static void put(uint64_t mapping, const char *path, uint64_t dirty, uint64_t writeback)
{
	struct file_use *use = hash_u64_get(&files.pages.uses, file_key(mapping, FILE_CACHE), NULL);
	struct cached_file *file = hash_u64_get(&files.files.files, mapping, NULL);

	*use = (struct file_use){ .pages = 500, .dirty = dirty, .writeback = writeback };
	*file = (struct cached_file){ .status = path ? ST_OK : ST_UNREADABLE,
				      .has_path_status = true,
				      .path = path };
}

static const char *told(void)
{
	sum.throttled.writes = NULL;
	summary_find_unwritten(&sum, &files);
	return sum.throttled.writes ?: "";
}

static void the_file_that_has_most(void)
{
	begin();
	put(LOG, "/var/log/batch.log", 200, 50);
	put(TABLE, "/srv/table", 20, 0);
	CHECK_TEXT(told(), "of all these 1000.0K are of file /var/log/batch.log");
	/* None has most; it is little. */
	put(TABLE, "/srv/table", 200, 50);
	CHECK_TEXT(told(), "");
	put(TABLE, "/srv/table", 1, 0);
	put(LOG, "/var/log/batch.log", 2, 0);
	CHECK_TEXT(told(), "");
}

static void a_file_that_cannot_be_read_is_told(void)
{
	begin();
	put(LOG, NULL, 200, 50);
	put(TABLE, "/srv/table", 20, 0);
	CHECK_TEXT(told(), "of all these 1000.0K are of a file whose name is not known");
}

TESTS({ "unwritten: the file that has most", the_file_that_has_most },
      { "unwritten: a file that cannot be read", a_file_that_cannot_be_read_is_told })
