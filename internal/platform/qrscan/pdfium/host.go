package pdfium

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/emscripten"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// Answers of the host, as Linux numbers them.
const (
	notPermitted = -1 // EPERM
	grown        = 1
	notGrown     = 0
)

// host gives the library what it imports: invocations with long jumps, growing memory, and refusals of everything
// else. WASI is there too, with neither files nor environment.
func host(ctx context.Context, runtime wazero.Runtime, library wazero.CompiledModule) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, runtime); err != nil {
		return err
	}

	invokes, err := emscripten.NewFunctionExporterForModule(library)
	if err != nil {
		return err
	}

	env := runtime.NewHostModuleBuilder("env")
	for _, f := range library.ImportedFunctions() {
		if module, name, _ := f.Import(); module == "env" {
			answer := refuse
			if name == "emscripten_resize_heap" {
				answer = grow
			}

			env.NewFunctionBuilder().WithGoModuleFunction(answer, f.ParamTypes(), f.ResultTypes()).Export(name)
		}
	}

	invokes.ExportFunctions(env) // takes the place of ours where it has its own
	_, err = env.Instantiate(ctx)

	return err
}

// refuse answers system calls with an error and questions for the time with 1970: the library draws the same page at
// any time.
var refuse = api.GoModuleFunc(func(_ context.Context, _ api.Module, stack []uint64) {
	if len(stack) > 0 {
		stack[0] = api.EncodeI32(notPermitted)
	}
})

// grow makes the memory large enough for so many bytes, up to the runtime's limit.
var grow = api.GoModuleFunc(func(_ context.Context, m api.Module, stack []uint64) {
	want := uint64(uint32(stack[0]))
	have := uint64(m.Memory().Size())

	stack[0] = notGrown
	if want <= have {
		stack[0] = grown
	} else if _, ok := m.Memory().Grow(uint32((want - have + pageMemory - 1) / pageMemory)); ok {
		stack[0] = grown
	}
})
