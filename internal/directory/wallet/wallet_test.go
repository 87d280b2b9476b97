//go:build !nosandbox

package wallet_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/screening"
)

func each(t *testing.T, test func(t *testing.T, w *dt.World)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, dt.New(t, d)) })
}

func TestNewWalletCarriesATextThatBindsIt(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		_, address := w.Key()

		a := w.Do(
			dt.A,
			"POST",
			"/wallets",
			`{"address":"`+strings.ToLower(address)+`","network":{"_id":"net_base","name":null},"receiver":"`+w.Self(
				dt.A,
			)+`","ownershipMessage":"Invoice wallet"}`,
		).Status(201)

		require.Equal(t, address, a.Text("address"), "stored with its checksum")
		require.Equal(t, "EOA", a.Text("type"))
		require.Equal(t, "PENDING", a.Text("ownership.status"))
		require.Equal(t, "PENDING", a.Text("walletAnalysisStatus"))
		require.Equal(t, "net_base", a.Text("network._id"))
		require.Equal(t, true, a.Get("receiver.isSelf"))
		require.Nil(t, a.Get("ownership.approvedAt"))

		text := regexp.MustCompile("^pay\\.example wants you to sign in with your Ethereum account:\n" + address +
			"\n\nProve control of this wallet for Muller & Sohne AG\\. This does not move funds\\. Invoice wallet\n\n" +
			"URI: https://pay\\.example/wallets/" + a.Text("_id") +
			"\nVersion: 1\nChain ID: 8453\nNonce: [A-Za-z0-9]{16,}\nIssued At: (\\S+)\nExpiration Time: (\\S+)\n" +
			"Request ID: " + a.Text("_id") + "$")
		times := text.FindStringSubmatch(a.Text("ownership.message"))
		require.Len(t, times, 3, "%s", a.Text("ownership.message"))

		from, _ := time.Parse(time.RFC3339, times[1])
		to, _ := time.Parse(time.RFC3339, times[2])
		require.Equal(t, 15*time.Minute, to.Sub(from))
		require.Equal(t, []string{"wallet.screen wallet/" + a.Text("_id") + "/screen " + a.Text("_id")}, w.Jobs())
		require.JSONEq(t, a.Raw, w.Do(dt.A, "GET", "/wallets/"+a.Text("_id"), "").Status(200).Raw)
	})
}

func TestWalletIsUsableOnlyProvenAndScreened(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()
		key, address := w.Key()
		a := w.Wallet(dt.A, address)
		id := a.Text("_id")
		message := a.Text("ownership.message")

		read := func() wallet.Wallet {
			x, err := wallet.ByID(ctx, w.DB, "org_a", id)
			require.NoError(t, err)
			return x
		}

		require.True(t, fault.Is(read().Usable(w.DB.Now()), fault.WalletNotVerified))

		v := w.Verify(dt.A, id, message, dt.Sign(key, message)).Status(200)
		require.Equal(t, "VERIFIED", v.Text("ownership.status"))
		require.NotEmpty(t, v.Text("ownership.approvedAt"))
		require.Nil(t, v.Get("ownership.expiresAt"))
		require.True(t, fault.Is(read().Usable(w.DB.Now()), fault.WalletNotScreened))
		require.NoError(t, w.Wallets.Screen(ctx, id))
		require.NoError(t, read().Usable(w.DB.Now()))
		require.NoError(t, w.Wallets.Screen(ctx, id))
		require.Equal(t, 1, w.Screening.Calls, "a fresh approval is not asked for again")

		w.Advance(wallet.ScreeningLifetime - time.Minute)
		require.NoError(t, read().Usable(w.DB.Now()))

		w.Advance(time.Minute)

		require.True(
			t,
			fault.Is(read().Usable(w.DB.Now()), fault.WalletNotScreened),
			"an approval is good for a day, noted or not",
		)

		require.Equal(t, "EXPIRED", w.Do(dt.A, "GET", "/wallets/"+id, "").Text("walletAnalysisStatus"))

		w.Jobs()
		n, err := w.Wallets.ExpireScreenings(ctx, 10)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Len(t, w.Jobs(), 1)
		require.NoError(t, w.Wallets.Screen(ctx, id))
		require.NoError(t, read().Usable(w.DB.Now()))
	})
}

