//go:build !nosandbox

package banksim

// Kinds lists every kind but Exact.
func Kinds() []Kind {
	return []Kind{
		Short,
		Over,
		FeeShortened,
		Split,
		Duplicate,
		WrongReference,
		NoReference,
		WrongCurrency,
		OtherSender,
		Pending,
	}
}
