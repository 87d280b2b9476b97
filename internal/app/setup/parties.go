package setup

import (
	"context"
	"path/filepath"
	"strings"

	"slipway/internal/platform/config"
)

// Who does a part: we ourselves, or somebody whose address and keys are then added to the configuration by hand.
const (
	byHand    = "manual"
	ownStock  = "house"
	byOutside = "outside"
)

// verification asks who verifies people and companies.
func (s *setup) verification(context.Context) error {
	s.title("Verification")

	if s.given("idv.provider", s.have.IDV.Provider) || s.given("idv.base_url", s.have.IDV.BaseURL) {
		return nil
	}

	who, err := s.ask(question{
		text: "Who verifies people and companies? manual: you, from hosted forms, by two decisions. " +
			"outside: a provider, which you name in [idv]" + s.orSimulated("a simulated one"),
		flag:  "--verification",
		given: s.Answers.Verification,
		usual: s.usualPart(byHand),
		check: s.partly(byHand, byOutside),
	})
	if err != nil || who != byHand {
		return err
	}

	s.set("idv.provider", byHand)

	return nil
}

// screening asks for the sanctions lists.
func (s *setup) screening(context.Context) error {
	s.title("Screening")

	if s.given("screening.list_files", strings.Join(s.have.Screening.ListFiles, ", ")) {
		return nil
	}

	answer, err := s.ask(question{
		text:  "Files with sanctions lists, separated by commas" + s.orSimulated("an empty one"),
		flag:  "--screening-list",
		given: strings.Join(s.Answers.Lists, ","),
		usual: s.usualNone(),
		check: func(v string) error {
			if v == none {
				return nil
			}

			for _, path := range listed(v) {
				if err := readable(path); err != nil {
					return err
				}
			}

			return nil
		},
	})
	if err != nil || answer == none {
		return err
	}

	paths := listed(answer)
	for i, path := range paths {
		if paths[i], err = filepath.Abs(path); err != nil {
			return err
		}
	}

	s.set("screening.list_files", paths)

	return nil
}

// prices asks who converts between tokens and money, and who says what they are worth. Without a bank nothing is
// converted.
func (s *setup) prices(context.Context) error {
	if s.have.Bank.Channel == "" {
		return nil
	}

	s.title("Conversion")

	if !s.given("liquidity.provider", s.have.Liquidity.Provider) && len(s.have.LiquidityProviders) == 0 {
		who, err := s.ask(question{
			text: "Who converts between tokens and money? house: you, from your own stock. " +
				"outside: a provider, which you name in [liquidity]" + s.orSimulated("a simulated one"),
			flag:  "--liquidity",
			given: s.Answers.Liquidity,
			usual: s.usualPart(ownStock),
			check: s.partly(ownStock, byOutside),
		})
		if err != nil {
			return err
		}

		if who == ownStock {
			s.set("liquidity.provider", ownStock)
		}
	}

	if s.given("rates.feeds", strings.Join(s.have.Rates.Feeds, ", ")) {
		return nil
	}

	feeds, err := s.ask(question{
		text: "Price feeds of the tokens, separated by commas, each as PAIR NETWORK ADDRESS HEARTBEAT; " +
			"data.chain.link lists them" + s.orSimulated("simulated prices"),
		flag:  "--feed",
		given: strings.Join(s.Answers.Feeds, ","),
		usual: s.usualNone(),
		check: func(v string) error {
			if v == none {
				return nil
			}

			_, err := config.Rates{Feeds: listed(v)}.ParseFeeds()

			return err
		},
	})
	if err != nil || feeds == none {
		return err
	}

	s.set("rates.feeds", listed(feeds))

	return nil
}

// listed returns the parts of an answer with commas.
func listed(answer string) []string {
	parts := strings.Split(answer, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}

	return parts
}

// usualPart is the usual answer about who does a part: ourselves where there is real money, and else a simulator.
func (s *setup) usualPart(ourselves string) string {
	if s.have.Mode.RealMoney() {
		return ourselves
	}

	return none
}

// partly returns a check for who does a part. Where there is no real money, a simulator may.
func (s *setup) partly(who ...string) func(string) error {
	if !s.have.Mode.RealMoney() {
		who = append(who, none)
	}

	return oneOf(who...)
}
