package sanctions_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/sanctions"
)

// inXML reads a list in XML.
func inXML(t *testing.T, text string) (map[string]sanctions.Party, string) {
	t.Helper()

	out := map[string]sanctions.Party{}
	published, err := sanctions.ReadXML(strings.NewReader(text), func(p sanctions.Party) error {
		require.NotContains(t, out, p.UID)
		out[p.UID] = p

		return nil
	})
	require.NoError(t, err)

	return out, published.Date.Format(time.DateOnly)
}

const euList = `<?xml version="1.0" encoding="UTF-8"?><export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-11-20T14:00:00.000+01:00">
<sanctionEntity euReferenceNumber="EU.1.1" logicalId="10"><regulation programme="UKR"><publicationUrl>x</publicationUrl></regulation>
<subjectType code="person"/><nameAlias firstName="Vera" lastName="Beispiel" wholeName="Vera Beispiel" strong="true"/>
<nameAlias firstName="Vera" middleName="M." lastName="Muster" wholeName="" strong="true"/>
<nameAlias wholeName="VB" strong="true"><remark>Low quality alias</remark></nameAlias>
<birthdate circa="true" year="1961" countryDescription="UNKNOWN"/><birthdate birthdate="1962-03-04" city="Ort" countryDescription="RUSSIAN FEDERATION"/>
<citizenship countryDescription="RUSSIAN FEDERATION"/><address countryDescription="UNKNOWN"/>
<identification latinNumber="X1" identificationTypeDescription="National passport"/></sanctionEntity>
<sanctionEntity logicalId="11"><subjectType code="enterprise"/><nameAlias wholeName="Beispiel Handel GmbH"/></sanctionEntity></export>`

func TestTheEuropeanListIsRead(t *testing.T) {
	got, date := inXML(t, euList)
	require.Equal(t, "2026-11-20", date)
	require.Equal(t, map[string]sanctions.Party{
		"EU.1.1": {
			UID:       "EU.1.1",
			Type:      sanctions.Individual,
			Names:     []sanctions.Name{{Text: "Vera Beispiel"}, {Text: "Vera M. Muster"}, {Text: "VB", Weak: true}},
			Programs:  []string{"UKR"},
			Countries: []string{"RUSSIAN FEDERATION"},
			Births:    []string{"about 1961", "1962-03-04"},
			Places:    []string{"Ort, RUSSIAN FEDERATION"},
			Numbers:   []string{"National passport X1"},
		},
		"EU.11": {UID: "EU.11", Type: sanctions.Entity, Names: []sanctions.Name{{Text: "Beispiel Handel GmbH"}}},
	}, got)
}

const unList = `<CONSOLIDATED_LIST dateGenerated="2026-11-19T00:00:09.554Z"><INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID>
<FIRST_NAME>VERA</FIRST_NAME><SECOND_NAME>MUSTER</SECOND_NAME><THIRD_NAME>BEISPIEL</THIRD_NAME><NAME_ORIGINAL_SCRIPT>Вера</NAME_ORIGINAL_SCRIPT>
<UN_LIST_TYPE>DRC</UN_LIST_TYPE><REFERENCE_NUMBER>CDi.999</REFERENCE_NUMBER><NATIONALITY><VALUE>Rwanda</VALUE></NATIONALITY>
<INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>VERA M.</ALIAS_NAME></INDIVIDUAL_ALIAS><INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>AIGLE</ALIAS_NAME></INDIVIDUAL_ALIAS>
<INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS><INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1958</FROM_YEAR><TO_YEAR>1960</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1959</YEAR></INDIVIDUAL_DATE_OF_BIRTH><INDIVIDUAL_DATE_OF_BIRTH/>
<INDIVIDUAL_PLACE_OF_BIRTH><CITY>Goma</CITY><COUNTRY>Rwanda</COUNTRY></INDIVIDUAL_PLACE_OF_BIRTH>
<INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER>P1</NUMBER></INDIVIDUAL_DOCUMENT></INDIVIDUAL></INDIVIDUALS>
<ENTITIES><ENTITY><DATAID>2</DATAID><FIRST_NAME>BEISPIEL TRADING</FIRST_NAME><ENTITY_ALIAS><QUALITY>a.k.a.</QUALITY><ALIAS_NAME>BT</ALIAS_NAME></ENTITY_ALIAS>
<ENTITY_ADDRESS><COUNTRY>Uganda</COUNTRY></ENTITY_ADDRESS></ENTITY></ENTITIES></CONSOLIDATED_LIST>`

