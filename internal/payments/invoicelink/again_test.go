//go:build !nosandbox

package invoicelink_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/directory/directorytest"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
)

// mailed returns the token in the newest mail with a link.
func (w *world) mailed() string {
	w.T.Helper()
	all := w.told()

	for i := len(all) - 1; i >= 0; i-- {
		if _, token, found := strings.Cut(all[i].Data["link"], "/i#"); found && all[i].Kind == mail.InvoiceRequest {
			return token
		}
	}

	w.T.Fatal("no link was mailed")

	return ""
}

// A link is sent again: its mail has another token, the one before leads nowhere, and what was handed in stays. The
// answer does not hold the token.
func TestALinkIsSentAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		before, id := w.link(directorytest.A)
		path := "/payables/invoice-links/" + id
		w.post("", "/payables/create-invoice-receiver", person(before)).Status(200)
		w.Advance(10 * 24 * time.Hour)
		w.told()

		again := w.post(directorytest.A, path+"/send-again", object{}).Status(200)
		token := w.mailed()
		require.NotContains(t, again.Raw, token)
		require.EqualValues(t, 2, again.Get("mails"))
		require.NotEqual(t, before, token)
		require.Equal(
			t,
			w.DB.Now().Add(invoicelink.Lifetime).UTC().Format(time.RFC3339),
			again.Text("expiresAt")[:19]+"Z",
		)

		w.post("", "/payables/submit-invoice", invoice(before)).Refused(410, fault.LinkInvalid, "")
		w.post("", "/payables/create-invoice-bank-account", account(token, ibanOne)).Status(200)
		w.post("", "/payables/submit-invoice", invoice(token)).Status(200)
		w.post(directorytest.A, path+"/send-again", object{}).Refused(409, fault.InvoiceLinkClosed, "")
		w.post(directorytest.B, path+"/send-again", object{}).Refused(404, fault.NotFoundCode, "")
		w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id}).Status(201)
		w.post(directorytest.A, path+"/send-again", object{}).Refused(409, fault.InvoiceLinkClosed, "")
	})
}

// A link that nobody used in time is opened by sending it again, and begins empty. One that a member has revoked is
// not.
func TestAnExpiredLinkIsOpenedBySendingItAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		early, noted := w.link(directorytest.A)
		w.post("", "/payables/create-invoice-receiver", person(early)).Status(200)
		w.post("", "/payables/create-invoice-bank-account", account(early, ibanTwo)).Status(200)

		_, ended := w.link(directorytest.A)
		w.Advance(invoicelink.Lifetime)

		_, err := w.links.Expire(context.Background(), 10)
		require.NoError(t, err)

		late, unnoted := w.link(directorytest.A)
		w.post("", "/payables/create-invoice-receiver", person(late)).Status(200)
		w.post("", "/payables/create-invoice-bank-account", account(late, ibanTwo)).Status(200)
		w.Advance(invoicelink.Lifetime)

		for _, id := range []string{noted, unnoted} {
			path := "/payables/invoice-links/" + id
			require.Equal(t, "EXPIRED", w.Do(directorytest.A, "GET", path, "").Status(200).Text("status"))
			w.told()
			require.Equal(t, "OPEN", w.post(directorytest.A, path+"/send-again", object{}).Status(200).Text("status"))
			w.handedIn(w.mailed())
			require.Equal(t, "SUBMITTED", w.Do(directorytest.A, "GET", path, "").Status(200).Text("status"))
			require.Empty(t, w.Do(directorytest.A, "GET", path, "").Status(200).List("warnings"))
		}

		_, revoked := w.link(directorytest.A)
		path := "/payables/invoice-links/" + revoked
		w.Do(directorytest.A, "DELETE", path, "").Status(200)
		w.post(directorytest.A, path+"/send-again", object{}).Refused(409, fault.InvoiceLinkClosed, "")

		w.Do(directorytest.A, "GET", "/payables/invoice-links/"+ended, "").Status(200)
	})
}

// Sending again is a mail to somebody who did not ask for it, and counts as one.
func TestSendingAgainCountsAsAMail(t *testing.T) {
	eachWith(t, invoicelink.Limits{ADay: 6, ToAddress: 3}, func(t *testing.T, w *world) {
		_, id := w.link(directorytest.A)
		path := "/payables/invoice-links/" + id + "/send-again"

		w.post(directorytest.A, path, object{}).Status(200)
		w.post(directorytest.A, path, object{}).Status(200)
		w.post(directorytest.A, path, object{}).Refused(429, fault.InvoiceLinkLimit, "")
		other := object{"isExistingReceiver": false, "email": sender}
		w.post(directorytest.A, "/payables/generate-invoice-link", other).Refused(429, fault.InvoiceLinkLimit, "")
		other["email"] = "another@example.com"
		w.post(directorytest.A, "/payables/generate-invoice-link", other).Status(201)
		w.Advance(25 * time.Hour)
		w.post(directorytest.A, path, object{}).Status(200)
	})
}

// the holder of a link sees what became of its invoice, and nothing else of the organisation: not who has
// decided, and not why it was declined.
func TestTheHolderSeesWhatBecameOfTheInvoice(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		begin := func() (token, payable string) {
			token, id := w.link(directorytest.A)
			info := "/payables/get-invoice-token-info?token=" + token
			require.Empty(t, w.Do("", "GET", info, "").Status(200).Text("progress"))
			w.handedIn(token)
			require.Equal(t, "RECEIVED", w.Do("", "GET", info, "").Status(200).Text("progress"))

			made := w.post(directorytest.A, "/payables/create-invoice-payable", object{"tokenId": id}).Status(201)

			return token, made.Text("_id")
		}
		shows := func(token, progress string) string {
			t.Helper()
			info := w.Do("", "GET", "/payables/get-invoice-token-info?token="+token, "").Status(200)
			require.Equal(t, progress, info.Text("progress"))
			require.Equal(t, "USED", info.Text("status"))
			require.Equal(t, "1250.00", info.Text("invoice.amount"))

			return info.Raw
		}

		token, payable := begin()
		shows(token, "IN_REVIEW")
		w.post(approver, "/payables/"+payable+"/approve", object{}).Status(200)
		shows(token, "APPROVED")

		paid := w.DB.Now().Truncate(time.Millisecond)
		require.NoError(t, w.DB.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec("UPDATE payables SET status = 'PAID', paid_at = ? WHERE id = ?", db.Micros(paid), payable)
			return err
		}))
		require.Contains(t, shows(token, "PAID"), `"paidAt":"`+paid.UTC().Format("2006-01-02T15:04:05"))

		other, refused := begin()
		w.post(approver, "/payables/"+refused+"/reject", object{"reason": "They are not who they say"}).Status(200)
		require.NotContains(t, shows(other, "DECLINED"), "They are not who they say")

		require.Contains(t, w.post("", "/payables/validate-invoice-token", object{"token": token}).Raw, `"valid":false`)
		w.Advance(invoicelink.FollowedFor)
		w.Do("", "GET", "/payables/get-invoice-token-info?token="+token, "").Refused(410, fault.LinkInvalid, "")
	})
}

// A link that was mailed before links could be sent again counts as mailed once, when it was made.
func TestLinksOfBeforeCountTheirMail(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d, invoicelink.Limits{})
		_, id := w.link(directorytest.A)
		v := w.Do(directorytest.A, "GET", "/payables/invoice-links/"+id, "").Status(200)
		require.EqualValues(t, 1, v.Get("mails"))
		require.Equal(t, v.Text("createdAt"), v.Text("mailedAt"))
	})
}
