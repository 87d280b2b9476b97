package bank

import "time"

// IdentityOf returns how files of an account name a payout.
func IdentityOf(a HouseAccount, key, rail string) string { return a.identityOf(key, rail) }

// DayOf returns the day of execution of what an account hands over at a moment.
func DayOf(a HouseAccount, rail string, at time.Time) (time.Time, error) {
	return executionDay(a, rail, a.formatOf(rail), at)
}
