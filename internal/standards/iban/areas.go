package iban

import "strings"

// SEPA is where the countries of SEPA are from, and SEPACompared the day on which they were last compared with it.
const (
	SEPA         = "EPC409-09, List of SEPA Scheme Countries of the European Payments Council, version 8.0 of 24 December 2025"
	SEPACompared = "2026-11-28"
)

// sepaScope lists the countries of the SEPA schemes, by ISO 3166-1 code. Territories with the IBAN of another country
// that are not listed are outside (PF, TF, NC, WF). Not every bank of a listed country takes part.
const sepaScope = " AD AL AT AX BE BG BL CH CY CZ DE DK EE ES FI FR GB GF GG GI GP GR HR HU IE IM IS IT JE LI LT " +
	"LU LV MC MD ME MF MK MQ MT NL NO PL PM PT RE RO RS SE SI SK SM VA YT "

// instantScope lists those of them whose banks must take instant payments: the euro area, with the places that have the
// euro by an agreement (Regulation (EU) 2024/886).
const instantScope = " AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC MF MQ MT NL PM PT RE SI SK SM " +
	"VA YT "

// single lists the countries of the European Economic Area. A bank of one of them may serve all others, by branches
// and without (Directive 2013/36/EU, article 33).
const single = " AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK "

// InSEPA reports whether banks of a country (ISO 3166-1 alpha-2) are in the SEPA schemes.
func InSEPA(country string) bool { return among(sepaScope, country) }

// InstantInSEPA reports whether banks of a country must take instant payments in SEPA.
func InstantInSEPA(country string) bool { return among(instantScope, country) }

// InEEA reports whether a country is in the European Economic Area.
func InEEA(country string) bool { return among(single, country) }

func among(list, country string) bool {
	return len(country) == 2 && strings.Contains(list, " "+country+" ")
}
