// SPDX-License-Identifier: GPL-2.0-or-later
/* A start that is the header of an Ethernet frame: two addresses, the number of a protocol (linux/if_ether.h), what that begins with. */
#include "holders/content.h"

#include "util/strbuf.h"

#define ADDRESS 6u
#define HEADER 14u
#define STARTS_WITH 15u /* the version of IP stands behind the header */

static const struct {
	uint16_t protocol;
	uint8_t first, mask; /* of the byte behind the header; 0: any */
	const char *name;
} protocols[] = {
	{ 0x0800, 0x40, 0xf0, "IPv4" },
	{ 0x86dd, 0x60, 0xf0, "IPv6" },
	{ 0x0806, 0x00, 0xff, "ARP" }, /* the high byte of ARPHRD_ETHER */
};

static bool has_all(uint64_t same, unsigned int from, unsigned int n)
{
	return (same >> from & ((1ULL << n) - 1)) == (1ULL << n) - 1;
}

static const char *protocol_of(const uint8_t *bytes, uint64_t same, size_t n)
{
	const uint16_t protocol = (uint16_t)(bytes[2 * ADDRESS] << 8 | bytes[2 * ADDRESS + 1]);

	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++)
		if (protocols[i].protocol == protocol &&
		    (n < STARTS_WITH || !has_all(same, HEADER, 1) ||
		     (bytes[HEADER] & protocols[i].mask) == protocols[i].first))
			return protocols[i].name;
	return NULL;
}

static void add_address(const char *word, const uint8_t *bytes, uint64_t same, unsigned int from,
			struct strbuf *b)
{
	const uint8_t *p = bytes + from;
	bool any = false;

	for (unsigned int i = 0; i < ADDRESS; i++)
		any |= p[i] != 0;
	if (any && has_all(same, from, ADDRESS))
		strbuf_add(b, "%s %02x:%02x:%02x:%02x:%02x:%02x", word, p[0], p[1], p[2], p[3],
			   p[4], p[5]);
}

const char *content_ethernet(struct arena *arena, const uint8_t *bytes, uint64_t same, size_t n)
{
	struct strbuf b = STRBUF_OF(128);
	const char *protocol = n >= HEADER && has_all(same, 2 * ADDRESS, 2)
				       ? protocol_of(bytes, same, n)
				       : NULL;

	if (!protocol)
		return NULL;
	add_address(", to", bytes, same, 0, &b);
	/* A frame is not sent by a group: the lowest bit of the first byte. */
	if (!(bytes[ADDRESS] & 1))
		add_address(b.len ? " from" : ", from", bytes, same, ADDRESS, &b);
	return b.len ? arena_text(arena, "an Ethernet header (%s%s)", protocol, b.buf) : NULL;
}
