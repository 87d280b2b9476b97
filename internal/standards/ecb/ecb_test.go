package ecb_test

import (
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/ecb"
)

// head and tail are around the days of a file.
const (
	head = `<?xml version="1.0" encoding="UTF-8"?>
<g:Envelope xmlns:g="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<g:subject>Reference rates</g:subject><g:Sender><g:name>European Central Bank</g:name></g:Sender><Cube>`
	tail = `</Cube></g:Envelope>`
	day  = `<Cube time='2026-11-20'><Cube currency='USD' rate='1.1000'/><Cube currency='CHF' rate='0.9300'/></Cube>`
)

func parse(t *testing.T, s string) []ecb.Day {
	t.Helper()
	days, err := ecb.Parse(strings.NewReader(s))
	require.NoError(t, err)

	return days
}

func TestDaysComeNewestFirstWithExactRates(t *testing.T) {
	days := parse(t, head+strings.ReplaceAll(day, "2026-11-20", "2026-11-19")+day+tail)
	require.Len(t, days, 2)
	require.Equal(t, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), days[0].Date)
	require.Equal(t, "11/10", days[0].Rates["USD"].String())
	require.Len(t, days[0].Rates, 2)
}

func TestCrossesGoThroughTheEuroWithoutRounding(t *testing.T) {
	d := parse(t, head+day+tail)[0]
	for _, test := range []struct{ from, to, want string }{
		{"EUR", "USD", "11/10"},
		{"USD", "EUR", "10/11"},
		{"USD", "CHF", "93/110"},
		{"CHF", "USD", "110/93"},
		{"EUR", "EUR", "1/1"},
		{"USD", "USD", "1/1"},
	} {
		r, ok := d.Cross(test.from, test.to)
		require.True(t, ok)
		require.Equal(t, test.want, r.String(), "%s to %s", test.from, test.to)
	}

	for _, pair := range [][2]string{{"BGN", "USD"}, {"USD", "RUB"}} {
		_, ok := d.Cross(pair[0], pair[1])
		require.False(t, ok)
	}
}