func TestAddressesWhereTokensWouldBeLostAreRefused(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		const router, treasury = "0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"
		w.Do(
			dt.Operator,
			"PATCH",
			"/networks/net_ethereum",
			`{"contracts":{"router":"`+router+`"},"walletAddress":"`+treasury+`"}`,
		).Status(200)

		self := w.Self(dt.A)
		for address, code := range map[string]fault.Code{
			"0x0000000000000000000000000000000000000000": fault.AddressForbidden,
			"0x0000000000000000000000000000000000000009": fault.AddressForbidden,
			"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48": fault.AddressForbidden, // USDC
			router:   fault.AddressForbidden,
			treasury: fault.AddressForbidden,
			"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed": fault.AddressChecksum,
			"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe":  fault.AddressInvalid,
			"vitalik.eth": fault.AddressInvalid,
		} {
			w.Do(
				dt.A,
				"POST",
				"/wallets",
				`{"address":"`+address+`","network":"net_ethereum","receiver":"`+self+`"}`,
			).Refused(422, code, "/address")
		}

		w.Do(
			dt.A,
			"POST",
			"/wallets",
			`{"address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","network":"net_base","receiver":"`+self+`"}`,
		).Status(201)
	})
}

func TestEveryFaultOfANewWalletIsToldAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		other := w.Self(dt.B)

		a := w.Do(
			dt.A,
			"POST",
			"/wallets",
			`{"address":"0x12","network":"net_polygon","receiver":"`+other+`","ownershipMessage":"two\nlines"}`,
		)

		a.Refused(422, fault.AddressInvalid, "/address").Refused(422, fault.NetworkUnknown, "/network").Refused(
			422,
			fault.ReceiverUnknown,
			"/receiver",
		).
			Refused(422, fault.OwnershipMessageRules, "/ownershipMessage")

		_, address := w.Key()

		unknown := w.Do(
			dt.A,
			"POST",
			"/wallets",
			`{"address":"`+address+`","network":"net_ethereum","receiver":"rcv_unknown"}`,
		)

		foreign := w.Do(
			dt.A,
			"POST",
			"/wallets",
			`{"address":"`+address+`","network":"net_ethereum","receiver":"`+other+`"}`,
		)

		require.Equal(t, unknown.Raw, foreign.Raw, "another tenant's receiver is as unknown as none")

		w.Do(
			dt.A,
			"POST",
			"/wallets",
			`{"address":"`+address+`","network":"net_ethereum","receiver":"`+w.Self(
				dt.A,
			)+`","ownershipMessage":"`+strings.Repeat("x", 201)+`"}`,
		).
			Refused(422, fault.OwnershipMessageRules, "/ownershipMessage")

		w.Do(dt.A, "POST", "/wallets", `{"type":"SAFE"}`).Refused(422, fault.Required, "/address").Refused(
			422,
			fault.Required,
			"/network",
		).
			Refused(422, fault.Required, "/receiver").Refused(422, fault.NotInEnum, "/type")

		w.Do(dt.A, "POST", "/wallets", `{"address":"`+address+`","network":7,"receiver":{"id":"x"}}`).Refused(
			400,
			fault.TypeMismatch,
			"/network",
		).Refused(400, fault.Required, "/receiver/_id")

		w.Do(
			dt.Viewer,
			"POST",
			"/wallets",
			`{"address":"`+address+`","network":"net_ethereum","receiver":"`+w.Self(dt.A)+`"}`,
		).Refused(403, fault.RoleRequired, "")

		w.Do(dt.Homeless, "GET", "/wallets/me", "").Refused(403, fault.NoOrganisation, "")
		w.Do("", "GET", "/wallets/me", "").Refused(401, fault.TokenMissing, "")
	})
}

