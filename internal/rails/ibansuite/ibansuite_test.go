//go:build !nosandbox

package ibansuite_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/secret"
	"slipway/internal/rails/ibansuite"
)

// answering is a client of a server that gives one answer.
func answering(t *testing.T, status int, body string) *ibansuite.Client {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.Equal(t, http.MethodPost, r.Method)
		require.Empty(t, r.URL.RawQuery, "neither key nor number may stand in an address")
		require.Equal(t, "the-key", r.PostFormValue("api_key"))
		require.Equal(t, "json", r.PostFormValue("format"))
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	c, err := ibansuite.NewClient(ibansuite.Config{URL: s.URL + "/clients/api/v4/iban/", Key: "the-key"})
	require.NoError(t, err)

	return c
}

func checks(codes ...string) string {
	names := []string{"chars", "account", "iban", "structure", "length", "country_support"}

	var parts []string
	for i, c := range codes {
		parts = append(parts, `"`+names[i]+`":{"code":"`+c+`","message":"says `+c+`"}`)
	}

	return `{"bank_data":[],"sepa_data":[],"validations":{` + strings.Join(parts, ",") + `},"errors":[]}`
}

func TestFirstFailedCheckIsTheFinding(t *testing.T) {
	for body, want := range map[string]int{
		checks("006", "004", "001", "005", "003", "007"): 0,
		checks("006", "002", "001", "005", "003", "007"): 0,
		checks("006", "004", "202", "005", "003", "007"): 202,
		checks("206", "004", "202", "205", "203", "207"): 206,
		checks("006", "004", "202", "205", "003", "207"): 207,
		checks("006", "004", "202", "205", "203", "007"): 203,
		checks("006", "201", "202", "005", "003", "007"): 202,
		// the older form
		`{"bank_data":null,"sepa_data":null,"validations":[{"code":1,"message":"ok"},{"code":"003","message":"ok"}],"errors":[]}`: 0,
	} {
		t.Run(body, func(t *testing.T) {
			a, err := answering(t, 200, body).Check(context.Background(), "DE89370400440532013000")
			require.NoError(t, err)
			require.Equal(t, want, a.Code)
			require.Equal(t, want != 0, a.Message != "")
			require.Empty(t, a.Doubt)
		})
	}

	a, err := answering(t, 200, checks("006", "201", "001", "005", "003", "007")).Check(
		context.Background(),
		"DK5000400440116243",
	)
	require.NoError(t, err)
	require.Zero(t, a.Code, "the account's own check digit does not make the IBAN wrong")
	require.Equal(t, "says 201", a.Doubt)
}

// All NO is a finding only of a bank that the provider knows, or of a country outside of SEPA.
func TestUnknownBankIsNoUnreachableBank(t *testing.T) {
	no := `"sepa_data":{"SCT":"NO","SCI":"no","SDD":"NO","COR1":null},"validations":{"iban":{"code":"001","message":"m"}},"errors":[]}`

	for _, c := range []struct {
		number, bank string
		want         ibansuite.SEPA
	}{
		{"PT50000201231234567890154", `{"bank_data":{"bic":null,"zip":1000},`, ibansuite.SEPA{}},
		{"PT50000201231234567890154", `{"bank_data":{"bic":"CGDIPTPL","zip":1000},`, ibansuite.SEPA{
			SCT: "NO",
			SCI: "NO",
			SDD: "NO",
		}},
		{"AE070331234567890123456", `{"bank_data":{"bic":""},`, ibansuite.SEPA{SCT: "NO", SCI: "NO", SDD: "NO"}},
	} {
		a, err := answering(t, 200, c.bank+no).Check(context.Background(), c.number)
		require.NoError(t, err)
		require.Equal(t, c.want, a.SEPA, c.bank)
	}
}

