/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CASE_nets and CASE_astray of files_7_3.c: network namespaces. */
struct net {
	u64 passive;
	struct list_head list;
	struct {
		struct dentry *stashed;
	} ns;
};
#if defined(CASE_nets) || defined(CASE_astray)
#define NETS 120
extern struct list_head net_namespace_list;
extern struct net nets[NETS];
#ifdef CASE_astray
#define BEHIND_NETS (void *)DIRECT(&nets[60].list)
#else
#define BEHIND_NETS (void *)&net_namespace_list
#endif
#define NET_LINK(i) ((i) < 0 ? (void *)&net_namespace_list : (i) < NETS ? (void *)DIRECT(&nets[i].list) : BEHIND_NETS)
/* The file of one is not in the dump, that of another is mounted. */
#define STASHED(i) ((i) == 7 ? (void *)0xffff8880f0000000 : (i) == 8 ? (void *)DIRECT(&spool_top) : (void *)0)
#define A_NET(i) { 1, { (void *)NET_LINK((i) + 1), (void *)NET_LINK((i) - 1) }, { STASHED(i) } }
#define TEN_NETS(i) A_NET(i), A_NET(i + 1), A_NET(i + 2), A_NET(i + 3), A_NET(i + 4), A_NET(i + 5), \
	A_NET(i + 6), A_NET(i + 7), A_NET(i + 8), A_NET(i + 9)
struct net nets[NETS] = { TEN_NETS(0), TEN_NETS(10), TEN_NETS(20), TEN_NETS(30), TEN_NETS(40), TEN_NETS(50),
			  TEN_NETS(60), TEN_NETS(70), TEN_NETS(80), TEN_NETS(90), TEN_NETS(100), TEN_NETS(110) };
struct list_head net_namespace_list = { (void *)NET_LINK(0), (void *)NET_LINK(NETS - 1) };
#define PROXY_NET .net_ns = DIRECT(&nets[0])
#else
#define PROXY_NET .net_ns = 0
#endif
