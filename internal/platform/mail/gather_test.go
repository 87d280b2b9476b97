package mail_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
)

// Mails of a category that comes in the morning are kept; others, and the morning mail itself, go out. That says what
// is read when it is sent, and ends what it tells of. Without anything to say it ends unsent.
func TestMailsAreKeptForTheMorning(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		b := newBox(t, d, mail.Kept{}, true)
		b.gathers = true

		says := false
		b.OnSend(mail.Morning, func(_ context.Context, user string) (mail.Filled, bool, error) {
			kept, err := b.GatheredOf(ctx, b.db, user)
			f := mail.Filled{Data: morningData("Ada")}

			for _, k := range kept {
				f.Items = append(f.Items, mail.Item{Title: k.Message.Data["headline"], Text: k.Message.Record})
				f.Tells = append(f.Tells, k.ID)
			}

			return f, says, err
		})

		morning := func() {
			require.NoError(t, b.db.Write(ctx, func(tx *db.Tx) error {
				b.Queue(
					tx,
					mail.Message{Kind: mail.Morning, To: "ada@example.com", User: "usr_1", Data: morningData("")},
				)

				return nil
			}))
			b.run()
		}

		b.news("ada@example.com")
		b.queue("ada@example.com") // it keeps the account safe
		b.run()
		require.Equal(t, mail.Gathered, b.value("SELECT state FROM mails WHERE category = 'transaction'"))
		require.Equal(t, mail.Sent, b.value("SELECT state FROM mails WHERE category = 'security'"))

		says = true
		morning()
		require.Equal(t, mail.Sent, b.value("SELECT state FROM mails WHERE kind = 'morning'"))
		require.Equal(t, mail.Sent, b.value("SELECT state FROM mails WHERE kind = 'transaction_news'"))
		require.Empty(t, b.value("SELECT payload FROM mails WHERE kind = 'transaction_news'"))

		all, err := b.Mailbox(ctx, "ada@example.com")
		require.NoError(t, err)
		require.Contains(t, all[0].Text, "Hello Ada,")
		require.Contains(t, all[0].Text, "the headline")

		says = false
		b.news("ada@example.com")
		b.run()
		morning()
		require.Equal(
			t,
			mail.Unwanted,
			b.value("SELECT state FROM mails WHERE kind = 'morning' ORDER BY id DESC LIMIT 1"),
		)
		require.Equal(t, mail.Unwanted,
			b.value("SELECT state FROM mails WHERE kind = 'transaction_news' ORDER BY id DESC LIMIT 1"))
	})
}

func morningData(name string) map[string]string {
	return map[string]string{
		"name": name,
		"day":  "1 December",
		"lead": "this waits",
		"more": "",
		"go":   "",
	}
}