// What is no clear answer is an error, never a verdict.
func TestNothingButAnAnswerIsAnAnswer(t *testing.T) {
	for body, status := range map[string]int{
		checks("006", "004", "001", "005", "003", "007"):                                   500,
		checks("006", "004", "001", "005", "003", "008"):                                   200,
		checks("006", "004", "001", "005", "204", "007"):                                   200,
		checks("006", "004"):                                                               200,
		`{"bank_data":[],"sepa_data":[],"validations":[],"errors":[]}`:                     200,
		`{"bank_data":[],"sepa_data":[],"validations":[],"errors":[{"code":"999"}]}`:       200,
		`{"bank_data":[],"sepa_data":[],"validations":[],"errors":{"x":{"code":{"a":1}}}}`: 200,
		`<html>maintenance</html>`:                                                         200,
		``:                                                                                 200,
		`null`:                                                                             200,
		`[]`:                                                                               200,
		`{"validations":{"iban":{"code":"001"}},"bank_data":{}` + strings.Repeat(" ", 70<<10) + `}`: 200,
		`moved`: 302,
	} {
		t.Run(body, func(t *testing.T) {
			_, err := answering(t, status, body).Check(context.Background(), "DE89370400440532013000")
			require.Error(t, err)

			var trouble *ibansuite.Trouble
			require.False(t, errors.As(err, &trouble))
			require.NotContains(t, err.Error(), "DE89370400440532013000")
			require.NotContains(t, err.Error(), "the-key")
		})
	}
}

func TestTroubleOfOurAccountSaysNothingOfTheIBAN(t *testing.T) {
	for _, code := range []string{"301", "302", "303", "304", "305"} {
		_, err := answering(
			t,
			200,
			`{"bank_data":[],"sepa_data":[],"validations":[],"errors":[{"code":"`+code+`","message":"m"}]}`,
		).Check(context.Background(), "XX")

		var trouble *ibansuite.Trouble
		require.ErrorAs(t, err, &trouble)
		require.Equal(t, "m", trouble.Message)
		require.Contains(t, err.Error(), code)
	}
}

func TestTroubleOfOurAccountIsFoundAmongOtherErrors(t *testing.T) {
	for _, errs := range []string{
		`[{"code":"201","message":"a"},{"code":"302","message":"b"}]`,
		`[{"code":"302","message":"b"},{"code":"201","message":"a"}]`,
		`{"x":{"code":"302","message":"b"},"y":{"code":"201","message":"a"}}`,
	} {
		_, err := answering(t, 200, `{"validations":[],"errors":`+errs+`}`).Check(context.Background(), "XX")

		var trouble *ibansuite.Trouble
		require.ErrorAs(t, err, &trouble, errs)
		require.Equal(t, "b", trouble.Message)
	}

	_, err := answering(t, 200, `{"validations":[],"errors":[{"code":"201","message":"a"}]}`).Check(
		context.Background(),
		"XX",
	)
	require.ErrorContains(t, err, "201")
}

func TestASilentProviderIsGivenUp(t *testing.T) {
	hold := make(chan struct{})

	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hold }))
	defer s.Close()
	defer close(hold)
	c, err := ibansuite.NewClient(ibansuite.Config{URL: s.URL, Key: "k", Timeout: 50 * time.Millisecond})
	require.NoError(t, err)
	_, err = c.Check(context.Background(), "DE89370400440532013000")
	require.Error(t, err)

	for _, bad := range []ibansuite.Config{{URL: "", Key: "k"}, {URL: "ftp://x", Key: "k"}, {URL: s.URL}} {
		_, err := ibansuite.NewClient(bad)
		require.Error(t, err)
	}
}

func TestSimulatorKeepsTheContract(t *testing.T) {
	sim := &ibansuite.Simulator{}

	server := httptest.NewServer(sim)
	defer server.Close()
	overNetwork, err := ibansuite.NewClient(ibansuite.Config{URL: server.URL, Key: ibansuite.SimulatorKey})
	require.NoError(t, err)
	inProcess, err := ibansuite.NewClient(ibansuite.Config{
		URL:       "http://simulator.invalid/",
		Key:       ibansuite.SimulatorKey,
		Transport: sim,
	})
	require.NoError(t, err)

	for _, c := range []*ibansuite.Client{overNetwork, inProcess} {
		a, err := c.Check(context.Background(), "DE89370400440532013000")
		require.NoError(t, err)
		require.Equal(t, ibansuite.Bank{
			BIC:  "DHAEDE2SXXX",
			Name: "Simulated Bank 37040044",
			City: "Simulation",
			Code: "37040044",
		}, a.Bank)
		require.Equal(t, ibansuite.SEPA{
			SCT:  "YES",
			SCI:  "YES",
			SDD:  "YES",
			COR1: "NO",
			B2B:  "YES",
			SCC:  "NO",
		}, a.SEPA)

		for number, code := range map[string]int{
			"DE88370400440532013000": 202,
			"DE8937040044053201300":  203,
			"DEX9370400440532013000": 205,
			"DE89-":                  206,
			"US89370400440532013000": 207,
		} {
			t.Run(number, func(t *testing.T) {
				a, err := c.Check(context.Background(), number)
				require.NoError(t, err)
				require.Equal(t, code, a.Code)
			})
		}

		a, err = c.Check(context.Background(), "AE070331234567890123456")
		require.NoError(t, err)
		require.Equal(t, "NO", a.SEPA.SCT, "outside of SEPA it is known that nothing reaches it")
		a, err = c.Check(context.Background(), "IT60X0542911101000000123456")
		require.NoError(t, err)
		require.Equal(t, 202, a.Code)
		sim.Fail(302)
		_, err = c.Check(context.Background(), "DE89370400440532013000")

		var trouble *ibansuite.Trouble
		require.ErrorAs(t, err, &trouble)
		require.Equal(t, 302, trouble.Code)
		sim.Fail(0)
		sim.Break(503)
		_, err = c.Check(context.Background(), "DE89370400440532013000")
		require.ErrorContains(t, err, "503")
		sim.Break(0)
	}

	stranger, err := ibansuite.NewClient(ibansuite.Config{URL: server.URL, Key: secret.Text("other")})
	require.NoError(t, err)
	_, err = stranger.Check(context.Background(), "DE89370400440532013000")

	var trouble *ibansuite.Trouble
	require.ErrorAs(t, err, &trouble)
	require.Equal(t, 301, trouble.Code)
}

