//go:build !nosandbox

package app_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

type object = apptest.Object

// with is an object with other members; nil takes one away.
func with(o object, members object) object {
	out := maps.Clone(o)
	for k, v := range members {
		if v == nil {
			delete(out, k)
		} else {
			out[k] = v
		}
	}

	return out
}

// Z-06, B-08: every refusal of a body with the field that is wrong and its code, the same for create and for PUT. It
// is long because it is a table.
func TestRefusedBodies(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		aliceWallet := c.ProveWallet(c.Receiver, h.Account("Alice's wallet"))
		carol := c.NewReceiver("Carol")
		good := c.Payment(c.Payee, "1.00")
		body := c.Body("USDC", good)
		stored := with(good, object{"walletAddress": nil, "walletType": nil, "network": nil, "wallet": aliceWallet})
		lower := strings.ToLower(c.Payee.Hex())

		mistyped := lower[:41] + strings.ToUpper(lower[41:])
		if mistyped == lower || mistyped == c.Payee.Hex() {
			mistyped = "0x" + strings.Repeat("aB", 20)
		}

		payment := func(members object) object { return c.Body("USDC", with(good, members)) }

		refused := []struct {
			name string
			body object
			want []string
		}{
			{
				"type of another rail",
				with(body, object{"type": "FIAT"}),
				[]string{
					"/payments/0/type PAYMENT_TYPE_MISMATCH",
					"/payments/0/bankAccount REQUIRED",
					"/payments/0/walletAddress NOT_ALLOWED",
					"/payments/0/walletType NOT_ALLOWED",
					"/payments/0/network NOT_ALLOWED",
				},
			},
			{"unknown type", with(body, object{"type": "SWAP"}), []string{"/type NOT_IN_ENUM"}},
			{"no token", with(body, object{"token": nil}), []string{"/token REQUIRED"}},
			{"unknown token", with(body, object{"token": "EURC"}), []string{"/token NOT_IN_ENUM"}},
			{"no paying wallet", with(body, object{"walletAddress": nil}), []string{"/walletAddress REQUIRED"}},
			{
				"paying wallet of another organisation",
				with(body, object{"walletAddress": other.Payer.Address.Hex()}),
				[]string{"/walletAddress PAYER_WALLET_UNUSABLE"},
			},
			{
				"paying wallet of a receiver",
				with(body, object{"walletAddress": h.Account("Alice's wallet").Address.Hex()}),
				[]string{"/walletAddress PAYER_WALLET_UNUSABLE"},
			},
			{"on-ramp field", with(body, object{"amountCurrency": "cur_eur"}), []string{"/amountCurrency NOT_ALLOWED"}},
			{"unknown field", with(body, object{"sum": "1"}), []string{"/sum UNKNOWN_FIELD"}},
			{"no payments", with(body, object{"payments": []object{}}), []string{"/payments TOO_FEW"}},
			{"31 payments", c.Body("USDC", many(good, 31)...), []string{"/payments TOO_MANY_ITEMS"}},
			{
				"payment of another type",
				payment(object{"type": "FIAT"}),
				[]string{"/payments/0/type PAYMENT_TYPE_MISMATCH"},
			},
			{"no receiver", payment(object{"receiver": nil}), []string{"/payments/0/receiver REQUIRED"}},
			{
				"unknown receiver",
				payment(object{"receiver": "rcv_01m7y1zxw37a8zdxb5g3v70g62"}),
				[]string{"/payments/0/receiver RECEIVER_UNKNOWN"},
			},
			{
				"receiver of another organisation",
				payment(object{"receiver": other.Receiver}),
				[]string{"/payments/0/receiver RECEIVER_UNKNOWN"},
			},
			{"no reason", payment(object{"reason": nil}), []string{"/payments/0/reason REQUIRED"}},
			{"blank reason", payment(object{"reason": "  "}), []string{"/payments/0/reason REQUIRED"}},
			{"fiat fields", payment(object{
				"currencyIsoCode":   "EUR",
				"bankingFeesOption": "SHA",
			}), []string{"/payments/0/currencyIsoCode NOT_ALLOWED", "/payments/0/bankingFeesOption NOT_ALLOWED"}},
			{
				"another token",
				payment(object{"tokenIsoCode": "DAI"}),
				[]string{"/payments/0/tokenIsoCode TOKEN_SWAP_UNAVAILABLE"},
			},
			{"no payee", payment(object{
				"walletAddress": nil,
				"walletType":    nil,
				"network":       nil,
			}), []string{"/payments/0/wallet REQUIRED"}},
			{
				"wallet and address",
				payment(object{"wallet": aliceWallet}),
				[]string{"/payments/0/wallet PAYEE_CONFLICT"},
			},
			{"no wallet type", payment(object{"walletType": nil}), []string{"/payments/0/walletType REQUIRED"}},
			{"no network", payment(object{"network": nil}), []string{"/payments/0/network REQUIRED"}},
			{"neither", payment(object{
				"walletType": nil,
				"network":    nil,
			}), []string{"/payments/0/walletType REQUIRED", "/payments/0/network REQUIRED"}},
			{
				"another network",
				payment(object{"network": "net_ethereum"}),
				[]string{"/payments/0/network PAYEE_NETWORK_MISMATCH"},
			},
			{
				"no address",
				payment(object{"walletAddress": "0x12"}),
				[]string{"/payments/0/walletAddress ADDRESS_INVALID"},
			},
			{
				"mistyped address",
				payment(object{"walletAddress": mistyped}),
				[]string{"/payments/0/walletAddress ADDRESS_CHECKSUM"},
			},
			{
				"zero address",
				payment(object{"walletAddress": "0x0000000000000000000000000000000000000000"}),
				[]string{"/payments/0/walletAddress ADDRESS_FORBIDDEN"},
			},
			{
				"the router",
				payment(object{"walletAddress": h.World.Router.Hex()}),
				[]string{"/payments/0/walletAddress ADDRESS_FORBIDDEN"},
			},
			{
				"the token",
				payment(object{"walletAddress": h.World.Token("USDC").Address.Hex()}),
				[]string{"/payments/0/walletAddress ADDRESS_FORBIDDEN"},
			},
			{
				"the operator",
				payment(object{"walletAddress": h.World.Operator.Address.Hex()}),
				[]string{"/payments/0/walletAddress ADDRESS_FORBIDDEN"},
			},
			{
				"the paying wallet",
				payment(object{"walletAddress": c.Payer.Address.Hex()}),
				[]string{"/payments/0/walletAddress ADDRESS_FORBIDDEN"},
			},
			{
				"a wallet of another receiver",
				c.Body("USDC", with(stored, object{"receiver": carol})),
				[]string{"/payments/0/wallet WALLET_UNKNOWN"},
			},
			{
				"a wallet of another organisation",
				c.Body("USDC", with(stored, object{"wallet": other.Wallet})),
				[]string{"/payments/0/wallet WALLET_UNKNOWN"},
			},
			{"the paying wallet, stored", c.Body("USDC", with(stored, object{
				"receiver": c.Self,
				"wallet":   c.Wallet,
			})), []string{"/payments/0/wallet ADDRESS_FORBIDDEN"}},
			{
				"five faults at once",
				with(c.Body("USDC", with(good, object{"amount": "0", "reason": nil}), with(good, object{
					"receiver":   other.Receiver,
					"walletType": nil,
				}), good), object{"amountCurrency": "x"}),
				[]string{
					"/amountCurrency NOT_ALLOWED",
					"/payments/0/amount AMOUNT_ZERO",
					"/payments/0/reason REQUIRED",
					"/payments/1/receiver RECEIVER_UNKNOWN",
					"/payments/1/walletType REQUIRED",
				},
			},
		}
		for amount, code := range map[string]string{
			"0":                           "AMOUNT_ZERO",
			"0.000000":                    "AMOUNT_ZERO",
			"1.0000001":                   "AMOUNT_PRECISION",
			"1e5":                         "AMOUNT_INVALID",
			"-1":                          "AMOUNT_INVALID",
			"+1":                          "AMOUNT_INVALID",
			"01":                          "AMOUNT_INVALID",
			".5":                          "AMOUNT_INVALID",
			"1.":                          "AMOUNT_INVALID",
			" 1":                          "AMOUNT_INVALID",
			"1,0":                         "AMOUNT_INVALID",
			"NaN":                         "AMOUNT_INVALID",
			"Infinity":                    "AMOUNT_INVALID",
			"0x10":                        "AMOUNT_INVALID",
			"١٠":                          "AMOUNT_INVALID",
			"":                            "REQUIRED",
			"1" + strings.Repeat("0", 30): "AMOUNT_TOO_LARGE",
		} {
			refused = append(refused, struct {
				name string
				body object
				want []string
			}{"amount " + amount, payment(object{"amount": amount}), []string{"/payments/0/amount " + code}})
		}

		draft := c.Draft("USDC", "1.00")
		for _, r := range refused {
			for _, a := range []apptest.Answer{c.Do("POST", "/transactions", r.body), c.Do("PUT", "/transactions/"+draft, r.body)} {
				require.Contains(t, []int{400, 422}, a.Status, "%s: %s", r.name, a.Raw)
				require.ElementsMatch(t, r.want, a.Fields(), "%s: %s", r.name, a.Raw)
			}
		}

		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM transactions"), "nothing refused is kept")
		require.EqualValues(t, 1, c.Read(draft).Version)

		for _, n := range []int{1, 30} {
			v := c.Do("POST", "/transactions", c.Body("USDC", many(good, n)...)).OK(201).View()
			require.Len(t, v.Payments, n)
			require.Equal(t, fmt.Sprintf("%d.00", n), v.Totals.TokenDebit)
		}

		c.Do("POST", "/transactions", c.Body("USDC", stored)).OK(201)
		c.Do("POST", "/transactions", c.Body("DAI", with(good, object{"amount": "0.000000000000000001"}))).OK(201)
		c.Do("POST", "/transactions", body, apptest.Header{
			Name:  "partnerId",
			Value: "someone",
		}).Refused(422, "PARTNER_UNKNOWN", "header partnerId PARTNER_UNKNOWN")
	})
}

