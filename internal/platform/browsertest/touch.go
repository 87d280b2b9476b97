package browsertest

import (
	"fmt"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
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

// Tap scrolls to the first element that matches a selector and taps it with a finger. The test fails if a thumb would
// miss the element or hit something that lies over it. Look.Touch must be set.
func (p *Page) Tap(selector string) {
	p.t.Helper()
	p.Await(selector)

	const scroll = "document.querySelector(%q).scrollIntoView({block: 'center', behavior: 'instant'}), true"

	p.Holds(fmt.Sprintf(scroll, selector))
	require.True(p.t, p.Holds(fmt.Sprintf(hits, selector, thumb)), "a thumb misses %s", selector)

	box := fmt.Sprintf("document.querySelector(%q).getBoundingClientRect()", selector)
	x := p.number(box + ".x + " + box + ".width / 2")
	y := p.number(box + ".y + " + box + ".height / 2")

	for _, event := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}},
		{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
	} {
		_, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, event)
		require.NoError(p.t, err)
	}
}