func fixture(t *testing.T, name string) []byte {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "fixtures")
	}

	raw, err := os.ReadFile(filepath.Join(dir, "iban_suite_aba_lookup", "iban_com", name))
	if err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	return raw
}

// Answers that the provider has really given.
func TestCorpusOfAnswers(t *testing.T) {
	var recorded []struct {
		IBAN     string
		Response json.RawMessage
	}
	require.NoError(t, json.Unmarshal(fixture(t, "responses.json"), &recorded))
	require.NotEmpty(t, recorded)

	for _, r := range recorded {
		a, err := answering(t, 200, string(r.Response)).Check(context.Background(), r.IBAN)
		if strings.HasPrefix(r.IBAN, "(") {
			var trouble *ibansuite.Trouble
			require.ErrorAs(t, err, &trouble)
			continue
		}

		require.NoError(t, err, r.IBAN)
		require.Zero(t, a.Code, r.IBAN)

		switch r.IBAN[:2] {
		case "DK":
			require.NotEmpty(t, a.Doubt)
		case "FR":
			require.Equal(t, "PSSTFRPPLIL", a.Bank.BIC)
			require.Equal(t, "YES", a.SEPA.SCT)

		case "PT":
			require.Equal(
				t,
				ibansuite.SEPA{},
				a.SEPA,
				"a bank that the provider does not know: unknown, not unreachable",
			)

		case "AE", "JO", "LY":
			require.Equal(t, "NO", a.SEPA.SCT)
		}
	}

	for file, code := range map[string]int{"recorded_error.http": 207, "recorded_success.http": 0} {
		t.Run(file, func(t *testing.T) {
			_, body, _ := strings.Cut(strings.ReplaceAll(string(fixture(t, file)), "\r\n", "\n"), "\n\n")
			a, err := answering(t, 200, body).Check(context.Background(), "ES")
			require.NoError(t, err)
			require.Equal(t, code, a.Code)
		})
	}
}

// line answers every question with one text.
type line string

// RoundTrip answers.
func (l line) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(strings.NewReader(string(l)))}, nil
}

// Whatever comes back, it is an answer that is understood or an error.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		checks("006", "201", "001", "005", "003", "007"), `{"errors":[{"code":"301","message":"m"}]}`, `{"bank_data":{"zip":1},"sepa_data":{"SCT":true},"validations":[{"code":1}]}`,
		`{"validations":{"iban":{"code":"001","message":{}}}}`, "[", "\xff",
	} {
		f.Add(s)
	}

	f.Fuzz(func(t *testing.T, s string) {
		c, err := ibansuite.NewClient(ibansuite.Config{URL: "http://x.invalid", Key: "k", Transport: line(s)})
		require.NoError(t, err)
		a, err := c.Check(context.Background(), "DE89370400440532013000")

		var trouble *ibansuite.Trouble
		switch {
		case errors.As(err, &trouble):
			require.True(t, trouble.Code >= 301 && trouble.Code <= 305)
		case err == nil:
			require.Contains(t, []int{0, 202, 203, 205, 206, 207}, a.Code)
			require.Contains(t, []string{"", "YES", "NO"}, a.SEPA.SCT)
		}
	})
}
