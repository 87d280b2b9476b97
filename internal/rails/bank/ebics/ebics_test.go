//go:build !nosandbox

package ebics_test

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/bank/ebics"
	"slipway/internal/rails/bank/ebicssim"
)

// payFile is a payment file of one payment, written by hand.
func payFile(message string) []byte {
	total := `<NbOfTxs>1</NbOfTxs><CtrlSum>12.50</CtrlSum>`

	return []byte(
		`<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">` +
			`<CstmrCdtTrfInitn><GrpHdr><MsgId>` + message + `</MsgId><CreDtTm>2026-11-20T10:00:00Z</CreDtTm>` + total +
			`<InitgPty><Nm>Slipway</Nm></InitgPty></GrpHdr><PmtInf><PmtInfId>` + message + `-1</PmtInfId>` +
			`<PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg>` + total + `<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>` +
			`<ReqdExctnDt><Dt>2026-11-20</Dt></ReqdExctnDt><Dbtr><Nm>Slipway</Nm></Dbtr>` +
			`<DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>` +
			`<DbtrAgt><FinInstnId><BICFI>SLWYDEF0XXX</BICFI></FinInstnId></DbtrAgt>` +
			`<CdtTrfTxInf><PmtId><EndToEndId>E-` + message + `</EndToEndId></PmtId>` +
			`<Amt><InstdAmt Ccy="EUR">12.50</InstdAmt></Amt><Cdtr><Nm>Alice</Nm></Cdtr>` +
			`<CdtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></CdtrAcct>` +
			`</CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>`,
	)
}

func statements(v ebics.Version) ebics.Order {
	text := "CRZ"
	if v == ebics.H005 {
		text = "service=REP scope=DE container=ZIP message=pain.002"
	}

	o, err := ebics.ParseOrder(text, false)
	if err != nil {
		panic(err)
	}

	return o
}

// A subscriber registers, pays, fetches the bank's answer once, reads the protocol and its rights, and suspends itself.
// Everything that was said is valid by the published schemas.
func TestASubscriberRegistersPaysAndFetches(t *testing.T) {
	both(t, func(t *testing.T, v ebics.Version) {
		d := newDesk(t, v)

		versions, err := d.Versions(t.Context())
		require.NoError(t, err)
		require.Equal(t, []ebics.Version{ebics.H005, ebics.H004}, versions)

		require.NoError(t, d.SendINI(t.Context()))

		_, err = d.FetchBankKeys(t.Context())
		require.ErrorContains(t, err, "091002", "the bank has not seen the letter")

		require.NoError(t, d.SendHIA(t.Context()))
		require.ErrorContains(t, d.SendINI(t.Context()), "091002", "keys are taken once")
		require.NoError(t, d.host.Ready("PARTNER1/USER1"))

		d.Bank, err = d.FetchBankKeys(t.Context())
		require.NoError(t, err)

		x, e := d.host.Hashes(string(v))
		require.True(t, d.Bank.Authentication.SameHash(v, strings.ToUpper(hex.EncodeToString(x))))
		require.True(t, d.Bank.Encryption.SameHash(v, d.Bank.Encryption.HashText(v)))
		require.False(t, d.Bank.Encryption.SameHash(v, hex.EncodeToString(x)))
		require.False(t, d.Bank.Authentication.SameHash(v, hex.EncodeToString(e)))

		id, err := d.upload(payFile("M1"))
		require.NoError(t, err)
		require.Equal(t, "A000", id)
		require.Len(t, d.host.Orders(), 1)

		paid, err := d.bank.Executions(t.Context())
		require.NoError(t, err)
		require.Equal(t, map[string]int{"E-M1": 1}, paid)

		var got []byte
		require.NoError(t, d.Download(t.Context(), statements(v), func(c []byte) error { got = c; return nil }))
		require.True(t, bytes.HasPrefix(got, []byte("PK")), "a ZIP")

		err = d.Download(t.Context(), statements(v), func([]byte) error { return nil })
		require.ErrorIs(t, err, ebics.ErrNoData, "what is acknowledged is not offered again")

		events, err := d.Protocol(t.Context(), "", "")
		require.NoError(t, err)
		require.Equal(t, ebics.FateArrived, ebics.Find(events, subscriber, time.Time{},
			func(e ebics.Event) bool { return e.OrderID == id }))
		require.Equal(t, ebics.FateUnknown, ebics.Find(events, subscriber, time.Time{},
			func(e ebics.Event) bool { return e.OrderID == "B000" }))
		require.Equal(t, ebics.FateUnknown, ebics.Find(events, subscriber, d.Now().Add(time.Hour),
			func(e ebics.Event) bool { return e.OrderID == id }), "the id of an earlier order")

		rights, err := d.Rights(t.Context())
		require.NoError(t, err)
		require.Equal(t, "USER1", rights.User)
		require.Equal(t, "DE89370400440532013000", rights.Accounts[0].Number)
		require.True(t, rights.May(payments(v)))
		require.True(t, rights.May(statements(v)))

		unknown := ebics.Order{Type: "AXZ"}
		require.False(t, rights.May(unknown))

		require.NoError(t, d.Suspend(t.Context()))

		_, err = d.upload(payFile("M2"))
		require.ErrorContains(t, err, "061001")
		require.Len(t, d.host.Orders(), 1)

		schemas(t, v, append(d.texts, d.wire.answers...)...)
	})
}

