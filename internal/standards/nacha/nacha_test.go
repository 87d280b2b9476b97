package nacha

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/standards/iso20022"
)

// sample returns a file of two credits.
func sample() File {
	day := time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)

	return File{
		Destination:     "121042882",
		Origin:          "1234567890",
		DestinationName: "First Bank",
		OriginName:      "Slipway Inc",
		Created:         time.Date(2026, 12, 1, 9, 5, 0, 0, time.UTC),
		Modifier:        'A',
		Reference:       "SLW1",
		Batches: []Batch{{
			Company:     "Slipway Inc",
			CompanyID:   "1234567890",
			Class:       CCD,
			Description: "PAYMENT",
			Effective:   day,
			ODFI:        "12104288",
			Entries: []Entry{
				{
					Code:    CheckingCredit,
					Routing: "231380104",
					Account: "12345678",
					Cents:   100_00,
					ID:      "ABC123",
					Name:    "Kranz Inc",
					Trace:   "121042880000001",
					Text:    "Invoice 7",
				},
				{
					Code:    SavingsCredit,
					Routing: "061000146",
					Account: "77-1",
					Cents:   1,
					ID:      "ABC124",
					Name:    "Ada",
					Trace:   "121042880000009",
				},
			},
		}},
	}
}

// read returns a file with all its entries.
func read(t require.TestingT, content []byte) (File, error) {
	var entries []Batch

	f, err := Read(bytes.NewReader(content), iso20022.Limits{}, func(b *Batch, e Entry) error {
		if len(entries) == 0 || entries[len(entries)-1].Number != b.Number {
			entries = append(entries, *b)
		}

		last := &entries[len(entries)-1]
		last.Entries = append(last.Entries, e)

		return nil
	})
	f.Batches = entries

	return f, err
}

// The totals, the hash and the blocks are those of the standard, to the byte.
func TestRenderWritesTheStandardsRecords(t *testing.T) {
	content, err := Render(sample())
	require.NoError(t, err)

	lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	require.Len(t, lines, 10)

	for _, line := range lines {
		require.Len(t, line, 94)
	}

	require.Equal(t, []string{
		"101 12104288212345678902612010905A094101First Bank             Slipway Inc            SLW1    ",
		"5220Slipway Inc                         1234567890CCDPAYMENT         261202   1121042880000001",
		"62223138010412345678         0000010000ABC123         Kranz Inc               1121042880000001",
		"705Invoice 7                                                                       00010000001",
		"63206100014677-1             0000000001ABC124         Ada                     0121042880000009",
		"822000000300292380240000000000000000000100011234567890                         121042880000001",
		"9000001000001000000030029238024000000000000000000010001" + strings.Repeat(" ", 39),
	}, lines[:7])
	require.Equal(t, strings.Repeat("9", 94), lines[9])
}

// A balanced batch says so in its service class, and its debits are the sum of its credits.
func TestABalancedBatchIsMixed(t *testing.T) {
	f := sample()
	f.Batches[0].Entries = append(f.Batches[0].Entries, Entry{
		Code:    CheckingDebit,
		Routing: "121042882",
		Account: "900",
		Cents:   100_01,
		Name:    "Slipway Inc",
		Trace:   "121042880000010",
	})

	content, err := Render(f)
	require.NoError(t, err)
	require.Contains(t, string(content), "\n5200Slipway")
	require.Contains(t, string(content), "000000010001000000010001")
}

func TestRenderReturnsEveryFaultAtOnce(t *testing.T) {
	f := sample()
	f.Modifier = 'a'
	f.Batches[0].Company = "A name of more than 16 letters"
	f.Batches[0].Entries[0].Routing = "231380105"
	f.Batches[0].Entries[0].Name = "Kränz"
	f.Batches[0].Entries[1].Cents = MostCents + 1
	f.Batches[0].Entries[1].Trace = "121042880000001"
	f.Batches[0].Entries[1].Text = strings.Repeat("x", 81)

	_, err := Render(f)

	var refused *Refused
	require.ErrorAs(t, err, &refused)

	var fields []string
	for _, fault := range refused.Faults {
		fields = append(fields, fault.Field+" "+string(fault.Code))
	}

	require.ElementsMatch(t, []string{
		"Modifier FORMAT", "Company TOO_LONG", "Routing FORMAT", "Name CHARACTERS", "Cents AMOUNT", "Trace DUPLICATE",
		"Text TOO_LONG",
	}, fields)
}

