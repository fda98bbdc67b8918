/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of a BTF, and of those of modules that go on behind it, as a graph. */
#pragma once

#include "btf/btf.h"
#include "types/type_graph.h"

#define BTF_GRAPH_MODULES 1024

struct btf_graph {
	struct type_graph graph;
	struct btf *parts[1 + BTF_GRAPH_MODULES];   /* the kernel's, then those of modules */
	const char *modules[1 + BTF_GRAPH_MODULES]; /* the name of each, NULL: unknown */
	unsigned int n;
};

/* bytes stay in use as long as ret, which stays where it is.  ST_CORRUPT: they are no whole BTF. */
enum status btf_graph_open(struct dump *d, const void *bytes, size_t size, struct btf_graph *ret);

/* The same of a module. */
enum status btf_graph_add(struct btf_graph *b, const void *bytes, size_t size, const char *module);
