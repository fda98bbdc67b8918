// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has the other ends of connections that a process accepted. */
#include "collect/sockets.h"
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "socket_list.h"
#include "stub.h"
#include "test.h"

#define SERVER 354
#define OTHER 280

static struct stub stub;
static struct summary s;
static struct process_groups groups;
static struct socket all[16];
static struct sockets x;
static struct file_user server = { .tgid = SERVER }, other = { .tgid = OTHER };
static const struct file_user *of_server[] = { &server }, *of_other[] = { &other };
static struct file_users server_users, other_users;

static void begin(void)
{
	STUB_OPEN(stub);
	s = (struct summary){ .dump = &stub.dump, .groups = &groups };
	groups = (struct process_groups){ .s = &s };
	hash_bytes_init(&groups.groups, stub.dump.arena, sizeof(struct process_group));
	x = (struct sockets){ .all = socket_list(all, ARRAY_SIZE(all)) };
	server_users = (struct file_users){ .all = of_server, .kept = 1 };
	other_users = (struct file_users){ .all = of_other, .kept = 1 };
}

static const struct text_list *list(const char *user)
{
	struct text_lists *l = dump_alloc(&stub.dump, sizeof(*l));

	text_lists_init(l, stub.dump.arena);
	if (*user)
		text_lists_add(l, "%s", user);
	return text_lists_end(l, 0, true);
}

static void add(int32_t tgid, bool is_tcp, const char *state, const char *local, const char *user)
{
	all[x.n++] = (struct socket){ .users = tgid == SERVER ? &server_users : &other_users,
				      .sock.kind = is_tcp ? SOCK_TCP : SOCK_UNIX,
				      .state = state,
				      .local = local,
				      .peer_used_by = user ? list(user) : NULL };
}

static const char *told(void)
{
	return summary_clients_text(&s, &x, SERVER) ?: "";
}

static void one(void)
{
	struct process_group *g;
	int32_t members[][2] = { { 330, 1 }, { 331, 1 } };

	begin();
	add(OTHER, false, "listen", "/run/.s.PGSQL.5432", NULL);
	add(OTHER, false, "established", "/run/.s.PGSQL.5432", "245(psql)");
	/* Its own connection to another service, and one that nobody listens for. */
	add(SERVER, false, "established", "", "1(systemd)");
	add(SERVER, false, "established", "/run/else", "2(else)");
	CHECK_TEXT(told(), "");
	add(SERVER, false, "established", "/run/.s.PGSQL.5432", "331(psql)");
	CHECK_TEXT(told(), "its client is psql (331)");
	g = hash_bytes_get(&groups.groups, "psql", 4, NULL)->value;
	*g = (struct process_group){ .comm = "psql",
				     .cgroup = "/system.slice/crm-merge.service",
				     .processes = 2,
				     .members = members };
	CHECK_TEXT(told(), "its client is psql (331) of crm-merge.service");
	x.problem = "a page";
	CHECK_TEXT(told(), "its client is psql (331) of crm-merge.service, as far as the other "
			   "ends are known");
}

/* Two connections of one process are one client; a port is that of any address. */
static void many(void)
{
	begin();
	add(SERVER, true, "listen", "0.0.0.0:6379", NULL);
	add(SERVER, true, "established", "127.0.0.1:6379", "11(web)");
	add(SERVER, true, "established", "127.0.0.1:6379", "11(web)");
	add(SERVER, true, "established", "127.0.0.1:6379", "12(mail) (x)");
	add(SERVER, true, "established", "127.0.0.1:40000", "13(db)");
	CHECK_TEXT(told(), "its clients are web (11) and mail) (x (12)");
	add(SERVER, true, "established", "127.0.0.1:6379", "14(web)");
	CHECK_TEXT(told(), "its clients are 2 processes web and mail) (x (12)");
	/* Of another machine. */
	add(SERVER, true, "established", "127.0.0.1:6379", NULL);
	CHECK_TEXT(told(), "its clients are 2 processes web and mail) (x (12), as far as the other "
			   "ends are known");
	for (int i = 0; i < 3; i++)
		add(SERVER, true, "established", "127.0.0.1:6379",
		    (const char *const[]){ "20(a)", "21(b)", "accept queue of 22(c)" }[i]);
	CHECK(strstr(told(), "web, mail) (x (12), a (20) and others of 1 more name, as far"));
}

/* A queue that cannot drain: of another machine nobody answers. */
static void not_answered(void)
{
	begin();
	add(OTHER, true, "syn_sent", "10.0.2.15:49678", NULL);
	all[x.n - 1].remote = "10.0.2.9:25";
	CHECK_TEXT(told(), "");
	add(SERVER, true, "listen", "0.0.0.0:514", NULL);
	add(SERVER, true, "syn_sent", "10.0.2.15:49680", NULL);
	CHECK_TEXT(told(), "");
	all[x.n - 1].remote = "10.0.2.77:6514";
	CHECK_TEXT(told(), "10.0.2.77:6514 has not answered its connect() (SYN_SENT)");
	add(SERVER, true, "established", "127.0.0.1:514", "392(api)");
	CHECK_TEXT(told(), "its client is api (392); 10.0.2.77:6514 has not answered its connect() "
			   "(SYN_SENT)");
	add(SERVER, true, "syn_sent", "10.0.2.15:49681", NULL);
	all[x.n - 1].remote = "10.0.2.77:6514";
	CHECK(strstr(told(), "; 10.0.2.77:6514 has not answered its connect() (SYN_SENT)"));
	add(SERVER, true, "syn_sent", "10.0.2.15:49682", NULL);
	all[x.n - 1].remote = "10.0.2.78:6514";
	CHECK(strstr(told(), "; 10.0.2.77:6514 and others have not answered its connect() "
			     "(SYN_SENT)"));
}

TESTS({ "one client", one }, { "who has not answered", not_answered }, { "several", many })
