package db

import "sync"

// listeners are those who are woken by a topic. The zero value is ready.
type listeners struct {
	mu sync.Mutex
	of map[string][]chan struct{}
}

// Listen returns a channel that receives after each transaction of this process that called Notify with the topic has
// committed. One value stands for any number of transactions. Other processes are not heard: whoever must hear them
// reads once in a while as well. Each call returns a further channel, for as long as the database is open.
func (d *DB) Listen(topic string) <-chan struct{} {
	d.listeners.mu.Lock()
	defer d.listeners.mu.Unlock()

	if d.listeners.of == nil {
		d.listeners.of = map[string][]chan struct{}{}
	}

	heard := make(chan struct{}, 1)
	d.listeners.of[topic] = append(d.listeners.of[topic], heard)

	return heard
}

// Notify wakes whoever listens to the topic, once this transaction has committed. A second call is the same as one.
func (t *Tx) Notify(topic string) {
	t.OnCommit(func() { t.d.listeners.wake(topic) })
}

func (l *listeners) wake(topic string) {
	l.mu.Lock()
	defer l.mu.Unlock()

	for _, heard := range l.of[topic] {
		select {
		case heard <- struct{}{}:
		default:
		}
	}
}
