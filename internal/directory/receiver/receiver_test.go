//go:build !nosandbox

package receiver_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	dt "slipway/internal/directory/directorytest"
	"slipway/internal/directory/receiver"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

func each(t *testing.T, test func(t *testing.T, w *dt.World)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, dt.New(t, d)) })
}

const person = `{"type":"INDIVIDUAL","email":"ada@example.com","firstName":"Ada","middleName":"K.","lastName":"Lovelace","dateOfBirth":"1990-12-10T00:00:00Z",` +
	`"address":{"addressLine1":"St James's Square 12","postCode":"SW1Y 4LB","city":"London"},"countryIsoCode":"GB","phoneNumber":"+44 20 7946 0000","taxId":"GB-1"}`

func TestReceiverComesBackAsTheInterfaceShowsIt(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		a := w.Do(dt.A, "POST", "/receivers", person).Status(201)
		for path, want := range map[string]any{
			"type":                       "INDIVIDUAL",
			"firstName":                  "Ada",
			"middleName":                 "K.",
			"lastName":                   "Lovelace",
			"email":                      "ada@example.com",
			"address.addressLine1":       "St James's Square 12",
			"address.postCode":           "SW1Y 4LB",
			"address.city":               "London",
			"country.isoCode3166":        "GB",
			"country.isoCode3166_alpha3": "GBR",
			"country._id":                "cty_gb",
			"country.iban":               true,
			"isSelf":                     false,
			"isHidden":                   false,
			"owner._id":                  "usr_a",
			"organisation._id":           "org_a",
			"dateOfBirth":                "1990-12-10T00:00:00.000Z",
			"phoneNumber":                "+44 20 7946 0000",
			"taxId":                      "GB-1",
		} {
			t.Run(path, func(t *testing.T) {
				require.Equal(t, want, a.Get(path))
			})
		}

		require.Equal(t, []any{}, a.Get("wallets"))
		require.Equal(t, []any{}, a.Get("bankAccounts"))
		require.Equal(t, a.Raw, w.Do(dt.A, "GET", "/receivers/"+a.Text("_id"), "").Status(200).Raw)
		text := w.Do(
			dt.A,
			"POST",
			"/receivers",
			`{"type":"COMPANY","email":"b@example.com","legalName":"B SA","address":"Rue 1","countryIsoCode":"FR"}`,
		).Status(201)
		require.Equal(t, "Rue 1", text.Text("address.addressLine1"), "a text is the first line")
	})
}

// A name is stored as it is seen, however it was written: in a body, in an address, and in what is looked for.
func TestNamesAreNormalisedWhereTheyEnter(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		a := w.Do(
			dt.A,
			"POST",
			"/receivers",
			`{"type":"COMPANY","email":"a@example.com","legalName":"\ufeffBa\u0308renstark\u00a0 \u00d6\u00adl\u200b A\u2060G",`+
				`"address":{"addressLine1":"Stra\u00adße  1","city":"Zu\u0308ri\u200dch"},"countryIsoCode":"CH"}`,
		).Status(201)

		require.Equal(t, "Bärenstark Öl AG", a.Text("legalName"))
		require.Equal(t, "Straße 1", a.Text("address.addressLine1"))
		require.Equal(t, "Zürich", a.Text("address.city"))

		found := w.Do(
			dt.A,
			"GET",
			"/receivers/me?isSelf=false&searchTerm="+url.QueryEscape("ba\u0308ren\u200bstark"),
			"",
		).Status(
			200,
		)
		require.EqualValues(t, 1, found.Get("total"))

		w.Do(dt.A, "PATCH", "/receivers/"+a.Text("_id"), `{"legalName":"\u200b \u2060"}`).
			Refused(422, fault.Required, "/legalName")
		w.Do(dt.A, "PATCH", "/receivers/"+a.Text("_id"), `{"legalName":"A\u202eB"}`).
			Refused(422, fault.FormatInvalid, "/legalName")
	})
}

