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
	p.Holds(axe + "; true")
	p.Holds(`axe.run(document).then(found => {
		const out = document.createElement('pre');
		out.id = 'axe';
		const faults = found.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html).join(' | '));
		out.textContent = ['checked', ...faults].join('\n');
		document.body.append(out);
	}), true`)
	p.Await("#axe")

	if found := strings.TrimSpace(p.Text("#axe")); found != "checked" {
		p.t.Errorf("%s: %s", p.Address(), found)
	}

	p.Holds("document.querySelector('#axe').remove(), true")
}
