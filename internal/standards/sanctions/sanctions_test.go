package sanctions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/sanctions"
)

func csvParties(t *testing.T, text string) []sanctions.Party {
	t.Helper()

	var out []sanctions.Party
	require.NoError(t, sanctions.ReadCSV(strings.NewReader(text), func(p sanctions.Party) error {
		out = append(out, p)
		return nil
	}))

	return out
}

func TestCommaSeparatedFilesAreToldApartByTheirColumns(t *testing.T) {
	out := csvParties(
		t,
		`7,"DOE, Jane","individual","CYBER2] [SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 1 Jan 1970; a.k.a. 'JD'; alt. Digital Currency Address - ETH 0x901bb9583b24d97e995513c6778dc6888ab6870e."`+"\r\n"+
			`7,70,"aka","DOW, Janet",-0- `+"\r\n"+`7,71,"1 Main Street","Springfield","Belize",-0- `+"\r\n"+`7," goes on"`+"\r\n\x1a",
	)

	require.Equal(t, []sanctions.Party{
		{
			UID:       "7",
			Type:      "individual",
			Programs:  []string{"CYBER2", "SDGT"},
			Names:     []sanctions.Name{{Text: "DOE, Jane"}, {Text: "JD", Weak: true}},
			Births:    []string{"1 Jan 1970"},
			Addresses: []sanctions.Address{{Currency: "ETH", Text: "0x901bb9583b24d97e995513c6778dc6888ab6870e"}},
		},
		{
			UID:   "7",
			Names: []sanctions.Name{{Text: "DOW, Janet"}},
		},
		{UID: "7", Countries: []string{"Belize"}},
		{UID: "7", More: "goes on"},
	}, out)

	out = csvParties(
		t,
		"_id,source,entity_number,type,programs,name,alt_names,ids\nabc,SDN,,Individual,A; B,\"DOE, Jane\",JD; "+
			"Janet,\"Passport, 1, BZ; Digital Currency Address - ETH, "+
			"0x901bb9583b24d97e995513c6778dc6888ab6870e\"\n",
	)

	require.Equal(t, []sanctions.Party{{
		UID:       "abc",
		Type:      "individual",
		Programs:  []string{"A", "B"},
		Names:     []sanctions.Name{{Text: "DOE, Jane"}, {Text: "JD"}, {Text: "Janet"}},
		Addresses: []sanctions.Address{{Currency: "ETH", Text: "0x901bb9583b24d97e995513c6778dc6888ab6870e"}},
	}}, out)
}

// An address in the middle of which remarks break off is no address, and what another file says follows makes it whole.
func TestRemarksThatBreakOff(t *testing.T) {
	filler := "Gender Male; " + strings.Repeat("Website example.org; ", 50)
	addresses, _, cut, err := sanctions.Remarks(filler + "Digital Currency Address - ETH 0x901bb9583b24d97e99")
	require.NoError(t, err)
	require.Empty(t, addresses)
	require.True(t, sanctions.HoldsAddress(cut))

	addresses, _, cut, err = sanctions.Remarks(cut + "5513c6778dc6888ab6870e; Passport 1.")
	require.NoError(t, err)
	require.Empty(t, cut)
	require.Equal(t, "0x901bb9583b24d97e995513c6778dc6888ab6870e", addresses[0].Text)

	_, _, _, err = sanctions.Remarks("Digital Currency Address - ETH ")
	require.Error(t, err)
}

