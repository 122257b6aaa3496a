module pjrtgo

go 1.19

require xlashape v0.0.0

replace xlashape => ../../bindings/go
