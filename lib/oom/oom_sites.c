// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_sites.h"

#include <ctype.h>

/* "4.00 GiB", "155 MiB", "512 B" of string_get_size(); some kernels have no blank. */
static const char *take_size(const char *text, uint64_t *bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	uint64_t whole, value, tens = 1;

	text = log_take_figure(text, &whole);
	if (!text || whole > UINT16_MAX)
		return NULL;
	value = whole;
	if (*text == '.')
		for (text++; isdigit((unsigned char)*text) && tens < 1000; text++, tens *= 10)
			value = value * 10 + (uint64_t)(*text - '0');
	text += *text == ' ';
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		const char *rest = log_after(text, units[i]);

		if (rest && *rest == ' ') {
			*bytes = (value << (10 * i)) / tens;
			return rest;
		}
	}
	return NULL;
}

/* "   162529280", of 6.10-rc1 to -rc5; each call has some. */
static const char *take_bytes(const char *text, struct oom_site *ret)
{
	text = log_take_figure(text, &ret->bytes);
	text = text && *text == ' ' ? log_take_figure(text + strspn(text, " "), &ret->calls) : NULL;
	return text && ret->bytes >= ret->calls ? text : NULL;
}

static const char *take_figures(const char *text, struct oom_site *ret)
{
	const char *p = take_size(text, &ret->bytes);

	return p ? log_take_figure(p + strspn(p, " "), &ret->calls) : take_bytes(text, ret);
}

/* "     155 MiB    39765 leaky.c:74 [leaky] func:leaky_rx_refill"; false: another line. */
static bool take_site(const char *text, struct oom_site *ret)
{
	const char *p = take_figures(text + strspn(text, " "), ret), *place, *module;
	size_t len, module_len = 0;
	char buf[OOM_SITE_NAME];

	place = p ? log_after(p, " ") : NULL;
	len = place ? strcspn(place, " ") : 0;
	if (!len || !memchr(place, ':', len))
		return false;
	p = place + len + 1;
	module = place[len] ? log_after(p, "[") : NULL;
	if (module) {
		module_len = strcspn(module, "] ");
		p = log_after(module + module_len, "] ");
	}
	p = place[len] && p ? log_after(p, "func:") : NULL;
	if (!p || !*p || strchr(p, ' '))
		return false;
	if ((size_t)snprintf(buf, sizeof(buf), "%.*s %s%s%.*s%s", (int)len, place, p,
			     module ? " [" : "", (int)module_len, module ? module : "",
			     module ? "]" : "") >= sizeof(buf))
		return false;
	log_copy(ret->name, sizeof(ret->name), buf, strlen(buf));
	return true;
}

void oom_sites_read(const struct kernel_log *log, const struct kernel_record *from,
		    struct oom_sites *ret)
{
	bool is_open = false;

	ret->n = 0;
	ret->is_off = false;
	for (size_t i = (size_t)(from - log->records); i < log->n && ret->n < OOM_SITES; i++) {
		const struct kernel_record *rec = &log->records[i];
		const char *rest;

		if (from->has_caller && rec->has_caller && rec->caller != from->caller)
			continue;
		if (!rec->text)
			continue;
		rest = log_after(rec->text, "Memory allocations");
		if (rest && (*rest == ':' || log_after(rest, " (profiling"))) {
			is_open = true;
			ret->is_off = strstr(rest, " turned off)") != NULL;
		} else if (is_open && take_site(rec->text, &ret->sites[ret->n])) {
			ret->n++;
		} else if (log_after(rec->text, "Tasks state") ||
			   log_after(rec->text, "oom-kill:") ||
			   (rec != from && strstr(rec->text, " invoked oom-killer: "))) {
			return;
		}
	}
}

/* "kmalloc-2k            814056KB     814056KB"; false: another line. */
static bool take_row(const char *text, struct oom_slab *ret)
{
	size_t len = strcspn(text, " ");
	const char *p = text + len;
	struct oom_slab s = { "" };

	if (!len || len >= sizeof(s.name) || *p != ' ')
		return false;
	p = log_take_figure(p + strspn(p, " "), &s.used_kib);
	p = p ? log_after(p, "KB") : NULL;
	p = p && *p == ' ' ? log_take_figure(p + strspn(p, " "), &s.total_kib) : NULL;
	if (!p || strcmp(p, "KB") || s.used_kib > s.total_kib || s.total_kib > UINT32_MAX)
		return false;
	log_copy(s.name, sizeof(s.name), text, len);
	*ret = s;
	return true;
}

/* "%-17s %10luKB %10luKB": of one that is shorter by a character a number lost a digit, unless all have lost their blanks. */
#define SLAB_ROW 43

static void keep(struct oom_slabs *all, const struct oom_slab *s)
{
	unsigned int at = all->n < OOM_SLABS ? all->n++ : OOM_SLABS;

	for (; at && s->total_kib > all->slabs[at - 1].total_kib; at--)
		if (at < OOM_SLABS)
			all->slabs[at] = all->slabs[at - 1];
	if (at < OOM_SLABS)
		all->slabs[at] = *s;
}

void oom_slabs_read(const struct kernel_log *log, const struct kernel_record *from,
		    struct oom_slabs *ret)
{
	bool is_open = false, is_aligned = false;

	ret->n = 0;
	for (size_t i = (size_t)(from - log->records); i < log->n; i++) {
		const struct kernel_record *rec = &log->records[i];
		size_t len = rec->text ? strlen(rec->text) : 0;
		struct oom_slab s;

		if (from->has_caller && rec->has_caller && rec->caller != from->caller)
			continue;
		/* "Name                      Used          Total" */
		is_aligned |= is_open && rec->text && log_after(rec->text, "Name         ");
		if (rec->text && log_after(rec->text, "Unreclaimable slab info:"))
			is_open = true;
		else if (is_open && rec->text && take_row(rec->text, &s) &&
			 (!is_aligned || len != SLAB_ROW - 1))
			keep(ret, &s);
		else if (rec->text && (log_after(rec->text, "Tasks state") ||
				       (rec != from && strstr(rec->text, " invoked oom-killer: "))))
			return;
	}
}
