package config

import (
	"path/filepath"
	"time"
)

// QRBills is how QR codes of bills are read from documents.
type QRBills struct {
	AtOnce   int           `key:"at_once" default:"2" min:"1" max:"64" help:"Documents read at the same time; others wait. Each takes a core and up to 128 MB. What takes longer than two seconds or more memory than that begins anew among its like, which leave a place to the others; with one place, an ordinary document may wait for one of them to end."`
	MemoryMB int           `key:"memory_mb" default:"0" min:"0" max:"1000000" help:"Memory in MB for the documents that are read, all together. One takes up to 320 MB, beside 128 MB for each other place; less memory means fewer places, and below 448 MB (below 320 with one place) that the largest documents are refused. 0: half of the limit of memory under which the process runs (cgroup, or GOMEMLIMIT), or as much as at_once documents can take if there is none."`
	Deadline time.Duration `key:"deadline" default:"15s" min:"1s" max:"25s" help:"Time limit for reading a document. It may wait four times as long for its turn."`
	CacheDir string        `key:"cache_dir" help:"Cache of the compiled PDF library. Its files are executed, so nobody else may write to the folder. Empty: cache/pdfium in data_dir. none: every process compiles the library, which takes seconds."`
	WarmUp   bool          `key:"warm_up" default:"false" help:"Whether the PDF library is loaded when the service starts, and not with the first PDF file. It takes about 100 MB."`
}

// NoCache is the qr_bills.cache_dir that switches the cache off.
const NoCache = "none"

// QRBillCache returns qr_bills.cache_dir, or the default in data_dir. It returns "" if the cache is off.
func (c *Config) QRBillCache() string {
	switch c.QRBills.CacheDir {
	case NoCache:
		return ""
	case "":
		return filepath.Join(c.DataDir, "cache", "pdfium")
	}

	return c.QRBills.CacheDir
}

// liveQRBills reports a cache that others could write to, because its files are executed.
func (k *checker) liveQRBills(q QRBills) {
	k.when(q.CacheDir != "" && q.CacheDir != NoCache && !filepath.IsAbs(q.CacheDir),
		"qr_bills.cache_dir %s is no full path: what lies in it is run", q.CacheDir)

	k.when(temporary(q.CacheDir),
		"qr_bills.cache_dir %s is in a folder to which everybody may write, and what lies in it is run", q.CacheDir)
}

// Memory returns qr_bills.memory_mb in bytes, or the default for a process with a limit of memory; 0 is no limit.
func (q QRBills) Memory(limit int64) int64 {
	if q.MemoryMB > 0 {
		return int64(q.MemoryMB) << 20
	}

	return limit / 2
}
