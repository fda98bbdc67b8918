/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unit tests: functions in a table, TAP on stdout. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct test {
	const char *name;
	void (*run)(void);
};

extern bool test_failed;

/* Closes what a test has left open (stub.h). */
void test_end(void);

#define CHECK(cond)                                                         \
	do {                                                                \
		if (!(cond)) {                                              \
			printf("# %s:%d: %s\n", __FILE__, __LINE__, #cond); \
			test_failed = true;                                 \
		}                                                           \
	} while (0)

#define CHECK_TEXT(a, b)                                                                 \
	do {                                                                             \
		const char *a_ = (a), *b_ = (b);                                         \
		if (!a_ || strcmp(a_, b_)) {                                             \
			printf("# %s:%d: got '%s', expected '%s'\n", __FILE__, __LINE__, \
			       a_ ? a_ : "(null)", b_);                                  \
			test_failed = true;                                              \
		}                                                                        \
	} while (0)

#define TESTS(...)                                                                                 \
	bool test_failed;                                                                          \
	int main(void)                                                                             \
	{                                                                                          \
		static const struct test tests[] = { __VA_ARGS__ };                                \
		unsigned int n = sizeof(tests) / sizeof(tests[0]), bad = 0;                        \
                                                                                                   \
		setvbuf(stdout, NULL, _IOLBF, 0); /* all that stands before a sanitizer's end */   \
		printf("1..%u\n", n);                                                              \
		for (unsigned int i = 0; i < n; i++) {                                             \
			test_failed = false;                                                       \
			tests[i].run();                                                            \
			test_end();                                                                \
			printf("%sok %u - %s\n", test_failed ? "not " : "", i + 1, tests[i].name); \
			bad += test_failed;                                                        \
		}                                                                                  \
		return bad != 0;                                                                   \
	}