func TestSameAddressIsStoredOnceForAReceiverAndNetwork(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		_, address := w.Key()
		a := w.Wallet(dt.A, address)

		body := `{"address":"` + strings.ToLower(address) + `","network":"net_ethereum","receiver":"` + w.Self(
			dt.A,
		) + `"}`

		w.Do(dt.A, "POST", "/wallets", body).Refused(409, fault.WalletDuplicate, "/address")

		pasted := strings.Replace(body, `"0x`, `" 0X `, 1)
		w.Do(dt.A, "POST", "/wallets", pasted).Refused(409, fault.WalletDuplicate, "/address")
		w.Do(dt.A, "POST", "/wallets", strings.Replace(body, "net_ethereum", "net_base", 1)).Status(201)
		w.Do(dt.A, "POST", "/wallets", strings.Replace(body, w.Self(dt.A), w.Receiver(dt.A, "Other"), 1)).Status(201)
		w.Wallet(dt.B, address)
		require.Equal(t, true, w.Do(dt.A, "DELETE", "/wallets/"+a.Text("_id"), "").Status(200).Get("softDeleted"))

		w.Do(dt.A, "POST", "/wallets", body).Status(201)
	})
}

// N-07: fifty at once make one.
func TestFiftyEqualWalletsAtOnceMakeOne(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		_, address := w.Key()
		body := `{"address":"` + address + `","network":"net_ethereum","receiver":"` + w.Self(dt.A) + `"}`
		codes := parallel(50, func(int) int { return w.Do(dt.A, "POST", "/wallets", body).Code })
		require.Equal(t, map[int]int{201: 1, 409: 49}, codes)
	})
}

// Z-04: no field of the record besides those of the request can be set.
func TestRequestsCannotSetWhatIsDecidedHere(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		_, address := w.Key()
		a := w.Wallet(dt.A, address)

		before := w.Do(dt.A, "GET", "/wallets/"+a.Text("_id"), "").Raw
		for _, field := range []string{"ownership", "walletAnalysisStatus", "softDeleted", "screeningAnalysisId", "organisation", "owner", "_id", "status", "Type", "ADDRESS", "ownerſhipMessage"} {
			for _, value := range []string{`"VERIFIED"`, `{"status":"VERIFIED"}`, `true`} {
				w.Do(dt.A, "PATCH", "/wallets/"+a.Text("_id"), `{"`+field+`":`+value+`}`).NotTaken("/" + field)

				w.Do(
					dt.A,
					"POST",
					"/wallets",
					`{"address":"`+address+`","network":"net_base","receiver":"`+w.Self(
						dt.A,
					)+`","`+field+`":`+value+`}`,
				).Refused(422, fault.UnknownField, "/"+field)
			}
		}

		require.Equal(t, before, w.Do(dt.A, "GET", "/wallets/"+a.Text("_id"), "").Raw)
	})
}

// Z-02: another tenant's identifier is answered as an unknown one is, byte for byte.
func TestAnotherTenantsWalletIsUnknown(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		key, address := w.Key()
		a := w.Wallet(dt.B, address)
		id := a.Text("_id")
		none := "wlt_" + strings.Repeat("0", len(a.Text("_id"))-4)

		sign := `{"message":"x","signedMessage":"` + dt.Sign(key, a.Text("ownership.message")) + `"}`
		for _, r := range [][2]string{
			{"GET ", ""},
			{"PATCH ", `{"type":"MULTISIG"}`},
			{"DELETE ", ""},
			{"POST /challenge", ""},
			{"POST /verify-wallet", sign},
		} {
			method, tail, _ := strings.Cut(r[0], " ")
			foreign := w.Do(dt.A, method, "/wallets/"+id+tail, r[1]).Refused(404, fault.NotFoundCode, "")
			unknown := w.Do(dt.A, method, "/wallets/"+none+tail, r[1]).Refused(404, fault.NotFoundCode, "")
			require.Equal(t, strings.ReplaceAll(unknown.Raw, none, "ID"), strings.ReplaceAll(foreign.Raw, id, "ID"))
		}

		require.EqualValues(t, 0, w.Do(dt.A, "GET", "/wallets/me", "").Status(200).Get("total"))
		found, err := wallet.ByIDs(context.Background(), w.DB, "org_a", []string{id})
		require.NoError(t, err)
		require.Empty(t, found)
		w.Do(dt.A, "POST", "/wallets/"+id+"/revoke", `{"reason":"x"}`).Refused(403, fault.RoleRequired, "")
		w.Do(dt.A, "POST", "/wallets/"+id+"/screening-decision", `{"decision":"APPROVED","reason":"x"}`).Refused(
			403,
			fault.RoleRequired,
			"",
		)
	})
}

