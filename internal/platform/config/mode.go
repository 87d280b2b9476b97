package config

// Mode is what a deployment is for. Code asks for the property that counts, such as RealMoney, and never compares
// names.
type Mode string

// The modes.
const (
	Sandbox Mode = "sandbox" // one developer's machine: everything outside is simulated
	Test    Mode = "test"    // integration and staging: networks without worth, simulators for what is not configured
	Live    Mode = "live"    // real money: CheckLive must find nothing
)

// RealMoney reports whether what is moved here has worth. Then nothing is simulated, networks of tests are refused, and
// API secrets begin with sk_live_.
func (m Mode) RealMoney() bool { return m == Live }

// Personal reports whether the deployment is one developer's own: its keys may be public, addresses of mail need no
// confirmation, operators no second factor, and everything can be steered.
func (m Mode) Personal() bool { return m == Sandbox }

// Mark returns what every mail, page, document and answer of the deployment shows, so that nobody takes it for real; ""
// for none. A sandbox has none: what it shows is made up and says so.
func (m Mode) Mark() string {
	if m.RealMoney() || m.Personal() {
		return ""
	}

	return "TEST"
}

// Simulated is which outside parties are simulated: those that the configuration leaves out, where nothing has worth.
type Simulated struct {
	Chain        bool // there is no network
	Bank         bool // there is neither a channel to a bank nor an account of ours
	Verification bool
	Screening    bool
	Rates        bool
	Liquidity    bool // at least one provider
	Mail         bool // mails stay in the mailbox
}

// Simulated returns which outside parties of a deployment with this configuration are simulated.
func (c *Config) Simulated() Simulated {
	if c.Mode.RealMoney() {
		return Simulated{}
	}

	s := Simulated{
		Chain:        len(c.Networks) == 0,
		Bank:         c.Bank.Channel == "" && len(c.HouseAccounts) == 0,
		Verification: c.IDV.BaseURL == "" && len(c.IDV.Manual()) < levels,
		Screening:    len(c.Screening.ListFiles) == 0,
		Rates:        c.Rates.Source == "simulator" || c.Rates.Source == "" && len(c.Rates.Feeds) == 0,
		Mail:         c.Mail.Host == "",
	}
	for _, l := range c.AllLiquidity() {
		s.Liquidity = s.Liquidity || l.Provider == "" || l.Provider == "simulator"
	}

	return s
}

// Parts returns the simulated parties by name.
func (s Simulated) Parts() []string { return s.list(func(p simulatedPart) string { return p.name }) }

// Missing returns the settings that would replace the simulators by live adapters, one text for each simulator.
func (s Simulated) Missing() []string {
	return s.list(func(p simulatedPart) string { return p.setting })
}

// simulatedPart is an outside party, and what has to be set so that it is not simulated.
type simulatedPart struct {
	simulated     bool
	name, setting string
}

func (s Simulated) list(text func(simulatedPart) string) []string {
	var out []string
	for _, p := range []simulatedPart{
		{s.Chain, "chain", "[[network]]"},
		{s.Bank, "bank", "bank.channel with [[house_account]]"},
		{s.Verification, "identity verification", "idv.base_url"},
		{s.Screening, "screening", "screening.list_files"},
		{s.Rates, "rates", "rates.feeds"},
		{s.Liquidity, "liquidity", "liquidity.provider"},
		{s.Mail, "mail", "mail.host"},
	} {
		if p.simulated {
			out = append(out, text(p))
		}
	}

	return out
}