// People with one name leave the other one empty. Whoever says nothing of a name, or writes a sign in its place, is
// asked.
func TestAPersonMayHaveOneName(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		const rest = `"email":"a@example.com","address":"Jalan 1","countryIsoCode":"ID"`

		add := func(names string) *dt.Answer {
			return w.Do(dt.A, "POST", "/receivers", `{"type":"INDIVIDUAL",`+names+rest+`}`)
		}

		last := add(`"firstName":"","lastName":"Suharto",`).Status(201)
		require.Nil(t, last.Get("firstName"))
		require.Equal(t, "Suharto", last.Text("lastName"))
		require.Equal(t, "Sukarno", add(`"firstName":"Sukarno","lastName":" ",`).Status(201).Text("firstName"))

		add(`"firstName":"","lastName":"",`).
			Refused(422, fault.Required, "/firstName").Refused(422, fault.Required, "/lastName")
		add(`"firstName":"\u200b","lastName":" ",`).Refused(422, fault.Required, "/lastName")
		add(`"lastName":"Suharto",`).Refused(422, fault.Required, "/firstName")
		add(`"firstName":"Suharto",`).Refused(422, fault.Required, "/lastName")
		add(`"firstName":"Suharto","lastName":null,`).Refused(422, fault.Required, "/lastName")

		for _, sign := range []string{".", "-", "–", "..."} {
			add(`"firstName":"`+sign+`","lastName":"Suharto",`).Refused(422, fault.FormatInvalid, "/firstName")
		}

		path := "/receivers/" + last.Text("_id")
		w.Do(dt.A, "PATCH", path, `{"lastName":""}`).Refused(422, fault.Required, "/lastName")
		w.Do(dt.A, "PATCH", path, `{"lastName":null}`).Refused(422, fault.Required, "/firstName")
		w.Do(dt.A, "PATCH", path, `{"firstName":"Haji","lastName":""}`).Status(200)
		require.EqualValues(t, 1, w.Do(dt.A, "GET", "/receivers/me?searchTerm=haji", "").Get("total"))

		ids, err := receiver.WithName(t.Context(), w.DB, "org_a", "HAJI")
		require.NoError(t, err)
		require.Equal(t, []string{last.Text("_id")}, ids)
	})
}

// One rule for mail addresses in all places (package mailbox): an address is kept in ASCII, and shown as it is read.
func TestMailAddressesOfOtherAlphabets(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		add := func(email string) *dt.Answer {
			return w.Do(dt.A, "POST", "/receivers",
				`{"type":"COMPANY","email":"`+email+`","legalName":"A AG","address":"Gasse 1","countryIsoCode":"CH"}`)
		}

		for _, written := range []string{
			"buch@müller.example",
			"buch@XN--MLLER-KVA.example",
			" buch@mu\u0308ller.example",
		} {
			require.Equal(t, "buch@müller.example", add(written).Status(201).Text("email"), "%+q", written)
		}

		for _, refused := range []string{"jörg@example.org", "x@[127.0.0.1]", "x@ex_ample.org", "x@127.0.0.1"} {
			add(refused).Refused(422, fault.FormatInvalid, "/email")
		}

		stored, err := db.Value[int64](t.Context(), w.DB,
			"SELECT count(*) FROM receivers WHERE lower(email) = 'buch@xn--mller-kva.example'")
		require.NoError(t, err)
		require.EqualValues(t, 3, stored)

		found := w.Do(dt.A, "GET", "/receivers/me?searchTerm="+url.QueryEscape("MÜLLER.example"), "").Status(200)
		require.EqualValues(t, 3, found.Get("total"))

		ids, err := receiver.WithEmail(t.Context(), w.DB, "org_a", "Buch@Müller.example")
		require.NoError(t, err)
		require.Len(t, ids, 3)

		shown := w.Do(dt.A, "GET", "/receivers/"+ids[0], "").Status(200).Text("email")
		w.Do(dt.A, "PATCH", "/receivers/"+ids[0], `{"email":"`+shown+`","legalName":"B AG"}`).Status(200)
	})
}

