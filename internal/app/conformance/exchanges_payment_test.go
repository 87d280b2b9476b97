//go:build !nosandbox

package conformance

import (
	"encoding/hex"
	"fmt"
	"maps"
	"strings"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/skip2/go-qrcode"
	"github.com/stretchr/testify/require"
	slipway "slipway-client"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
)

// unproven stores a wallet of the receiver and signs its message.
func (s *stage) unproven(name string) (id string, proof apptest.Object) {
	account := s.h.Account(name)
	made := s.parse(s.c.Do("POST", "/wallets", apptest.Object{
		"address":  account.Address.Hex(),
		"network":  world.NetworkID,
		"receiver": s.c.Receiver,
	}).OK(201))
	message := made["ownership"].(object)["message"].(string)

	signature, err := crypto.Sign(accounts.TextHash([]byte(message)), account.Key)
	require.NoError(s.t, err)

	signature[64] += 27

	return made["_id"].(string), apptest.Object{
		"message":       message,
		"signedMessage": "0x" + hex.EncodeToString(signature),
	}
}

// transactionBody is that of a type, with its one payment.
func (s *stage) transactionBody(kind string, payment apptest.Object) apptest.Object {
	return apptest.Object{
		"type":          kind,
		"token":         "USDC",
		"walletAddress": s.c.Payer.Address.Hex(),
		"payments":      []apptest.Object{payment},
	}
}

func (s *stage) cryptoBody() apptest.Object {
	return s.transactionBody("CRYPTO", apptest.Object{
		"type":     "CRYPTO",
		"receiver": s.c.Receiver,
		"wallet":   s.payee,
		"amount":   "1.25",
		"reason":   "Rent",
	})
}

func (s *stage) fiatBody() apptest.Object {
	return s.transactionBody("FIAT", apptest.Object{
		"type":        "FIAT",
		"receiver":    apptest.Object{"_id": s.c.Receiver},
		"bankAccount": apptest.Object{"_id": s.account},
		"amount":      "100.00",
		"reason":      "Invoice 2026-118",
	})
}

func (s *stage) onrampBody() apptest.Object {
	body := s.transactionBody("ONRAMP", apptest.Object{"type": "ONRAMP", "receiver": s.c.Self, "amount": "2000.00"})

	var all []object

	s.c.Do("GET", "/transactions/onramp-currencies", nil).OK(200).Into(&all)

	for _, c := range all {
		if c["isoCode"] == "EUR" {
			body["amountCurrency"] = c["_id"]
		}
	}

	return body
}

// made creates a transaction.
func (s *stage) made(body apptest.Object) string {
	return s.c.Do("POST", "/transactions", body).OK(201).ID()
}

func (s *stage) transactionExchanges() map[string]func() []sent {
	draft := func(action string) func() []sent {
		return func() []sent {
			return []sent{
				s.mine("/transactions/"+s.made(s.cryptoBody())+action, nil),
				s.mine("/transactions/"+s.made(s.fiatBody())+action, nil),
			}
		}
	}
	on := func(path string) func() []sent { return one(func() sent { return s.mine(path, nil) }) }

	out := map[string]func() []sent{
		"GET /transactions": s.listExchanges,
		"POST /transactions": func() []sent {
			onNetwork := s.cryptoBody()
			onNetwork["network"] = world.NetworkID

			return []sent{
				s.mine("/transactions", onNetwork),
				s.mine("/transactions", s.fiatBody()),
				s.mine("/transactions", s.onrampBody()),
			}
		},
		"GET /transactions/{id}": on("/transactions/" + s.crypto),
		"PUT /transactions/{id}": one(func() sent {
			return s.mine("/transactions/"+s.made(s.cryptoBody()), s.cryptoBody())
		}),
		"DELETE /transactions/{id}":               draft(""),
		"POST /transactions/{id}/validate":        draft("/validate"),
		"POST /transactions/{id}/check-allowance": draft("/check-allowance"),
		"POST /transactions/{id}/statement":       on("/transactions/" + s.crypto + "/statement"),
		"GET /transactions/min-onramp-amount":     on("/transactions/min-onramp-amount"),
		"GET /transactions/onramp-currencies":     on("/transactions/onramp-currencies"),
		"GET /transactions/{id}/bank-details":     on("/transactions/" + s.onramp + "/bank-details"),
		"POST /transactions/{id}/submit": func() []sent {
			return []sent{
				s.mine("/transactions/"+s.made(s.cryptoBody())+"/submit", nil),
				s.mine("/transactions/"+s.made(s.fiatBody())+"/submit", nil),
				s.mine("/transactions/"+s.made(s.onrampBody())+"/submit", apptest.Object{"sender": s.c.Name()}),
			}
		},
		"POST /transactions/{id}/accept": one(func() sent {
			return s.mine("/transactions/"+s.c.Submitted("USDC", "1.00")+"/accept", nil)
		}),
		"POST /transactions/{id}/invoice": func() []sent {
			return []sent{
				s.mine("/transactions/"+s.crypto+"/invoice", nil),
				s.mine("/transactions/"+s.fiat+"/invoice", nil),
			}
		},
		"POST /transactions/payables": s.batchExchanges,
	}

	return out
}

