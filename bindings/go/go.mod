module github.com/xlashape/xlashape/bindings/go

go 1.19