func TestRulesOfEachType(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		bad := func(body string) *dt.Answer { return w.Do(dt.A, "POST", "/receivers", body) }
		bad(`{}`).Refused(422, fault.Required, "/type").Refused(422, fault.Required, "/email")
		bad(`{"type":"INDIVIDUAL","email":"a@b.ch"}`).Refused(422, fault.Required, "/firstName").Refused(
			422,
			fault.Required,
			"/lastName",
		).
			Refused(422, fault.Required, "/address").Refused(422, fault.Required, "/countryIsoCode")
		bad(`{"type":"COMPANY","email":"a@b.ch","firstName":"A","lastName":"B"}`).Refused(
			422,
			fault.Required,
			"/legalName",
		)
		bad(`{"type":"individual","email":"a@b.ch"}`).Refused(422, fault.NotInEnum, "/type")

		for body, want := range map[string][2]string{
			`"countryIsoCode":"XK"`:                          {"/countryIsoCode", string(fault.CountryUnknown)},
			`"countryIsoCode":"AN"`:                          {"/countryIsoCode", string(fault.CountryUnknown)},
			`"countryIsoCode":"CHE"`:                         {"/countryIsoCode", string(fault.FormatInvalid)},
			`"countryIsoCode":"ch"`:                          {"/countryIsoCode", string(fault.FormatInvalid)},
			`"email":"nobody"`:                               {"/email", string(fault.FormatInvalid)},
			`"email":"A <a@b.ch>"`:                           {"/email", string(fault.FormatInvalid)},
			`"email":"a@b"`:                                  {"/email", string(fault.FormatInvalid)},
			`"email":"a@b.ch\r\nBcc: x@y.z"`:                 {"/email", string(fault.FormatInvalid)},
			`"legalName":"A\nB"`:                             {"/legalName", string(fault.FormatInvalid)},
			`"legalName":"A\u202eB"`:                         {"/legalName", string(fault.FormatInvalid)},
			`"dateOfBirth":"2999-01-01T00:00:00Z"`:           {"/dateOfBirth", string(fault.OutOfRange)},
			`"address":{"addressLine1":"x","zip":"1"}`:       {"/address/zip", string(fault.UnknownField)},
			`"address":{"addressLine1":7}`:                   {"/address/addressLine1", string(fault.TypeMismatch)},
			`"address":"` + strings.Repeat("x", 141) + `"`:   {"/address", string(fault.TooLong)},
			`"legalName":"` + strings.Repeat("x", 141) + `"`: {"/legalName", string(fault.TooLong)},
			`"phoneNumber":"call me"`:                        {"/phoneNumber", string(fault.FormatInvalid)},
		} {
			t.Run(body, func(t *testing.T) {
				name, _, _ := strings.Cut(body, ":")
				full := map[string]string{
					`"type"`:           `"COMPANY"`,
					`"email"`:          `"a@b.ch"`,
					`"legalName"`:      `"X"`,
					`"address"`:        `"Y"`,
					`"countryIsoCode"`: `"CH"`,
				}
				delete(full, name)

				parts := []string{body}
				for k, v := range full {
					parts = append(parts, k+":"+v)
				}

				a := bad("{" + strings.Join(parts, ",") + "}")
				require.Contains(t, []int{400, 422}, a.Code)
				a.Refused(a.Code, fault.Code(want[1]), want[0])
			})
		}
	})
}

func TestOrganisationMustBeApprovedAndMemberMayWrite(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		w.Do(dt.Pending, "POST", "/receivers", person).Refused(403, fault.OrgNotApproved, "")
		w.Do(dt.Viewer, "POST", "/receivers", person).Refused(403, fault.RoleRequired, "")
		w.Do(dt.Viewer, "DELETE", "/receivers/"+w.Receiver(dt.A, "X"), "").Refused(403, fault.RoleRequired, "")
		w.Do(dt.Homeless, "POST", "/receivers", person).Refused(403, fault.NoOrganisation, "")
		w.Do(dt.Viewer, "GET", "/receivers/me", "").Status(200)
	})
}

