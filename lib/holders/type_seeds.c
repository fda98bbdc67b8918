// SPDX-License-Identifier: GPL-2.0-or-later
/* What is known to begin with: variables, and caches that are named by their structure. */
#include "holders/types.h"

/* Names of caches that differ from that of their structure, in kernels 4.18 to 7.3. */
static const struct {
	const char *cache, *type;
} caches[] = {
	{ "filp", "struct file" },
	{ "inode_cache", "struct inode" },
	{ "files_cache", "struct files_struct" },
	{ "fs_cache", "struct fs_struct" },
	{ "signal_cache", "struct signal_struct" },
	{ "sighand_cache", "struct sighand_struct" },
	{ "cred_jar", "struct cred" },
	{ "kernfs_node_cache", "struct kernfs_node" },
	{ "kernfs_iattrs_cache", "struct kernfs_iattrs" },
	{ "radix_tree_node", "struct xa_node" },
	{ "shmem_inode_cache", "struct shmem_inode_info" },
	{ "proc_inode_cache", "struct proc_inode" },
	{ "proc_dir_entry", "struct proc_dir_entry" },
	{ "ext4_inode_cache", "struct ext4_inode_info" },
	{ "sock_inode_cache", "struct socket_alloc" },
	{ "bdev_cache", "struct bdev_inode" },
	{ "mnt_cache", "struct mount" },
	{ "skbuff_head_cache", "struct sk_buff" },
	{ "TCP", "struct tcp_sock" },
	{ "TCPv6", "struct tcp6_sock" },
	{ "UDP", "struct udp_sock" },
	{ "UDPv6", "struct udp6_sock" },
	{ "UNIX", "struct unix_sock" },
	{ "uts_namespace", "struct uts_namespace" },
	{ "ip_dst_cache", "struct rtable" },
	{ "ip6_dst_cache", "struct rt6_info" },
	{ "fib6_node", "struct fib6_node" },
	{ "biovec-max", "struct bio_vec *" },
	{ "jbd2_journal_handle", "struct jbd2_journal_handle" },
	{ "pid", "struct pid" },
	{ "net_namespace", "struct net" },
	{ "blkdev_ioc", "struct io_context" },
	{ "request_queue", "struct request_queue" },
	{ "ksm_rmap_item", "struct ksm_rmap_item" },
	{ "nf_conntrack", "struct nf_conn" },
};

/* Structures whose end has a length that the kernel finds when it boots. */
static const char *const longer[] = { "struct task_struct", "struct mm_struct", "struct pid",
				      "struct kmem_cache" };

#define ALIGNED 64u

static bool has_size(const struct slab_cache *c, const struct graph_type *t)
{
	return ANY_OF(i, ARRAY_SIZE(longer), !strcmp(t->name, longer[i])) ||
	       (t->t.bytes <= c->bytes && c->bytes - t->t.bytes < ALIGNED);
}

/* The one structure of a name that a module has. */
static uint16_t type_of_module(const struct node_types *x, const struct slab_cache *c,
			       const char *name)
{
	uint16_t ret = 0;

	for (uint32_t i = 0; i < x->ntypes; i++) {
		const struct graph_type *t = &x->types[i];

		if (!t->t.module || !t->t.name || strcmp(t->t.name, name) || !has_size(c, t))
			continue;
		if (ret)
			return 0;
		ret = i + 1;
	}
	return ret;
}

/* What objects of a cache of that name are, if it is one of those; NULL: it is none. */
static const char *listed_type(const struct slab_cache *c)
{
	for (size_t i = 0; c->kind && i < ARRAY_SIZE(caches); i++)
		if (!strcmp(c->kind, caches[i].cache))
			return caches[i].type;
	return NULL;
}

/* Of what the kernel created the cache for. */
static uint16_t type_of_name(struct node_types *x, const struct slab_cache *c)
{
	struct type_query q = { .by = TYPE_BY_NAME };
	uint16_t type;

	if (!c->kind || strstr(c->kind, "kmalloc-"))
		return 0;
	q.name = listed_type(c) ?: arena_text(x->arena, "struct %s", c->kind);
	type = node_types_get(x, &q) ?: type_of_module(x, c, q.name);
	return type && x->types[type - 1].name && has_size(c, &x->types[type - 1]) ? type : 0;
}

/* Whether all of its objects are what its name says. */
static bool is_alone(const struct slab_cache *c)
{
	return c->has_aliases && !c->aliases;
}

static uint16_t type_of_cache(struct node_types *x, const struct slab_cache *c)
{
	return is_alone(c) ? type_of_name(x, c) : 0;
}

static void seed_span(struct node_types *x, const struct span *s, uint16_t type)
{
	for (uint32_t i = 0; type && i < s->count; i++) {
		struct node_type *n = &x->nodes[s->first + i];

		if (graph_is_dead(x->g, s->first + i))
			continue;
		*n = (struct node_type){ .type = type, .votes = 1, .fit = 100, .state = NODE_SEED };
		x->seeds++;
	}
}

static uint16_t type_of_variable(struct node_types *x, const struct span *s)
{
	struct graph *g = x->g;
	struct module *m = graph_module(g, s->group);
	struct type_query q = { .by = TYPE_BY_VARIABLE, .module = m ? m->name : NULL };
	struct symbol symbol;
	uint16_t type;

	q.name = s->kind == NODE_PERCPU
			 ? s->group ? NULL : holder_percpu_name(x->h, graph_percpu_base(g, s))
			 : symbolize(x->h->symbols, s->start)->symbol;
	/* Keys of locks have no bytes, and the address of the variable behind them. */
	if (m && modules_variable(&g->modules, m,
				  s->kind == NODE_STATIC ? s->start : graph_percpu_base(g, s),
				  &symbol) == ST_OK)
		q.name = symbol.name;
	type = q.name && *q.name ? node_types_get(x, &q) : 0;
	/* A symbol may be of something larger that begins with the variable. */
	return type && x->types[type - 1].t.bytes <= s->stride ? type : 0;
}

void node_types_seed(struct node_types *x)
{
	struct graph *g = x->g;
	uint16_t *of = arena_alloc(x->arena, (g->ncaches + 1) * sizeof(*of));

	for (uint32_t i = 0; i < g->ncaches; i++) {
		if (!x->groups[i].is_mixed) {
			of[i] = type_of_cache(x, g->caches[i]);
			/* Another type that fits a listed one, which this dump lacks, is wrong. */
			x->groups[i].is_untold = !of[i] && !(is_alone(g->caches[i]) &&
							     listed_type(g->caches[i]));
		}
		x->groups[i].named = !g->caches[i]->aliases ? 0 : type_of_name(x, g->caches[i]);
	}
	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);

		if (s->kind == NODE_OBJECT)
			seed_span(x, s, of[s->group]);
		else if ((s->kind == NODE_STATIC || s->kind == NODE_PERCPU) && s->count == 1)
			seed_span(x, s, type_of_variable(x, s));
	}
}
