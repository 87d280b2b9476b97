package web

import "time"

// pacePiece is what has to move in the time of one pause. With uploadPause it is some 3 kB a second: less than any
// telephone sends, and enough to make whoever keeps a place send for it.
const pacePiece = 64 << 10 // bytes

// patience bounds how long we wait for the other side of a connection, which brings or takes a file: for each
// pacePiece bytes, pause. What is sent drop by drop is over as soon as what stands still. Time that we ourselves take
// is not counted.
type patience struct {
	pause time.Duration

	moved  int           // bytes since it began anew
	waited time.Duration // for them
	end    time.Time     // of the connection, as it was set last
}

// over reports whether the other side has let us wait for too long. It stays so.
func (p *patience) over() bool { return p.waited >= p.pause }

// deadline returns until when the connection may wait, and whether that is a second or more later than was returned
// before: it costs a system call to set it.
func (p *patience) deadline(now time.Time) (end time.Time, moved bool) {
	end = now.Add(p.pause - p.waited)
	if end.Sub(p.end) < time.Second {
		return p.end, false
	}

	p.end = end

	return end, true
}

// spend counts what has moved, and how long it was waited for.
func (p *patience) spend(bytes int, waited time.Duration) {
	p.moved += bytes

	p.waited += waited
	if p.moved >= pacePiece && !p.over() {
		p.moved = 0
		p.waited = 0
	}
}
