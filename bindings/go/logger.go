package xlashape

// #include "bridge.h"
import "C"

import "runtime/cgo"

// Logger is called with each log message of the library and its backends: a line, its level, and the number of the backend in
// Backends, or -1 for the library itself. It is called on a separate goroutine, and possibly several times at once.
// The call that logs waits for it. A panic in it is caught.
//
// It may use the library. It may also plan on its runtime when the library itself logs about a backend, such
// as "backend simd: ready, ...". For a line that a backend logs while it is being opened, the logger must neither plan on
// the same runtime nor wait for a goroutine that does, because planning there waits for that backend.
type Logger func(level LogLevel, backend int, line string)

// LogLevel is the severity of a line.
type LogLevel int32

const (
	LogError   LogLevel = 1 // something failed
	LogWarning LogLevel = 2 // something is not as it should be
	LogInfo    LogLevel = 3
	LogDebug   LogLevel = 4
)

//export xgLog
func xgLog(name C.uintptr_t, level C.int32_t, source C.uint32_t, text *C.char, size C.int64_t) {
	log := cgo.Handle(name).Value().(Logger)
	line := C.GoStringN(text, C.int(size))
	ended := make(chan struct{})
	go func() { // however this goroutine ends, the one that C calls on continues
		defer close(ended)
		defer func() { _ = recover() }()
		log(LogLevel(level), int(source)-1, line)
	}()
	<-ended
}
