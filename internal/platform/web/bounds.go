package web

import (
	"bytes"
	"fmt"
	"reflect"
)

const (
	// slack allows for texts, which contain commas and braces too, and for objects that are sent back where an
	// identifier would do.
	slack = 64
	// maxLoose is how many members and items such an object may have: it has a few dozen.
	maxLoose = 500
)

// bounds is how much a valid body of a type holds at most. A body that holds more is not decoded; a walk that stores
// nothing finds what is wrong. A valid body that only seems to hold more is walked in vain.
type bounds struct {
	opened   int // objects and lists
	followed int // members and items followed by another one
}

// boundsOf returns what a body of a plan holds at most.
func boundsOf(p *plan) bounds {
	b := p.bounds()
	return bounds{opened: b.opened + slack, followed: b.followed + slack}
}

// bounds adds up a plan. It panics if there is no limit: every list of a body must have one.
func (p *plan) bounds() bounds {
	switch {
	case p.opaque:
		return bounds{} // it is part of the slack
	case p.kind == reflect.Pointer:
		return p.elem.bounds()
	case p.kind == reflect.Struct:
		return p.boundsOfObject()
	case p.kind == reflect.Slice && p.maxItems == 0:
		panic(fmt.Sprintf("web: a list of a body needs maxItems: its items are %s", p.elem.typeName))

	case p.kind == reflect.Slice:
		each := p.elem.bounds()

		return bounds{
			opened:   1 + p.maxItems*each.opened,
			followed: p.maxItems * (1 + each.followed),
		}
	}

	return bounds{}
}

func (p *plan) boundsOfObject() bounds {
	b := bounds{opened: 1, followed: len(p.fields)}
	for _, f := range p.fields {
		each := f.plan.bounds()
		b.opened += each.opened
		b.followed += each.followed
	}

	return b
}

// hold reports whether a body holds no more than a valid one.
func (b bounds) hold(raw []byte) bool {
	return bytes.Count(raw, []byte(",")) <= b.followed &&
		bytes.Count(raw, []byte("{"))+bytes.Count(raw, []byte("[")) <= b.opened
}

// tooDeep reports whether objects and lists are nested deeper than maxDepth. It reads no more than it must, and does
// not check that the text is JSON.
func tooDeep(raw []byte) bool {
	depth := 0

	inText := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			inText = !inText
		case inText && c == '\\':
			i++
		case inText:

		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}

		case c == '}' || c == ']':
			depth--
		}
	}

	return false
}
