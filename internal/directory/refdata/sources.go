package refdata

// Where the tables of this package are from, and the day on which they were last compared with it.
const (
	countrySource    = "ISO 3166-1, as the country codes collection of the ISO Online Browsing Platform has it"
	countryCompared  = "2026-11-28"
	currencySource   = "ISO 4217, list one of its maintenance agency"
	currencyCompared = "2026-11-28"
)
