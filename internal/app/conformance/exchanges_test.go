//go:build !nosandbox

package conformance

import (
	"maps"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
)

// exchanges are the requests of every operation, by its route, in the words of the interface. What has to be there
// before is made by them, too.
func (s *stage) exchanges() map[string]func() []sent {
	out := map[string]func() []sent{}
	for _, part := range []map[string]func() []sent{
		s.accountExchanges(),
		s.personExchanges(),
		s.networkExchanges(),
		s.organisationExchanges(),
		s.payeeExchanges(),
		s.transactionExchanges(),
		s.payableExchanges(),
		s.linkExchanges(),
	} {
		maps.Copy(out, part)
	}

	return out
}

// mine returns a request of the organisation's admin.
func (s *stage) mine(path string, body apptest.Object) sent {
	s.c.Do("GET", "/users/me", nil).OK(200) // signs in anew where the session has ended

	return sent{by: s.c.Token, path: path, body: body}
}

// operator returns a request of one of the platform's people.
func (s *stage) operator(path string, body apptest.Object) sent {
	s.operators.Do("GET", "/users/me", nil).OK(200)

	return sent{by: s.operators.Token, path: path, body: body}
}

// one makes the requests of an operation that one request shows.
func one(make func() sent) func() []sent {
	return func() []sent { return []sent{make()} }
}

func (s *stage) networkExchanges() map[string]func() []sent {
	made := func() string { return s.network()["_id"].(string) }

	return map[string]func() []sent{
		"GET /networks": one(func() sent {
			made()

			return s.mine("/networks?limit=20&offset=0&type[]=evm&isTestnet=true&isClientVisible=true"+
				"&features[]=LOANS&direction=-1", nil)
		}),
		"POST /networks": func() []sent {
			return []sent{
				s.operator("/networks", s.networkBody()),
				s.operator("/networks", apptest.Object{"name": "Plain", "type": "evm"}),
			}
		},
		"GET /networks/client-visible-evm": one(func() sent { return s.mine("/networks/client-visible-evm", nil) }),
		"GET /networks/{id}":               one(func() sent { return s.mine("/networks/"+world.NetworkID, nil) }),
		"PATCH /networks/{id}": one(func() sent {
			return s.operator("/networks/"+made(), s.networkBody())
		}),
		"DELETE /networks/{id}": one(func() sent { return s.operator("/networks/"+made(), nil) }),
	}
}

func (s *stage) organisationExchanges() map[string]func() []sent {
	own := "/organisations/" + s.c.Org

	return map[string]func() []sent{
		"GET /organisations/me": one(func() sent {
			return s.mine("/organisations/me?limit=20&offset=0&direction=-1", nil)
		}),
		"POST /organisations/create": one(func() sent {
			return sent{
				by:   s.newPerson().token,
				path: "/organisations/create",
				body: apptest.Object{"organisationType": "Organisation"},
			}
		}),
		"GET /organisations/{id}/senders-info": one(func() sent { return s.mine(own+"/senders-info", nil) }),
		"GET /organisations/{id}":              one(func() sent { return s.mine(own, nil) }),

		"POST /idv/users":     one(func() sent { return s.mine("/idv/users", nil) }),
		"POST /idv/companies": one(func() sent { return s.mine("/idv/companies", nil) }),
		"POST /idv/get-applicant-info/{applicantId}": one(func() sent {
			return s.mine("/idv/get-applicant-info/"+s.applicantOf(s.c), nil)
		}),
		"POST /idv/update-applicant-info/{applicantId}": one(func() sent {
			return s.mine("/idv/update-applicant-info/"+s.applicantOf(s.c)+"?organisationId="+s.c.Org, nil)
		}),
		"POST /idv/get-applicant-token": func() []sent {
			p := s.newPersonWithOrganisation()

			return []sent{
				{by: p.Token, path: "/idv/get-applicant-token", body: apptest.Object{"type": "user"}},
				{
					by:   p.Token,
					path: "/idv/get-applicant-token",
					body: apptest.Object{"type": "organisation", "organisationId": p.Org},
				},
			}
		},
	}
}

func (s *stage) applicantOf(c *apptest.Client) string {
	return s.parse(c.Do("POST", "/idv/companies", nil).OK(200))["applicantId"].(string)
}

// address is one with all of its fields.
func address() apptest.Object {
	return apptest.Object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"}
}

