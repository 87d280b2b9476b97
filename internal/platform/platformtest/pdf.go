package platformtest

import (
	"os"
	"path/filepath"
)

// PDFCache is the folder in which the tests of this machine share the compiled PDF library (qr_bills.cache_dir).
// Compiling it takes some ten seconds of a processor.
func PDFCache() string { return filepath.Join(os.TempDir(), "slipway-qrscan-test") }
