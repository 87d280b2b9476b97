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

// buildBillScan builds the reader of QR bills.
func (a *App) buildBillScan() error {
	c := a.Config.QRBills

	cache := a.Config.QRBillCache()
	if err := ownFolder(cache); err != nil {
		return fmt.Errorf("qr_bills.cache_dir: %w", err)
	}

	// the stage of documents: what a crash leaves there is removed with theirs
	stage, err := blob.NewStage(a.Config.DocumentFolder())
	if err != nil {
		return fmt.Errorf("documents: %w", err)
	}

	a.scanner = qrscan.New(qrscan.Settings{CacheDir: cache, Wanted: billscan.IsBill})
	a.BillScan = billscan.New(billscan.Deps{
		DB:     a.DB,
		Log:    a.Log,
		Scan:   a.scanner.Read,
		Draw:   a.scanner.Page,
		Ready:  a.scanner.Ready,
		Stored: a.storedDocument,
		Stage:  stage,
		Settings: billscan.Settings{
			Room:     qrscan.RoomFor(c.AtOnce, c.Memory(a.outside.MemoryLimit)),
			Deadline: c.Deadline,
		},
	})

	return nil
}

// storedDocument opens one of the organisation's documents.
func (a *App) storedDocument(ctx context.Context, organisation, key string) (io.ReadCloser, error) {
	body, _, err := a.Documents.Open(ctx, organisation, key)
	return body, err
}

// warmUp prepares the reader of PDF files, if the configuration asks for that. A failure is logged; the first document
// returns it again.
func (a *App) warmUp(ctx context.Context) error {
	if !a.Config.QRBills.WarmUp {
		return nil
	}

	if err := a.scanner.Ready(ctx); err != nil {
		a.Log.Error("qr_bills.warm_up: the PDF library is not ready", "error", err.Error())
	}

	return nil
}

// ownFolder returns an error if others may write to a folder. A missing folder is fine: whoever needs it creates it for
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
		const writable = "others may write to %s, and this program runs what is in it: remove their write permission"
		return fmt.Errorf(writable, path)
	}

	return nil
}
