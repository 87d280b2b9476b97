package browsertest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
)

// thumb is how high and wide the area is that a tap must hit, in CSS pixels (WCAG 2.2, 2.5.5).
const thumb = 44

// hits reports whether each end of an area around the middle of an element belongs to the element. It takes the
// selector and the size of the area.
const hits = `((e, size) => {
	const box = e.getBoundingClientRect();
	const reach = size / 2 - 1;
	return [[0, 0], [-reach, 0], [reach, 0], [0, -reach], [0, reach]].every(([dx, dy]) =>
		e.contains(document.elementFromPoint(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy)));
})(document.querySelector(%q), %d)`

// Tap scrolls to the first element that matches a selector and taps it with a finger, or clicks it with the mouse where
// the engine has no finger. The test fails if a thumb would miss the element or hit something that lies over it.
// Look.Touch must be set.
func (p *Page) Tap(selector string) {
	p.t.Helper()
	p.scrollTo(selector)
	require.True(p.t, p.Holds(fmt.Sprintf(hits, selector, thumb)), "a thumb misses %s", selector)
	p.clickMiddle(selector)
}

// Click scrolls to the first element that matches a selector and clicks on its middle with the mouse. Whatever lies
// over it there is clicked in its place.
func (p *Page) Click(selector string) {
	p.t.Helper()
	p.scrollTo(selector)
	p.clickMiddle(selector)
}

// scrollTo scrolls to the first element that matches a selector, and waits until it stands still: what is loaded later
// moves what is below it.
func (p *Page) scrollTo(selector string) {
	p.t.Helper()
	p.Await(selector)

	const place = `(() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({block: 'center', behavior: 'instant'});
		const box = e.getBoundingClientRect();
		const was = e.dataset.place;
		e.dataset.place = [box.x, box.y, box.width, box.height].join();
		const still = was === e.dataset.place ? Number(e.dataset.still ?? 0) + 1 : 0;
		e.dataset.still = still;
		if (still < 3) return false;
		delete e.dataset.place;
		delete e.dataset.still;
		return true;
	})()`

	require.NoError(p.t, until(p.tab, fmt.Sprintf(place, selector)), "%s does not stand still", selector)
}

func (p *Page) clickMiddle(selector string) {
	p.t.Helper()

	box := fmt.Sprintf("document.querySelector(%q).getBoundingClientRect()", selector)
	x := p.Number(box + ".x + " + box + ".width / 2")
	y := p.Number(box + ".y + " + box + ".height / 2")
	require.NoError(p.t, p.tab.click(x, y))
}

// covered returns how many controls of the page are seen, and those of them that a click on their middle does not hit,
// each beside what it hits. A control is hit by itself, by what is in it, or by its label. What lies outside of the
// page, as a link to skip the menu does, is left out; so is what a dialog hides.
const covered = `(() => {
	const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
	const modal = document.querySelector('dialog:modal');
	const lines = [];
	let count = 0;
	for (const e of (modal ?? document).querySelectorAll(controls)) {
		const seen = e.checkVisibility({visibilityProperty: true, opacityProperty: true});
		if (!seen || getComputedStyle(e).clipPath !== 'none') continue;
		e.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'});
		const box = [...e.getClientRects()].find(r => r.width > 1 && r.height > 1);
		if (!box || box.right <= 0 || box.bottom <= 0) continue;
		count++;
		const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
		if (e.contains(met) || [...(e.labels ?? [])].some(l => l.contains(met))) continue;
		lines.push(e.outerHTML + '\t' + (met?.outerHTML ?? 'nothing'));
	}
	scrollTo(0, 0);
	return [count, ...lines.map(l => l.replaceAll('\n', ' '))].join('\n');
})()`

// Covered returns the controls of the page, as HTML, that are seen but that the mouse does not hit, because something
// lies over them.
func (p *Page) Covered() []string {
	p.t.Helper()

	_, missed := p.controls()

	var all []string

	for _, line := range missed {
		control, _, _ := strings.Cut(line, "\t")
		all = append(all, control)
	}

	return all
}

// Reachable fails, and goes on, if the mouse does not hit a control of the page that is seen. It returns how many
// controls are seen.
func (p *Page) Reachable() int {
	p.t.Helper()

	seen, missed := p.controls()

	for _, line := range missed {
		control, over, _ := strings.Cut(line, "\t")
		p.t.Errorf("%s, %d pixels wide: %.120s lies under %.120s", p.Address(), p.look.Width, control, over)
	}

	return seen
}

func (p *Page) controls() (seen int, missed []string) {
	p.t.Helper()

	lines := strings.Split(value[string](p, covered), "\n")
	seen, err := strconv.Atoi(lines[0])
	require.NoError(p.t, err)

	return seen, lines[1:]
}
