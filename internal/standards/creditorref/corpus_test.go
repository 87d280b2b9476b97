package creditorref

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// vectors reads published references, each with what it is.
func vectors(t *testing.T, name string) (out []struct {
	Ref   string `json:"ref"`
	Valid bool   `json:"valid"`
	Note  string `json:"note"`
},
) {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = "../../../../shared/fixtures"
	}

	raw, err := os.ReadFile(filepath.Join(dir, "iban_bic", name))
	if err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	if err := json.Unmarshal(raw, &out); err != nil || len(out) < 10 {
		t.Fatal(err, len(out))
	}

	return out
}

func TestPublishedRFReferences(t *testing.T) {
	for _, v := range vectors(t, "creditor_reference_iso11649.json") {
		ref, ok := ValidRF(v.Ref)
		if ok != v.Valid {
			t.Errorf("%s (%s): %v", v.Ref, v.Note, ok)
			continue
		}

		if !ok {
			continue
		}

		if made, err := RF(ref[4:]); err != nil || made != ref {
			t.Errorf("%s is made as %s: %v", ref, made, err)
		}

		if found := FindRF("pay " + v.Ref + ", now"); len(found) == 0 || found[len(found)-1] != ref[4:] {
			t.Errorf("%s is not found: %v", v.Ref, found)
		}
	}
}

// The list holds references of the older Swiss slips too, which are shorter: they are QR references when they are
// filled with zeros.
func TestPublishedQRReferences(t *testing.T) {
	for _, v := range vectors(t, "qr_reference_mod10.json") {
		text := v.Ref
		if plain := strings.Join(strings.Fields(text), ""); len(plain) < digits {
			text = strings.Repeat("0", digits-len(plain)) + plain
		}

		if _, ok := ValidQRR(text); ok != v.Valid {
			t.Errorf("%s (%s): %v", v.Ref, v.Note, ok)
		}
	}
}
