// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * VMCOREINFO has offsets for makedumpfile, those of the kernel log among them (kernel/printk/printk.c:
 * log_buf_vmcoreinfo_setup()), but no sizes of members: these are as wide in every release that has the
 * offset.
 */

#include "types/type_source.h"

#define KEY_BYTES 96	/* "OFFSET(structure.member)" */
#define MOST_BYTES 4096 /* of a structure, and so of an offset */

struct told_member {
	const char *type, *member;
	const char *path[2]; /* the offsets that add up; the second may be NULL */
	uint8_t size;
	enum kind kind;
};

static const struct told_member members[] = {
#define IN_RING(name, size, kind)                                                                \
	{                                                                                        \
		"struct printk_ringbuffer", "desc_ring." name,                                   \
			{ "printk_ringbuffer.desc_ring", "prb_desc_ring." name }, (size), (kind) \
	}
#define IN_DATA(name, size, kind)                                                              \
	{                                                                                      \
		"struct printk_ringbuffer", "text_data_ring." name,                            \
			{ "printk_ringbuffer.text_data_ring", "prb_data_ring." name }, (size), \
			(kind)                                                                 \
	}
#define IN_DESC(name)                                                                        \
	{                                                                                    \
		"struct prb_desc", "text_blk_lpos." name,                                    \
			{ "prb_desc.text_blk_lpos", "prb_data_blk_lpos." name }, 8, KIND_INT \
	}
#define OF(type, name, size)                                                    \
	{                                                                       \
		"struct " type, name, { type "." name, NULL }, (size), KIND_INT \
	}
	IN_RING("count_bits", 4, KIND_INT),
	IN_RING("descs", 8, KIND_POINTER),
	IN_RING("infos", 8, KIND_POINTER),
	IN_RING("head_id", 8, KIND_STRUCT),
	IN_RING("tail_id", 8, KIND_STRUCT),
	IN_DATA("size_bits", 4, KIND_INT),
	IN_DATA("data", 8, KIND_POINTER),
	{ "struct prb_desc", "state_var", { "prb_desc.state_var", NULL }, 8, KIND_STRUCT },
	IN_DESC("begin"),
	IN_DESC("next"),
	OF("printk_info", "seq", 8),
	OF("printk_info", "ts_nsec", 8),
	OF("printk_info", "text_len", 2),
	OF("printk_info", "caller_id", 4),
	/* Up to 5.9. */
	OF("printk_log", "ts_nsec", 8),
	OF("printk_log", "len", 2),
	OF("printk_log", "text_len", 2),
	OF("printk_log", "dict_len", 2),
#undef IN_RING
#undef IN_DATA
#undef IN_DESC
#undef OF
};

static const struct {
	const char *name;
	uint8_t size;
	enum kind kind;
} variables[] = {
	{ "prb", 8, KIND_POINTER },	 { "log_buf", 8, KIND_POINTER },
	{ "log_buf_len", 4, KIND_INT },	 { "log_first_idx", 4, KIND_INT },
	{ "log_next_idx", 4, KIND_INT }, { "log_first_seq", 8, KIND_INT },
	{ "log_next_seq", 8, KIND_INT },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static enum status number(struct dump *d, const char *what, const char *name, uint64_t *ret)
{
	char key[KEY_BYTES];
	int64_t value;

	if ((size_t)snprintf(key, sizeof(key), "%s(%s)", what, name) >= sizeof(key) ||
	    d->ops->vmcoreinfo(d->priv, key, &value) != ST_OK || value < 0 || value > MOST_BYTES)
		return ST_ABSENT;
	*ret = value;
	return ST_OK;
}

static enum status told_member(void *priv, const char *type, const char *member, struct field *ret)
{
	for (size_t i = 0; i < COUNT(members); i++) {
		const struct told_member *m = &members[i];
		uint64_t first, second = 0;

		if (strcmp(m->type, type) || strcmp(m->member, member))
			continue;
		if (number(priv, "OFFSET", m->path[0], &first) != ST_OK ||
		    (m->path[1] && number(priv, "OFFSET", m->path[1], &second) != ST_OK))
			return ST_ABSENT;
		*ret = (struct field){
			.present = true,
			.kind = m->kind,
			.offset = first + second,
			.size = m->size,
		};
		return ST_OK;
	}
	return ST_ABSENT;
}

static enum status told_size(void *priv, const char *type, uint64_t *ret)
{
	const char *name = strchr(type, ' ');
	enum status st = name ? number(priv, "SIZE", name + 1, ret) : ST_ABSENT;

	return st == ST_OK && *ret ? ST_OK : ST_ABSENT;
}

static enum status told_variable(void *priv NOT_USED, const char *name, struct field *ret)
{
	for (size_t i = 0; i < COUNT(variables); i++)
		if (!strcmp(variables[i].name, name)) {
			*ret = (struct field){
				.present = true,
				.kind = variables[i].kind,
				.size = variables[i].size,
			};
			return ST_OK;
		}
	return ST_ABSENT;
}

void types_from_vmcoreinfo(struct dump *d, struct type_source *ret)
{
	*ret = (struct type_source){
		.what = "VMCOREINFO",
		.variable = told_variable,
		.type_size = told_size,
		.member = told_member,
		.priv = d,
	};
}
