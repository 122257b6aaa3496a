module xlashape

go 1.19
