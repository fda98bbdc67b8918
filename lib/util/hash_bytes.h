/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a key of any bytes to a value of fixed size; neither ever moves. */
#ifndef MEMOWNER_UTIL_HASH_BYTES_H
#define MEMOWNER_UTIL_HASH_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#include "util/hash_u64.h"

struct dict_entry {
	struct dict_entry *next; /* in order of first use */
	struct dict_entry *same; /* another key with this hash */
	size_t key_size;
	void *value;
	unsigned char key[];
};

struct dict {
	struct map hashes; /* of struct dict_entry * */
	size_t value_size;
	size_t n;
	struct dict_entry *first, **last;
};

void dict_init(struct dict *d, struct arena *arena, size_t value_size);

/* The entry of a key, its value zeroed when it is new; NULL when there is no memory. */
struct dict_entry *dict_get(struct dict *d, const void *key, size_t size, bool *is_new);

/* One address for each text: equal texts have equal addresses. NULL is NULL. */
const char *dict_text(struct dict *d, const char *text);

#endif