// listExchanges asks for transactions by each parameter.
func (s *stage) listExchanges() []sent {
	every := []string{
		"limit=20",
		"offset=0",
		"organisations[]=" + s.c.Org,
		"partners[]=none",
		"status[]=COMPLETED",
		"tokens[]=USDC",
		"currencies[]=EUR",
		"type[]=FIAT",
		"from=2020-01-01T00:00:00Z",
		"to=2100-01-01T00:00:00Z",
		"sortBy=createdAt",
		"direction=-1",
		"commissionType=STANDARD",
		"columnId=all",
		"selectedYear=2026",
		"searchTerm=rent",
		"isHidden=false",
	}

	return []sent{
		s.mine("/transactions?columnId=all", nil),
		s.mine("/transactions?"+strings.Join(every, "&"), nil),
	}
}

// batchExchanges pays payables of an organisation with two wallets of its own, which has named none as its default:
// the interface asks for no more than the payables and the token.
func (s *stage) batchExchanges() []sent {
	s.people++
	c := s.h.Client(fmt.Sprint("Payer ", s.people))
	c.ProveWallet(c.Self, s.h.Account(fmt.Sprint("the payer's second wallet ", s.people)))

	wallet := c.ProveWallet(c.Receiver, s.h.Account(fmt.Sprint("the payer's payee ", s.people)))
	id := c.Do("POST", "/payables", apptest.Object{
		"name":         "Hosting",
		"amount":       "1.25",
		"reason":       "Rent",
		"receiver":     c.Receiver,
		"type":         "CRYPTO",
		"status":       "DRAFT",
		"wallet":       wallet,
		"tokenIsoCode": "USDC",
	}).OK(201).ID()
	c.Do("POST", "/payables/"+id+"/approve", nil).OK(200)

	return []sent{{
		by:   c.Token,
		path: "/transactions/payables",
		body: apptest.Object{"payableIds": []string{id}, "token": "USDC"},
	}}
}

// bill is a Swiss QR bill of nobody's.
const bill = "SPC\n0200\n1\nCH9300762011623852957\nS\nAlice Keller\n\n\n8002\nZürich\nCH\n\n\n\n\n\n\n\n199.95\nCHF\n\n\n\n" +
	"\n\n\n\nSCOR\nRF18539007547034\nRechnung 7\nEPD"

