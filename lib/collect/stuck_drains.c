// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_drains.h"

#include "collect/stuck.h"
#include "pages/kernel_map.h"
#include "util/units.h"

#define USES 5	   /* functions that use a file, of a row */
#define WORDS 512u /* of a stack that are looked at for the node, and for the open file */
#define NODE_FRAMES \
	4u /* from the one that waits on: it, or its callers, saved the register with the node */

/* What removes a file and waits for its users, and what these are in. */
static const struct drain_kind {
	const char *function, *what, *of;
	bool is_kernfs;
	const char *uses[USES];
} kinds[] = {
	{ "kernfs_drain",
	  "sysfs attribute",
	  "active reference",
	  true,
	  { "kernfs_fop_write_iter", "kernfs_fop_write", "kernfs_fop_read_iter", "kernfs_fop_read",
	    "kernfs_seq_show" } },
	{ "proc_entry_rundown",
	  "file of proc",
	  "use",
	  false,
	  { "proc_reg_write", "proc_reg_read", "proc_reg_read_iter", "proc_reg_unlocked_ioctl" } },
	{ "__debugfs_file_removed",
	  "file of debugfs",
	  "use",
	  false,
	  { "full_proxy_write", "full_proxy_read", "full_proxy_unlocked_ioctl",
	    "debugfs_attr_write", "debugfs_attr_read" } },
};

/* What stands between the use of a file and the function of a driver for it. */
static bool is_between(const char *name)
{
	static const char *const between[] = {
		"sysfs_kf_write", "sysfs_kf_bin_write", "sysfs_kf_seq_show", "dev_attr_store",
		"dev_attr_show",  "kobj_attr_store",	"kobj_attr_show",    "class_attr_store",
		"bus_attr_store", "drv_attr_store",	"module_attr_store", "slab_attr_store"
	};

	return !name || ANY_OF(i, ARRAY_SIZE(between), is_function(name, between[i]));
}

static const struct drain_kind *kind_of(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(kinds); i++)
		if (is_function(name, kinds[i].function))
			return &kinds[i];
	return NULL;
}

static bool is_use(const struct drain_kind *kind, const char *name)
{
	return name && ANY_OF(i, USES, kind->uses[i] && is_function(name, kind->uses[i]));
}

static const struct frame *frame_at(struct task_frames *at, unsigned int i)
{
	return task_frames_at(at, i);
}

/* The frame that uses a file of that kind, around the one that waits; 0: none does. */
static unsigned int find_use(struct task_frames *at, const struct drain_kind *kind,
			     unsigned int from)
{
	for (unsigned int i = from + 1; i < at->frames.n; i++)
		if (is_use(kind, task_frames_name(at, i)))
			return i;
	return 0;
}

/* The outermost one of a module between them, else what the use calls. */
static const struct frame *find_function(struct task_frames *at, unsigned int from,
					 unsigned int use)
{
	const struct frame *other = NULL;

	for (unsigned int i = use - 1; i > from; i--) {
		const struct frame *f = frame_at(at, i);

		if (!f || !f->symbol || is_between(f->symbol))
			continue;
		if (f->module)
			return f;
		other = other ?: f;
	}
	return other;
}

/*
 * Whether a word of the frames up to one leads to a node that is being removed, ret, or to an open file of node:
 * whichever frame inside of the use took the register that had its open file saved it.
 */
static bool find_word(const struct kernfs_nodes *k, struct task_frames *at, unsigned int last,
		      uint64_t node, struct kernfs_drained *ret)
{
	const uint64_t half = kernel_half(k->dump);
	const struct unwind *u = &at->frames;
	uint64_t word, sp = u->f[0].sp;

	for (unsigned int i = 0; i < WORDS && sp < u->f[last].end; i++, sp += 8)
		if (task_stack_word(&at->stack, sp, &word) && is_kernel_pointer(half, word) &&
		    (ret ? kernfs_drained_read(k, word, ret) == ST_OK
			 : word != node && kernfs_is_open_file(k, word, node)))
			return true;
	return false;
}

static void read_node(struct dump *d, struct task_frames *at, unsigned int from, unsigned int use,
		      struct stuck_drain *ret)
{
	const unsigned int n = at->frames.n,
			   last = from + NODE_FRAMES < n ? from + NODE_FRAMES : n - 1;
	struct kernfs_nodes k;

	if (kernfs_nodes_open(d, &k) == ST_OK && find_word(&k, at, last, 0, &ret->node))
		ret->is_own = use && find_word(&k, at, use, ret->node.node, NULL);
	d->error[0] = '\0';
}

const struct stuck_drain *stuck_drain_find(struct dump *d, struct task_frames *at)
{
	const struct drain_kind *kind = NULL;
	struct stuck_drain *ret;
	unsigned int from = 0, use;

	while (from < at->frames.n && !(kind = kind_of(task_frames_name(at, from))))
		from++;
	if (!kind)
		return NULL;
	ret = dump_alloc(d, sizeof(*ret));
	*ret = (struct stuck_drain){ .what = kind->what, .uses = kind->of };
	use = find_use(at, kind, from);
	if (use) {
		ret->within = frame_at(at, use);
		ret->function = find_function(at, from, use);
	}
	if (kind->is_kernfs)
		read_node(d, at, from, use, ret);
	return ret;
}

static void add_own(const struct stuck_drain *drain, struct strbuf *b)
{
	char text[256];

	strbuf_add(b,
		   drain->is_own ? ", which it has itself: " : ", likely by itself (inferred): ");
	strbuf_add(b, "it is in %s of %s", drain->within->symbol,
		   drain->is_own ? "that" : "such a file");
	if (drain->function && drain->function->symbol)
		strbuf_add(b, ", whose function %s removes it",
			   function_text(drain->function, text, sizeof(text)));
}

void stuck_drain_words(const struct stuck_drain *drain, struct strbuf *b)
{
	const uint32_t n = drain->node.path ? drain->node.references : 0;

	if (n == 1)
		strbuf_add(b, "waits for the last %s of", drain->uses);
	else if (n)
		strbuf_add(b, "waits for %s %ss of", COUNT_TEXT(n), drain->uses);
	else
		strbuf_add(b, "waits for the end of each %s of", drain->uses);
	strbuf_add(b, " %s%s%s", drain->node.path ? "" : "a ", drain->what,
		   drain->node.path ? " " : "");
	if (drain->node.path)
		strbuf_add(b, "%.300s", drain->node.path);
	if (drain->within && drain->within->symbol)
		add_own(drain, b);
}

const struct stuck_task *stuck_drains_itself(const struct stuck_task *all)
{
	const struct stuck_task *s = all;

	while (s && !(s->drain && s->drain->within))
		s = s->next;
	return s;
}