func TestChangingWhatWasProvenStartsAnew(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		_, other := w.Key()

		for field, value := range map[string]string{
			"address":  other,
			"network":  "net_base",
			"type":     "MULTISIG",
			"receiver": w.Receiver(dt.A, "Payee"),
		} {
			id, _ := w.Usable(dt.A)
			old := w.Do(dt.A, "GET", "/wallets/"+id, "").Status(200)
			require.Equal(t, "APPROVED", old.Text("walletAnalysisStatus"))
			w.Jobs()
			a := w.Do(dt.A, "PATCH", "/wallets/"+id, `{"`+field+`":"`+value+`"}`).Status(200)
			require.Equal(t, "PENDING", a.Text("ownership.status"), field)
			require.NotEqual(t, old.Text("ownership.message"), a.Text("ownership.message"))
			require.Nil(t, a.Get("ownership.signedMessage"))
			require.Nil(t, a.Get("ownership.approvedAt"))

			if field == "address" || field == "network" {
				require.Equal(t, "PENDING", a.Text("walletAnalysisStatus"), field)
				require.Len(t, w.Jobs(), 1)
			}

			w.Verify(dt.A, id, old.Text("ownership.message"), old.Text("ownership.signedMessage")).Refused(
				422,
				fault.ChallengeMismatch,
				"/message",
			)
		}
	})
}

func TestChangeThatChangesNothingKeepsTheProof(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id, address := w.Usable(dt.A)
		before := w.Do(dt.A, "GET", "/wallets/"+id, "").Raw

		w.Do(
			dt.A,
			"PATCH",
			"/wallets/"+id,
			`{"address":"`+strings.ToLower(address)+`","network":"net_ethereum","type":"EOA"}`,
		).Status(200)

		w.Do(dt.A, "PATCH", "/wallets/"+id, `{}`).Status(200)
		w.Do(dt.A, "PATCH", "/wallets/"+id, `{"ownershipMessage":"new words"}`).Refused(409, fault.WalletVerified, "")

		w.Do(dt.A, "PATCH", "/wallets/"+id, `{"address":"0x0000000000000000000000000000000000000001"}`).Refused(
			422,
			fault.AddressForbidden,
			"/address",
		)

		w.Do(dt.A, "PATCH", "/wallets/"+id, `{"receiver":"`+w.Self(dt.B)+`"}`).Refused(
			422,
			fault.ReceiverUnknown,
			"/receiver",
		)

		w.Do(dt.A, "PATCH", "/wallets/"+id, `{"network":"net_polygon"}`).Refused(422, fault.NetworkUnknown, "/network")
		require.Equal(t, before, w.Do(dt.A, "GET", "/wallets/"+id, "").Raw)
	})
}

