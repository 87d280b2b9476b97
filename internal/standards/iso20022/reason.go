package iso20022

// Every code that means wrong account details becomes ACCOUNT_UNKNOWN, also those about its bank: the remedy is to
// correct the bank account. Errors of the sender's or the banks' systems become TECHNICAL. A code that is not listed
// becomes NOT_SPECIFIED.

// shared are codes with the same meaning in the lists of return and of status reasons (ISO 20022 external code sets,
// 2025).
var shared = map[string]Reason{
	"AC01": ReasonAccountUnknown,
	"AC02": ReasonAccountUnknown,
	"AC03": ReasonAccountUnknown,
	"AC08": ReasonAccountUnknown,
	"AC13": ReasonAccountUnknown,
	"AC14": ReasonAccountUnknown,
	"AC15": ReasonAccountUnknown,
	"AC04": ReasonAccountClosed,
	"AC05": ReasonAccountClosed,
	"AC07": ReasonAccountClosed,
	"AC06": ReasonAccountBlocked,
	"AC17": ReasonAccountBlocked,
	"AG01": ReasonAccountBlocked,
	"AG03": ReasonAccountBlocked,
	"AG07": ReasonAccountBlocked,
	"MD07": ReasonAccountBlocked, // the account's holder has died
	"BE01": ReasonNameMismatch,
	"BE21": ReasonNameMismatch,
	"BE22": ReasonNameMismatch,
	"BE23": ReasonNameMismatch,
	"TKCM": ReasonNameMismatch,
	"BE06": ReasonAccountUnknown,
	"UCRD": ReasonAccountUnknown,
	"CNOR": ReasonAccountUnknown,
	"AGNT": ReasonAccountUnknown,
	"RC01": ReasonAccountUnknown,
	"RC02": ReasonAccountUnknown,
	"RC04": ReasonAccountUnknown,
	"RC05": ReasonAccountUnknown,
	"RC07": ReasonAccountUnknown,
	"RC08": ReasonAccountUnknown,
	"RC10": ReasonAccountUnknown,
	"RC11": ReasonAccountUnknown,
	"MS02": ReasonRefused,
	"MD06": ReasonRefused,
	"UPAY": ReasonRefused,
	"BE05": ReasonRefused,
	"AM09": ReasonRefused,
	"CNPC": ReasonRefused,
	"SL02": ReasonRefused,
	"RR09": ReasonRefused,
	"BE04": ReasonRegulatory,
	"BE07": ReasonRegulatory,
	"RR01": ReasonRegulatory,
	"RR02": ReasonRegulatory,
	"RR03": ReasonRegulatory,
	"RR04": ReasonRegulatory,
	"RR05": ReasonRegulatory,
	"RR06": ReasonRegulatory,
	"RR11": ReasonRegulatory,
	"RR12": ReasonRegulatory,
	"AM07": ReasonRegulatory,
	"NOCM": ReasonRegulatory,
	"ED03": ReasonRegulatory,
	"BE10": ReasonRegulatory,
	"BE11": ReasonRegulatory,
	"BE16": ReasonRegulatory,
	"BE17": ReasonRegulatory,
	"AM05": ReasonDuplicate,
	"DUPL": ReasonDuplicate,
	"RF01": ReasonDuplicate,
	"ARDT": ReasonDuplicate,
	"FR01": ReasonFraud,
	"FRAD": ReasonFraud,
	"EMVL": ReasonFraud,
	"PINL": ReasonFraud,
	"AM01": ReasonTechnical,
	"AM02": ReasonTechnical,
	"AM03": ReasonTechnical,
	"AM04": ReasonTechnical,
	"AM06": ReasonTechnical,
	"AM10": ReasonTechnical,
	"CURR": ReasonTechnical,
	"DNOR": ReasonTechnical,
	"DS28": ReasonTechnical,
	"DT01": ReasonTechnical,
	"DT04": ReasonTechnical,
	"ED01": ReasonTechnical,
	"ED05": ReasonTechnical,
	"FF03": ReasonTechnical,
	"FF04": ReasonTechnical,
	"FF05": ReasonTechnical,
	"FF06": ReasonTechnical,
	"FF07": ReasonTechnical,
	"ERIN": ReasonTechnical,
	"RC03": ReasonTechnical,
	"RR07": ReasonTechnical,
	"RR08": ReasonTechnical,
	"RUTA": ReasonTechnical,
	"TM01": ReasonTechnical,
	"TECH": ReasonTechnical,
	"AG02": ReasonTechnical,
}

