// Package conformance holds the service against every row of every table of its interface: fields, endpoints,
// transitions, errors and limits. The rows stand in rows.txt, in words of our own. Each is a subtest of its name, on
// both databases, over the real handler.
//
// A row that is not true yet says why in rows.txt. Its test fails once it becomes true, so that no row stays open by
// neglect. docs/reference/conformance.md is written from what the tests find.
package conformance