func TestScreeningAnswersAreRecordedAsTheyAre(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()
		for end, want := range map[string]string{
			"dead": "REJECTED",
			"beef": "ERROR",
			"cafe": "REVIEW",
			"0000": "APPROVED",
		} {
			id := w.Wallet(
				dt.A,
				"0x11111111111111111111111111111111111"+fmt.Sprintf("%01d", len(want)%10)+end,
			).Text("_id")
			require.NoError(t, w.Wallets.Screen(ctx, id))
			a := w.Do(dt.A, "GET", "/wallets/"+id, "").Status(200)
			require.Equal(t, want, a.Text("walletAnalysisStatus"))
			require.NotEmpty(t, a.Text("screeningAnalysisId"))
			require.Equal(t, want == "APPROVED", a.Get("screeningErrMessage") == nil)

			if want == "REVIEW" {
				for _, who := range []string{dt.Staff, dt.Operator} {
					w.Do(
						who,
						"POST",
						"/wallets/"+id+"/screening-decision",
						`{"decision":"APPROVED","reason":"looked"}`,
					).Status(200)
				}

				require.Equal(t, "APPROVED", w.Do(dt.A, "GET", "/wallets/"+id, "").Text("walletAnalysisStatus"))
			}

			w.Do(
				dt.Staff,
				"POST",
				"/wallets/"+id+"/screening-decision",
				`{"decision":"APPROVED","reason":"looked"}`,
			).Refused(409, fault.WalletNotInReview, "")
		}

		id := w.Wallet(dt.A, "0x2222222222222222222222222222222222222222").Text("_id")
		down := errors.New("down")
		w.Screening.Ask = func(string) (screening.Result, error) { return screening.Result{}, down }
		require.ErrorIs(t, w.Wallets.Screen(ctx, id), down)
		require.Equal(t, "ERROR", w.Do(dt.A, "GET", "/wallets/"+id, "").Text("walletAnalysisStatus"))
		w.Screening.Ask = func(string) (screening.Result, error) { return screening.Result{Status: "FINE"}, nil }
		require.NoError(t, w.Wallets.Screen(ctx, id))
		require.Equal(
			t,
			"ERROR",
			w.Do(dt.A, "GET", "/wallets/"+id, "").Text("walletAnalysisStatus"),
			"an unknown word is no approval",
		)
		require.NoError(t, w.Wallets.Screen(ctx, "wlt_none"))
	})
}

// The provider answers about an address that the wallet no longer has: the answer is dropped.
func TestLateScreeningAnswerIsDropped(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := w.Wallet(dt.A, "0x2222222222222222222222222222222222222222").Text("_id")

		w.Screening.Ask = func(string) (screening.Result, error) {
			w.Do(dt.A, "PATCH", "/wallets/"+id, `{"address":"0x111111111111111111111111111111111111dead"}`).Status(200)
			return screening.Result{Status: screening.Approved}, nil
		}

		require.NoError(t, w.Wallets.Screen(context.Background(), id))
		require.Equal(t, "PENDING", w.Do(dt.A, "GET", "/wallets/"+id, "").Text("walletAnalysisStatus"))

		w.Screening.Ask = nil
		require.NoError(t, w.Wallets.Screen(context.Background(), id))

		x, err := wallet.ByID(context.Background(), w.DB, "org_a", id)
		require.NoError(t, err)
		require.Equal(t, wallet.AnalysisRejected, x.Analysis)
	})
}

func TestPayerNamesOneStoredWalletOfTheOwnReceiver(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()
		_, address := w.Key()
		payer := func(org, network string) (wallet.Wallet, error) {
			return wallet.Payer(ctx, w.DB, org, strings.ToLower(address), network)
		}
		_, err := payer("org_a", "")
		require.True(t, fault.Is(err, fault.PayerWallet))

		w.Do(
			dt.A,
			"POST",
			"/wallets",
			`{"address":"`+address+`","network":"net_base","receiver":"`+w.Receiver(dt.A, "Payee")+`"}`,
		).Status(201)

		_, err = payer("org_a", "")
		require.True(t, fault.Is(err, fault.PayerWallet), "a payee's wallet does not pay")

		id := w.Wallet(dt.A, address).Text("_id")
		got, err := payer("org_a", "")
		require.NoError(t, err)
		require.Equal(t, id, got.ID)

		_, err = payer("org_a", "net_base")
		require.True(t, fault.Is(err, fault.PayerWallet))

		_, err = payer("org_b", "")
		require.True(t, fault.Is(err, fault.PayerWallet), "another tenant's wallet does not pay")

		_, err = payer("org_none", "")
		require.True(t, fault.Is(err, fault.PayerWallet))

		w.Do(
			dt.A,
			"POST",
			"/wallets",
			`{"address":"`+address+`","network":"net_base","receiver":"`+w.Self(dt.A)+`"}`,
		).Status(201)

		_, err = payer("org_a", "")
		require.True(t, fault.Is(err, fault.NetworkAmbiguous))

		got, err = payer("org_a", "net_ethereum")
		require.NoError(t, err)
		require.Equal(t, id, got.ID)

		w.Do(dt.A, "DELETE", "/wallets/"+id, "").Status(200)
		_, err = payer("org_a", "net_ethereum")
		require.True(t, fault.Is(err, fault.PayerWallet))
	})
}

