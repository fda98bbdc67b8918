// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/turns.h"

#include <string.h>

static bool is_same(const char *name, const char *other)
{
	return name && other && !strcmp(name, other);
}

bool turns_repeat(struct turns *t, const char *name)
{
	if (t->period && is_same(t->last[t->turn], name)) {
		t->turn = (t->turn ?: t->period) - 1;
		return true;
	}
	t->period = 0;
	if (is_same(t->last[0], name))
		return true;
	for (unsigned int p = 2; !t->period && p < t->n; p++)
		if (is_same(t->last[0], t->last[p]) && is_same(t->last[p - 1], name)) {
			t->period = p;
			t->turn = p - 2;
		}
	return t->period;
}

void turns_add(struct turns *t, const char *name)
{
	memmove(&t->last[1], t->last, sizeof(t->last) - sizeof(t->last[0]));
	t->last[0] = name;
	if (t->n <= TURNS_MOST)
		t->n++;
}
