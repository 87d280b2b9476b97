//go:build !nosandbox

package app_test

import (
	"bytes"
	"encoding/base64"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/identity/identitytest"
)

// scanned is a picture of one point.
const scanned = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// applicantVisit is an applicant's browser on the hosted form.
type applicantVisit struct {
	t      *testing.T
	h      *apptest.Harness
	cookie *http.Cookie
}

func (v *applicantVisit) do(method, path, contentType, body string) *httptest.ResponseRecorder {
	v.t.Helper()

	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.RemoteAddr = "192.0.2.1:1234"

	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}

	if v.cookie != nil {
		r.AddCookie(v.cookie)
	}

	w := httptest.NewRecorder()
	v.h.App.Handler.ServeHTTP(w, r)

	return w
}

func (v *applicantVisit) post(path string, answers url.Values) *httptest.ResponseRecorder {
	v.t.Helper()
	return v.do("POST", path, "application/x-www-form-urlencoded", answers.Encode())
}

// upload hands a file in.
func (v *applicantVisit) upload(kind string, content []byte) *httptest.ResponseRecorder {
	v.t.Helper()
	return v.hand(nil, map[string][]byte{kind: content})
}

// hand sends the form as the button for files does: the answers, and the files by their kinds.
func (v *applicantVisit) hand(answers url.Values, files map[string][]byte) *httptest.ResponseRecorder {
	v.t.Helper()

	var b bytes.Buffer

	form := multipart.NewWriter(&b)
	for name := range answers {
		require.NoError(v.t, form.WriteField(name, answers.Get(name)))
	}

	for kind, content := range files {
		part, err := form.CreateFormFile(kind, "scan.png")
		require.NoError(v.t, err)
		_, err = part.Write(content)
		require.NoError(v.t, err)
	}

	require.NoError(v.t, form.Close())

	return v.do("POST", "/verify/documents", form.FormDataContentType(), b.String())
}

// A file that is handed in takes the answers with it that stand in the form, and so does sending. What is wrong with an
// answer loses neither the file nor the others.
func TestHandingInKeepsTheAnswers(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		h := apptest.New(t, apptest.Config{}, url)
		restartWith(h, "SLIPWAY_IDV__PROVIDER=manual")

		c := h.Person("Ada")
		c.StaySignedIn()
		v := visitForm(t, h, c)
		picture, err := base64.StdEncoding.DecodeString(scanned)
		require.NoError(t, err)

		w := v.hand(answers(), map[string][]byte{"REGISTER": picture, "OWNERS": picture})
		require.Equal(t, 303, w.Code, w.Body)

		page := v.do("GET", "/verify/form", "", "").Body.String()
		require.Contains(t, page, `value="Seestrasse 1"`)
		require.Equal(t, 2, strings.Count(page, "One file handed in"))

		wrong := answers()
		wrong.Set("postCode", strings.Repeat("9", 500))
		wrong.Set("street", "Bahnhofstrasse 2")
		w = v.hand(wrong, map[string][]byte{"SIGNATORY": picture})
		require.Equal(t, 422, w.Code)
		require.Contains(t, w.Body.String(), `value="Bahnhofstrasse 2"`)
		require.Equal(t, 3, strings.Count(w.Body.String(), "One file handed in"))

		w = v.hand(answers(), nil)
		require.Equal(t, 422, w.Code)
		require.Contains(t, w.Body.String(), "Choose a file first.")

		require.Equal(t, 303, v.hand(nil, map[string][]byte{"ADDRESS": picture}).Code)

		last := answers()
		last.Set("street", "Talstrasse 3")
		require.Equal(t, 303, v.post("/verify/send", last).Code)
		require.Contains(t, v.do("GET", "/verify/form", "", "").Body.String(), "We have everything")
	})
}