func (s *stage) payeeExchanges() map[string]func() []sent {
	individual := apptest.Object{
		"type":           "INDIVIDUAL",
		"email":          "berta@example.org",
		"firstName":      "Berta",
		"lastName":       "Keller",
		"address":        address(),
		"countryIsoCode": "CH",
	}
	company := apptest.Object{
		"type":           "COMPANY",
		"email":          "office@example.org",
		"legalName":      "Weber Holding AG",
		"address":        address(),
		"countryIsoCode": "CH",
	}

	out := map[string]func() []sent{
		"POST /receivers": func() []sent {
			return []sent{s.mine("/receivers", individual), s.mine("/receivers", company)}
		},
		"GET /receivers/me": one(func() sent {
			return s.mine("/receivers/me?page=1&limit=20&paymentType=CRYPTO&isSelf=false&isHidden=true", nil)
		}),
		"GET /receivers/self": one(func() sent { return s.mine("/receivers/self", nil) }),
		"GET /receivers/{id}": one(func() sent { return s.mine("/receivers/"+s.c.Receiver, nil) }),
		"PATCH /receivers/{id}": one(func() sent {
			return s.mine("/receivers/"+s.c.NewReceiver("Clara"), apptest.Object{"firstName": "Klara"})
		}),
		"DELETE /receivers/{id}": one(func() sent { return s.mine("/receivers/"+s.c.NewReceiver("Dora"), nil) }),

		"POST /wallets": func() []sent {
			body := apptest.Object{
				"address":          s.h.Account("a new wallet").Address.Hex(),
				"network":          world.NetworkID,
				"type":             "EOA",
				"receiver":         s.c.Receiver,
				"ownershipMessage": "For rent",
			}
			least := apptest.Object{
				"address":  s.h.Account("another new wallet").Address.Hex(),
				"network":  world.NetworkID,
				"receiver": s.c.Receiver,
			}

			return []sent{s.mine("/wallets", body), s.mine("/wallets", least)}
		},
		"POST /wallets/{id}/verify-wallet": one(func() sent {
			id, proof := s.unproven("a wallet to prove")
			return s.mine("/wallets/"+id+"/verify-wallet", proof)
		}),
		"PATCH /wallets/{id}": one(func() sent {
			id, _ := s.unproven("a wallet to change")
			return s.mine("/wallets/"+id, apptest.Object{"address": s.h.Account("a changed wallet").Address.Hex()})
		}),
		"DELETE /wallets/{id}": one(func() sent {
			id, _ := s.unproven("a wallet to delete")
			return s.mine("/wallets/"+id, nil)
		}),
	}
	maps.Copy(out, s.bankAccountExchanges())

	return out
}

func (s *stage) bankAccountExchanges() map[string]func() []sent {
	made := func() string { return s.c.NewBankAccount("EUR", "000") }
	withReceiver := func(names apptest.Object) sent {
		body := apptest.Object{
			"email":          "emil@example.org",
			"countryIsoCode": "DE",
			"address":        address(),
			"dateOfBirth":    "1980-05-17T00:00:00Z",
		}
		maps.Copy(body, names)
		maps.Copy(body, regions()["sepa"])

		return s.mine("/bank-accounts/receiver", body)
	}

	return map[string]func() []sent{
		"POST /bank-accounts": func() (out []sent) {
			more := apptest.Object{"achSupport": true}

			for _, body := range regions() {
				body["receiver"] = s.c.Receiver

				if body["routingNumber"] != nil {
					other := maps.Clone(body)
					maps.Copy(other, more)
					out = append(out, s.mine("/bank-accounts", other))
					body["fedSupport"] = true
				}

				out = append(out, s.mine("/bank-accounts", body))
			}

			return out
		},
		"POST /bank-accounts/receiver": func() []sent {
			return []sent{
				withReceiver(apptest.Object{"type": "INDIVIDUAL", "firstName": "Emil", "lastName": "Keller"}),
				withReceiver(apptest.Object{"type": "COMPANY", "legalName": "Keller & Sohn", "dateOfBirth": nil}),
			}
		},
		"GET /bank-accounts/me": one(func() sent {
			return s.mine(
				"/bank-accounts/me?page=1&limit=20&receiver="+s.c.Receiver+"&currency=EUR&bankCountry=CH",
				nil,
			)
		}),
		"GET /bank-accounts/{id}": one(func() sent { return s.mine("/bank-accounts/"+s.account, nil) }),
		"PATCH /bank-accounts/{id}": one(func() sent {
			return s.mine("/bank-accounts/"+made(), apptest.Object{"bankName": "House bank"})
		}),
		"DELETE /bank-accounts/{id}": one(func() sent { return s.mine("/bank-accounts/"+made(), nil) }),
	}
}