func TestWhatIsNoSuchFileIsRefusedWithItsLine(t *testing.T) {
	rate := func(attributes string) string {
		return head + "<Cube time='2026-11-20'>\n<Cube " + attributes + "/></Cube>" + tail
	}

	for name, test := range map[string]struct {
		text string
		line int
		says string
	}{
		"decimal comma":     {rate("currency='USD' rate='1,1'"), 4, "1,1"},
		"no rate":           {rate("currency='USD'"), 4, "needs currency"},
		"negative":          {rate("currency='USD' rate='-1.1'"), 4, "-1.1"},
		"zero":              {rate("currency='USD' rate='0.000'"), 4, "more than zero"},
		"exponent":          {rate("currency='USD' rate='1e3'"), 4, "1e3"},
		"fraction":          {rate("currency='USD' rate='1/3'"), 4, "1/3"},
		"point alone":       {rate("currency='USD' rate='1.'"), 4, "digits"},
		"long":              {rate("currency='USD' rate='1." + strings.Repeat("1", 30) + "'"), 4, "digits"},
		"lower case":        {rate("currency='usd' rate='1.1'"), 4, "needs currency"},
		"the euro itself":   {rate("currency='EUR' rate='1.0'"), 4, "needs currency"},
		"further attribute": {rate("currency='USD' rate='1.1' unit='100'"), 4, "nothing else"},
		"attribute twice":   {rate("currency='USD' rate='1.1' rate='1.2'"), 4, "twice"},
		"currency twice":    {rate("currency='USD' rate='1.1'/><Cube currency='USD' rate='1.2'"), 4, "USD stands twice"},
		"a Cube too deep": {head + "<Cube time='2026-11-20'><Cube currency='USD' " +
			"rate='1.1'><Cube/></Cube></Cube>" + tail, 3, "inside a rate"},
		"no day":             {head + "<Cube currency='USD' rate='1.1'/>" + tail, 3, "time="},
		"impossible day":     {head + strings.Replace(day, "11-20", "02-30", 1) + tail, 3, "time="},
		"day twice":          {head + day + day + tail, 3, "stands twice"},
		"day without rates":  {head + "<Cube time='2026-11-20'></Cube>" + tail, 3, "without rates"},
		"nothing inside":     {head + tail, 3, "no day"},
		"breaks off":         {head + day, 3, "breaks off"},
		"breaks off in text": {head + day[:40], 3, ""},
		"empty":              {"", 1, "breaks off"},
		"not XML":            {"currency,rate\nUSD,1.1", 2, "text"},
		"an HTML page":       {"<html><body>Service unavailable</body></html>", 1, "not an Envelope"},
		"other namespace":    {strings.Replace(head, "eurofxref", "other", 1) + day + tail, 2, "namespaces"},
		"other envelope":     {strings.Replace(head, "gesmes.org", "example.org", 1) + day + tail, 2, "namespaces"},
		"entities":           {`<!DOCTYPE x [<!ENTITY a "aaaa">]>` + head + day + tail, 1, "document type"},
		"unknown entity":     {rate("currency='USD' rate='&x;'"), 4, "entity"},
		"unknown element":    {strings.Replace(head, "<Cube>", "<g:other/><Cube>", 1) + day + tail, 3, "has no place"},
		"text among rates":   {head + "1.1" + day + tail, 3, "text"},
		"wrong order of end": {head + "<Cube time='2026-11-20'></g:Envelope>", 3, "closes nothing"},
		"second root":        {head + day + tail + "<x/>", 3, "after the end"},
		"depth":              {head + strings.Repeat("<Cube>", 100_000), 3, "time="},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ecb.Parse(strings.NewReader(test.text))

			var m *ecb.Malformed
			require.ErrorAs(t, err, &m)
			require.Equal(t, test.line, m.Line, "%v", err)
			require.Contains(t, m.Reason, test.says)
		})
	}
}

func TestAnEndlessFileIsRefusedAndAReadersErrorIsPassedOn(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(head), repeat{strings.NewReader("")})
	_, err := ecb.Parse(endless)
	require.ErrorContains(t, err, "more than 16777216 bytes")
	cut := errors.New("the line was cut")
	_, err = ecb.Parse(io.MultiReader(strings.NewReader(head), iotest.ErrReader(cut)))
	require.ErrorIs(t, err, cut)
}

// repeat is white space without end.
type repeat struct{ io.Reader }

func (repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}

	return len(p), nil
}

func TestWorkingDaysOfTARGET(t *testing.T) {
	for _, closed := range []string{"2026-01-01", "2026-04-03", "2026-04-06", "2026-05-01", "2026-12-25", "2025-12-26", "2025-04-18", "2024-04-01", "2026-11-21", "2026-11-22"} {
		require.False(t, ecb.WorkingDay(date(t, closed)), closed)
	}

	for _, open := range []string{"2026-01-02", "2026-04-02", "2026-04-07", "2026-12-24", "2026-05-14", "2026-11-20", "2025-04-17"} {
		require.True(t, ecb.WorkingDay(date(t, open)), open)
	}

	for year, want := range map[int]string{
		2000: "2000-04-23",
		2008: "2008-03-23",
		2011: "2011-04-24",
		2024: "2024-03-31",
		2025: "2025-04-20",
		2026: "2026-04-05",
		2038: "2038-04-25",
	} {
		require.Equal(t, want, ecb.Easter(year).Format(time.DateOnly))
	}
}