// What is written is read again as it was, and is the same again.
func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := sample()
		f.Batches[0].Entries = nil

		for i := range rapid.IntRange(1, 40).Draw(t, "entries") {
			eight := rapid.StringMatching(`[0-9]{8}`).Draw(t, "routing")
			f.Batches[0].Entries = append(f.Batches[0].Entries, Entry{
				Code:    rapid.SampledFrom([]int{22, 27, 32, 37}).Draw(t, "code"),
				Routing: eight + string(CheckDigit(eight)),
				Account: rapid.StringMatching(`[A-Z0-9-]{1,17}`).Draw(t, "account"),
				Cents:   rapid.Int64Range(1, MostCents).Draw(t, "cents"),
				ID:      rapid.StringMatching(`[A-Z0-9]{0,15}`).Draw(t, "id"),
				Name:    rapid.StringMatching(`[A-Za-z0-9.&]{1,22}`).Draw(t, "name"),
				Trace:   "12104288" + strings.Repeat("0", 5) + string(rune('0'+i/10)) + string(rune('0'+i%10)),
				Text:    rapid.StringMatching(`([!-~][ -~]{0,78}[!-~])?`).Draw(t, "text"),
			})
		}

		content, err := Render(f)
		require.NoError(t, err)

		got, err := read(t, content)
		require.NoError(t, err)
		require.Len(t, got.Batches, 1)

		for i := range got.Batches[0].Entries {
			got.Batches[0].Entries[i].Line = 0
		}

		require.Equal(t, f.Batches[0].Entries, got.Batches[0].Entries)
		require.Equal(t, f.Created, got.Created)

		got.Batches[0].line = 0
		again, err := Render(got)
		require.NoError(t, err)
		require.Equal(t, string(content), string(again))
	})
}

// A file with a byte changed is not read as if it were whole: an amount, a count, a hash or a total.
func TestReadRefusesWhatDoesNotAddUp(t *testing.T) {
	content, err := Render(sample())
	require.NoError(t, err)

	for name, change := range map[string][2]string{
		"amount of an entry":    {"0000010000ABC123", "0000010001ABC123"},
		"count of a batch":      {"82200000030029", "82200000040029"},
		"hash of a batch":       {"8220000003002923", "8220000003002924"},
		"total of a batch":      {"00011234567890                         1210", "00021234567890                         1210"},
		"batches of the file":   {"9000001000001", "9000002000001"},
		"total of the file":     {"000000010001    ", "000000010002    "},
		"an addenda left out":   {"705Invoice 7" + strings.Repeat(" ", 71) + "00010000001\n", ""},
		"something behind":      {strings.Repeat("9", 94) + "\n", strings.Repeat("9", 93) + "8\n"},
		"no control record":     {"9000001000001", "5000001000001"},
		"another block factor":  {"A094101", "A094201"},
		"letters in an amount":  {"0000010000ABC123", "00000100O0ABC123"},
		"a header in the midst": {"\n632", "\n132"},
	} {
		t.Run(name, func(t *testing.T) {
			damaged := strings.Replace(string(content), change[0], change[1], 1)
			require.NotEqual(t, string(content), damaged)

			_, err := read(t, []byte(damaged))

			var refused *iso20022.Error
			require.ErrorAs(t, err, &refused)
		})
	}

	_, err = read(t, content[:len(content)-95*4])
	require.ErrorContains(t, err, string(iso20022.CodeTruncated))

	_, err = read(t, nil)
	require.ErrorContains(t, err, string(iso20022.CodeEmpty))

	_, err = read(t, bytes.Repeat([]byte("6"), 1<<20))
	require.Error(t, err)
}

// Lines without their blanks, with other ends, or without any, are the same file.
func TestReadTakesTheLineEndsOfBanks(t *testing.T) {
	content, err := Render(sample())
	require.NoError(t, err)

	want, err := read(t, content)
	require.NoError(t, err)

	for name, other := range map[string]string{
		"windows":    strings.ReplaceAll(string(content), "\n", "\r\n"),
		"none":       strings.ReplaceAll(string(content), "\n", ""),
		"cut blanks": strings.ReplaceAll(strings.ReplaceAll(string(content), "    \n", "\n"), " \n", "\n"),
		"end mark":   string(content) + "\x1a",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(t, []byte(other))
			require.NoError(t, err)

			if name == "none" { // lines are counted as records
				require.Len(t, got.Batches, 1)
			}

			require.Equal(t, want, got)
		})
	}
}

// expectedEntry is an entry of the list of expected values beside the corpus.
type expectedEntry struct {
	Code    string `json:"txCode"`
	Routing string `json:"routing"`
	Account string `json:"account"`
	Amount  string `json:"amountCents"`
	ID      string `json:"id"`
	Name    string `json:"name"`
	Trace   string `json:"trace"`
	Addenda []struct {
		Type       string `json:"type"`
		ReturnCode string `json:"returnCode"`
		ChangeCode string `json:"changeCode"`
		Original   string `json:"originalTrace"`
		Data       string `json:"correctedData"`
	} `json:"addenda"`
}