// visitForm opens the hosted form with a new token of the person's organisation.
func visitForm(t *testing.T, h *apptest.Harness, c *apptest.Client) *applicantVisit {
	t.Helper()

	var token struct {
		Token string `json:"token"`
		URL   string `json:"url"`
	}

	c.Do("POST", "/idv/get-applicant-token", object{"type": "organisation", "organisationId": c.Org}).
		OK(200).Into(&token)
	require.True(t, strings.HasSuffix(token.URL, "/verify#"+token.Token))

	v := &applicantVisit{t: t, h: h}
	w := v.post("/verify/open", url.Values{"code": {token.URL}})
	require.Equal(t, 303, w.Code, w.Body)
	require.Equal(t, 410, v.post("/verify/open", url.Values{"code": {token.URL}}).Code, "a token works once")

	v.cookie = w.Result().Cookies()[0]
	require.True(t, v.cookie.HttpOnly)
	require.Equal(t, http.SameSiteStrictMode, v.cookie.SameSite)

	return v
}

// answers are a company's.
func answers() url.Values {
	return url.Values{
		"registrationNumber": {"CHE-123.456.789"},
		"country":            {"CHE"},
		"street":             {"Seestrasse 1"},
		"postCode":           {"8002"},
		"city":               {"Zürich"},
		"representatives":    {"Ada Muster"},
		"owners":             {"Ada Muster, Bea Beispiel"},
	}
}

// sendForm fills everything in and sends it.
func sendForm(t *testing.T, v *applicantVisit) {
	t.Helper()

	picture, err := base64.StdEncoding.DecodeString(scanned)
	require.NoError(t, err)
	require.Equal(t, 303, v.post("/verify/form", answers()).Code)

	for _, kind := range []string{"REGISTER", "OWNERS", "SIGNATORY", "ADDRESS"} {
		w := v.upload(kind, picture)
		require.Equal(t, 303, w.Code, w.Body)
	}

	w := v.post("/verify/send", nil)
	require.Equal(t, 303, w.Code, w.Body)
}

// reviewView is what tests look at of a case.
type reviewView struct {
	ID        string            `json:"_id"`
	Status    string            `json:"status"`
	Screening string            `json:"screening"`
	Proposal  string            `json:"proposal"`
	Basis     int64             `json:"basis"`
	Form      map[string]string `json:"form"`
	Checklist []struct {
		Point string `json:"point"`
	} `json:"checklist"`
	Documents []struct {
		Key  string `json:"documentStorageKey"`
		Kind string `json:"kind"`
	} `json:"documents"`
}

// two are two of the platform's people.
type two struct{ first, second *apptest.Client }

func staff(h *apptest.Harness) two {
	t := two{h.Person("Sina"), h.Person("Sven")}
	for _, c := range []*apptest.Client{t.first, t.second} {
		c.Staff("staff")
		c.StaySignedIn()
	}

	return t
}

func caseOf(c *apptest.Client) (v reviewView) {
	var list struct {
		Results []reviewView `json:"results"`
	}

	c.Do("GET", "/operations/reviews?status[]=SUBMITTED", nil).OK(200).Into(&list)

	if len(list.Results) > 0 {
		c.Do("GET", "/operations/reviews/"+list.Results[0].ID, nil).OK(200).Into(&v)
	}

	return v
}

func decide(c *apptest.Client, v reviewView, decision string, basis int64) apptest.Answer {
	return c.Do("POST", "/operations/reviews/"+v.ID+"/decision", object{
		"decision": decision,
		"comment":  "The register is too old.",
		"basis":    basis,
	})
}