const plain = `<?xml version="1.0" standalone="yes"?><sdnList xmlns="https://example.org/sdn"><publshInformation><Publish_Date>05/07/2024</Publish_Date><Record_Count>2</Record_Count></publshInformation>
<sdnEntry><uid>7</uid><firstName>Jane</firstName><lastName>DOE</lastName><sdnType>Individual</sdnType><programList><program>CYBER2</program></programList>
<idList><id><uid>1</uid><idType>Digital Currency Address - XBT</idType><idNumber>12udabs2TkX7NXCSj6KpqXfakjE52ZPLhz</idNumber></id><id><uid>2</uid><idType>Passport</idType><idNumber>A1</idNumber></id></idList>
<akaList><aka><uid>3</uid><type>a.k.a.</type><category>weak</category><lastName>JD</lastName></aka></akaList><addressList><address><uid>4</uid><country>Belize</country></address></addressList></sdnEntry>
<sdnEntry><uid>8</uid><lastName>ACME SHIPPING LLC</lastName><sdnType>Entity</sdnType></sdnEntry></sdnList>`

const advanced = `<?xml version="1.0" encoding="utf-8"?><Sanctions xmlns="https://example.org/adv"><DateOfIssue CalendarTypeID="1"><Year>2024</Year><Month>9</Month><Day>27</Day></DateOfIssue>
<ReferenceValueSets><FeatureTypeValues><FeatureType ID="345" FeatureTypeGroupID="1">Digital Currency Address - ETH</FeatureType><FeatureType ID="8">Birthdate</FeatureType></FeatureTypeValues>
<PartySubTypeValues><PartySubType ID="4" PartyTypeID="1">Individual</PartySubType></PartySubTypeValues></ReferenceValueSets>
<DistinctParties><DistinctParty FixedRef="7"><Profile ID="7" PartySubTypeID="4"><Identity ID="1"><Alias AliasTypeID="1403" Primary="true" LowQuality="false"><DocumentedName>
<DocumentedNamePart><NamePartValue NamePartGroupID="5" ScriptID="215">DOE</NamePartValue></DocumentedNamePart><DocumentedNamePart><NamePartValue>Jane</NamePartValue></DocumentedNamePart></DocumentedName></Alias>
<Alias AliasTypeID="1400" LowQuality="true"><DocumentedName><DocumentedNamePart><NamePartValue>JD</NamePartValue></DocumentedNamePart></DocumentedName></Alias></Identity>
<Feature ID="9" FeatureTypeID="345"><FeatureVersion><VersionDetail DetailTypeID="1432">0x901bb9583b24d97e995513c6778dc6888ab6870e</VersionDetail></FeatureVersion></Feature>
<Feature ID="10" FeatureTypeID="8"><FeatureVersion><DatePeriod/></FeatureVersion></Feature></Profile></DistinctParty></DistinctParties></Sanctions>`

func xmlParties(text string) (out []sanctions.Party, p sanctions.Published, err error) {
	p, err = sanctions.ReadXML(
		strings.NewReader(text),
		func(p sanctions.Party) error { out = append(out, p); return nil },
	)

	return out, p, err
}

func TestBothXMLFormsAreRead(t *testing.T) {
	out, p, err := xmlParties(plain)
	require.NoError(t, err)
	require.Equal(t, time.Date(2024, 5, 7, 0, 0, 0, 0, time.UTC), p.Date)

	require.Equal(t, []sanctions.Party{{
		UID:       "7",
		Type:      "individual",
		Programs:  []string{"CYBER2"},
		Names:     []sanctions.Name{{Text: "DOE, Jane"}, {Text: "JD", Weak: true}},
		Countries: []string{"Belize"},
		Numbers:   []string{"Passport A1"},
		Addresses: []sanctions.Address{{Currency: "XBT", Text: "12udabs2TkX7NXCSj6KpqXfakjE52ZPLhz"}},
	}, {UID: "8", Type: "entity", Names: []sanctions.Name{{Text: "ACME SHIPPING LLC"}}}}, out)

	out, p, err = xmlParties(advanced)
	require.NoError(t, err)
	require.Equal(t, time.Date(2024, 9, 27, 0, 0, 0, 0, time.UTC), p.Date)

	require.Equal(t, []sanctions.Party{{
		UID:       "7",
		Type:      "individual",
		Names:     []sanctions.Name{{Text: "DOE Jane"}, {Text: "JD", Weak: true}},
		Addresses: []sanctions.Address{{Currency: "ETH", Text: "0x901bb9583b24d97e995513c6778dc6888ab6870e"}},
	}}, out)
}

