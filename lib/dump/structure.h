/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables that read a kernel structure into a record: each row has the member of the record, whether
 * the kernel must have it, since when, and the names that it had, newest first.
 *
 *	struct mapping { uint64_t host, nrpages, tree; bool has_tree; };
 *	static const struct layout_row rows[] = {
 *		STRUCTURE(struct inodes, mapping, "struct address_space"),
 *		READS(struct mapping, host, REQUIRED, "all", "host"),
 *		READS(struct mapping, nrpages, REQUIRED, "all", "nrpages"),
 *		READS_IF(struct mapping, tree, has_tree, OPTIONAL, "4.14", "i_mmap.rb_root"),
 *		FINDS(struct inodes, list, "struct shmem_inode_info", OPTIONAL, "all", "swaplist"),
 *	};
 *
 * structs_open() fills the struct structure x.mapping and the struct field x.list of a
 * struct inodes x, struct_read(&x.mapping, ...) then a struct mapping.  Numbers have the sign of the
 * member of the record, a bool is whether it is not 0, and a wider one of the kernel is an unknown
 * layout.  What the kernel does not have is 0, and what is OPTIONAL and too wide it does not have.
 */
#pragma once

#include "dump/layout.h"

#define MEMBER_OF(T, MEMBER) (((T *)0)->MEMBER)
#define FORM_OF(LVALUE) \
	_Generic((LVALUE),           \
		bool: FORM_BOOL,     \
		int8_t: FORM_SIGNED, \
		int16_t: FORM_SIGNED,\
		int32_t: FORM_SIGNED,\
		int64_t: FORM_SIGNED,\
		char *: FORM_CHARS,  \
		uint8_t *: FORM_BYTES,\
		uint32_t *: FORM_INTS,\
		int32_t *: FORM_INTS,\
		uint64_t *: FORM_LONGS,\
		int64_t *: FORM_LONGS,\
		default: FORM_NUMBER)
#define MEMBER_ROW(T, MEMBER, FORM, HAS, MAX, NEED, SINCE, ...)                   \
	{                                                                         \
		.names = { __VA_ARGS__ }, .need = NEED, .since = SINCE, .into = { \
			FORM,                                                     \
			offsetof(T, MEMBER),                                      \
			sizeof(MEMBER_OF(T, MEMBER)),                             \
			HAS,                                                      \
			MAX                                                       \
		}                                                                 \
	}

/* The next rows are of TYPE; MEMBER of T is the struct structure that reads it. */
#define STRUCTURE(T, MEMBER, TYPE)                                             \
	{                                                                      \
		.type = TYPE, .into = {                                        \
			FORM_STRUCTURE,                                        \
			offsetof(T, MEMBER),                                   \
			sizeof((struct structure *)0 == &MEMBER_OF(T, MEMBER)) \
		}                                                              \
	}
/*
 * A number; of an array the characters, with '?' for what is not printable, in one byte more than the
 * kernel has, the bytes of one as long, or as many numbers of 4 or 8 bytes as both have: the others are 0.
 */
#define READS(T, MEMBER, NEED, SINCE, ...) \
	MEMBER_ROW(T, MEMBER, FORM_OF(MEMBER_OF(T, MEMBER)), 0, 0, NEED, SINCE, __VA_ARGS__)
/* HAS, a bool: whether the kernel has it. */
#define READS_IF(T, MEMBER, HAS, NEED, SINCE, ...)                                              \
	MEMBER_ROW(T, MEMBER, FORM_OF(MEMBER_OF(T, MEMBER)),                                    \
		   offsetof(T, HAS) + 1 + 0 * sizeof((bool *)0 == &MEMBER_OF(T, HAS)), 0, NEED, \
		   SINCE, __VA_ARGS__)
/* A number that cannot be larger than MAX. */
#define READS_TO(T, MEMBER, MAX, NEED, SINCE, ...) \
	MEMBER_ROW(T, MEMBER, FORM_NUMBER, 0, MAX, NEED, SINCE, __VA_ARGS__)
/* A number of eight bytes, and no other. */
#define POINTS(T, MEMBER, NEED, SINCE, ...) \
	MEMBER_ROW(T, MEMBER, FORM_POINTER, 0, 0, NEED, SINCE, __VA_ARGS__)
/* The first pointer of a list_head and its like. */
#define LINKS(T, MEMBER, NEED, SINCE, ...) \
	MEMBER_ROW(T, MEMBER, FORM_LINK, 0, 0, NEED, SINCE, __VA_ARGS__)
/* The address of the member, which is not read; 0: the kernel does not have it. */
#define PLACES(T, MEMBER, NEED, SINCE, ...) \
	MEMBER_ROW(T, MEMBER, FORM_PLACE, 0, 0, NEED, SINCE, __VA_ARGS__)
/* A member of TYPE that code looks up itself: MEMBER of T is its struct field. */
#define FINDS(T, MEMBER, TYPE, NEED, SINCE, ...)                                                \
	{                                                                                       \
		.type = TYPE, .names = { __VA_ARGS__ }, .need = NEED, .since = SINCE, .into = { \
			FORM_FIELD,                                                             \
			offsetof(T, MEMBER),                                                    \
			sizeof((struct field *)0 == &MEMBER_OF(T, MEMBER))                      \
		}                                                                               \
	}

/* How a structure of this kernel is read. */
struct structure {
	struct dump *dump;
	const char *type;
	const struct layout_row *rows;
	struct field *f; /* by row */
	size_t n;
	uint8_t *raw;	     /* the copy that was read last, from its start */
	uint32_t begin, end; /* of the bytes that are read; end is 0: none */
	struct field kept;   /* by struct_keep() */
	bool may_be_blank; /* as a copy that belongs to a CPU that is not there: set by who opens it */
};

/*
 * Fills the members of ret that the rows STRUCTURE() and FINDS() name.  ST_UNKNOWN: a required member
 * is missing, or wider than its place in the record.
 */
enum status structs_open(struct dump *d, const struct layout_row *rows, size_t n, void *ret);
#define STRUCTS_OPEN(d, rows, ret) structs_open(d, rows, sizeof(rows) / sizeof((rows)[0]), ret)

/* The copy has this member as well, one at most, for who looks into it: at raw + offset. */
enum status struct_keep(struct structure *s, const struct field *f);

/*
 * Fills the members of the record that have a row, and no others.  ST_UNREADABLE; ST_CORRUPT: a number
 * is larger than it can be, or the page of a member is blank (dump_check()).  What lies between the members may be missing from the dump.
 */
enum status struct_read(const struct structure *s, uint64_t addr, void *record);

/* The same from a copy that begins where the structure does. */
enum status struct_decode(const struct structure *s, uint64_t addr, const uint8_t *copy,
			  void *record);

/* The member that fills a member of the record: for its offset, and whether the kernel has it. */
const struct field *struct_field(const struct structure *s, size_t at);
#define STRUCT_FIELD(s, T, MEMBER) struct_field(s, offsetof(T, MEMBER))
/* Whether the kernel has all of its members that rows name. */
bool struct_has_all(const struct structure *s);
#define STRUCT_HAS(s, T, MEMBER) (STRUCT_FIELD(s, T, MEMBER)->present)
/* The structure that has a member at an address. */
#define STRUCT_WITH(s, T, MEMBER, address) ((address)-STRUCT_FIELD(s, T, MEMBER)->offset)