// large does not compress, so that it needs several segments.
func large(t *testing.T, size int) []byte {
	t.Helper()

	b := make([]byte, size)
	_, err := rand.Read(b)
	require.NoError(t, err)

	return b
}

// Orders larger than a segment go and come in several, each in its turn.
func TestSegments(t *testing.T) {
	both(t, func(t *testing.T, v ebics.Version) {
		d := ready(t, v, func(c *ebicssim.Config) { c.Engine = nil })
		content := large(t, 1_500_000)

		p, err := d.Prepare(payments(v), content)
		require.NoError(t, err)
		require.Len(t, p.Segments, 3)

		transaction, _, err := d.Begin(t.Context(), p)
		require.NoError(t, err)

		_, err = d.Send(t.Context(), p, transaction, 2)
		r, proven := ebics.Refused(err)
		require.NotNil(t, r)
		require.True(t, proven)
		require.Equal(t, ebics.CodeRecovery, r.Code())
		require.Equal(t, 0, r.Segment)

		for n := range p.Segments {
			_, err = d.Send(t.Context(), p, transaction, n+1)
			require.NoError(t, err)
		}

		require.Equal(t, hex.EncodeToString(ebics.OrderDigest(content)), d.host.Orders()[0].SHA256)

		_, err = d.upload(content)
		require.ErrorContains(t, err, "091115", "the bank has this content")
		require.Len(t, d.host.Orders(), 1)
	})
}

// A download of many small segments is joined before it is decrypted.
func TestDownloadOfManySegments(t *testing.T) {
	both(t, func(t *testing.T, v ebics.Version) {
		d := ready(t, v, func(c *ebicssim.Config) { c.SegmentSize = 100 })
		_, err := d.upload(payFile("M1"))
		require.NoError(t, err)

		var got []byte
		failing := func(c []byte) error { got = c; return fmt.Errorf("the disk is full") }
		require.ErrorContains(t, d.Download(t.Context(), statements(v), failing), "the disk is full")
		require.NotEmpty(t, got)

		var again []byte
		require.NoError(t, d.Download(t.Context(), statements(v), func(c []byte) error { again = c; return nil }),
			"what was not stored is offered again")
		require.NotEmpty(t, again)
		require.Greater(t, len(d.wire.requests), 10)
	})
}

// Nothing that the bank's key does not prove is believed, in any phase.
func TestLiesAreNotBelieved(t *testing.T) {
	both(t, func(t *testing.T, v ebics.Version) {
		for _, phase := range []string{"Initialisation", "Transfer"} {
			for _, lie := range []ebicssim.LieKind{
				ebicssim.LieWrongSignature, ebicssim.LieChanged, ebicssim.LieUnsigned, ebicssim.LieStale,
			} {
				if lie == ebicssim.LieChanged && phase == "Transfer" && v == ebics.H005 {
					continue // the bank refuses a double in the first phase
				}

				t.Run(phase+" "+string(lie), func(t *testing.T) {
					d := ready(t, v)
					if lie == ebicssim.LieStale {
						_, err := d.upload(payFile("M0"))
						require.NoError(t, err)
					}

					if lie == ebicssim.LieChanged { // into success
						_, err := d.upload(payFile("M1"))
						require.NoError(t, err)
					}

					d.host.Lie(ebicssim.Lie{Kind: lie, Phase: phase})

					_, err := d.upload(payFile("M1"))
					require.ErrorIs(t, err, ebics.ErrUnproven)
					require.Empty(t, d.host.Lies())
				})
			}
		}

		t.Run("another order", func(t *testing.T) {
			d := ready(t, v)
			d.host.Lie(ebicssim.Lie{Kind: ebicssim.LieOtherOrder, Phase: "Transfer"})
			_, err := d.upload(payFile("M1"))
			require.ErrorIs(t, err, ebics.ErrUnproven)
			require.ErrorContains(t, err, "it is about transaction")
		})
	})
}

// An answer of which a byte is missing, or another, is no answer. It is tried with each byte of each answer of an
// upload.
func TestEveryByteOfAnAnswerCounts(t *testing.T) {
	both(t, func(t *testing.T, v ebics.Version) {
		d := ready(t, v)
		_, err := d.upload(payFile("M1"))
		require.NoError(t, err)

		answers := d.wire.answers[len(d.wire.answers)-2:]

		for step, whole := range answers {
			transaction := string(whole[bytes.Index(whole, []byte("<TransactionID>"))+15:][:32])
			phase := []string{"Initialisation", "Transfer"}[step]

			ask := func(answer []byte) error { return d.ReadAnswer(answer, phase, transaction) }

			require.NoError(t, ask(whole))

			for n := range whole {
				require.Error(t, ask(whole[:n]), "step %d cut at %d", step, n)

				if n < len(`<?xml version="1.0" encoding="UTF-8"?>`) {
					continue // the declaration is not signed
				}

				changed := bytes.Clone(whole)
				changed[n] ^= 1

				if err := ask(changed); err == nil {
					at := string(whole[max(0, n-20):min(len(whole), n+20)])
					require.True(t, harmless(whole, n), "step %d changed at %d: …%s…", step, n, at)
				}
			}
		}
	})
}

// harmless reports whether a byte means nothing to the reader: the revision of the version, which nothing signs, and
// what base64 ignores in its last digit.
func harmless(whole []byte, n int) bool {
	at := string(whole[max(0, n-12):min(len(whole), n+12)])
	return strings.Contains(at, "Revision") || strings.Contains(at, "=")
}
