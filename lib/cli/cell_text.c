// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of a cell. */

#include "cli/table.h"
#include "util/units.h"

#define ORDER_BITS 64

static void orders_text(char *buf, uint64_t orders)
{
	size_t at = 0;

	*buf = '\0';
	for (unsigned int i = 0; i < ORDER_BITS && at + 4 < CELL_TEXT_BYTES; i++)
		if (orders >> i & 1)
			at += sprintf(buf + at, "%s%u", at ? "," : "", i);
}

static void number_text(char *buf, enum format format, const struct cell *c)
{
	bool is_less = c->kind == CELL_INT && c->i < 0;
	uint64_t n = is_less ? -c->u : c->u;

	switch (format) {
	case FORMAT_LIMIT:
		if (c->u >= NUMBER_NO_LIMIT) {
			strcpy(buf, "max");
			return;
		}
		/* fall through */
	case FORMAT_SIZE:
		units_size(buf, c->i);
		return;
	case FORMAT_SECONDS:
		if (c->u < 60 * 1000000000ULL) {
			sprintf(buf, "%lus", c->u / 1000000000);
			return;
		}
		/* fall through */
	case FORMAT_TIME:
		units_time(buf, c->u);
		return;
	case FORMAT_STAMP:
		units_stamp(buf, c->u);
		return;
	case FORMAT_PFN:
		sprintf(buf, "0x%lx", c->u);
		return;
	case FORMAT_PERCENT:
		sprintf(buf, "%lu.%lu", c->u / 10, c->u % 10);
		return;
	case FORMAT_HUNDREDTHS:
		sprintf(buf, "%s%lu.%02lu", is_less ? "-" : "", n / 100, n % 100);
		return;
	case FORMAT_MILLI:
		strcpy(buf, "-");
		units_milli(buf + is_less, n);
		return;
	case FORMAT_ORDERS:
		orders_text(buf, c->u);
		return;
	default:
		sprintf(buf, c->kind == CELL_INT ? "%ld" : "%lu", c->i);
	}
}

const char *table_cell_text(const struct column *col, const struct cell *c, char *buf)
{
	switch (c->kind) {
	case CELL_UINT:
	case CELL_INT:
		number_text(buf, col->format, c);
		break;
	case CELL_HEX:
		sprintf(buf, "0x%lx", c->u);
		break;
	case CELL_BOOL:
		strcpy(buf, c->u ? "yes" : "no");
		break;
	case CELL_RANKED:
	case CELL_NAMED:
	case CELL_LIST:
	case CELL_TEXT:
		return cell_words(c);
	default:
		strcpy(buf, "-");
	}
	return buf;
}

bool table_is_left(const struct column *col)
{
	return col->format == FORMAT_TEXT || col->format == FORMAT_PATH ||
	       col->format == FORMAT_PROSE || col->format == FORMAT_WHOLE ||
	       col->format == FORMAT_WAY;
}
