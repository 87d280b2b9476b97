package day

import (
	_ "embed"
	"strings"
	"time"
	_ "time/tzdata" // a container may have no time zone database
)

// A line for each country: its code, and the zone of the most of its people or of its capital.
//
//go:embed zones.txt
var zones string

// Zone returns the time zone with a name of the IANA database, such as Europe/Zurich. ok is false for another name;
// that of the machine's own zone is none.
func Zone(name string) (zone *time.Location, ok bool) {
	if name == "" || name == "Local" {
		return nil, false
	}

	zone, err := time.LoadLocation(name)

	return zone, err == nil
}

// ZoneOf returns the time zone of a country, by ISO 3166-1 alpha-2. A country with several zones has one of them here.
// Without a country it is UTC.
func ZoneOf(country string) *time.Location {
	for line := range strings.Lines(zones) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), country+" "); ok && country != "" {
			if zone, ok := Zone(name); ok {
				return zone
			}
		}
	}

	return time.UTC
}
