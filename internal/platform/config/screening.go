package config

import (
	"os"
	"time"
)

// Screening is how payers and receivers are checked against sanctions lists.
type Screening struct {
	ListFiles  []string      `key:"list_files" help:"Sanctions lists, as published (SDN.CSV with ALT.CSV, ADD.CSV and SDN_COMMENTS.CSV, SDN.XML, SDN_ADVANCED.XML), or your own. Live needs at least one."`
	ListMaxAge time.Duration `key:"list_max_age" default:"720h" min:"0s" max:"87600h" help:"Age from which a list is reported as outdated in the log, once a day. 0s: never."`
	Names      bool          `key:"names" default:"true" help:"Whether names of receivers and of depositors are checked against the lists. At least one list must then contain names."`
	NameReview int           `key:"name_review" default:"85" min:"50" max:"100" help:"Similarity to a listed name, of 100, from which two of the platform's people must decide."`
	NameReject int           `key:"name_reject" default:"100" min:"50" max:"101" help:"Similarity from which a name is refused until two people clear it. 101: no name is."`
	Reuse      time.Duration `key:"reuse" default:"15m" min:"1s" max:"24h" help:"How long the approval of an address is reused before lists and oracles are checked again. A newer list counts at once. Accepting and sending always ask the oracle."`
}

// NoOracle is the network.<id>.sanctions_oracle that switches the oracle off.
const NoOracle = "none"

func (k *checker) screening(s Screening) {
	if s.NameReject < s.NameReview {
		k.report("screening.name_reject is %d, below screening.name_review of %d: nothing would ever wait for people",
			s.NameReject, s.NameReview)
	}
}

func (k *checker) liveScreening(s Screening) {
	k.when(len(s.ListFiles) == 0, "screening.list_files is empty: payments would go to anybody")

	for _, path := range s.ListFiles {
		info, err := os.Stat(path)
		switch {
		case err != nil || info.IsDir():
			k.report("screening.list_files: %s cannot be read", path)
		case info.Size() == 0:
			k.report("screening.list_files: %s is empty", path)
		}
	}
}
