//go:build !nosandbox

package app_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/rails/bank/banksim"
)

// bankFile is a file to or from a bank as operators see it.
type bankFile struct {
	ID         string `json:"_id"`
	Name       string `json:"name"`
	Message    string `json:"message"`
	State      string `json:"state"`
	Payments   int    `json:"payments"`
	ControlSum string `json:"controlSum"`
	Entries    int    `json:"entries"`
	SHA256     string `json:"sha256"`
}

func bankFiles(c *apptest.Client, direction string) []bankFile {
	var page struct {
		Results []bankFile `json:"results"`
	}

	c.Do("GET", "/operations/bank-files?direction="+direction, nil).OK(200).Into(&page)

	return page.Results
}

// Operators see what went to a bank and what came from it, byte for byte, and import a bank's file by hand. The same
// bytes count once, by whichever way they come.
func TestOperatorsLookAtBankFilesAndImportThem(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		two := h.Operators()

		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"))
		h.Deposit(banksim.Deposit{
			Currency:      "EUR",
			Amount:        "17.00",
			Reference:     "of nobody",
			Sender:        "Niemand Bekannt",
			SenderAccount: apptest.SenderAccount,
		})
		h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 1 })
		h.SettleAll()
		require.EqualValues(t, "COMPLETED", c.Read(id).Status)

		out := bankFiles(two.Client, "OUT")
		require.NotEmpty(t, out)
		require.Equal(t, 1, out[0].Payments)
		require.Equal(t, "100", strings.TrimSuffix(out[0].ControlSum, ".00"))

		content := two.Do("GET", "/operations/bank-files/"+out[0].ID+"/content", nil).OK(200).Raw
		require.Contains(t, content, "<EndToEndId>"+h.EndToEnd(id, 0))
		require.Equal(t, int64(1), h.Count("SELECT count(*) FROM audit_log WHERE action = 'bank_file.read'"))

		in := bankFiles(two.Client, "IN")
		require.NotEmpty(t, in)

		var statement bankFile

		for _, f := range in {
			if f.Message == "camt.053" || f.Message == "camt.054" {
				statement = f
			}
		}

		require.NotEmpty(t, statement.ID, "%v", in)
		require.Positive(t, statement.Entries)

		raw := two.Do("GET", "/operations/bank-files/"+statement.ID+"/content", nil).OK(200).Raw
		again := object{"fileBase64": base64.StdEncoding.EncodeToString([]byte(raw)), "fileName": "../again.xml"}
		before := moved(h)

		var done struct {
			File    string `json:"file"`
			Outcome string `json:"outcome"`
			Reason  string `json:"reason"`
		}

		for range 2 {
			two.Do("POST", "/operations/bank-files", again).OK(200).Into(&done)
			require.Equal(t, "REPEATED", done.Outcome)
			require.Equal(t, statement.ID, done.File)
		}

		require.Equal(t, before, moved(h))

		two.Do("POST", "/operations/bank-files", object{
			"fileBase64": base64.StdEncoding.EncodeToString([]byte("no message of a bank")),
			"fileName":   `C:\bank\..\note.txt`,
		}).OK(200).Into(&done)
		require.Equal(t, "QUARANTINED", done.Outcome)
		require.NotEmpty(t, done.Reason)

		kept := bankFiles(two.Client, "IN")[0]
		require.Equal(t, "note.txt", kept.Name)
		require.Equal(t, "QUARANTINED", kept.State)

		two.Do("GET", "/operations/bank-files/bin_none", nil).Refused(404, "NOT_FOUND")
		c.Do("GET", "/operations/bank-files?direction=IN", nil).Refused(403, "ROLE_REQUIRED")
	})
}

// Of a ZIP, each file is recorded and its deposits are matched, up to the one at which the caller went away.
func TestEachFileOfAZIPIsRecorded(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		_, reference := h.Client("Ada").OnrampSubmitted("USDC", "EUR", "2500.00")

		var file bytes.Buffer

		z := zip.NewWriter(&file)
		today := h.DB().Now().UTC()

		for name, content := range map[string]string{
			"1.xml": "no message of a bank",
			"2.xml": statementOf(1, today, "1000.00", "100.00", "1100.00"),
			"3.xml": statementOf(2, today, "1100.00", "100.00", "1200.00"),
		} {
			content = strings.Replace(content, "thank you", reference, 1)
			w, err := z.Create(name)
			require.NoError(t, err)
			_, err = io.WriteString(w, content)
			require.NoError(t, err)
		}

		require.NoError(t, z.Close())

		steps := 0
		name := func() string { return "days.zip" }
		recorded := func() int64 {
			return h.Count("SELECT count(DISTINCT object) FROM audit_log WHERE action = 'bank_file.imported'")
		}

		ctx, cancel := context.WithCancel(t.Context())
		_, err := h.App.ImportBankFile(ctx, name, bytes.NewReader(file.Bytes()), func(int64, int) {
			if steps++; steps == 2 {
				cancel()
			}
		})
		require.ErrorIs(t, err, context.Canceled)
		require.EqualValues(t, 2, recorded())
		require.Len(t, h.Suspense(), 2, "the matching has found that the amount is another")

		_, err = h.App.ImportBankFile(t.Context(), name, bytes.NewReader(file.Bytes()), nil)
		require.NoError(t, err)
		require.EqualValues(t, 3, recorded())
	})
}

// Who pauses a network says why. It is shown as long as it is paused, with what a pause does not stop.
func TestWhoPausesANetworkSaysWhy(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		two := h.Operators()

		pause := func(body object) apptest.Answer { return two.Do("POST", "/operations/rails/net_dev/pause", body) }
		pause(object{"paused": true}).Refused(422, "REQUIRED")
		pause(object{"paused": true, "reason": " "}).Refused(422, "REQUIRED")

		type rails struct {
			Results []struct {
				Paused bool     `json:"paused"`
				GoesOn []string `json:"goesOn"`
				Pause  *struct {
					Reason string `json:"reason"`
					By     string `json:"by"`
				} `json:"pause"`
			} `json:"results"`
		}

		var now rails

		pause(object{"paused": true, "reason": "The nodes disagree"}).OK(200).Into(&now)
		require.True(t, now.Results[0].Paused)
		require.Equal(t, "The nodes disagree", now.Results[0].Pause.Reason)
		require.NotEmpty(t, now.Results[0].Pause.By)
		require.Contains(t, now.Results[0].GoesOn[0], "0 now")
		require.Equal(t, int64(1),
			h.Count("SELECT count(*) FROM audit_log WHERE action = 'rail.pause' AND detail = 'The nodes disagree'"))

		now = rails{}
		pause(object{"paused": false}).OK(200).Into(&now)
		require.False(t, now.Results[0].Paused)
		require.Nil(t, now.Results[0].Pause)
	})
}
