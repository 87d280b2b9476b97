//go:build !nosandbox

package ibansuite

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"slipway/internal/platform/inprocess"
	"slipway/internal/standards/iban"
)

// SimulatorKey is the only key that a Simulator accepts.
const SimulatorKey = "simulated-key"

// Simulator is a server with the provider's contract. It knows every bank of the SEPA area, with invented names, except
// those whose code ends in 9. It reports a wrong national check digit if the BBAN ends in 201. Its answers are always
// the same, until Fail or Break changes them.
type Simulator struct {
	mu      sync.Mutex
	trouble int
	broken  int
	asked   int
}

// Fail makes every answer an error of the caller's account (301 to 305); 0 ends it.
func (s *Simulator) Fail(code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble = code
}

// Break answers every request with an HTTP status; 0 ends it.
func (s *Simulator) Break(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = status
}

// Asked returns the number of requests.
func (s *Simulator) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// RoundTrip answers a request within the process, so that a Client can use the simulator as its transport.
func (s *Simulator) RoundTrip(r *http.Request) (*http.Response, error) {
	return inprocess.Transport(s).RoundTrip(r)
}

// messages are the provider's texts for its codes.
var messages = map[string]string{
	"001": "IBAN Check digit is correct",
	"003": "IBAN Length is correct",
	"004": "Account Number check digit is not performed for this bank or branch",
	"005": "IBAN structure is correct",
	"006": "IBAN does not contain illegal characters",
	"007": "Country supports IBAN standard",
	"201": "Account Number check digit not correct",
	"202": "IBAN Check digit not correct",
	"203": "IBAN Length is not correct",
	"205": "IBAN structure is not correct",
	"206": "IBAN contains illegal characters",
	"207": "Country does not support IBAN standard",
	"301": "API Key is invalid",
	"302": "Subscription expired",
	"303": "No queries available",
	"304": "You have no access to this API",
	"305": "IP Address not allowed",
}

type simVerdict struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func verdictOf(code string) simVerdict { return simVerdict{code, messages[code]} }

// ServeHTTP answers as the provider does: always with status 200, and with empty lists instead of objects if the
// account is in trouble.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked++
	trouble := s.trouble
	broken := s.broken
	s.mu.Unlock()

	if broken != 0 {
		w.WriteHeader(broken)
		return
	}

	if trouble == 0 && r.PostFormValue("api_key") != SimulatorKey {
		trouble = firstTrouble
	}

	body := map[string]any{"errors": []any{}}
	if trouble != 0 {
		body["bank_data"] = []any{}
		body["sepa_data"] = []any{}
		body["validations"] = []any{}
		body["errors"] = []simVerdict{verdictOf(fmt.Sprint(trouble))}
	} else {
		body["bank_data"], body["sepa_data"], body["validations"] = examine(r.PostFormValue("iban"))
	}

	w.Header().Set("Content-Type", "application/json")

	if err := json.MarshalWrite(w, body, json.Deterministic(true)); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// examine returns the three parts of an answer.
func examine(number string) (bank map[string]any, sepa map[string]string, checks map[string]simVerdict) {
	checks = map[string]simVerdict{
		"chars":           verdictOf("006"),
		"account":         verdictOf("004"),
		"iban":            verdictOf("001"),
		"structure":       verdictOf("005"),
		"length":          verdictOf("003"),
		"country_support": verdictOf("007"),
	}

	sepa = map[string]string{}
	for _, scheme := range []string{"SCT", "SCI", "SDD", "COR1", "B2B", "SCC"} {
		sepa[scheme] = No
	}

	bank = map[string]any{
		"bic":         nil,
		"bank":        nil,
		"branch":      nil,
		"address":     nil,
		"city":        nil,
		"state":       nil,
		"zip":         "",
		"phone":       nil,
		"fax":         nil,
		"www":         nil,
		"email":       nil,
		"country_iso": "",
		"bank_code":   "",
		"branch_code": "",
	}
	x, err := iban.Parse(number)

	var wrong *iban.Error
	if errors.As(err, &wrong) {
		part := map[iban.Problem]string{
			iban.WrongCharacter:   "chars",
			iban.WrongCountry:     "country_support",
			iban.WrongLength:      "length",
			iban.WrongStructure:   "structure",
			iban.WrongCheckDigits: "iban",
		}[wrong.Problem]
		checks[part] = verdictOf(fmt.Sprint(int(wrong.Problem)))

		return bank, sepa, checks
	}

	if strings.HasSuffix(x.BBAN(), "201") {
		checks["account"] = verdictOf("201")
	}

	bank["country_iso"] = x.Country()
	bank["bank_code"] = x.Bank()

	bank["branch_code"] = x.Branch()
	if x.InSEPA() && !strings.HasSuffix(x.Bank(), "9") {
		bank["bic"] = simulatedBIC(x)
		bank["bank"] = "Simulated Bank " + x.Bank()
		bank["city"] = "Simulation"
		sepa["SCT"] = Yes
		sepa["SCI"] = Yes
		sepa["SDD"] = Yes
		sepa["B2B"] = Yes
	}

	return bank, sepa, checks
}

// simulatedBIC writes the bank's code in letters.
func simulatedBIC(x iban.IBAN) string {
	var b strings.Builder
	for i := range 4 {
		c := byte('0')
		if code := x.Bank(); i < len(code) {
			c = code[i]
		}

		if c <= '9' {
			c += 'A' - '0'
		}

		b.WriteByte(c)
	}

	return b.String() + x.Country() + "2SXXX"
}