func (s *stage) payableExchanges() map[string]func() []sent {
	return map[string]func() []sent{
		"POST /payables/upload": func() []sent {
			asText := s.mine("/payables/upload", apptest.Object{
				"fileBase64": picture(s.t),
				"fileName":   "invoice.png",
			})
			asForm := s.mine("/payables/upload", nil)
			asForm.file = &slipway.File{Name: "invoice.png", Content: s.drawn("nothing")}

			return []sent{asText, asForm}
		},
		"POST /payables": func() []sent {
			return []sent{s.mine("/payables", s.payable("FIAT")), s.mine("/payables", s.payable("CRYPTO"))}
		},
		"GET /payables/me": one(func() sent {
			s.newPayable()
			return s.mine("/payables/me", nil)
		}),
		"GET /payables/counts": one(func() sent { return s.mine("/payables/counts", nil) }),
		"GET /payables/{id}":   one(func() sent { return s.mine("/payables/"+s.newPayable(), nil) }),
		"PATCH /payables/{id}": one(func() sent {
			return s.mine("/payables/"+s.newPayable(), apptest.Object{"amount": "2.50"})
		}),
		"POST /payables/{id}/reject": one(func() sent {
			return s.mine("/payables/"+s.newPayable()+"/reject", apptest.Object{"reason": "Not ours"})
		}),
		"POST /payables/extract-qr-bill-info": one(func() sent {
			q := s.mine("/payables/extract-qr-bill-info", nil)
			q.file = &slipway.File{Name: "bill.png", Content: s.drawn(bill)}

			return q
		}),
	}
}

// drawn is the picture of a QR code.
func (s *stage) drawn(text string) []byte {
	out, err := qrcode.Encode(text, qrcode.Medium, 500)
	require.NoError(s.t, err)

	return out
}

// link is a link for somebody's invoice.
type link struct{ token, id, email string }

// newLink asks a receiver who is not known yet for an invoice.
func (s *stage) newLink() link {
	email := s.newEmail()
	made := s.parse(s.c.Do("POST", "/payables/generate-invoice-link", apptest.Object{
		"isExistingReceiver": false,
		"email":              email,
	}).OK(201))
	_, token, _ := strings.Cut(made["link"].(string), "#")

	return link{token, made["tokenId"].(string), email}
}

// who is what a recipient says of itself.
func (l link) who() apptest.Object {
	return apptest.Object{
		"token":          l.token,
		"type":           "INDIVIDUAL",
		"email":          l.email,
		"firstName":      "Frieda",
		"lastName":       "Keller",
		"address":        address(),
		"countryIsoCode": "DE",
	}
}

func (s *stage) linkExchanges() map[string]func() []sent {
	public := func(path string, body func(l link) apptest.Object) func() []sent {
		return one(func() sent { return sent{path: path, body: body(s.newLink())} })
	}
	account := func(l link) apptest.Object {
		out := apptest.Object{"token": l.token}
		maps.Copy(out, regions()["sepa"])

		return out
	}

	return map[string]func() []sent{
		"POST /payables/generate-invoice-link": func() []sent {
			email := s.newEmail()
			known := apptest.Object{"isExistingReceiver": true, "email": email, "receiverId": s.c.Receiver}

			return []sent{
				s.mine("/payables/generate-invoice-link", known),
				s.mine("/payables/generate-invoice-link", apptest.Object{"isExistingReceiver": false, "email": email}),
			}
		},
		"GET /payables/get-invoice-token-info": one(func() sent {
			return sent{path: "/payables/get-invoice-token-info?token=" + s.newLink().token}
		}),
		"POST /payables/validate-invoice-token": public(
			"/payables/validate-invoice-token",
			func(l link) apptest.Object {
				return apptest.Object{"token": l.token}
			},
		),
		"POST /payables/create-invoice-receiver":     public("/payables/create-invoice-receiver", link.who),
		"POST /payables/create-invoice-bank-account": public("/payables/create-invoice-bank-account", account),
		"POST /payables/create-invoice-wallet": public("/payables/create-invoice-wallet", func(l link) apptest.Object {
			return apptest.Object{
				"token":   l.token,
				"address": s.h.Account("a wallet by a link").Address.Hex(),
				"network": world.NetworkID,
			}
		}),
		"POST /payables/create-invoice-payable": one(func() sent {
			l := s.newLink()
			s.h.Do(s.h.App, "POST", "/payables/create-invoice-receiver", "", l.who()).OK(200)
			s.h.Do(s.h.App, "POST", "/payables/create-invoice-bank-account", "", account(l)).OK(200)

			return s.mine("/payables/create-invoice-payable", apptest.Object{
				"tokenId":         l.id,
				"name":            "Hosting",
				"amount":          "100.00",
				"reason":          "Rent",
				"type":            "FIAT",
				"currencyIsoCode": "EUR",
			})
		}),
	}
}