func TestTheListOfTheUnitedNationsIsRead(t *testing.T) {
	got, date := inXML(t, unList)
	require.Equal(t, "2026-11-19", date)

	require.Equal(t, map[string]sanctions.Party{
		"CDi.999": {
			UID:  "CDi.999",
			Type: sanctions.Individual,
			Names: []sanctions.Name{
				{Text: "VERA MUSTER BEISPIEL"},
				{Text: "Вера"},
				{Text: "VERA M."},
				{Text: "AIGLE", Weak: true},
			},
			Programs:  []string{"DRC"},
			Countries: []string{"Rwanda"},
			Births:    []string{"1958 to 1960", "about 1959"},
			Places:    []string{"Goma, Rwanda"},
			Numbers:   []string{"Passport P1"},
		},

		"UN.2": {
			UID:       "UN.2",
			Type:      sanctions.Entity,
			Names:     []sanctions.Name{{Text: "BEISPIEL TRADING"}, {Text: "BT"}},
			Countries: []string{"Uganda"},
		},
	}, got)
}

const secoList = `<swiss-sanctions-list list-type="whole-list" date="2026-11-18"><sanctions-program ssid="20"><program-key lang="ger">Probe</program-key>
<program-key lang="eng">Test</program-key><sanctions-set ssid="200" lang="eng">annex</sanctions-set></sanctions-program>
<target ssid="1"><sanctions-set-id>200</sanctions-set-id><individual sex="female"><identity ssid="11" main="true">
<name name-type="primary-name"><name-part order="2" name-part-type="given-name"><value>Vera</value></name-part>
<name-part order="1" name-part-type="family-name"><value>Beispiel</value><spelling-variant script="CYRL">Бейшпиль</spelling-variant><spelling-variant script="LATN">Bejspil</spelling-variant><spelling-variant script="LATN">Beyspil</spelling-variant></name-part></name>
<name name-type="alias" quality="low"><name-part order="1"><value>VB</value></name-part></name>
<day-month-year day="4" month="3" year="1962"/><day-month-year year="1961"/><place-of-birth place-id="900"/><nationality><country iso-code="RU">Russian Federation</country></nationality>
<identification-document document-type="passport"><number>X1</number></identification-document></identity></individual>
<modification modification-type="listed" effective-date="2022-02-28"/><modification modification-type="de-listed" effective-date="2021-01-01"/>
<modification modification-type="amended" effective-date="2023-02-28"><removed><name-part><value>GONE</value></name-part></removed></modification></target>
<target ssid="2"><entity><identity><name><name-part order="1"><value>Delisted GmbH</value></name-part></name></identity></entity>
<modification modification-type="listed" effective-date="2020-01-01"/><modification modification-type="de-listed" effective-date="2021-01-01"/></target>
<target ssid="3"><object object-type="vessel"><identity><name><name-part order="1"><value>Schiff</value></name-part></name></identity></object></target>
<place ssid="900"><location>Ort</location><country iso-code="RU">Russian Federation</country></place></swiss-sanctions-list>`

func TestTheSwissListIsRead(t *testing.T) {
	got, date := inXML(t, secoList)
	require.Equal(t, "2026-11-18", date)

	require.Equal(t, map[string]sanctions.Party{
		"SECO.1": {
			UID:  "SECO.1",
			Type: sanctions.Individual,
			Names: []sanctions.Name{
				{Text: "Beispiel Vera"},
				{Text: "Бейшпиль Vera"},
				{Text: "Bejspil Vera"},
				{Text: "Beyspil Vera"},
				{Text: "VB", Weak: true},
			},
			Programs:  []string{"Test"},
			Countries: []string{"Russian Federation"},
			Births:    []string{"1962-03-04", "1961"},
			Places:    []string{"Ort, Russian Federation"},
			Numbers:   []string{"passport X1"},
		},

		"SECO.3": {UID: "SECO.3", Type: sanctions.Vessel, Names: []sanctions.Name{{Text: "Schiff"}}},
	}, got, "who was taken off the list, and names that were removed, are not listed")
}

