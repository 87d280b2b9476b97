package browsertest_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// served is a page that a server at an address of its own serves.
func served(t *testing.T, page string) string {
	t.Helper()

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(server.Close)

	return server.URL
}

func TestAScriptBesideThePageAsksTheTest(t *testing.T) {
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	p.Beside("window.hello = name => ask(name)", func(name string) string { return "hello \"" + name + "\"" })
	p.Open(served(t, "<p id=out></p>"))
	p.Holds("hello('Ada').then(a => hello(a)).then(a => { out.textContent = a; out.className = 'done' }), true")
	p.Await(".done")
	require.Equal(t, `hello "hello "Ada""`, p.Text("#out"))
}

func TestFilesAreDropped(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bill.txt")
	require.NoError(t, os.WriteFile(file, []byte("12.50"), 0o600))

	p := browsertest.Start(t).Page(t, browsertest.Look{})
	p.Open(served(t, `<p id=zone>drop here</p><p id=out></p><script>
		zone.ondragover = e => e.preventDefault();
		zone.ondrop = async e => {
			e.preventDefault();
			const f = e.dataTransfer.files[0];
			out.textContent = f.name + ' ' + await f.text();
			out.className = 'done';
		};</script>`))
	p.Drop("#zone", file)
	p.Await(".done")
	require.Equal(t, "bill.txt 12.50", p.Text("#out"))
}

func TestAFingerTaps(t *testing.T) {
	p := browsertest.Start(t).Page(t, browsertest.Look{Width: 390, Height: 600, Touch: true})
	p.Open(served(t, `<p style="height: 2000px"></p><button style="width: 50px; height: 50px">+</button><p id=out></p>
		<script>document.querySelector('button').onclick = () => {
			out.textContent = 'tapped';
			out.className = 'done';
		};</script>`))
	p.Tap("button")
	p.Await(".done")
	require.Equal(t, "tapped", p.Text("#out"))
}

func TestAPersonLivesInAZone(t *testing.T) {
	p := browsertest.Start(t).Page(t, browsertest.Look{Zone: "Pacific/Auckland"})
	p.Open("about:blank")
	require.True(t, p.Holds("new Date('2026-01-01T12:00:00Z').getDate() === 2"))
}
