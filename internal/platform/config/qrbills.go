package config

import (
	"path/filepath"
	"time"
)

// QRBills is how QR codes of bills are read from documents.
type QRBills struct {
	AtOnce   int           `key:"at_once" default:"2" min:"1" max:"64" help:"Documents read at the same time. Each takes a core and, at its worst, 320 MB; others wait."`
	Deadline time.Duration `key:"deadline" default:"15s" min:"1s" max:"25s" help:"How long reading a document may take. It may wait for its turn four times as long."`
	CacheDir string        `key:"cache_dir" help:"Folder that keeps the compiled PDF library for the next process; what lies there is run, so nobody else may write to it. Empty: cache/pdfium in data_dir. none: every process compiles it, which takes seconds."`
	WarmUp   bool          `key:"warm_up" default:"false" help:"Whether the PDF library is made ready when the service starts, and not when the first PDF file comes. The service then holds about 100 MB more from the beginning."`
}

// NoCache is the qr_bills.cache_dir of a process that keeps nothing for the next one.
const NoCache = "none"

// QRBillCache returns the folder of qr_bills.cache_dir, or its place in data_dir; empty: there is none.
func (c *Config) QRBillCache() string {
	switch c.QRBills.CacheDir {
	case NoCache:
		return ""
	case "":
		return filepath.Join(c.DataDir, "cache", "pdfium")
	}

	return c.QRBills.CacheDir
}

// liveQRBills: what lies in the folder is run.
func (k *checker) liveQRBills(q QRBills) {
	if q.CacheDir != "" && q.CacheDir != NoCache && !filepath.IsAbs(q.CacheDir) {
		k.say("qr_bills.cache_dir %s is no full path: what lies in it is run", q.CacheDir)
	}

	if temporary(q.CacheDir) {
		k.say(
			"qr_bills.cache_dir %s is in a folder to which everybody may write, and what lies in it is run",
			q.CacheDir,
		)
	}
}
