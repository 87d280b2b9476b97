package app

import (
	"context"
	"fmt"
	"io"
	"os"

	"slipway/internal/payments/billscan"
	"slipway/internal/platform/blob"
	"slipway/internal/platform/qrscan"
)

// billScan builds what reads QR codes of bills.
func (a *App) billScan() error {
	c := a.Config.QRBills

	cache := a.Config.QRBillCache()
	if err := ownFolder(cache); err != nil {
		return fmt.Errorf("qr_bills.cache_dir: %w", err)
	}

	// that of documents: what a crash leaves there is swept with theirs
	stage, err := blob.NewStage(a.Config.DocumentFolder())
	if err != nil {
		return fmt.Errorf("documents: %w", err)
	}

	a.scanner = qrscan.New(qrscan.Settings{CacheDir: cache, AtOnce: c.AtOnce, Wanted: billscan.IsBill})
	a.BillScan = billscan.New(billscan.Deps{
		DB:       a.DB,
		Log:      a.Log,
		Scan:     a.scanner.Read,
		Ready:    a.scanner.Ready,
		Stored:   a.storedDocument,
		Stage:    stage,
		Settings: billscan.Settings{AtOnce: c.AtOnce, Deadline: c.Deadline},
	})

	return nil
}

// storedDocument opens a document of the organisation.
func (a *App) storedDocument(ctx context.Context, organisation, key string) (io.ReadCloser, error) {
	body, _, err := a.Documents.Open(ctx, organisation, key)
	return body, err
}

// warmUp makes the reader of PDF files ready where that is asked for. That it failed is told by the first document,
// too.
func (a *App) warmUp(ctx context.Context) error {
	if !a.Config.QRBills.WarmUp {
		return nil
	}

	if err := a.scanner.Ready(ctx); err != nil {
		a.Log.Error("qr_bills.warm_up: the PDF library is not ready", "error", err.Error())
	}

	return nil
}

// ownFolder refuses a folder to which others may write. One that is not there yet is made by whoever needs it, for
// this program alone.
func ownFolder(path string) error {
	const othersWrite = 0o022

	info, err := os.Stat(path)
	if path == "" || os.IsNotExist(err) {
		return nil
	}

	if err != nil {
		return err
	}

	if info.Mode().Perm()&othersWrite != 0 {
		return fmt.Errorf("others may write to %s, and what lies in it is run: take their right away", path)
	}

	return nil
}
