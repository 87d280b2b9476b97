package epcqr_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/epcqr"
	"slipway/internal/standards/qrbill"
)

const written = "BCD\n002\n1\nSCT\nCOBADEFFXXX\nMüller & Söhne " +
	"AG\nDE75512108001245126199\nEUR1949.75\nSUPP\nRF18539007547034"

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	want := transfer()
	want.Information = "Thank you"
	payload, err := want.Payload()
	require.NoError(t, err)
	require.True(t, epcqr.Is(payload))

	want.Version = "002"
	for _, ends := range []string{"\n", "\r\n"} {
		got, err := epcqr.Parse(strings.ReplaceAll(payload, "\n", ends))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestReadersTakeWhatProgramsWrite(t *testing.T) {
	for name, c := range map[string]struct {
		payload string
		want    epcqr.Transfer
	}{
		"version 001": {
			"BCD\n001\n1\nSCT\nBPOTBEB1\nRed Cross of Belgium\nBE72000000001616\nEUR1\nCHAR\n\nUrgency fund\nSample",
			epcqr.Transfer{
				Version:     "001",
				BIC:         "BPOTBEB1",
				Name:        "Red Cross of Belgium",
				Account:     "BE72000000001616",
				Amount:      "1.00",
				Purpose:     "CHAR",
				Text:        "Urgency fund",
				Information: "Sample",
			},
		},
		"one decimal, empty lines": {
			"BCD\r\n002\r\n1\r\nSCT\r\n\r\nA\r\nDE75512108001245126199\r\nEUR12.3\r\n\r\n\r\n\r\n",
			epcqr.Transfer{Version: "002", Name: "A", Account: "DE75512108001245126199", Amount: "12.30"},
		},
		"no amount, grouped IBAN": {
			"BCD\n002\n2\nSCT\n\nA\nDE75 5121 0800 1245 1261 99",
			epcqr.Transfer{Version: "002", Name: "A", Account: "DE75512108001245126199"},
		},
		"grouped reference": {
			"BCD\n002\n1\nSCT\n\nA\nDE75512108001245126199\nEUR5.00\n\nRF18 5390 0754 7034",
			epcqr.Transfer{
				Version:   "002",
				Name:      "A",
				Account:   "DE75512108001245126199",
				Amount:    "5.00",
				Reference: "RF18539007547034",
			},
		},
		"another reference": {
			"BCD\n002\n1\nSCT\n\nA\nDE75512108001245126199\nEUR5.00\n\n+++090/9337/55493+++",
			epcqr.Transfer{
				Version:   "002",
				Name:      "A",
				Account:   "DE75512108001245126199",
				Amount:    "5.00",
				Reference: "+++090/9337/55493+++",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := epcqr.Parse(c.payload)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestEachBrokenRuleIsTold(t *testing.T) {
	with := func(line int, text string) string {
		lines := strings.Split(written, "\n")
		for len(lines) < line {
			lines = append(lines, "")
		}

		lines[line-1] = text

		return strings.Join(lines, "\n")
	}
	for name, c := range map[string]struct {
		payload string
		want    qrbill.Code
		line    int
	}{
		"nothing":                   {"", qrbill.LineCount, 0},
		"too few lines":             {"BCD\n002\n1\nSCT\n\nA", qrbill.LineCount, 0},
		"too many lines":            {with(13, "more"), qrbill.LineCount, 0},
		"too long":                  {with(12, strings.Repeat("x", 300)), qrbill.TooLong, 0},
		"no text":                   {written + "\xff", qrbill.TooLong, 0},
		"mixed line ends":           {strings.Replace(written, "SCT\n", "SCT\r\n", 1), qrbill.BadSeparator, 4},
		"another tag":               {with(1, "BCE"), qrbill.NotSwiss, 1},
		"another version":           {with(2, "003"), qrbill.BadVersion, 2},
		"another character set":     {with(3, "9"), qrbill.BadCoding, 3},
		"no character set":          {with(3, ""), qrbill.BadCoding, 3},
		"ISO 8859-1 said of umlaut": {with(3, "2"), qrbill.BadCoding, 3},
		"another service":           {with(4, "SDD"), epcqr.BadService, 4},
		"no such BIC":               {with(5, "COBAUKFF"), epcqr.BadBIC, 5},
		"version 001 without BIC":   {strings.Replace(with(5, ""), "002", "001", 1), qrbill.Missing, 5},
		"no name":                   {with(6, " "), qrbill.Missing, 6},
		"a long name":               {with(6, strings.Repeat("x", 71)), qrbill.FieldTooLong, 6},
		"a control character":       {with(6, "A\x1b[2J"), qrbill.BadCharacter, 6},
		"no such account":           {with(7, "DE75512108001245126198"), qrbill.BadIBAN, 7},
		"outside SEPA":              {with(7, "BR1800360305000010009795493C1"), qrbill.ForeignIBAN, 7},
		"dollars":                   {with(8, "USD1.00"), qrbill.BadAmount, 8},
		"nothing to pay":            {with(8, "EUR0.00"), qrbill.BadAmount, 8},
		"grouped":                   {with(8, "EUR1,949.75"), qrbill.BadAmount, 8},
		"comma":                     {with(8, "EUR1949,75"), qrbill.BadAmount, 8},
		"three decimals":            {with(8, "EUR1.000"), qrbill.BadAmount, 8},
		"a point at the end":        {with(8, "EUR1."), qrbill.BadAmount, 8},
		"a long purpose":            {with(9, "SUPPL"), epcqr.BadPurpose, 9},
		"a mistyped reference":      {with(10, "RF19539007547034"), qrbill.BadReference, 10},
		"a long reference":          {with(10, strings.Repeat("7", 36)), qrbill.FieldTooLong, 10},
		"reference and text":        {with(11, "invoice 7"), qrbill.NotAllowed, 11},
		"much information":          {with(12, strings.Repeat("x", 71)), qrbill.FieldTooLong, 12},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := epcqr.Parse(c.payload)

			var e *qrbill.Error
			require.True(t, errors.As(err, &e))
			require.Contains(t, told(e), told(&qrbill.Error{Problems: []qrbill.Problem{{
				Line: c.line,
				Code: c.want,
			}}})[0], "%s: %v", name, e.Problems)
		})
	}

	_, err := epcqr.Parse("BCD\n003\n1\nSDD\n\n\nXX\nUSD1")

	var e *qrbill.Error
	require.ErrorAs(t, err, &e)
	require.Len(t, e.Problems, 5, "everything at once: %v", e.Problems)
}

func told(e *qrbill.Error) (out []qrbill.Problem) {
	for _, p := range e.Problems {
		out = append(out, qrbill.Problem{Line: p.Line, Code: p.Code})
	}

	return out
}

func TestOtherCodesAreNotTakenForTransfers(t *testing.T) {
	for _, text := range []string{"", "BCD", "BCD002", "SPC\n0200\n1", "https://example.org/BCD\n", " BCD\n002"} {
		require.False(t, epcqr.Is(text), text)
	}
}

// What is read can be written again and says the same; what cannot is refused, never changed.
func FuzzParse(f *testing.F) {
	f.Add(written)
	f.Add("BCD\n001\n1\nSCT\nBPOTBEB1\nRed Cross of Belgium\nBE72000000001616\nEUR1\nCHAR\n\nUrgency fund\nSample")

	f.Fuzz(func(t *testing.T, payload string) {
		first, err := epcqr.Parse(payload)
		if err != nil {
			var e *qrbill.Error
			if !errors.As(err, &e) || len(e.Problems) == 0 {
				t.Fatalf("%v", err)
			}

			return
		}

		again, err := first.Payload()
		if err != nil {
			return // no amount, or another reference: what we do not write
		}

		first.Version = "002"
		if second, err := epcqr.Parse(again); err != nil || second != first {
			t.Fatalf("%+v became %+v (%v)", first, second, err)
		}
	})
}
