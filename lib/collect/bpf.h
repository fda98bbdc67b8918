/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BPF maps and programs: the memory of each, who is charged, and what keeps it: processes by their file
 * descriptors, files of a bpffs, programs, links, cgroups.
 */
#pragma once

#include "bpf/bpf_prog.h"
#include "dump/gap.h"
#include "files/open_files.h"

enum bpf_kind { BPF_MAP, BPF_PROGRAM, BPF_SECCOMP }; /* the last: see seccomp_users.h */

/* What was found of the references to an object. */
struct bpf_holders {
	struct file_users opened; /* processes that have a file of it itself */
	struct file_users users;  /* the same, or of what refers to it: a program, a link */
	uint64_t files;		  /* different struct file of it */
	uint64_t found;		  /* references: files, pins, programs, links */
	uint64_t alone;		  /* of these, files, and what is alone itself */
};

struct bpf_object {
	enum bpf_kind kind;
	uint64_t address;
	uint32_t id;
	const char *type, *name;   /* NULL: unknown, and none */
	struct maybe_u64 bytes;	   /* of a program the struct bpf_prog with its instructions */
	struct maybe_u64 jited;	   /* of a program: bytes of its machine code */
	struct maybe_u64 original; /* of filters of seccomp: instructions as they were given */
	uint64_t programs;	   /* the same: how many it stands for */
	uint32_t key_bytes, value_bytes, max_entries, flags; /* of a map */
	const char *memcg;	     /* path of the charged cgroup, MEMCG_NOT_CHARGED; NULL */
	struct maybe_u64 load_time;  /* of a program: ns since boot */
	struct maybe_u64 uid;	     /* the same: who loaded it */
	struct maybe_u64 references; /* as the kernel counts them */
	struct bpf_holders holders;
	bool is_alone; /* one process has all of its references: freed when that ends */
	const struct text_list *opened_by, *used_by; /* NULL: unknown */
	const struct text_list *pinned;		     /* paths */
	const struct text_list *attached; /* of a program: "cgroup /box", "link tracing"; of a map
						 the programs that use it: "program 3" */
};

struct bpf_objects {
	struct bpf_object *all; /* maps, then programs, each by rising ID */
	size_t n, nmaps;
	uint64_t map_bytes;  /* of those maps of which it is known */
	uint64_t unsized;    /* maps of which it is not */
	bool all_maps;	     /* none is missing */
	const char *problem; /* the first reason why something is; NULL: none */
	struct gaps gaps;
	bool is_partial; /* interrupted */
};

/* ST_ABSENT: built without CONFIG_BPF_SYSCALL; ST_UNKNOWN. */
enum status bpf_collect(struct dump *d, struct bpf_objects *ret);
