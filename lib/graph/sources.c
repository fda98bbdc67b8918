// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/nodes.h"

void graph_lacks_names(struct graph_sources *s, const char *what)
{
	if (!s->problem)
		s->problem = dump_text(s->dump, "%s: %s", what, s->dump->error);
}

void graph_lacks(struct graph_sources *s, const char *what)
{
	graph_lacks_names(s, what);
	s->lacks_roots = true;
}
