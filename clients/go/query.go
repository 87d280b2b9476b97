package slipway

import (
	"fmt"
	"iter"
	"net/url"
	"reflect"
	"strings"
)

// fill puts identifiers in the place of a path's {words}.
func fill(path string, values ...any) string {
	for _, v := range values {
		from := strings.IndexByte(path, '{')
		to := strings.IndexByte(path, '}')
		path = path[:from] + url.PathEscape(fmt.Sprint(v)) + path[to+1:]
	}

	return path
}

// query encodes the fields of generated parameters by the names in their tags. What is empty is left out.
func query(params any) string {
	q := url.Values{}
	v := reflect.ValueOf(params)

	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("form"), ",")
		addValue(q, name, v.Field(i))
	}

	return q.Encode()
}

func addValue(q url.Values, name string, v reflect.Value) {
	if v.IsZero() {
		return
	}

	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			q.Add(name, fmt.Sprint(v.Index(i).Interface()))
		}
	case reflect.Pointer:
		q.Set(name, fmt.Sprint(v.Elem().Interface()))
	default:
		q.Set(name, fmt.Sprint(v.Interface()))
	}
}

// pages returns the results of a list, page after page. A page is read when the results of the one before are used up.
func pages[T any](read func(cursor string) (results []T, next string, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for cursor := ""; ; {
			results, next, err := read(cursor)
			if err != nil {
				var none T
				yield(none, err)

				return
			}

			for _, r := range results {
				if !yield(r, nil) {
					return
				}
			}

			if next == "" || next == cursor {
				return
			}

			cursor = next
		}
	}
}