// corpus returns the folder of other people's files, or skips.
func corpus(t testing.TB) string {
	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		t.Skip("SLIPWAY_FIXTURES is not set")
	}

	return filepath.Join(dir, "us_uk_in_rails")
}

// Every file of the corpus is read as the list of expected values says, or refused with a place.
func TestCorpus(t *testing.T) {
	dir := corpus(t)

	raw, err := os.ReadFile(filepath.Join(dir, "ach_expected.json"))
	require.NoError(t, err)

	var expected map[string]struct {
		Destination string `json:"destination"`
		Batches     []struct {
			Company string          `json:"company"`
			Class   string          `json:"sec"`
			Entries []expectedEntry `json:"entries"`
		} `json:"batches"`
	}
	require.NoError(t, json.Unmarshal(raw, &expected))

	files, err := filepath.Glob(filepath.Join(dir, "ach", "*"))
	require.NoError(t, err)

	sound := 0

	for _, path := range files {
		name := filepath.Base(path)
		want, listed := expected[name]

		if strings.HasSuffix(name, ".json") || !listed {
			continue
		}

		content, err := os.ReadFile(path)
		require.NoError(t, err)

		f, err := read(t, content)
		if err != nil {
			var refused *iso20022.Error
			require.ErrorAs(t, err, &refused, name)
			t.Logf("%s: %v", name, err)

			continue
		}

		sound++

		require.Equal(t, want.Destination, f.Destination, name)

		var got, all []expectedEntry
		for _, b := range f.Batches {
			for _, e := range b.Entries {
				got = append(got, expectedEntry{Routing: e.Routing, Account: e.Account, ID: e.ID, Trace: e.Trace})
			}
		}

		for _, b := range want.Batches {
			if b.Class == iat || b.Class == adv || b.Company == "IATCOR" {
				continue
			}

			for _, e := range b.Entries {
				all = append(all, expectedEntry{Routing: e.Routing, Account: e.Account, ID: e.ID, Trace: e.Trace})
			}
		}

		require.Equal(t, all, got, name)
	}

	require.Greater(t, sound, 40, "files that are read")
}

func TestACorrectionIsReadByItsCode(t *testing.T) {
	for name, c := range map[string]struct {
		change Change
		want   Correction
		ok     bool
	}{
		"account":           {Change{Code: "C01", Data: "1918171614"}, Correction{Account: "1918171614"}, true},
		"routing":           {Change{Code: "C02", Data: "231380104"}, Correction{Routing: "231380104"}, true},
		"routing is wrong":  {Change{Code: "C02", Data: "231380105"}, Correction{}, false},
		"routing and more":  {Change{Code: "C03", Data: "231380104   987654"}, Correction{Routing: "231380104", Account: "987654"}, true},
		"name":              {Change{Code: "C04", Data: "Ada Kranz"}, Correction{Name: "Ada Kranz"}, true},
		"type":              {Change{Code: "C05", Data: "32"}, Correction{Code: 32}, true},
		"type is not one":   {Change{Code: "C05", Data: "99"}, Correction{}, false},
		"account and type":  {Change{Code: "C06", Data: "987654              37"}, Correction{Account: "987654", Code: 37}, true},
		"all":               {Change{Code: "C07", Data: "231380104987654           22"}, Correction{Routing: "231380104", Account: "987654", Code: 22}, true},
		"nothing in it":     {Change{Code: "C01", Data: "   "}, Correction{}, false},
		"of the addenda":    {Change{Code: "C13", Data: "x"}, Correction{}, false},
		"code that is none": {Change{Code: "C99", Data: "x"}, Correction{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := c.change.Corrected()
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.want, got)
		})
	}
}

func FuzzRead(f *testing.F) {
	content, err := Render(sample())
	require.NoError(f, err)
	f.Add(content)
	f.Add([]byte("101"))

	if dir := os.Getenv("SLIPWAY_FIXTURES"); dir != "" {
		files, _ := filepath.Glob(filepath.Join(dir, "us_uk_in_rails", "ach", "*.ach"))
		for _, path := range files {
			if content, err := os.ReadFile(path); err == nil && len(content) < 8<<10 {
				f.Add(content)
			}
		}
	}

	f.Fuzz(func(t *testing.T, content []byte) {
		got, err := read(t, content)
		if err != nil {
			return
		}

		for _, b := range got.Batches {
			for _, e := range b.Entries {
				require.GreaterOrEqual(t, e.Cents, int64(0))

				if e.Change != nil {
					_, _ = e.Change.Corrected()
				}
			}
		}
	})
}
