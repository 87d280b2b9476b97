package config

import (
	"os"
	"time"
)

// Screening is whom no payment may go to or come from.
type Screening struct {
	ListFiles  []string      `key:"list_files" help:"Files of sanctions lists, as they are published (SDN.CSV with ALT.CSV, ADD.CSV and SDN_COMMENTS.CSV, SDN.XML, SDN_ADVANCED.XML), or of your own. Live needs at least one."`
	ListMaxAge time.Duration `key:"list_max_age" default:"720h" min:"0s" max:"87600h" help:"Age of a list from which the log is told each day that it is old. 0s: never."`
	Names      bool          `key:"names" default:"true" help:"Whether names of receivers and of senders of deposits are held against the lists. At least one list then has to hold names."`
	NameReview int           `key:"name_review" default:"85" min:"50" max:"100" help:"Score, of 100, from which a name that is like a listed one waits for two of the platform's people."`
	NameReject int           `key:"name_reject" default:"100" min:"50" max:"101" help:"Score from which such a name is refused until two people have cleared it. 101: none is, all wait."`
	Reuse      time.Duration `key:"reuse" default:"15m" min:"1s" max:"24h" help:"How long an approval of an address is used again before lists and oracles are asked once more. A newer list counts at once, and an oracle is asked at accept and before sending all the same."`
}

// NoOracle is the network.<id>.sanctions_oracle of a network on which no oracle is asked.
const NoOracle = "none"

func (k *checker) screening(s Screening) {
	if s.NameReject < s.NameReview {
		k.say(
			"screening.name_reject is %d, below screening.name_review of %d: nothing would ever wait for people",
			s.NameReject,
			s.NameReview,
		)
	}
}

func (k *checker) liveScreening(s Screening) {
	if len(s.ListFiles) == 0 {
		k.say("screening.list_files is empty: payments would go to anybody")
	}

	for _, path := range s.ListFiles {
		info, err := os.Stat(path)
		switch {
		case err != nil || info.IsDir():
			k.say("screening.list_files: %s cannot be read", path)
		case info.Size() == 0:
			k.say("screening.list_files: %s is empty", path)
		}
	}
}
