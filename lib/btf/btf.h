/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types in the BPF Type Format, which kernels since 5.2 carry with CONFIG_DEBUG_INFO_BTF
 * (Documentation/bpf/btf.rst): structures with the offsets of their members, enumerations, the names
 * of functions and, of variables, those of the per-CPU section.
 */
#pragma once

#include "dump/dump.h"

enum btf_kind {
	BTF_VOID,
	BTF_INT,
	BTF_PTR,
	BTF_ARRAY,
	BTF_STRUCT,
	BTF_UNION,
	BTF_ENUM,
	BTF_FWD,
	BTF_TYPEDEF,
	BTF_VOLATILE,
	BTF_CONST,
	BTF_RESTRICT,
	BTF_FUNC,
	BTF_FUNC_PROTO,
	BTF_VAR,
	BTF_DATASEC,
	BTF_FLOAT,
	BTF_DECL_TAG,
	BTF_TYPE_TAG,
	BTF_ENUM64,
	BTF_KINDS
};

struct btf {
	const struct btf *base; /* of vmlinux, which that of a module goes on; NULL: none */
	uint32_t first; /* number of the first type: 1, or the next one behind those of base */
	uint32_t first_string; /* what the first string is counted as */
	const uint8_t *types;
	const char *strings;
	uint32_t type_bytes, string_bytes;
	bool big_endian;
	uint32_t n;    /* types are first to n - 1, those of base before; 0 is void */
	uint32_t *at;  /* of each, from first on: where it is in types */
	uint32_t lost; /* of these: damaged, or beside damaged ones; nothing is known of them */
};

struct btf_type {
	enum btf_kind kind;
	const char *name; /* "" if it has none */
	uint32_t n;	  /* members, enumerators, parameters, elements of an array */
	uint32_t size;	  /* bytes of a structure, a union, a number */
	uint32_t type;	  /* what a pointer, a typedef, an array or a function is of or gives */
	bool has_bits;	  /* offsets of members have the sizes of bit fields in their high byte */
	bool is_signed;	  /* of an enumeration */
	const uint8_t *tail;
};

struct btf_member {
	const char *name;
	uint32_t type;
	uint32_t bit_offset; /* from the start of the structure, in the order of the machine */
	uint32_t bit_size;   /* 0: no bit field */
};

/*
 * bytes stay in use as long as ret. base NULL: BTF of a kernel; else of a module, whose types and strings go on
 * behind those of base, which stays in use as well. ST_CORRUPT where they are no whole BTF.
 */
enum status btf_open_split(struct dump *d, const void *bytes, size_t size, const struct btf *base,
			   struct btf *ret);

/* Where such a blob may begin in bytes, at or behind from; size if nowhere. */
size_t btf_search(const void *bytes, size_t size, size_t from);

/* 0: there is no such type in this one. */
unsigned int btf_kind(const struct btf *b, uint32_t id);

/* False: there is no such type, or it does not fit. */
bool btf_type(const struct btf *b, uint32_t id, struct btf_type *ret);
bool btf_member(const struct btf *b, const struct btf_type *t, uint32_t i, struct btf_member *ret);
/* Of a function: a name and a type alone. */
bool btf_parameter(const struct btf *b, const struct btf_type *t, uint32_t i,
		   struct btf_member *ret);
bool btf_enumerator(const struct btf *b, const struct btf_type *t, uint32_t i, const char **name,
		    int64_t *value);

/* Through typedefs, const and volatile; the same id if it is none of them. */
uint32_t btf_strip(const struct btf *b, uint32_t id);
