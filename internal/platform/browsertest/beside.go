package browsertest

import (
	"fmt"
	"strconv"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
)

// binding is the function through which a script beside the page asks the test.
const binding = "browsertestAsk"

// beside gives a script the function ask, whose promise is kept when the test has answered.
const beside = `(() => {
	const open = new Map();
	window.browsertestAnswer = (id, text) => { open.get(id)(text); open.delete(id); };
	const ask = text => new Promise(keep => {
		open.set(open.size + 1 + Math.random(), keep);
		%s(JSON.stringify({id: [...open.keys()].at(-1), text}));
	});
	%s
})();`

// Beside runs a script in each document before the page's own scripts, as a browser's extension does. The script calls
// ask(text), which returns a promise of what answer returns. answer runs in a goroutine of its own. Call it before
// Open.
func (p *Page) Beside(script string, answer func(text string) string) {
	p.t.Helper()

	ctx := p.chromium("scripts beside the page")
	_, err := chromedp.Call(ctx, runtime.AddBinding, runtime.AddBindingParams{Name: binding})
	require.NoError(p.t, err)
	require.NoError(p.t, chromedp.Listen(ctx, func(ev any) {
		if e, ok := ev.(*runtime.EventBindingCalled); ok && e.Name == binding {
			go p.answered(e.Payload, answer)
		}
	}))

	_, err = chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: fmt.Sprintf(beside, binding, script),
	})
	require.NoError(p.t, err)
}

func (p *Page) answered(call string, answer func(text string) string) {
	var asked struct {
		ID   float64 `json:"id"`
		Text string  `json:"text"`
	}
	if json.Unmarshal([]byte(call), &asked) != nil {
		return
	}

	text := answer(asked.Text)
	id := strconv.FormatFloat(asked.ID, 'g', -1, 64)
	done := fmt.Sprintf("browsertestAnswer(%s, %q), true", id, text)

	_, _ = p.tab.evaluate(done) // a page that was left needs no answer
}

// Drop drops files onto an element, as from the desktop.
func (p *Page) Drop(selector string, files ...string) {
	p.t.Helper()

	ctx := p.chromium("a desktop to drop files from")
	x := p.Number(fmt.Sprintf("(r => r.x + r.width / 2)(document.querySelector(%q).getBoundingClientRect())", selector))
	y := p.Number(fmt.Sprintf("(r => r.y + 10)(document.querySelector(%q).getBoundingClientRect())", selector))
	data := input.DragData{Items: []*input.DragDataItem{}, Files: files, DragOperationsMask: 1}

	for _, kind := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter,
		input.DispatchDragEventTypeDragOver,
		input.DispatchDragEventTypeDrop,
	} {
		_, err := chromedp.Call(ctx, input.DispatchDragEvent, input.DispatchDragEventParams{
			Type: kind,
			X:    x,
			Y:    y,
			Data: &data,
		})
		require.NoError(p.t, err)
	}
}