// N-07: an organisation has one self-receiver, however often it is made.
func TestSelfReceiverIsUnique(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		var wg sync.WaitGroup

		errs := make([]error, 50)
		for i := range errs {
			wg.Go(func() {
				errs[i] = w.DB.Write(context.Background(), func(tx *db.Tx) error {
					return receiver.CreateSelf(context.Background(), tx, "org_new", receiver.Own{
						Type:      receiver.Individual,
						FirstName: "A",
						LastName:  "B",
						Email:     "a@b.ch",
					})
				})
			})
		}

		wg.Wait()
		require.NoError(t, errors.Join(errs...))
		n, err := db.Value[int64](
			context.Background(),
			w.DB,
			"SELECT count(*) FROM receivers WHERE organisation = 'org_new'",
		)
		require.NoError(t, err)
		require.EqualValues(t, 1, n)
		self := w.Self(dt.A)
		w.Do(dt.A, "DELETE", "/receivers/"+self, "").Refused(409, fault.ReceiverSelf, "")
		w.Do(dt.A, "PATCH", "/receivers/"+self, `{"legalName":"Somebody else"}`).Refused(409, fault.ReceiverSelf, "")
		w.Do(dt.A, "PATCH", "/receivers/"+self, `{"type":"INDIVIDUAL"}`).Refused(409, fault.ReceiverSelf, "")
		a := w.Do(
			dt.A,
			"PATCH",
			"/receivers/"+self,
			`{"address":{"addressLine1":"Bahnhofstrasse 1","postCode":"8001","city":"Zürich"},"phoneNumber":"+41441234567"}`,
		).Status(200)
		require.Equal(t, "Zürich", a.Text("address.city"))
		require.Equal(t, true, a.Get("isSelf"))
	})
}

// Z-04: fields that are decided here cannot be sent, in any spelling.
func TestRequestsCannotSetWhatIsDecidedHere(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := w.Receiver(dt.A, "X")

		before := w.Do(dt.A, "GET", "/receivers/"+id, "").Raw
		for _, field := range []string{"isSelf", "IsHidden", "ISHIDDEN", "owner", "organisation", "_id", "wallets", "bankAccounts", "bankingPartnerId", "bankingPartnerLinkedClientId", "country", "version", "iſHidden"} {
			w.Do(dt.A, "PATCH", "/receivers/"+id, `{"`+field+`":true}`).NotTaken("/" + field)

			w.Do(dt.A, "POST", "/receivers", strings.Replace(person, "{", `{"`+field+`":true,`, 1)).Refused(
				422,
				fault.UnknownField,
				"/"+field,
			)
		}

		w.Do(dt.A, "PATCH", "/receivers/"+id, `{"email":"a@b.ch","email":"c@d.ch"}`).Refused(
			400,
			fault.DuplicateField,
			"/email",
		)
		require.Equal(t, before, w.Do(dt.A, "GET", "/receivers/"+id, "").Raw)
	})
}

// Z-02: another tenant's identifier is answered as an unknown one is.
func TestAnotherTenantsReceiverIsUnknown(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		id := w.Receiver(dt.B, "B")

		none := "rcv_" + strings.Repeat("0", 26)
		for _, r := range [][2]string{{"GET", ""}, {"PATCH", `{"isHidden":true}`}, {"DELETE", ""}} {
			foreign := w.Do(dt.A, r[0], "/receivers/"+id, r[1]).Refused(404, fault.NotFoundCode, "")
			unknown := w.Do(dt.A, r[0], "/receivers/"+none, r[1]).Refused(404, fault.NotFoundCode, "")
			require.Equal(t, strings.ReplaceAll(unknown.Raw, none, "ID"), strings.ReplaceAll(foreign.Raw, id, "ID"))
		}

		found, err := receiver.ByIDs(context.Background(), w.DB, "org_a", []string{id, none, w.Self(dt.A)})
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.NotContains(t, w.Do(dt.A, "GET", "/receivers/me", "").Raw, id)
		w.Do(dt.B, "GET", "/receivers/"+id, "").Status(200)
	})
}

func TestDeletedReceiverIsFoundByNothing(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		ctx := context.Background()
		id := w.Receiver(dt.A, "X")
		w.Do(dt.A, "DELETE", "/receivers/"+id, "").Status(200)

		for _, method := range []string{"GET", "DELETE"} {
			w.Do(dt.A, method, "/receivers/"+id, "").Refused(404, fault.NotFoundCode, "")
		}

		w.Do(dt.A, "PATCH", "/receivers/"+id, `{}`).Refused(404, fault.NotFoundCode, "")
		_, err := receiver.ByID(ctx, w.DB, "org_a", id)
		require.True(t, fault.Is(err, fault.NotFoundCode))
		found, err := receiver.ByIDs(ctx, w.DB, "org_a", []string{id})
		require.NoError(t, err)
		require.Empty(t, found)
		found, err = receiver.WithDeleted(ctx, w.DB, "org_a", []string{id})
		require.NoError(t, err)
		require.False(t, found[id].DeletedAt.IsZero())
		_, address := w.Key()
		w.Do(dt.A, "POST", "/wallets", `{"address":"`+address+`","network":"net_base","receiver":"`+id+`"}`).Refused(
			422,
			fault.ReceiverUnknown,
			"/receiver",
		)
	})
}

