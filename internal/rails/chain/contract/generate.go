package contract

// The script compiles contracts/src with the locked compiler and rewrites artifacts and bindings. The comment at its
// top lists what it needs. TestArtefactsAreReproducible fails if the committed files differ from what the sources give.
//
//go:generate ../../../../contracts/generate
