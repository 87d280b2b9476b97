//go:build !nosandbox

package ebics_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/paper/papertest"
	"slipway/internal/rails/bank/ebics"
	"slipway/internal/rails/bank/ebicssim"
)

// A contract is set up: keys are made once and sealed, sent once, also where an answer was lost, and the bank's keys
// are used only after they were accepted.
func TestAContractIsSetUp(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		bank := newDesk(t, ebics.H005)

		contract, err := ebics.NewContract(ebics.ContractConfig{
			DB:         d,
			URL:        "https://ebics.bank.example/",
			Subscriber: subscriber,
			Name:       "Slipway Test AG",
			Transport:  bank.wire,
		})
		require.NoError(t, err)

		_, err = contract.Stored(t.Context())
		require.ErrorIs(t, err, db.ErrNone)

		_, _, err = contract.FetchBankKeys(t.Context())
		require.ErrorIs(t, err, ebics.ErrNotSent)

		// The answer to INI is lost. The bank has the key, and says so the next time.
		bank.host.Lie(ebicssim.Lie{Kind: ebicssim.LieSilent, Order: ">INI<"})

		_, _, err = contract.Init(t.Context())
		require.ErrorContains(t, err, "INI")

		s, remarks, err := contract.Init(t.Context())
		require.NoError(t, err)
		require.Len(t, remarks, 1)
		require.Contains(t, remarks[0], "091002")
		require.Equal(t, ebics.ContractSent, s.State)
		require.Equal(t, ebics.H005, s.Version, "the newest that both speak")

		requests := len(bank.wire.requests)
		again, remarks, err := contract.Init(t.Context())
		require.NoError(t, err)
		require.Empty(t, remarks)
		require.Equal(t, s.Keys, again.Keys)
		require.Len(t, bank.wire.requests, requests, "nothing is sent twice")

		_, _, err = contract.FetchBankKeys(t.Context())
		require.ErrorContains(t, err, "091002", "the bank has not seen the letter")
		require.NoError(t, bank.host.Ready("PARTNER1/USER1"))

		s, keys, err := contract.FetchBankKeys(t.Context())
		require.NoError(t, err)
		require.Nil(t, s.Bank)

		_, err = contract.Rights(t.Context())
		require.ErrorIs(t, err, ebics.ErrNotReady, "nobody has compared the bank's keys")

		accept := func(text string) error {
			return d.Write(t.Context(), func(tx *db.Tx) error { return contract.Accept(t.Context(), tx, text) })
		}

		require.Error(t, accept("{}"))
		require.NoError(t, accept(keys.Text()))
		require.NoError(t, accept(keys.Text()), "a second time")

		rights, err := contract.Rights(t.Context())
		require.NoError(t, err)
		require.Equal(t, "USER1", rights.User)

		require.Len(t, dbtest.Opened(t, d, ebics.Sealed()[0]), 1, "the keys are sealed")

		require.NoError(t, contract.Suspend(t.Context()))

		_, err = contract.Rights(t.Context())
		require.ErrorIs(t, err, ebics.ErrNotReady)
	})
}

// The letter has the hashes of our three keys, in each language; its bytes follow from what it says.
func TestTheLetter(t *testing.T) {
	keys, err := shortKeys()
	require.NoError(t, err)

	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

	for _, v := range []ebics.Version{ebics.H005, ebics.H004} {
		s := &ebics.Stored{Version: v, Keys: keys}

		for _, language := range ebics.Languages() {
			letter, err := s.Letter(subscriber, "Slipway Test AG", language, at)
			require.NoError(t, err)
			require.True(t, bytes.HasPrefix(letter, []byte("%PDF")))

			again, err := s.Letter(subscriber, "Slipway Test AG", language, at)
			require.NoError(t, err)
			require.Equal(t, letter, again)

			pages := papertest.Read(t, letter).Pages
			require.Len(t, pages, 3)

			words := strings.Join(slices.Concat(pages...), "\n")
			for _, key := range []ebics.Key{keys.Signature, keys.Authentication, keys.Encryption} {
				hash := key.Public().HashText(v)
				require.Contains(t, words, hash[:47])
				require.Contains(t, words, hash[48:])
			}

			number := map[string]string{"en": "Page 2 of 3", "de": "Seite 2 von 3", "fr": "Page 2 sur 3"}
			require.Contains(t, words, number[language])
			require.Contains(t, words, "PARTNER1")
			require.Contains(t, words, "Slipway Test AG")
		}
	}

	_, err = (&ebics.Stored{Version: ebics.H005, Keys: keys}).Letter(subscriber, "", "it", at)
	require.ErrorContains(t, err, `"it"`)
}