// A search finds what contains each of its words, whatever the case of letters; what was changed is found as it is now,
// and what is sealed is not found.
func TestReceiversAreSearched(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		one := w.Receiver(dt.A, "Ölmühle")
		w.Receiver(dt.A, "Other")
		w.Receiver(dt.B, "Ölmühle")

		found := func(query string) any {
			return w.Do(dt.A, "GET", "/receivers/me?isSelf=false"+query, "").Status(200).Get("total")
		}
		search := func(term string) any { return found("&searchTerm=" + url.QueryEscape(term)) }

		for _, term := range []string{"ÖLMÜ", "o\u0308lmu\u0308hle", "olmuhle", "öl\u00admühle", "OLMÜHLE  rcv_"} {
			require.EqualValues(t, 1, search(term), "%+q", term)
		}

		require.EqualValues(t, 1, search(one))
		require.EqualValues(t, 0, search("ölmühle other"))
		require.EqualValues(t, 0, search("%"))
		require.EqualValues(t, 2, found("&searchTerm=+"))

		w.Do(dt.A, "PATCH", "/receivers/"+one, `{"legalName":"Windmühle"}`).Status(200)
		require.EqualValues(t, 0, search("ölmühle"))
		require.EqualValues(t, 1, search("windmühle rcv_"))

		kind := w.Do(dt.A, "GET", "/receivers/"+one, "").Status(200).Text("type")
		country := w.Do(dt.A, "GET", "/receivers/"+one, "").Status(200).Get("country").(map[string]any)["isoCode3166"]
		require.EqualValues(t, 2, found("&type="+kind))
		require.EqualValues(t, 2, found(fmt.Sprintf("&countryIsoCode[]=%s&countryIsoCode[]=JP", country)))
		require.EqualValues(t, 0, found("&countryIsoCode[]=JP"))
		w.Do(
			dt.A,
			"GET",
			"/receivers/me?countryIsoCode[]=jp",
			"",
		).Refused(
			422,
			fault.FormatInvalid,
			"?countryIsoCode[]",
		)
	})
}

func TestListFiltersAndBothPagingStyles(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		var ids []string
		for range 5 {
			ids = append(ids, w.Receiver(dt.A, "X"))
		}

		w.Do(dt.A, "PATCH", "/receivers/"+ids[0], `{"isHidden":true}`).Status(200)
		total := func(query string) any { return w.Do(dt.A, "GET", "/receivers/me"+query, "").Status(200).Get("total") }
		require.EqualValues(t, 5, total(""), "four shown ones and the organisation's own")
		require.EqualValues(t, 5, total("?isHidden=false"))
		require.EqualValues(t, 6, total("?isHidden=true"))
		require.EqualValues(t, 1, total("?isSelf=true"))
		require.EqualValues(t, 4, total("?isSelf=false"))
		require.EqualValues(t, 0, total("?paymentType=FIAT"))
		require.EqualValues(t, 0, total("?paymentType=CRYPTO"))
		page := w.Do(dt.A, "GET", "/receivers/me?isSelf=false&limit=2&page=2", "").Status(200)
		require.Equal(t, page.Raw, w.Do(dt.A, "GET", "/receivers/me?isSelf=false&limit=2&offset=2", "").Status(200).Raw)
		require.Equal(t, ids[2], page.List("results")[0].(map[string]any)["_id"])
		require.EqualValues(t, 2, page.Get("page_total"))
		require.Nil(t, page.Get("nextCursor"))
		first := w.Do(dt.A, "GET", "/receivers/me?isSelf=false&limit=2", "").Status(200)
		w.Receiver(dt.A, "newer")
		next := w.Do(dt.A, "GET", "/receivers/me?isSelf=false&limit=2&cursor="+first.Text("nextCursor"), "").Status(200)
		require.Equal(
			t,
			ids[2],
			next.List("results")[0].(map[string]any)["_id"],
			"a row that comes in between moves nothing",
		)
		w.Do(dt.A, "GET", "/receivers/me?page=2&offset=2", "").Refused(422, fault.PagingConflict, "?page")
		w.Do(dt.A, "GET", "/receivers/me?isSelf=yes", "").Refused(422, fault.FormatInvalid, "?isSelf")
		w.Do(dt.A, "GET", "/receivers/me?paymentType=CASH", "").Refused(422, fault.NotInEnum, "?paymentType")
	})
}