// A company is verified by hand from the first form to APPROVED, with a rejection between: by two people, on what both
// have looked at, and by nobody alone.
func TestCompanyIsVerifiedByHand(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		h := apptest.New(t, apptest.Config{}, url)
		restartWith(h, "SLIPWAY_IDV__PROVIDER=manual")

		c := h.Person("Ada")
		c.StaySignedIn()
		o := onboarding{t, h, c}
		people := staff(h)

		v := visitForm(t, h, c)
		require.Contains(t, v.do("GET", "/verify/form", "", "").Body.String(), "Verify your company")
		require.Equal(t, 422, v.post("/verify/send", nil).Code, "nothing is filled in")
		require.GreaterOrEqual(t, v.upload("REGISTER", []byte("no picture")).Code, 400)
		require.Empty(t, caseOf(people.first).ID)
		sendForm(t, v)
		require.Equal(t, 409, v.post("/verify/form", answers()).Code, "it was sent")
		h.RunJobs()
		require.Equal(t, "SUBMITTED", o.status())

		found := caseOf(people.first)
		require.Equal(t, "CLEAR", found.Screening)
		require.Equal(t, "Zürich", found.Form["city"])
		require.Equal(t, "Ada AG", found.Form["companyName"])
		require.Len(t, found.Documents, 4)

		decide(people.first, found, "APPROVE", found.Basis).Refused(409, "REVIEW_INCOMPLETE")
		decide(people.first, found, "REJECT_RETRY", found.Basis).OK(200)
		decide(people.first, found, "REJECT_RETRY", found.Basis).Refused(403, "SECOND_PERSON_REQUIRED")
		require.Equal(t, "SUBMITTED", o.status())

		people.second.Do("POST", "/operations/reviews/"+found.ID+"/comments", object{"comment": "Is it?"}).OK(200)
		decide(people.second, found, "REJECT_RETRY", found.Basis).Refused(409, "REVIEW_CHANGED")

		found = caseOf(people.second)
		require.Empty(t, found.Proposal, "a proposal about something else counts no more")
		decide(people.first, found, "REJECT_RETRY", found.Basis).OK(200)
		identitytest.TooNew(t, h.DB(), people.second.User)
		decide(people.second, found, "REJECT_RETRY", found.Basis).Refused(403, "OPERATOR_TOO_NEW")
		h.Exec("UPDATE staff_grants SET granted_at = 1")
		decide(people.second, found, "REJECT_RETRY", found.Basis).OK(200)
		h.RunJobs()
		require.Equal(t, "REJECTED", o.status())

		v = visitForm(t, h, c)
		require.Contains(t, v.do("GET", "/verify/form", "", "").Body.String(), "The register is too old.")
		sendForm(t, v)
		h.RunJobs()
		require.Equal(t, "SUBMITTED", o.status())

		found = caseOf(people.first)
		for _, p := range found.Checklist {
			people.first.Do("PUT", "/operations/reviews/"+found.ID+"/checklist/"+p.Point, object{"done": true}).OK(200)
		}

		found = caseOf(people.first)
		decide(people.first, found, "APPROVE", found.Basis).OK(200)
		require.Equal(t, "SUBMITTED", o.status(), "one person alone approves nobody")

		path := "/operations/reviews/" + found.ID + "/documents/" + found.Documents[0].Key
		require.True(t, strings.HasPrefix(people.second.Do("GET", path, nil).OK(200).Raw, "\x89PNG"))
		decide(people.second, found, "APPROVE", found.Basis).OK(200)
		h.RunJobs()
		require.Equal(t, "APPROVED", o.status())
		decide(people.second, found, "REJECT_FINAL", found.Basis).Refused(409, "REVIEW_NOT_OPEN")

		c.Do("GET", "/documents/"+found.Documents[0].Key, nil).Refused(404, "NOT_FOUND")
		c.Do("GET", "/operations/reviews/"+found.ID, nil).Refused(403, "ROLE_REQUIRED")
		h.DB().Clock().Advance(3 * time.Hour)
		require.Equal(t, 410, v.do("GET", "/verify/form", "", "").Code, "a visit ends")
		require.Zero(t, h.Count("SELECT count(*) FROM review_cases WHERE personal LIKE '%Zürich%'"), "it is sealed")
	})
}

// Each level has its own provider: companies by hand, people by the outside's.
func TestProviderIsChosenByLevel(t *testing.T) {
	apptest.EachURL(t, func(t *testing.T, url string) {
		h := apptest.New(t, apptest.Config{}, url)
		restartWith(h, "SLIPWAY_IDV__COMPANY_PROVIDER=manual")

		c := h.Person("Ada")
		c.StaySignedIn()

		var company, person struct {
			ApplicantID string `json:"applicantId"`
		}

		c.Do("POST", "/idv/companies", nil).OK(200).Into(&company)
		require.True(t, strings.HasPrefix(company.ApplicantID, "rev_"))
		c.Do("POST", "/idv/users", nil).OK(200).Into(&person)
		require.False(t, strings.HasPrefix(person.ApplicantID, "rev_"))
		require.Contains(t, c.Do("POST", "/idv/get-applicant-token", object{"type": "user"}).OK(200).Raw, `"url":null`)
	})
}