const enhancedList = `<sanctionsData xmlns="https://example.org/ENHANCED_XML"><publicationInfo><dataAsOf>2026-11-17T00:00:00</dataAsOf></publicationInfo>
<referenceValues><referenceValue refId="91"><type>Status</type><value>1962</value></referenceValue></referenceValues><entities>
<entity id="36"><generalInfo><identityId>4</identityId><entityType refId="600">Individual</entityType></generalInfo>
<sanctionsPrograms><sanctionsProgram refId="1">CYBER2</sanctionsProgram></sanctionsPrograms><names>
<name id="1"><isPrimary>true</isPrimary><isLowQuality>false</isLowQuality><translations><translation id="1"><script refId="215">Latin</script><formattedFullName>BEISPIEL, Vera</formattedFullName></translation>
<translation id="2"><script>Cyrillic</script><nameParts><namePart><value>Вера</value></namePart><namePart><value>Бейшпиль</value></namePart></nameParts></translation></translations></name>
<name id="2"><isLowQuality>true</isLowQuality><translations><translation><formattedFullName>VB</formattedFullName></translation></translations></name></names>
<addresses><address id="1"><country refId="1">Russia</country></address></addresses><features>
<feature id="1"><type featureTypeId="8">Birthdate</type><value>04 Mar 1962</value></feature><feature id="2"><type>Birthdate</type><valueRefId>91</valueRefId></feature>
<feature id="3"><type>Place of Birth</type><value>Ort</value></feature><feature id="4"><type>Digital Currency Address - ETH</type><value>0x901bb9583b24d97e995513c6778dc6888ab6870e</value></feature></features>
<identityDocuments><identityDocument id="1"><type>Passport</type><documentNumber>X1</documentNumber></identityDocument></identityDocuments></entity></entities></sanctionsData>`

func TestTheEnhancedListOfTheTreasuryIsRead(t *testing.T) {
	got, date := inXML(t, enhancedList)
	require.Equal(t, "2026-11-17", date)
	require.Equal(t, map[string]sanctions.Party{"36": {
		UID:       "36",
		Type:      sanctions.Individual,
		Names:     []sanctions.Name{{Text: "BEISPIEL, Vera"}, {Text: "Вера Бейшпиль"}, {Text: "VB", Weak: true}},
		Programs:  []string{"CYBER2"},
		Countries: []string{"Russia"},
		Addresses: []sanctions.Address{{Currency: "ETH", Text: "0x901bb9583b24d97e995513c6778dc6888ab6870e"}},
		Births:    []string{"04 Mar 1962", "1962"},
		Places:    []string{"Ort"},
		Numbers:   []string{"Passport X1"},
	}}, got)
}

const ukRows = `Report Date: 13-Feb-2026
Unique ID,Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Name type,Alias strength,Name non-latin script,Regime Name,Designation Type,Sanctions Imposed,Address Country,D.O.B,Nationality(/ies),Passport number,Town of birth,Country of birth
RUS9999,BEISPIEL,Vera,,,,,Primary Name,,Вера,Russia,Individual,Asset freeze|Travel Ban,Russia,dd/03/1962,Russia|Belarus,X1,Ort,Russia
RUS9999,VB,,,,,,Alias,Low quality,,Russia,Individual,Asset freeze
SHP1,SCHIFF,,,,,,Primary Name,,,Russia,Ship
`

const ukList = `<Designations><DateGenerated>13/02/2026</DateGenerated><Designation><UniqueID>RUS9999</UniqueID><Names>
<Name><Name6>BEISPIEL</Name6><Name1>Vera</Name1><NameType>Primary Name</NameType></Name><Name><Name6>VB</Name6><NameType>Alias</NameType><AliasStrength>Low quality</AliasStrength></Name></Names>
<NonLatinNames><NonLatinName><NameNonLatinScript>Вера</NameNonLatinScript></NonLatinName></NonLatinNames><RegimeName>Russia</RegimeName><IndividualEntityShip>Individual</IndividualEntityShip>
<SanctionsImposed>Asset freeze|Travel Ban</SanctionsImposed><Addresses><Address><AddressCountry>Russia</AddressCountry></Address></Addresses>
<IndividualDetails><Individual><DOBs><DOB>dd/03/1962</DOB></DOBs><Nationalities><Nationality>Russia</Nationality><Nationality>Belarus</Nationality></Nationalities>
<BirthDetails><Location><TownOfBirth>Ort</TownOfBirth><CountryOfBirth>Russia</CountryOfBirth></Location></BirthDetails></Individual></IndividualDetails></Designation></Designations>`

