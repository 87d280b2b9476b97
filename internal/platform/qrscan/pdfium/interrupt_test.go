package pdfium

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// endless is a module whose function "run" (one parameter and result, both i32) goes round for ever when it gets 0
// and gives 7 otherwise; a global of its own stands in front of ours.
var endless = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x06\x01\x60\x01\x7f\x01\x7f" + // type
	"\x03\x02\x01\x00" + // function
	"\x06\x06\x01\x7f\x00\x41\x07\x0b" + // global 0: 7
	"\x07\x07\x01\x03run\x00\x00" + // export
	// loop local.get 0, i32.eqz, br_if 0, end, global.get 0
	"\x0a\x0e\x01\x0c\x00\x03\x40\x20\x00\x45\x0d\x00\x0b\x23\x00\x0b")

func TestAModuleThatRunsForEverIsStopped(t *testing.T) {
	ctx := context.Background()
	code, err := interruptible(endless)
	require.NoError(t, err)

	runtime := wazero.NewRuntime(ctx)
	defer func() { require.NoError(t, runtime.Close(ctx)) }()
	module, err := runtime.Instantiate(ctx, code)
	require.NoError(t, err)
	out, err := module.ExportedFunction("run").Call(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, []uint64{7}, out, "it works as before")

	stop := module.ExportedGlobal(stopGlobal).(api.MutableGlobal)

	ended, end := context.WithCancel(ctx)
	defer context.AfterFunc(ended, func() { stop.Set(1) })()
	end()
	_, err = module.ExportedFunction("run").Call(ctx, 0)
	require.ErrorContains(t, err, "unreachable")
}

// What is no module, or one with instructions that are not known, is refused instead of being changed into something
// else.
func TestModulesThatAreNotUnderstoodAreRefused(t *testing.T) {
	for cut := 9; cut < len(endless); cut++ {
		_, err := interruptible(endless[:cut])
		between := cut == 16 || cut == 20 || cut == 28 || cut == 37 // two sections
		require.Equal(t, between, err == nil, "%d: %v", cut, err)
	}

	odd := append([]byte{}, endless...)
	odd[len(odd)-7] = 0xfd // a vector instruction
	_, err := interruptible(odd)
	require.ErrorContains(t, err, "unknown")
}
