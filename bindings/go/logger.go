package xlashape

// #include "bridge.h"
import "C"

import "runtime/cgo"

// Logger hears what the library and its backends have to say: a line, how much it matters, and the number of the backend in
// Backends, or -1 for the library itself. It is called on a goroutine of its own, and may be called several times at once.
// The call that had something to say waits for it. A panic in it ends there.
//
// It may use the library, also plan on the runtime that it belongs to when the library itself tells about a backend, such
// as "backend simd: ready, ...". A line that a backend writes while it is opened comes while it is being loaded: the logger
// must not then plan on the same runtime, nor wait for somebody who does, because planning there waits for that backend.
type Logger func(level LogLevel, backend int, line string)

// LogLevel is how much a line matters.
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
	go func() { // whatever ends this goroutine, the one that C calls on goes on
		defer close(ended)
		defer func() { _ = recover() }()
		log(LogLevel(level), int(source)-1, line)
	}()
	<-ended
}
