// SPDX-License-Identifier: GPL-2.0-or-later
#include "type_memo.h"

#include "util/hash_bytes.h"

#define MAX_KEY 512 /* bytes */

/* Not that of the command: what it has ends with the command. */
static struct arena arena;
static struct hash_bytes answers; /* of struct type_answer */

struct type_answer *type_memo(char question, const char *name, const char *second)
{
	char key[MAX_KEY];
	int n = snprintf(key, sizeof(key), "%c%s%c%s", question, name, '\0', second);
	struct hash_bytes_entry *e;
	bool is_new;

	if (n < 0 || (size_t)n >= sizeof(key))
		return NULL;
	if (!answers.hashes.arena)
		hash_bytes_init(&answers, &arena, sizeof(struct type_answer));
	e = hash_bytes_get(&answers, key, n, &is_new);
	return e->value;
}

void type_memo_next(void)
{
	for (struct hash_bytes_entry *e = answers.first; e; e = e->next) {
		struct type_answer *answer = e->value;

		if (answer->outcome == TYPE_MISSING)
			answer->outcome = TYPE_UNASKED;
	}
}

void type_memo_close(void)
{
	arena_reset(&arena);
	answers = (struct hash_bytes){ .n = 0 };
}