func TestTheBritishListIsReadInBothForms(t *testing.T) {
	var rows []sanctions.Party

	require.True(t, sanctions.LooksUK([]byte(ukRows)))
	published, err := sanctions.ReadUKCSV(strings.NewReader(ukRows), func(p sanctions.Party) error {
		rows = append(rows, p)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, "2026-02-13", published.Date.Format(time.DateOnly))

	person := sanctions.Party{
		UID:       "RUS9999",
		Type:      sanctions.Individual,
		Names:     []sanctions.Name{{Text: "Vera BEISPIEL"}, {Text: "Вера"}},
		Programs:  []string{"Russia", "Asset freeze", "Travel Ban"},
		Countries: []string{"Russia", "Belarus"},
		Births:    []string{"1962-03"},
		Places:    []string{"Ort, Russia"},
		Numbers:   []string{"Passport X1"},
	}
	require.Equal(t, person, rows[0])
	require.Equal(t, []sanctions.Name{{Text: "VB", Weak: true}}, rows[1].Names)
	require.Equal(t, sanctions.Vessel, rows[2].Type)

	got, date := inXML(t, ukList)
	require.Equal(t, "2026-02-13", date)

	person.Names = []sanctions.Name{{Text: "Vera BEISPIEL"}, {Text: "VB", Weak: true}, {Text: "Вера"}}
	person.Countries = []string{"Russia", "Belarus"}
	person.Numbers = nil
	require.Equal(t, person, got["RUS9999"])
}

// What is damaged, empty of numbers or of a form that nobody has published approves nobody by mistake.
func TestDamagedListsAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"another root":          "<somebody/>",
		"cut off":               euList[:len(euList)-30],
		"no date":               strings.Replace(euList, "generationDate", "x", 1),
		"a date that is none":   strings.Replace(unList, "2026-11-19", "2026-99-19", 1),
		"a name that is empty":  strings.Replace(euList, `wholeName="Beispiel Handel GmbH"`, `wholeName=""`, 1),
		"no number":             strings.Replace(euList, `<sanctionEntity logicalId="11">`, "<sanctionEntity>", 1),
		"a Swiss one of no one": strings.Replace(secoList, "Schiff", "", 1),
		"an address that is no": strings.Replace(enhancedList, "0x901bb9583b24d97e995513c6778dc6888ab6870e", "0x90", 1),
		"an entity of no name":  strings.ReplaceAll(ukList, "Name>", "N>"),
		"a type definition":     "<!DOCTYPE x><export/>",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sanctions.ReadXML(strings.NewReader(text), func(sanctions.Party) error { return nil })
			require.Error(t, err)
		})
	}

	for name, text := range map[string]string{
		"no date":    strings.Replace(ukRows, "13-Feb-2026", "soon", 1),
		"no columns": "Report Date: 13-Feb-2026\n",
		"a column":   strings.Replace(ukRows, "Unique ID", "Id", 1),
		"no number":  ukRows + ",BEISPIEL\n",
		"Latin-1":    ukRows + "RUS7,M\xfcLLER\n",
		"a quote":    ukRows + "RUS7,\"A\" B\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sanctions.ReadUKCSV(strings.NewReader(text), func(sanctions.Party) error { return nil })
			require.Error(t, err)
		})
	}
}

// Samples of the published forms by others are read.
func TestPublishedSamplesAreRead(t *testing.T) {
	folder := filepath.Join(cmp.Or(os.Getenv("SLIPWAY_FIXTURES"), "../../../../shared/fixtures"), "outside", "lists")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the samples of sanctions lists are not on this machine (SLIPWAY_FIXTURES)")
	}

	for name, want := range map[string]int{
		"eu_fsf_1_1.HANDWRITTEN.xml":  2,
		"un_consolidated.DERIVED.xml": 15,
		"seco.HANDWRITTEN.xml":        1,
	} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		got, _ := inXML(t, string(text))
		require.Len(t, got, want, name)

		for _, p := range got {
			for _, n := range p.Names {
				require.NotContains(t, n.Text, "MUST NOT MATCH")
			}
		}
	}

	rows, err := os.Open(filepath.Join(folder, "uk_sanctions_list.DERIVED.csv"))
	require.NoError(t, err)

	defer func() { require.NoError(t, rows.Close()) }()

	n := 0
	_, err = sanctions.ReadUKCSV(rows, func(p sanctions.Party) error { n++; return nil })
	require.NoError(t, err)
	require.Equal(t, 2, n)
}
