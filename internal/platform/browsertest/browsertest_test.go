package browsertest_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

const form = `<!doctype html><title>a</title><style>:focus-visible{outline:3px solid}</style><body><form method="post" enctype="multipart/form-data"><input name="word" value="old">
<input type="file" name="file"><button>Go</button></form><script>document.body.dataset.script = 'ran'</script>`

func site(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")

		if r.Method == http.MethodGet {
			_, _ = w.Write([]byte(form))
			return
		}

		_, head, err := r.FormFile("file")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}

		_, _ = w.Write([]byte("<main>" + r.FormValue("word") + " " + head.Filename + "</main>"))
	}))
	t.Cleanup(s.Close)

	return s.URL
}

func TestPageIsUsedByKeysAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txt")
	require.NoError(t, os.WriteFile(file, []byte("text"), 0o600))
	at := site(t)

	b := browsertest.Start(t)
	for _, off := range []bool{false, true} {
		p := b.Page(t, browsertest.Look{Width: 390, Height: 600, NoScript: off})
		p.Open(at)
		require.Equal(t, !off, p.Holds("document.body.dataset.script === 'ran'"))

		p.Fill("[name=word]", "Grüezi, Łukić")
		p.TabTo("[name=file]")
		p.Choose(file)
		p.TabTo("button")
		p.Shot("filled")
		p.Submit()
		require.Equal(t, "Grüezi, Łukić a.txt", p.Text("main"))
	}
}

// A page that has not got its styles yet may be wider than the screen: Fits waits until they are there.
func TestAPageIsMeasuredOnceItHasItsStyles(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")

		switch r.URL.Path {
		case "/":
			_, _ = w.Write([]byte("<p>the first page"))
		default:
			_, _ = w.Write([]byte(`<!doctype html><main style="width:3000px">next</main>`))
			_ = http.NewResponseController(w).Flush()

			<-time.After(time.Second / 2) // a slow line: the page is looked at meanwhile
			_, _ = w.Write([]byte("<style>main { width: 10px !important }</style>"))
		}
	}))
	t.Cleanup(s.Close)

	p := browsertest.Start(t).Page(t, browsertest.Look{Width: 390, Height: 600})
	p.Open(s.URL)
	p.Holds("setTimeout(() => location.href = '/next'), true")
	p.Await("main")
	p.Fits()
}

// TestWhatAPageWritesAsWrongIsAComplaint has a page write a warning, an error and a note, and throw.
func TestWhatAPageWritesAsWrongIsAComplaint(t *testing.T) {
	at := served(t, `<p>a<script>
		console.warn('a warning', 7);
		console.error(new Error('an error'));
		console.info('a note');
		throw new Error('thrown');
	</script>`)

	p := browsertest.Start(t).Page(t, browsertest.Look{})
	p.Open(at)
	p.Await("p")

	if p.Complaints() == nil {
		t.Skip("this engine reports nothing")
	}

	said := strings.Join(p.Complaints(), "\n")
	for _, text := range []string{"a warning", "an error", "thrown"} {
		require.Contains(t, said, text)
	}

	require.NotContains(t, said, "a note")
	require.Len(t, p.Complaints(), 3)
}