// D-10: a list that is cut off, of another kind, or hostile is refused and never taken for a shorter one.
func TestHostileFilesAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"cut off":                 plain[:len(plain)-30],
		"cut off in an entry":     advanced[:1200],
		"another root":            "<list/>",
		"empty":                   "",
		"a definition":            `<!DOCTYPE x [<!ENTITY a "b">]>` + plain,
		"an entity":               strings.Replace(plain, "ACME", "&a;", 1),
		"no number":               strings.Replace(plain, "<uid>8</uid>", "", 1),
		"no date":                 strings.Replace(plain, "05/07/2024", "2024-05-07", 1),
		"an address that is none": strings.Replace(plain, "12udabs2TkX7NXCSj6KpqXfakjE52ZPLhz", "1", 1),
		"no known feature":        strings.Replace(advanced, "Digital Currency Address - ETH", "Something", 1),
		"a month of its own":      strings.Replace(advanced, "<Month>9<", "<Month>14<", 1),
		"one endless entry":       strings.Replace(plain, "ACME", strings.Repeat("A", 5<<20), 1),
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := xmlParties(text)
			require.Error(t, err)
		})
	}

	for name, text := range map[string]string{
		"words":         "hello,world\n",
		"no name":       `7,"",individual,X,,,,,,,,""`,
		"three columns": "7,8,9\n",
		"endless":       `7,"` + strings.Repeat("A", 5<<20),
		"Latin-1":       "7,8,aka,M\xfcLLER,-0-\n",
	} {
		t.Run(name, func(t *testing.T) {
			require.Error(t, sanctions.ReadCSV(strings.NewReader(text), func(sanctions.Party) error { return nil }))
		})
	}
}

// A large file needs the memory of one entry: ten thousand of 10 KB each pass the fence.
func TestManyRecordsPassTheFence(t *testing.T) {
	entry := plain[strings.Index(plain, "<sdnEntry><uid>8"):strings.Index(plain, "</sdnList>")]
	n := 0

	_, err := sanctions.ReadXML(
		strings.NewReader(
			"<sdnList>"+strings.Repeat(
				strings.Replace(entry, "ACME", strings.Repeat("A", 10<<10), 1),
				2000,
			)+"</sdnList>",
		),
		func(sanctions.Party) error {
			n++
			return nil
		},
	)

	require.NoError(t, err)
	require.Equal(t, 2000, n)
}

func TestExtractsOfThePublishedFiles(t *testing.T) {
	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "fixtures")
	}

	dir = filepath.Join(dir, "chain_refdata", "ofac")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	for name, want := range map[string]int{"watchman_sdn.csv": 16, "watchman_consolidated.csv": 10} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(filepath.Join(dir, name))
			require.NoError(t, err)

			n := 0
			names := 0
			require.NoError(
				t,
				sanctions.ReadCSV(f, func(p sanctions.Party) error { n++; names += len(p.Names); return nil }),
			)
			require.NoError(t, f.Close())
			require.GreaterOrEqual(t, n, want)
			require.Greater(t, names, n)
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(plain)
	f.Add(advanced)
	f.Add(
		`7,"DOE, Jane","individual","CYBER2",-0- ,"Digital Currency Address - ETH 0x901bb9583b24d97e995513c6778dc6888ab6870e."`,
	)

	f.Fuzz(func(t *testing.T, text string) {
		check := func(p sanctions.Party) error {
			require.NotEmpty(t, p.UID)

			for _, a := range p.Addresses {
				require.True(t, sanctions.Plausible(a.Text))
			}

			return nil
		}

		_, _ = sanctions.ReadXML(strings.NewReader(text), check)
		_ = sanctions.ReadCSV(strings.NewReader(text), check)
	})
}
