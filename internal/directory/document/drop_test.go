//go:build !nosandbox

package document_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/document"
	"slipway/internal/platform/db"
)

func TestDropTakesWhatNothingRefersTo(t *testing.T) {
	var inUse string

	each(t, func(d *document.Deps) {
		d.InUse = []func(context.Context, db.Querier, string, []string) ([]string, error){
			func(_ context.Context, _ db.Querier, _ string, keys []string) ([]string, error) {
				return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k != inUse }), nil
			},
		}
	}, func(t *testing.T, w *world) {
		upload := func(caller string) string {
			return w.upload(caller, "a.pdf", pdf).Status(201).Text("documentStorageKey")
		}
		free := upload(dt.A)
		gone := upload(dt.A)
		theirs := upload(dt.B)
		inUse = upload(dt.A)
		w.Do(dt.A, "DELETE", "/documents/"+gone, "").Status(200)

		drop := func() (kept []string) {
			require.NoError(t, w.DB.Write(context.Background(), func(tx *db.Tx) (err error) {
				kept, err = w.Drop(
					context.Background(),
					tx,
					"org_a",
					[]string{free, inUse, gone, theirs, free, "doc_none"},
				)

				return err
			}))

			return kept
		}

		require.Equal(t, []string{inUse}, drop())
		require.Equal(t, []string{inUse}, drop(), "a second call changes nothing")

		w.Do(dt.A, "GET", "/documents/"+free, "").Refused(404, fault.NotFoundCode, "")
		w.Do(dt.A, "GET", "/documents/"+inUse, "").Status(200)
		w.Do(dt.B, "GET", "/documents/"+theirs, "").Status(200)
	})
}
