package config

import "net/url"

// CheckTest returns every reason why c must not run in mode test: what would reach real money by mistake, and what is
// missing of a part that is configured. It opens no connection.
func CheckTest(c *Config) []string {
	k := &checker{}
	k.when(c.Mode != Test, "mode is %q, not test", c.Mode)

	k.checkKeyring(c.Security.Keyring)
	k.testMail(c)
	k.testBank(c)
	k.ownWitness(c)

	for _, l := range c.AllLiquidity() {
		k.testLiquidity(l.section(c), l)
	}

	k.when(len(c.Networks) > 0 && c.Chain.Signer.Kind == "",
		"chain.signer.kind is empty: nobody would sign on the configured networks")

	for _, n := range c.Networks {
		k.checkWorth(c.Mode, n)
		k.contract(networkKey+"."+n.ID+".router", n.Router)
		k.contract(networkKey+"."+n.ID+".treasury", n.Treasury)
	}

	if !simulators {
		k.notSimulated(c)
	}

	return k.problems
}

// notSimulated reports what is not set and cannot be simulated.
func (k *checker) notSimulated(c *Config) {
	for _, setting := range c.Simulated().Missing() {
		k.report("%s is not set, and this build has no simulators", setting)
	}
}

// testMail reports a mailbox that strangers can read: it holds links that open accounts.
func (k *checker) testMail(c *Config) {
	u, err := url.Parse(c.HTTP.BaseURL)
	if c.Mail.Host == "" && (err != nil || !private(u.Hostname())) {
		k.report(
			"mail.host is empty: everybody who reaches %s could read the mailbox, and the links in it open accounts",
			c.HTTP.BaseURL,
		)
	}
}

// testBank reports a bank that could be a real one: payments in tokens without worth would be paid out in money.
func (k *checker) testBank(c *Config) {
	if c.Bank.Channel == "" {
		return
	}

	k.when(!c.Bank.TestSystem,
		"bank.test_system is false: set it to true if the other end of bank.channel is a test system that moves no "+
			"money")

	k.when(len(c.HouseAccounts) == 0, "bank.channel is set, but there is no [[house_account]]")
}

// testLiquidity reports a provider that could trade in earnest.
func (k *checker) testLiquidity(at string, l LiquidityProvider) {
	k.when(l.Provider == "http" && !l.TestSystem,
		"%s.test_system is false: set it to true if this provider is a test system that trades nothing of worth", at)
}
