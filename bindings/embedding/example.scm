;; xlashape from Guile by its foreign function interface: guile example.scm [LIBRARY]
(use-modules (system foreign) (system foreign-library) (rnrs bytevectors) (ice-9 format) (srfi srfi-1))

(define library
  (load-foreign-library (if (> (length (command-line)) 1) (second (command-line)) "libxlashape.so.0.1")))

;; A function of xlashape.h: its name, the type of its result, those of its arguments.
(define (function name result . arguments)
  (foreign-library-function library name #:return-type result #:arg-types arguments))

(define status-name (function "xlashape_status_name" '* int32))
(define shape-release (foreign-library-pointer library "xlashape_shape_release"))

;; xlashape_error: struct_size 0, code 4, index 8, offset 16, source 24, message_len 28, message 32; 512 bytes.
(define (raise-record record)
  (let* ((message (make-bytevector (bytevector-u32-native-ref record 28)))
         (code (pointer->string (status-name (bytevector-s32-native-ref record 4)))))
    (bytevector-copy! record 32 message 0 (bytevector-length message))
    (throw 'xlashape code (bytevector-s64-native-ref record 16) (utf8->string message))))

;; A function that takes an error record last, and throws what it refuses.
(define (checked name . arguments)
  (let ((call (apply function name int32 (append arguments '(*)))))
    (lambda values
      (let ((record (make-bytevector 512 0)))
        (bytevector-u32-native-set! record 0 512)
        (unless (zero? (apply call (append values (list (bytevector->pointer record)))))
          (raise-record record))))))

(define c-parse (checked "xlashape_shape_parse" '* int64 uint32 '*))
(define c-print (checked "xlashape_shape_print" '* uint32 '* int64 '*))
(define c-dimensions (checked "xlashape_shape_dimensions" '* '* int64 '*))
(define c-sizes (checked "xlashape_shape_sizes" '* '*))
(define c-relayout (checked "xlashape_relayout" '* '* '* int64 '* '* int64 '*))

;; A shape is its handle, which is released with it.
(define (parse text)
  (let ((bytes (string->utf8 text)) (out (make-bytevector 8)))
    (c-parse (bytevector->pointer bytes) (bytevector-length bytes) 0 (bytevector->pointer out))
    (make-pointer (bytevector-u64-native-ref out 0) shape-release)))

;; Asks for the size of an answer, then for the answer: a bytevector of `unit` bytes for each that is needed.
(define (answer ask unit)
  (let ((needed (make-bytevector 8)))
    (ask %null-pointer 0 (bytevector->pointer needed))
    (let* ((count (bytevector-u64-native-ref needed 0))
           (out (make-bytevector (* unit count))))
      (unless (zero? count)
        (ask (bytevector->pointer out) count (bytevector->pointer needed)))
      out)))

(define (shape->string shape)
  (let ((text (answer (lambda (out capacity needed) (c-print shape 0 out capacity needed)) 1)))
    (pointer->string (bytevector->pointer text))))

(define (dimensions shape)
  (let ((out (answer (lambda (out capacity needed) (c-dimensions shape out capacity needed)) 8)))
    (bytevector->sint-list out (native-endianness) 8)))

;; Of xlashape_sizes (72 bytes): logical_bytes at 24, bytes at 32.
(define (sizes shape)
  (let ((record (make-bytevector 72 0)))
    (bytevector-u32-native-set! record 0 72)
    (c-sizes shape (bytevector->pointer record))
    (list (bytevector-s64-native-ref record 24) (bytevector-s64-native-ref record 32))))

;; Bytes in one layout to bytes in another.
(define (relayout from bytes to)
  (let ((out (make-bytevector (second (sizes to)))))
    (c-relayout %null-pointer from (bytevector->pointer bytes) (bytevector-length bytes)
                to (bytevector->pointer out) (bytevector-length out) %null-pointer)
    out))

(define shape (parse "s32[100,30]{1,0:T(8,128)}"))
(format #t "~a~%" (shape->string shape))
(format #t "  dimensions ~{~a~^ x ~}, ~a bytes of data in ~a~%"
        (dimensions shape) (first (sizes shape)) (second (sizes shape)))

(define image (parse "u8[3,4]"))
(define tiled (parse "u8[3,4]{0,1:T(2,2)}"))
(define there (relayout image (string->utf8 "abcdefghijkl") tiled))
(define back (relayout tiled there image))
(unless (and (equal? there (string->utf8 "aebfi\0j\0cgdhk\0l\0")) (equal? back (string->utf8 "abcdefghijkl")))
  (error "wrong answer" there back))
(format #t "~a -> ~a~%" (shape->string image) (shape->string tiled))
(format #t "  abcdefghijkl -> ~a -> ~a~%"
        (string-map (lambda (c) (if (char=? c #\nul) #\. c)) (utf8->string there)) (utf8->string back))

(define (show-error thunk print)
  (catch 'xlashape
    (lambda () (thunk) (error "no error"))
    (lambda (key code offset message) (print code offset message))))
(show-error (lambda () (parse "f32[2,x]"))
            (lambda (code offset message) (format #t "~a at byte ~a: ~a~%" code offset message)))
(show-error (lambda () (relayout image (string->utf8 "too short") tiled))
            (lambda (code offset message) (format #t "~a: ~a~%" code message)))
