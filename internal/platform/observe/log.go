// Package observe shows people what Slipway does: logs without secrets, metrics, traces, and readiness.
//
// It promises that nobody waits for whoever reads the log, and that no attribute with a secret's name and no text in
// the form of one of our secrets reaches the log. A value with line ends stays on its line. A metric that cannot be
// read in time is left out and does not delay the others. Tracing costs nothing unless a collector is configured. It
// does not promise to recognise a secret of unknown form under a harmless name. Do not log secrets.
//
// Read in this order: log.go, queue.go and redact.go, metrics.go and gauges.go, trace.go, health.go, gc.go and
// memory.go (how much the process may have).
package observe

import (
	"fmt"
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"
)

// NewLogger returns the logger of the process. level is debug, info, warn or error. format is text or json; empty means
// text when w is a terminal and json otherwise. Every value passes Redact.
func NewLogger(w io.Writer, level, format string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("log level %q: %w", level, err)
	}

	options := &slog.HandlerOptions{Level: l, ReplaceAttr: redactAttr}
	switch {
	case format == "text", format == "" && terminal(w):
		return slog.New(slog.NewTextHandler(w, options)), nil
	case format == "json", format == "":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	default:
		return nil, fmt.Errorf("log format %q is neither text nor json", format)
	}
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