func TestLatestAndMissedCountPublications(t *testing.T) {
	at := func(s string) time.Time {
		v, err := time.Parse(time.DateTime, s)
		require.NoError(t, err)
		return v
	}
	for _, test := range []struct{ now, latest string }{
		{"2026-11-20 10:00:00", "2026-11-19"},
		{"2026-11-20 15:29:59", "2026-11-19"},
		{"2026-11-20 15:30:00", "2026-11-20"},
		{"2026-11-22 12:00:00", "2026-11-20"},
		{"2026-11-23 09:00:00", "2026-11-20"},
		{"2026-04-07 09:00:00", "2026-04-02"},
		{"2026-01-01 20:00:00", "2025-12-31"},
	} {
		require.Equal(t, test.latest, ecb.Latest(at(test.now)).Format(time.DateOnly), test.now)
	}

	friday := date(t, "2026-11-20")
	for now, want := range map[string]int{
		"2026-11-20 16:00:00": 0,
		"2026-11-23 15:00:00": 0,
		"2026-11-23 16:00:00": 1,
		"2026-11-24 16:00:00": 2,
		"2027-11-24 16:00:00": 10,
		"2026-11-20 09:00:00": 0,
	} {
		t.Run(now, func(t *testing.T) {
			require.Equal(t, want, ecb.Missed(friday, at(now)))
		})
	}
}

func date(t *testing.T, s string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, s)
	require.NoError(t, err)

	return d
}

// fixtures is the folder of files that the bank published, which is not part of this repository.
func fixtures(t *testing.T) string {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "fixtures")
	}

	dir = filepath.Join(dir, "ecb")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("SLIPWAY_FIXTURES names no folder with ecb files: this test is left out")
	}

	return dir
}

func parseFile(t *testing.T, path string) ([]ecb.Day, error) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)

	defer f.Close()

	return ecb.Parse(f)
}

func TestPublishedFiles(t *testing.T) {
	dir := fixtures(t)

	for name, want := range map[string]struct {
		days, currencies int
		newest           string
	}{
		"eurofxref-daily_2018-09-12.xml":                        {1, 32, "2018-09-12"},
		"eurofxref-daily_2025-05-09.xml":                        {1, 30, "2025-05-09"},
		"eurofxref-hist-90d_to_2013-01-24.xml":                  {-1, 33, "2013-01-24"},
		"negative/eurofxref-daily_2026-03-13_decimal-comma.xml": {0, 0, ""},
	} {
		days, err := parseFile(t, filepath.Join(dir, name))
		if want.days == 0 {
			require.Error(t, err, name)
			require.Contains(t, err.Error(), "USD")
			continue
		}

		require.NoError(t, err, name)

		if want.days > 0 {
			require.Len(t, days, want.days, name)
		}

		require.Equal(t, want.newest, days[0].Date.Format(time.DateOnly))
		require.Len(t, days[0].Rates, want.currencies, name)

		for _, d := range days {
			require.True(t, ecb.WorkingDay(d.Date), "%s is no working day by our calendar", d.Date)
			require.NotEmpty(t, d.Rates)
		}
	}
}

func TestPublishedFilesGiveTheExpectedCrosses(t *testing.T) {
	dir := fixtures(t)
	raw, err := os.ReadFile(filepath.Join(dir, "expected_cross_rates.json"))
	require.NoError(t, err)

	var cases []struct{ File, From, To, Amount, Exact string }
	require.NoError(t, json.Unmarshal(raw, &cases))
	require.NotEmpty(t, cases)

	for _, c := range cases {
		days, err := parseFile(t, filepath.Join(dir, c.File))
		require.NoError(t, err)
		r, ok := days[0].Cross(c.From, c.To)
		require.True(t, ok)
		amount, _ := new(big.Rat).SetString(c.Amount)
		require.Equal(t, c.Exact, new(big.Rat).Mul(amount, r).FloatString(18), "%+v", c)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(head + day + tail)
	f.Add(head)
	f.Add("<a b='c'")

	f.Fuzz(func(t *testing.T, s string) {
		days, err := ecb.Parse(strings.NewReader(s))
		if (err == nil) != (len(days) > 0) {
			t.Fatalf("%d days and error %v", len(days), err)
		}

		for _, d := range days {
			for code, r := range d.Rates {
				if len(code) != 3 || r.Sign() <= 0 {
					t.Fatalf("%s %s", code, r)
				}
			}
		}
	})
}