func TestListFiltersAndBothPagingStyles(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		payee := w.Receiver(dt.A, "Payee")

		var ids []string
		for i := range 5 {
			_, address := w.Key()
			network := "net_ethereum"
			who := w.Self(dt.A)

			kind := "EOA"
			if i%2 == 1 {
				network = "net_base"
				who = payee
				kind = "MULTISIG"
			}

			ids = append(
				ids,
				w.Do(
					dt.A,
					"POST",
					"/wallets",
					`{"address":"`+address+`","network":"`+network+`","receiver":"`+who+`","type":"`+kind+`"}`,
				).Status(201).Text("_id"),
			)
		}

		first := w.Do(dt.A, "GET", "/wallets/"+ids[0], "").Status(200).Text("address")
		search := func(term string) any {
			return w.Do(dt.A, "GET", "/wallets/me?searchTerm="+url.QueryEscape(term), "").Status(200).Get("total")
		}
		require.EqualValues(t, 1, search(strings.ToUpper(first[2:20])))
		require.EqualValues(t, 1, search(ids[3]))
		require.EqualValues(t, 2, search("pay 0x"), "by the receiver's name")
		require.EqualValues(t, 0, search("nobody"))

		verified, _ := w.Usable(dt.A)
		total := func(query string) any { return w.Do(dt.A, "GET", "/wallets/me"+query, "").Status(200).Get("total") }
		require.EqualValues(t, 6, total(""))
		require.EqualValues(t, 2, total("?receiver="+payee))
		require.EqualValues(t, 2, total("?network=net_base"))
		require.EqualValues(t, 4, total("?type=EOA"))
		require.EqualValues(t, 1, total("?status=VERIFIED"))
		require.EqualValues(t, 6, total("?status[]=VERIFIED&status[]=PENDING"))
		require.EqualValues(t, 0, total("?status=EXPIRED"))
		w.Advance(wallet.ChallengeLifetime)
		require.EqualValues(t, 5, total("?status=EXPIRED"))
		require.EqualValues(t, 0, total("?status=PENDING"))
		page := w.Do(dt.A, "GET", "/wallets/me?limit=2&page=2&direction=1", "").Status(200)
		require.Equal(t, ids[2], page.List("results")[0].(map[string]any)["_id"])
		require.EqualValues(t, 2, page.Get("page_total"))
		offset := w.Do(dt.A, "GET", "/wallets/me?limit=2&offset=2&direction=1", "").Status(200)
		require.Equal(t, page.Raw, offset.Raw)
		seen := []any{}

		cursor := ""
		for range 6 {
			a := w.Do(dt.A, "GET", "/wallets/me?limit=2"+cursor, "").Status(200)
			for _, x := range a.List("results") {
				seen = append(seen, x.(map[string]any)["_id"])
			}

			if a.Get("nextCursor") == nil {
				break
			}

			cursor = "&cursor=" + a.Text("nextCursor")
		}

		require.Equal(t, []any{verified, ids[4], ids[3], ids[2], ids[1], ids[0]}, seen)
		w.Do(dt.A, "GET", "/wallets/me?page=1&offset=2", "").Refused(422, fault.PagingConflict, "?page")
		w.Do(dt.A, "GET", "/wallets/me?limit=251", "").Refused(422, fault.OutOfRange, "?limit")
		w.Do(dt.A, "GET", "/wallets/me?status=verified", "").Refused(422, fault.NotInEnum, "?status[]")
		w.Do(dt.A, "GET", "/wallets/me?owner=x", "").Refused(422, fault.UnknownParameter, "?owner")
		w.Do(dt.A, "GET", "/wallets/me?cursor=x", "").Refused(422, fault.CursorInvalid, "?cursor")
	})
}

