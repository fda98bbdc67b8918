/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What more there is to say of the steps of a way than their caches and structures. */
#pragma once

#include "holders/holders.h"

/* Where the private data of a net device begin, of which an object is one; 0: it is none. (devices.c) */
uint32_t holder_net_private(struct holders *h, uint32_t node);

/* The same of any net device of this kernel; 0: unknown. (devices.c) */
uint32_t net_private_offset(struct dump *d);

/* Whether what a list of a device leads to was allocated for its driver, and how many bytes, from which on. (devices.c) */
bool holder_is_devres(struct holders *h, uint32_t node, uint64_t *bytes, uint32_t *at);

/* "fw_event0": the workqueue in which objects like this one wait; NULL: none that is known, or several. (devices.c) */
const char *holder_queue_name(struct holders *h, uint32_t node);

/* "wan0": the device of a structure that is known by its type; NULL: it has none, or it is unknown. (given_names.c) */
const char *holder_typed_device(struct holders *h, uint32_t node);
/* The same of a structure by its name. */
const char *holder_device_of(struct dump *d, const char *type, uint64_t at);

/* "configfs item bench01, configfs item bench02": directories that objects like this one of its module are; NULL. (given_names.c) */
const char *holder_item_names(struct holders *h, uint32_t node);

/* "struct x": the one structure of a module of a size in bytes; NULL: unknown, or several. (way_types.c) */
const char *holder_sized_type(const struct holders *h, uint16_t owner, uint64_t bytes);

/* The one whose shape an object has from a byte on. */
const char *holder_part_type(const struct holders *h, uint16_t owner, uint32_t node, uint32_t from);

/* The number of the type of a step in h->types; 0: unknown. fit: as of struct node_type. (way_types.c) */
uint16_t holder_step_type(const struct holders *h, uint32_t node, unsigned int *fit);

/*
 * ".queues[0].cmds": the member of an object, or of a variable, that leads to the next node of a way, or a list; ""
 * where it is unknown, or several do. (way_types.c)
 */
const char *holder_step_member(struct holders *h, uint32_t node, uint32_t next);

/*
 * Of per-CPU memory of boot: "struct x (per-CPU, type 100%)", NULL: unknown; and of what has its number the member that
 * does, where the word is known.  (way_types.c)
 */
const char *holder_copy_type(const struct holders *h, uint16_t owner, const struct first_chunk *f);
const char *holder_number_member(struct holders *h, const struct first_chunk *f);

/*
 * Of the nodes of a row that were kept one of the kind that most are, but for those that are like one (NULL: none), and
 * of these one with a way that leads to most; *n: how many are of the kind. (typical.c)
 */
uint32_t holder_typical(const struct holders *h, const struct holder *row, const uint32_t *but,
			uint32_t *n);
