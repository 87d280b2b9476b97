package browsertest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestEveryEngineIsDrivenAlike uses the form of site with keys, mouse, a file and the history in each engine.
func TestEveryEngineIsDrivenAlike(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txt")
	require.NoError(t, os.WriteFile(file, []byte("text"), 0o600))
	at := site(t)

	browsertest.Each(t, func(t *testing.T, b *browsertest.Browser) {
		p := b.Page(t, browsertest.Phone())
		p.Open(at)
		require.True(t, p.Holds("innerWidth === 390 && innerHeight === 844"))
		require.Equal(t, 3, p.Reachable())

		p.Fill("[name=word]", "Grüezi, Łukić")
		p.Paste(" + 1")
		p.TabTo("[name=file]")
		p.Choose(file)
		p.TabTo("button")
		p.Shot("filled")
		p.Submit()
		require.Equal(t, "Grüezi, Łukić + 1 a.txt", p.Text("main"))

		p.Back()
		p.Await("form")
		p.Resize(1280, 900)
		require.True(t, p.Holds("innerWidth === 1280"))
		p.Click("[name=word]")
		require.True(t, p.Holds("document.activeElement.name === 'word'"))

		other := p.Tab()
		other.Open(at)
		other.Await("form")
		p.Press("x")
		require.True(t, p.Holds("document.activeElement.value.includes('x')"))
	})
}

// TestAControlUnderAnotherIsNamed has the engine find the one control that a click cannot hit.
func TestAControlUnderAnotherIsNamed(t *testing.T) {
	page := served(t, `<button id=seen>a</button> <label>x <input type=checkbox></label>
		<p style="position: relative"><button id=under>b</button>
		<a href="/" style="position: absolute; inset: 0">over</a></p>`)

	p := browsertest.Start(t).Page(t, browsertest.Look{})
	p.Open(page)
	require.Equal(t, []string{`<button id="under">b</button>`}, p.Covered())
}

// TestAWindowComesToTheFrontWhenItIsUsed has two people and a second tab of one of them, and goes from window to
// window. Each has the focus while it is used, and shows it; the page is told, and no other one has it.
func TestAWindowComesToTheFrontWhenItIsUsed(t *testing.T) {
	at := site(t)

	browsertest.Each(t, func(t *testing.T, b *browsertest.Browser) {
		look := browsertest.Look{Width: 320, Height: 568}
		one := b.Page(t, look)
		one.Open(at)
		beside := one.Tab()
		beside.Open(at)
		other := b.Page(t, browsertest.Look{})
		other.Open(at)

		for _, p := range []*browsertest.Page{one, beside, other, beside, one} {
			p.Holds("window.addEventListener('focus', () => window.wasTold = true), true")
			p.Raise()
			p.TabTo("button")
			p.TabTo("[name=word]")
		}

		require.True(t, one.Holds("window.wasTold"))
		require.True(t, beside.Holds("window.wasTold"))
	})
}

// TestAnAnswerLostWithItsPageIsTheNextPages asks a page for what it never answers; the page leaves for another site,
// which does.
func TestAnAnswerLostWithItsPageIsTheNextPages(t *testing.T) {
	next := served(t, "<p id=next>there</p>")
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	p.Open(served(t, `<p>here</p><script>leave = () => setTimeout(() => location = "`+next+`", 100)</script>`))
	require.True(t, p.Holds("window.leave ? new Promise(leave) : true"))
	p.Await("#next")
}
