package contract

// The script compiles contracts/src with the locked compiler and rewrites artifacts and bindings; its head says what it
// needs. TestArtefactsAreReproducible fails when the committed files are not what the sources give.
//
//go:generate ../../../../contracts/generate
