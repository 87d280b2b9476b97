package web

import "time"

// pacePiece is how much must arrive in the time of one pause. With uploadPause it is some 3 kB a second: less than any
// telephone sends, and enough that whoever holds a place must really send.
const pacePiece = 64 << 10 // bytes

// stallLimit limits how long we wait for the other side of a connection, which sends or receives a file: pause for each
// pacePiece bytes. A sender that drips is cut off like one that stands still. Time that we take ourselves does not
// count.
type stallLimit struct {
	pause time.Duration

	moved  int           // bytes in the present piece
	waited time.Duration // time waited for them
	end    time.Time     // the connection's deadline, as last set
}

// exceeded reports whether the other side has made us wait for too long. It stays true.
func (s *stallLimit) exceeded() bool { return s.waited >= s.pause }

// deadline returns until when the connection may wait, and whether that is at least a second later than returned
// before, because setting it costs a system call.
func (s *stallLimit) deadline(now time.Time) (end time.Time, moved bool) {
	end = now.Add(s.pause - s.waited)
	if end.Sub(s.end) < time.Second {
		return s.end, false
	}

	s.end = end

	return end, true
}

// spend adds the bytes that have moved, and the time we waited for them.
func (s *stallLimit) spend(bytes int, waited time.Duration) {
	s.moved += bytes

	s.waited += waited
	if s.moved >= pacePiece && !s.exceeded() {
		s.moved = 0
		s.waited = 0
	}
}