func TestReceiversShowTheirWallets(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		payee := w.Receiver(dt.A, "Payee")
		id, _ := w.Usable(dt.A)
		self := w.Do(dt.A, "GET", "/receivers/self", "").Status(200)
		require.Equal(t, id, self.List("wallets")[0].(map[string]any)["_id"])
		require.Equal(
			t,
			map[string]any{"_id": self.Text("_id")},
			self.List("wallets")[0].(map[string]any)["receiver"],
			"a reference",
		)
		require.Empty(t, w.Do(dt.A, "GET", "/receivers/"+payee, "").List("wallets"))
		require.EqualValues(t, 1, w.Do(dt.A, "GET", "/receivers/me?paymentType=CRYPTO", "").Status(200).Get("total"))
		require.EqualValues(t, 0, w.Do(dt.A, "GET", "/receivers/me?paymentType=FIAT", "").Status(200).Get("total"))

		w.Advance(wallet.ScreeningLifetime)
		require.EqualValues(t, 0, w.Do(dt.A, "GET", "/receivers/me?paymentType=CRYPTO", "").Status(200).Get("total"))
	})
}

func TestStoredWalletFixesTheNetwork(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		w.Do(dt.Operator, "PATCH", "/networks/net_ethereum", `{"chainId":5}`).Status(200)
		w.Do(
			dt.Operator,
			"PATCH",
			"/networks/net_ethereum",
			`{"chainId":1,"contracts":{"router":"0x52908400098527886E0F7030069857D2E4169EE7"}}`,
		).Status(200)
		_, address := w.Key()
		w.Wallet(dt.A, address)
		w.Do(dt.Operator, "PATCH", "/networks/net_ethereum", `{"chainId":5}`).Refused(
			409,
			fault.NetworkFixed,
			"/chainId",
		)
		w.Do(
			dt.Operator,
			"PATCH",
			"/networks/net_ethereum",
			`{"contracts":{"router":"0x8617E340B3D01FA5F11F306F4090FD50E238070D"}}`,
		).Refused(409, fault.NetworkFixed, "/contracts/router")
		w.Do(dt.Operator, "PATCH", "/networks/net_ethereum", `{"contracts":{}}`).Refused(
			409,
			fault.NetworkFixed,
			"/contracts/router",
		)
		w.Do(
			dt.Operator,
			"PUT",
			"/networks/net_ethereum/tokens/USDC",
			`{"address":"0x8617E340B3D01FA5F11F306F4090FD50E238070D","decimals":6}`,
		).Refused(409, fault.NetworkFixed, "")
		w.Do(
			dt.Operator,
			"PATCH",
			"/networks/net_ethereum",
			`{"name":"Mainnet","contracts":{"router":"0x52908400098527886e0f7030069857d2e4169ee7","other":"0x8617E340B3D01FA5F11F306F4090FD50E238070D"}}`,
		).Status(200)
		pending := w.Do(dt.Second, "GET", "/operations/approvals?status[]=PENDING", "").Status(200).List("results")[0].(map[string]any)["_id"].(string)
		w.Advance(network.ChangeDelay)
		w.Do(
			dt.Second,
			"POST",
			"/operations/approvals/"+pending+"/decision",
			`{"decision":"APPROVED","comment":"deployed by us"}`,
		).Status(200)

		var l fault.List
		n, err := network.ByID(context.Background(), w.DB, "net_ethereum")
		require.NoError(t, err)
		checked, err := wallet.ForbiddenAddress(
			context.Background(),
			w.DB,
			n,
			"/payments/0/walletAddress",
			"0x8617e340b3d01fa5f11f306f4090fd50e238070d",
			&l,
		)
		require.NoError(t, err)
		require.Equal(t, common.HexToAddress(checked).Hex(), checked)
		require.Equal(t, "/payments/0/walletAddress", l.Fields()[0].Pointer)
	})
}

