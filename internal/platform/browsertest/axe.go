package browsertest

import (
	_ "embed"
	"strings"
)

// axe finds faults of accessibility (Deque Systems, MPL 2.0).
//
//go:embed axe.min.js
var axe string

// Accessible fails, and goes on, if axe finds anything on the page, without an exception. The page must run scripts.
func (p *Page) Accessible() {
	p.t.Helper()

	if !p.Holds("!!window.axe") { // it is large, and a page of the console is left without loading another
		p.Holds("(" + strings.TrimSuffix(strings.TrimSpace(axe), ";") + ", true)")
	}

	const run = `axe.run(document).then(found => found.violations
		.map(v => v.id + ': ' + v.nodes.map(n => n.html).join(' | ')).join('\n'))`
	if found := value[string](p, run); found != "" {
		p.t.Errorf("%s: %s", p.Address(), found)
	}
}
