package iso20022

// Date reads a date, or the date of a time as the bank wrote it, as 2006-01-02.
func (s *Scanner) Date(w *Words) string {
	b := s.Text()
	if len(b) == 0 {
		return ""
	}

	if !isDate(b) && !isTime(b) {
		s.Fail(CodeValue, "a date that cannot be one")
		return ""
	}

	return w.Code(b[:len("2006-01-02")])
}

// Time reads a time and returns it as the bank wrote it. Its day exists; the rest is only for people.
func (s *Scanner) Time() string {
	b := s.Text()
	if len(b) > 0 && !isDay(b) {
		s.Fail(CodeValue, "a time of a day that cannot be one")
		return ""
	}

	return string(b)
}

// DateChoice reads an element that contains Dt or DtTm.
func (s *Scanner) DateChoice(w *Words) string {
	date := ""

	read := false
	for s.Child() {
		switch string(s.Name()) {
		case "Dt", "DtTm":
			s.Alone(&read)
			date = s.Date(w)
		default:
			s.Skip()
		}
	}

	return date
}

// isDate reports whether a text is a day of the calendar, perhaps with a zone (XML Schema, date).
func isDate(b []byte) bool {
	return isDay(b) && isZone(b[len("2006-01-02"):])
}

// isTime reports whether a text is a date and time, perhaps with a zone (XML Schema, dateTime). 24:00:00 is the end of
// the day.
func isTime(b []byte) bool {
	const length = len("2006-01-02T15:04:05")
	if !isDay(b) || len(b) < length || b[10] != 'T' || b[13] != ':' || b[16] != ':' {
		return false
	}

	hour := pair(b[11:])
	minute := pair(b[14:])

	second := pair(b[17:])
	if hour > 24 || minute > 59 || second > 59 || hour == 24 && minute+second > 0 {
		return false
	}

	rest := b[length:]
	if len(rest) > 0 && rest[0] == '.' {
		n := 1
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}

		if n == 1 {
			return false
		}

		rest = rest[n:]
	}

	return isZone(rest)
}

// isZone reports whether a text is the zone of a date or time, or empty.
func isZone(b []byte) bool {
	switch {
	case len(b) == 0, len(b) == 1 && b[0] == 'Z':
		return true
	case len(b) != len("+02:00") || b[0] != '+' && b[0] != '-' || b[3] != ':':
		return false
	}

	hour := pair(b[1:])
	minute := pair(b[4:])

	return hour < 14 && minute < 60 || hour == 14 && minute == 0
}

// isDay reports whether a text begins with a day of the calendar, as 2006-01-02.
func isDay(b []byte) bool {
	if len(b) < len("2006-01-02") || b[4] != '-' || b[7] != '-' {
		return false
	}

	century := pair(b)
	year := pair(b[2:])
	month := pair(b[5:])
	day := pair(b[8:])

	if century == noPair || year == noPair {
		return false
	}

	return DayExists(century*100+year, month, day)
}

// DayExists reports whether the calendar has a day.
func DayExists(year, month, day int) bool {
	if year < 1 || month < 1 || month > 12 || day < 1 {
		return false
	}

	switch month {
	case 4, 6, 9, 11:
		return day <= 30

	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return day <= 29
		}

		return day <= 28
	}

	return day <= 31
}

// noPair is what pair returns for anything but two digits. It is larger than any part of a date.
const noPair = 100

// pair parses two digits.
func pair(b []byte) int {
	tens := b[0] - '0'

	ones := b[1] - '0'
	if tens > 9 || ones > 9 {
		return noPair
	}

	return int(tens)*10 + int(ones)
}