// A character that a database cannot hold is refused and never a failure of ours.
func TestNulIsNoFailure(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id, _ := w.Usable(dt.A)

		_, address := w.Key()
		for _, r := range [][4]string{
			{dt.A, "GET", "/wallets/me?receiver=%00", ""},
			{dt.A, "GET", "/wallets/%00", ""},
			{dt.A, "GET", "/receivers/%00", ""},
			{dt.A, "GET", "/networks/%00", ""},
			{dt.A, "POST", "/wallets", `{"address":"` + address + `","network":"a\u0000","receiver":"b\u0000"}`},
			{dt.A, "PATCH", "/wallets/" + id, `{"receiver":"\u0000"}`},
			{dt.A, "PATCH", "/wallets/" + id, `{"ownershipMessage":"\u0000"}`},
			{dt.Staff, "POST", "/wallets/" + id + "/revoke", `{"reason":"\u0000"}`},
			{dt.A, "POST", "/receivers", `{"type":"COMPANY","email":"a@b.ch","legalName":"\u0000","address":"\u0000","countryIsoCode":"CH"}`},
			{dt.A, "POST", "/wallets/" + id + "/verify-wallet", `{"message":"\u0000","signedMessage":"0x\u0000"}`},
			{dt.Operator, "POST", "/networks", `{"name":"\u0000","type":"evm"}`},
			{dt.Operator, "POST", "/networks", `{"name":"x","type":"evm","amlProviderName":"\u0000"}`},
		} {
			a := w.Do(r[0], r[1], r[2], r[3])
			require.Less(t, a.Code, 500, "%s %s %s: %s", r[1], r[2], r[3], a.Raw)
			require.GreaterOrEqual(t, a.Code, 400, "%s %s %s", r[1], r[2], r[3])
		}
	})
}

// An address with a chain's short name (EIP-3770) is taken only on the network of that name: a Safe of the same address
// may be somebody else's on another chain.
func TestAnAddressOfAnotherChainIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		_, address := w.Key()
		body := func(prefix string) string {
			return `{"address":"` + prefix + address + `","network":"net_base","receiver":"` + w.Self(dt.A) + `"}`
		}

		w.Do(dt.A, "POST", "/wallets", body("eth:")).Refused(422, fault.AddressOtherChain, "/address")
		a := w.Do(dt.A, "POST", "/wallets", body("base:")).Status(201)
		require.Equal(t, address, a.Text("address"))
		_, another := w.Key()
		w.Do(dt.A, "PATCH", "/wallets/"+a.Text("_id"), `{"address":"eth:`+another+`"}`).
			Refused(422, fault.AddressOtherChain, "/address")
	})
}

// An address with a delegate (EIP-7702) has a key that can do everything: it is not several people's.
func TestADelegatedKeyIsNoMultisig(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		_, address := w.Key()
		w.Chain.Code[common.HexToAddress(address)] = common.FromHex("0xef0100" + strings.Repeat("ab", 20))
		w.Chain.Valid = func(common.Address, [32]byte, []byte) bool { return true }
		a := w.Do(
			dt.A,
			"POST",
			"/wallets",
			`{"address":"`+address+`","network":"net_base","type":"MULTISIG","receiver":"`+
				w.Self(dt.A)+`"}`,
		).Status(
			201,
		)
		message, err := json.Marshal(a.Text("ownership.message"))
		require.NoError(t, err)
		w.Do(dt.A, "POST", "/wallets/"+a.Text("_id")+"/verify-wallet",
			`{"message":`+string(message)+`,"signedMessage":"0x"}`).Refused(422, fault.WalletTypeWrong, "")
	})
}