func TestChangeTouchesOnlyWhatIsGiven(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		a := w.Do(dt.A, "POST", "/receivers", person).Status(201)
		w.Advance(time.Second)
		w.Do(dt.A, "PATCH", "/receivers/"+a.Text("_id"), `{"city":"x"}`).Refused(422, fault.UnknownField, "/city")
		b := w.Do(dt.A, "PATCH", "/receivers/"+a.Text("_id"), `{"lastName":"Byron","middleName":""}`).Status(200)
		require.Equal(t, "Byron", b.Text("lastName"))
		require.Nil(t, b.Get("middleName"))
		require.Equal(t, a.Get("address"), b.Get("address"))
		require.Equal(t, a.Get("createdAt"), b.Get("createdAt"))
		require.NotEqual(t, a.Get("updatedAt"), b.Get("updatedAt"))

		w.Do(dt.A, "PATCH", "/receivers/"+a.Text("_id"), `{"type":"COMPANY"}`).Refused(
			422,
			fault.Required,
			"/legalName",
		)

		w.Do(dt.A, "PATCH", "/receivers/"+a.Text("_id"), `{"countryIsoCode":"ZZ"}`).Refused(
			422,
			fault.CountryUnknown,
			"/countryIsoCode",
		)

		detail, err := db.Value[string](
			context.Background(),
			w.DB,
			"SELECT detail FROM audit_log WHERE action = 'receiver.change' AND object = ?",
			a.Text("_id"),
		)

		require.NoError(t, err)
		require.Equal(t, "name", detail, "the audit line names the field and not the value")
	})
}

// A name that no bank can write is said when the receiver is made, with a proposal where there is one. It refuses
// nothing: tokens are paid to any name.
func TestANameThatNoBankCanWriteIsSaid(t *testing.T) {
	each(t, func(t *testing.T, w *dt.World) {
		for name, want := range map[string]map[string]any{
			"100% Pure AG": {
				"pointer":  "/legalName",
				"code":     "NAME_UNWRITABLE",
				"message":  `A payment by bank cannot carry %. Write "100 percent Pure AG", for example.`,
				"proposal": "100 percent Pure AG",
			},
			"北京公司": {
				"pointer":  "/legalName",
				"code":     "NAME_UNWRITABLE",
				"message":  "A payment by bank cannot carry 北京公司. Write it in Latin letters.",
				"proposal": nil,
			},
			"Dmitriy B\u043erovkin": {
				"pointer":  "/legalName",
				"code":     "NAME_MIXED",
				"message":  "\"B\u043erovkin\" has letters of several scripts that look alike. Write \"Dmitriy Borovkin\", for example.",
				"proposal": "Dmitriy Borovkin",
			},
			"Müller & Söhne":   nil,
			"Боровкин Дмитрий": nil,
		} {
			a := w.Do(dt.A, "POST", "/receivers", fmt.Sprintf(
				`{"type":"COMPANY","email":"a@example.com","legalName":%q,"address":"Rue 1","countryIsoCode":"FR"}`,
				name,
			)).Status(201)

			remarks := []any{}
			if want != nil {
				remarks = append(remarks, want)
			}

			require.Equal(t, remarks, a.Get("remarks"), name)
			require.Equal(t, remarks, w.Do(dt.A, "GET", "/receivers/"+a.Text("_id"), "").Status(200).Get("remarks"))
		}

		town := w.Do(
			dt.A,
			"POST",
			"/receivers",
			`{"type":"COMPANY","email":"a@example.com","legalName":"A","countryIsoCode":"CN",`+
				`"address":{"addressLine1":"Road 1","city":"北京"}}`,
		).Status(
			201,
		)
		require.Contains(t, town.Raw, `"pointer":"/address/city"`)
	})
}