func many(payment object, n int) []object {
	out := make([]object, n)
	for i := range out {
		out[i] = payment
	}

	return out
}

// Thirty payments in one transaction go through as one batch.
func TestThirtyPayments(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")

		id := c.Do(
			"POST",
			"/transactions",
			c.Body("DAI", many(c.Payment(c.Payee, "1.00"), transaction.MaxPayments)...),
		).OK(201).ID()

		c.Act(id, "submit").OK(200)
		c.Act(id, "accept").OK(200)
		h.Settle()
		c.Ends(id, transaction.StatusCompleted)
		moved, _ := h.Ground()
		require.Len(t, moved, transaction.MaxPayments)

		h.Oracle()
	})
}

// What a member may do in each state, and what the answer says of it: allowedActions, If-Match, timeline, and the
// refusals.
func TestWhatIsPossibleInEachState(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		staff := h.Client("Grace")
		staff.Staff("staff")
		body := c.Body("USDC", c.Payment(c.Payee, "2.00"))
		ifMatch := func(v string) apptest.Header { return apptest.Header{Name: "If-Match", Value: v} }

		id := c.Draft("USDC", "1.00")
		require.ElementsMatch(
			t,
			[]string{"update", "validate", "check-allowance", "submit", "delete"},
			c.Read(id).AllowedActions,
		)
		c.Act(id, "accept").Refused(409, "TX_NOT_WAITING_ACCEPTANCE")
		c.Do("PUT", "/transactions/"+id, body, ifMatch(`"7"`)).Refused(412, "VERSION_MISMATCH")
		c.Do("PUT", "/transactions/"+id, body, ifMatch("latest")).Refused(422, "FORMAT_INVALID")
		v := c.Do("PUT", "/transactions/"+id, body, ifMatch(`"1"`)).OK(200).View()
		require.EqualValues(t, 2, v.Version)
		require.Equal(t, "2.00", v.Totals.TokenDebit)
		c.Act(id, "validate").OK(200)

		c.Act(id, "submit").OK(200)
		require.ElementsMatch(t, []string{"check-allowance", "accept", "delete"}, c.Read(id).AllowedActions)
		c.Act(id, "submit").Refused(409, "TX_NOT_DRAFT")
		c.Act(id, "validate").Refused(409, "TX_NOT_DRAFT")
		c.Do("PUT", "/transactions/"+id, body).Refused(409, "TX_NOT_DRAFT")

		c.Act(id, "accept").OK(200)
		require.Empty(t, c.Read(id).AllowedActions)
		c.Do("DELETE", "/transactions/"+id, nil).Refused(409, "TX_NOT_DELETABLE")
		c.Act(id, "accept").Refused(409, "TX_NOT_WAITING_ACCEPTANCE")
		h.Settle()
		v = c.Ends(id, transaction.StatusCompleted)

		var walked []string
		for _, s := range v.Timeline {
			walked = append(walked, s.Status+"/"+s.Settlement)
		}

		require.Equal(
			t,
			[]string{
				"DRAFT/IDLE",
				"WAITING_ACCEPTANCE/IDLE",
				"PROCESSING/FUNDS_PULLING",
				"RELEASED/TOKENS_SENT",
				"COMPLETED/SETTLED",
			},
			walked,
		)
		c.Do("DELETE", "/transactions/"+id, nil).Refused(409, "TX_NOT_DELETABLE")
		reject := func(id string) apptest.Answer {
			return staff.Do("POST", "/transactions/"+id+"/reject", object{"reason": "sanctions"})
		}
		reject(id).Refused(409, "TX_NOT_REVIEWABLE")

		for what, id := range map[string]string{
			"draft":    c.Draft("USDC", "1.00"),
			"waiting":  c.Submitted("USDC", "1.00"),
			"accepted": c.Accepted("USDC", "1.00"),
		} {
			c.Do("POST", "/transactions/"+id+"/reject", object{"reason": "x"}).Refused(403, "ROLE_REQUIRED")
			require.Equal(t, transaction.StatusRejected, reject(id).OK(200).View().Status, what)
			v := c.Ends(id, transaction.StatusRejected, transaction.PaymentCancelled)
			require.Contains(t, v.StatusInfo, "sanctions")
			c.Do("DELETE", "/transactions/"+id, nil).Refused(409, "TX_NOT_DELETABLE")
		}

		reject("txn_01m7y1zxyv2f03h5rxqnq1z8kn").Refused(404, "NOT_FOUND")
		reject("none").Refused(404, "NOT_FOUND")
		planned := c.Accepted("USDC", "1.00")
		h.RunJobs()
		reject(planned).Refused(409, "TX_NOT_REVIEWABLE")

		for _, id := range []string{c.Draft("USDC", "1.00"), c.Submitted("USDC", "1.00")} {
			c.Do("DELETE", "/transactions/"+id, nil).OK(200)
			c.Do("GET", "/transactions/"+id, nil).Refused(404, "NOT_FOUND")
			c.Do("DELETE", "/transactions/"+id, nil).Refused(404, "NOT_FOUND")
		}

		h.Settle()
		h.Oracle()
	})
}

