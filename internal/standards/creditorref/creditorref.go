// Package creditorref makes and finds the references by which an incoming payment is told: our own of eight characters, the creditor
// reference of ISO 11649 (RF) and the Swiss QR reference. Each has a check, so that a mistyped one is not somebody else's.
package creditorref

import "errors"

// Deposit makes a reference of eight characters (seven of Crockford's base 32 and one check character) from 35 random bits, the low ones of
// the first five bytes. The same bytes give the same reference.
func Deposit(random [5]byte) string { panic("soon") }

// Show groups a deposit reference for people: PX4K-7Q2M.
func Show(ref string) string { panic("soon") }

// ParseDeposit reads what a person typed: any case, O for 0, I and L for 1, blanks and hyphens. It gives the reference without hyphen.
func ParseDeposit(text string) (string, bool) { panic("soon") }

// Find gives every deposit reference in a text of a bank, each once: those that stand alone first, then those in between other
// characters. That one is found says nothing more than that its check holds (one in 32 does by chance): the caller knows which are open.
func Find(text string) []string { panic("soon") }

// RF makes an ISO 11649 reference of 1 to 21 letters and digits: RF18539007547034.
func RF(body string) (string, error) { return "", errors.New("soon") }

// ValidRF gives the reference in its electronic form (upper case, no blanks), when its check holds.
func ValidRF(text string) (string, bool) { panic("soon") }

// FindRF gives the body of every RF reference in a text, each once.
func FindRF(text string) []string { panic("soon") }

// QRR makes a Swiss QR reference of 27 digits from up to 26, filled with zeros at the front.
func QRR(digits string) (string, error) { return "", errors.New("soon") }

// ValidQRR gives the 27 digits, when they check.
func ValidQRR(text string) (string, bool) { panic("soon") }

// FindQRR gives every QR reference in a text, each once.
func FindQRR(text string) []string { panic("soon") }

// QRRFor and DepositOfQRR carry a deposit reference in a QR reference, and back.
func QRRFor(deposit string) (string, error) { return "", errors.New("soon") }

// DepositOfQRR gives the deposit reference inside a QR reference of ours.
func DepositOfQRR(qrr string) (string, bool) { panic("soon") }
