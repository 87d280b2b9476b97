package web

import "time"

// pacePiece is how much must arrive in the time of one pause. With uploadPause it is some 3 kB a second: less than any
// telephone sends, and enough that whoever holds a place must really send.
const pacePiece = 64 << 10 // bytes

// patience limits how long we wait for the other side of a connection, which sends or receives a file: pause for each
// pacePiece bytes. A sender that drips is cut off like one that stands still. Time that we take ourselves does not
// count.
type patience struct {
	pause time.Duration

	moved  int           // bytes in the present piece
	waited time.Duration // time waited for them
	end    time.Time     // the connection's deadline, as last set
}

// over reports whether the other side has made us wait for too long. It stays true.
func (p *patience) over() bool { return p.waited >= p.pause }

// deadline returns until when the connection may wait, and whether that is at least a second later than returned
// before, because setting it costs a system call.
func (p *patience) deadline(now time.Time) (end time.Time, moved bool) {
	end = now.Add(p.pause - p.waited)
	if end.Sub(p.end) < time.Second {
		return p.end, false
	}

	p.end = end

	return end, true
}

// spend adds the bytes that have moved, and the time we waited for them.
func (p *patience) spend(bytes int, waited time.Duration) {
	p.moved += bytes

	p.waited += waited
	if p.moved >= pacePiece && !p.over() {
		p.moved = 0
		p.waited = 0
	}
}
