package replica

import "time"

// Silence makes the last heartbeat that came through older, as a pause of the process does.
func Silence(r *Replica, by time.Duration) { r.beatAt.Add(-int64(by)) }
