package slipway

import "github.com/oapi-codegen/nullable"

// Nullable is a field of a PATCH that can be set to null. Its zero value is absent: the record keeps what it has. Other
// fields of a PATCH are pointers, where nil is absent.
type Nullable[T any] = nullable.Nullable[T]

// Set returns a field with a value.
func Set[T any](v T) Nullable[T] { return nullable.NewNullableWithValue(v) }

// Null returns a field that is null: the record loses what it has there.
func Null[T any]() Nullable[T] { return nullable.NewNullNullable[T]() }
