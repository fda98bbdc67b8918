// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/noun_words.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *word, *noun;
} words[] = {
	{ "slab", "caches" },
	{ "slabs", "caches" },
	{ "slabinfo", "caches" },
	{ "kmem", "classes" },
	{ "mem", "classes" },
	{ "meminfo", "classes" },
	{ "buddyinfo", "zones" },
	{ "zoneinfo", "zones" },
	{ "vmallocinfo", "vmalloc" },
	{ "swap", "pools" },
	{ "zram", "pools" },
	{ "hugepages", "pools" },
	{ "oom", "log" },
	{ "dmesg", "log" },
	{ "ps", "processes" },
	{ "tasks", "processes" },
	{ "hung", "stuck" },
	{ "memcg", "cgroups" },
	{ "tmpfs", "files" },
	{ "shmem", "files" },
	{ "memory", "classes" },
	{ "free", "zones" },
	{ "buddy", "zones" },
	{ "top", "processes" },
	{ "slabtop", "caches" },
	{ "df", "filesystems" },
	{ "mounts", "filesystems" },
	{ "lsof", "files" },
	{ "ss", "sockets" },
	{ "netstat", "sockets" },
	{ "psi", "pressure" },
	{ "cma", "pools" },
	{ "percpu", "pools" },
	{ "locks", "stuck" },
	{ "blocked", "stuck" },
	{ "waits", "stuck" },
	{ "pagetypeinfo", "fragmentation" },
	{ "timeline", "story" },
	{ "types", "objects" },
	{ "leaks", "holders" },
	{ "owners", "holders" },
};

const char *noun_of_word(const char *word)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcasecmp(word, words[i].word))
			return words[i].noun;
	return NULL;
}

const char *process_of_word(const char *word)
{
	static const char *const kinds[] = { "task:", "pid:", "tgid:" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const size_t n = strlen(kinds[i]);

		if (!strncasecmp(word, kinds[i], n) && word[n] &&
		    word[n + strspn(word + n, "0123456789")] == '\0')
			return word + n;
	}
	return NULL;
}
