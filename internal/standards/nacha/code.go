package nacha

import "strings"

// Kind is what a return code means for whoever has sent a credit.
type Kind string

// The kinds of returns.
const (
	WrongDetails Kind = "WRONG_DETAILS" // the payee's account: new details are needed
	NotAccepted  Kind = "NOT_ACCEPTED"  // the payee or its bank does not take it: a person asks the payee
	Faulty       Kind = "FAULTY"        // the entry itself was wrong
	Repeated     Kind = "REPEATED"      // taken to be a copy: the first one may have been paid
	Agreed       Kind = "AGREED"        // it comes back because somebody asked for it
	OfDebits     Kind = "OF_DEBITS"     // nothing that a credit is returned for
	Dishonoured  Kind = "DISHONOURED"   // the return itself is disputed between the banks
	Other        Kind = "OTHER"
)

// KindOf returns the kind of a return code.
func KindOf(code string) Kind {
	switch code {
	case "R02", "R03", "R04", "R12", "R13", "R20", "R28", "R34":
		return WrongDetails
	case "R14", "R15", "R16", "R23", "R32":
		return NotAccepted
	case "R17", "R18", "R19", "R21", "R22", "R25", "R26", "R27", "R80", "R81", "R82", "R83", "R84", "R85":
		return Faulty
	case "R24":
		return Repeated
	case "R06", "R31":
		return Agreed
	case "R01", "R05", "R07", "R08", "R09", "R10", "R11", "R29", "R30", "R33", "R35", "R37", "R38", "R39",
		"R50", "R51", "R52", "R53":
		return OfDebits
	}

	if code >= "R61" && code <= "R77" {
		return Dishonoured
	}

	return Other
}

// returnTexts says what return codes mean for a credit, in our words.
func returnTexts() map[string]string {
	return map[string]string{
		"R01": "the account has not enough money",
		"R02": "the account is closed",
		"R03": "there is no such account, or it is not in this name",
		"R04": "the account number is not valid",
		"R05": "a debit to a person that was not allowed",
		"R06": "the sending bank has asked for it back",
		"R07": "the authorisation was withdrawn",
		"R08": "the payment was stopped",
		"R09": "the money in the account is not available yet",
		"R10": "the originator is not known to the account's holder",
		"R11": "not as authorised",
		"R12": "the branch belongs to another bank now",
		"R13": "the bank takes no such entries",
		"R14": "the payee's representative has died or cannot act",
		"R15": "the payee or the account's holder has died",
		"R16": "the account is frozen",
		"R17": "fields of the entry are wrong",
		"R18": "the effective date is wrong",
		"R19": "the amount is wrong",
		"R20": "the account takes no payments",
		"R21": "the company identification is wrong",
		"R22": "the payee's identification is wrong",
		"R23": "the payee refuses the credit",
		"R24": "the payee's bank takes it to be a copy",
		"R25": "the addenda record is wrong",
		"R26": "a mandatory field is wrong",
		"R27": "the trace number is wrong",
		"R28": "the check digit of the routing number is wrong",
		"R29": "the company says that it was not authorised",
		"R31": "returned with the sending bank's consent",
		"R32": "the payee's bank cannot settle",
		"R34": "the payee's bank takes part in ACH with limits only",
		"R61": "dishonoured return: it went to the wrong bank",
		"R62": "dishonoured return: of a reversal",
		"R67": "dishonoured return: the entry was returned twice",
		"R68": "dishonoured return: too late",
		"R69": "dishonoured return: fields of it are wrong",
		"R70": "dishonoured return: the sending bank has not agreed to it",
		"R71": "contested: the dishonoured return went to the wrong bank",
		"R72": "contested: the dishonoured return came too late",
		"R73": "contested: the return was in time",
		"R74": "contested: the return is corrected",
		"R75": "contested: the return was no copy",
		"R76": "contested: the return has no errors",
		"R77": "contested: the money cannot be had back",
	}
}

// ReturnText returns what a return code means, in a few words; "" for a code without any.
func ReturnText(code string) string { return returnTexts()[code] }

// ChangeText returns what a change code says was wrong; "" for a code without a text.
func ChangeText(code string) string {
	switch code {
	case "C01":
		return "the account number"
	case "C02":
		return "the routing number"
	case "C03":
		return "the routing number and the account number"
	case "C04":
		return "the payee's name"
	case "C05":
		return "whether it is a checking or a savings account"
	case "C06":
		return "the account number, and whether it is a checking or a savings account"
	case "C07":
		return "the routing number, the account number, and whether it is a checking or a savings account"
	case "C08":
		return "the routing number of an international entry"
	case "C09":
		return "the payee's identification"
	case "C13":
		return "the addenda record"
	case "C14":
		return "the class of an international entry"
	}

	return ""
}

// Correction is what a notification of change says is right. Empty: that was right before.
type Correction struct {
	Routing string
	Account string
	Name    string
	Code    int // transaction code; 0: as before
}

// Savings reports whether the transaction code is one of a savings account.
func (c Correction) Savings() bool { return c.Code/10 == 3 }

// Corrected returns what is right by the corrected data of a notification. It returns false for a code that corrects
// nothing about the account, and for data that is not in the form of its code: nobody guesses.
func (c Change) Corrected() (out Correction, ok bool) {
	data := c.Data + strings.Repeat(" ", max(0, 29-len(c.Data)))
	field := func(from, to int) string { return strings.TrimSpace(data[from-1 : to]) }

	code := ""

	switch c.Code {
	case "C01":
		out.Account = field(1, 17)
		ok = out.Account != ""
	case "C02":
		out.Routing = field(1, 9)
		ok = routing(out.Routing)
	case "C03":
		out.Routing = field(1, 9)
		out.Account = field(13, 29)
		ok = routing(out.Routing) && out.Account != ""
	case "C04":
		out.Name = field(1, 22)
		ok = out.Name != ""
	case "C05":
		code = field(1, 2)
		ok = accountCode(code)
	case "C06":
		out.Account = field(1, 17)
		code = field(21, 22)
		ok = out.Account != "" && accountCode(code)
	case "C07":
		out.Routing = field(1, 9)
		out.Account = field(10, 26)
		code = field(27, 28)
		ok = routing(out.Routing) && out.Account != "" && accountCode(code)
	}

	if !ok {
		return Correction{}, false
	}

	if code != "" {
		out.Code = int(code[0]-'0')*10 + int(code[1]-'0')
	}

	return out, true
}

// accountCode reports whether a text is the transaction code of a checking or a savings account.
func accountCode(s string) bool { return digits(s, 2) && (s[0] == '2' || s[0] == '3') }