// onReturn are codes with a special meaning in returns.
var onReturn = map[string]Reason{
	"AC16": ReasonAccountBlocked, // sequestration
	"BE08": ReasonTechnical,      // an error of a bank
	"DC04": ReasonTechnical,
	"DT02": ReasonTechnical,
	"SVNR": ReasonRefused,
	"SP01": ReasonRefused,
	"SP02": ReasonRefused,
}

// onStatus are codes with a special meaning in status reports.
var onStatus = map[string]Reason{
	"AC09": ReasonAccountUnknown,
	"AC11": ReasonAccountUnknown,
	"AC12": ReasonAccountUnknown,
	"AC10": ReasonTechnical,
	"AC16": ReasonAccountUnknown, // number of a card
	"AG05": ReasonTechnical,
	"AG06": ReasonAccountUnknown,
	"AG08": ReasonTechnical,
	"AG10": ReasonTechnical,
	"AG11": ReasonTechnical,
	"BE08": ReasonTechnical, // our own name is missing
	"BE09": ReasonRegulatory,
	"BE12": ReasonRegulatory,
	"BE14": ReasonRegulatory,
	"BE15": ReasonRegulatory,
	"DU01": ReasonDuplicate,
	"DU02": ReasonDuplicate,
	"DU03": ReasonDuplicate,
	"DU04": ReasonDuplicate,
	"DU05": ReasonDuplicate,
	"DS15": ReasonDuplicate,
	"RC09": ReasonTechnical,
	"RC06": ReasonTechnical,
	"SL18": ReasonRegulatory,
}

// technical are families of status codes about messages, signatures and systems.
var technical = map[string]bool{
	"AB": true,
	"AM": true,
	"CH": true,
	"DS": true,
	"DT": true,
	"FF": true,
	"TA": true,
	"TD": true,
	"ID": true,
}

// nacha are the return codes of US ACH, which banks use as proprietary codes. Payouts are credits: codes for debits are
// omitted.
var nacha = map[string]Reason{
	"R02": ReasonAccountClosed,
	"R03": ReasonAccountUnknown,
	"R04": ReasonAccountUnknown,
	"R12": ReasonAccountUnknown,
	"R13": ReasonAccountUnknown,
	"R22": ReasonAccountUnknown,
	"R28": ReasonAccountUnknown,
	"R34": ReasonAccountUnknown,
	"R14": ReasonAccountBlocked,
	"R15": ReasonAccountBlocked,
	"R16": ReasonAccountBlocked,
	"R20": ReasonAccountBlocked,
	"R23": ReasonRefused,
	"R24": ReasonDuplicate,
	"R17": ReasonFraud, // also for questionable payments (Nacha, since 2021)
	"R18": ReasonTechnical,
	"R19": ReasonTechnical,
	"R21": ReasonTechnical,
	"R25": ReasonTechnical,
	"R26": ReasonTechnical,
	"R27": ReasonTechnical,
	"R32": ReasonTechnical,
	"R35": ReasonTechnical,
}

// ReturnReason returns the reason for a code of a return (camt RtrInf, pacs.004).
func ReturnReason(code string) Reason { return lookUp(code, onReturn, shared, nacha) }

// StatusReason returns the reason for a code of a status report (pain.002).
func StatusReason(code string) Reason {
	r := lookUp(code, onStatus, shared, nacha)
	if r == ReasonNotSpecified && len(code) == 4 && technical[code[:2]] {
		return ReasonTechnical
	}

	return r
}

func lookUp(code string, lists ...map[string]Reason) Reason {
	for _, list := range lists {
		if r, ok := list[code]; ok {
			return r
		}
	}

	return ReasonNotSpecified
}