// Validate says everything that stands in the way, as errors and as issues, and a draft that was good may be good no
// more at submit.
func TestValidateAndSubmitLookAnew(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		alice := c.ProveWallet(c.Receiver, h.Account("Alice's wallet"))
		stored := with(c.Payment(c.Payee, "1.00"), object{
			"walletAddress": nil,
			"walletType":    nil,
			"network":       nil,
			"wallet":        alice,
		})
		dead := "0x123456789012345678901234567890123456dead"

		id := c.Do(
			"POST",
			"/transactions",
			c.Body("USDC", stored, with(c.Payment(c.Payee, "1.00"), object{"walletAddress": dead})),
		).OK(201).ID()
		for _, what := range []string{"validate", "submit"} {
			c.Act(id, what).Refused(
				422,
				"WALLET_SCREENING_REJECTED",
				"/payments/1/walletAddress WALLET_SCREENING_REJECTED",
			)
		}

		c.Do("PUT", "/transactions/"+id, c.Body("USDC", stored)).OK(200)
		c.Act(id, "validate").OK(200)
		c.Do("DELETE", "/wallets/"+alice, nil).OK(200)

		var v struct {
			Valid  bool `json:"valid"`
			Issues []struct {
				Pointer string `json:"pointer"`
				Code    string `json:"code"`
			} `json:"issues"`
		}
		c.Act(id, "validate").Refused(422, "WALLET_UNKNOWN", "/payments/0/wallet WALLET_UNKNOWN").Into(&v)
		require.False(t, v.Valid)
		require.Len(t, v.Issues, 1)
		require.Equal(t, "/payments/0/wallet", v.Issues[0].Pointer)
		c.Act(id, "submit").Refused(422, "WALLET_UNKNOWN")
		c.Do("PUT", "/transactions/"+id, c.Body("USDC", c.Payment(c.Payee, "1.00"))).OK(200)
		c.Do("DELETE", "/receivers/"+c.Receiver, nil).OK(200)
		c.Act(id, "submit").Refused(422, "RECEIVER_UNKNOWN", "/payments/0/receiver RECEIVER_UNKNOWN")
		require.Zero(t, h.Count("SELECT count(*) FROM reservations"))

		c.Receiver = c.NewReceiver("Carol")
		late := c.Submitted("USDC", "1.00")
		c.Do("DELETE", "/receivers/"+c.Receiver, nil).OK(200) // what was submitted is not affected
		c.Act(late, "accept").OK(200)
		h.Settle()
		c.Ends(late, transaction.StatusCompleted)
		h.DB().Clock().Advance(25 * 3_600_000_000_000) // the wallet's screening is a day old
		c.StaySignedIn()
		c.Receiver = c.NewReceiver("Dave")
		c.Act(c.Draft("USDC", "1.00"), "submit").Refused(
			422,
			"WALLET_NOT_SCREENED",
			"/walletAddress WALLET_NOT_SCREENED",
		)
		h.Oracle()
	})
}
