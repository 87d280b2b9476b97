package transaction

// Examples are the bodies of the OpenAPI document.
var Examples = examples
