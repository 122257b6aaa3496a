package xlashape_test

import (
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"xlashape"
)

const (
	tiledText = "u8[3,4]{0,1:T(2,2)}"
	largeText = "bf16[16,256]{1,0:T(8,128)(2,1)}"
)

func drawn(t *testing.T, shape string, options *xlashape.DrawOptions) string {
	t.Helper()
	picture, err := bare(t, shape).Draw(nil, options)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func has(t *testing.T, picture string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(picture, part) {
			t.Errorf("there is no %q in\n%s", part, picture)
		}
	}
}

func hasNot(t *testing.T, picture, part string) {
	t.Helper()
	if strings.Contains(picture, part) {
		t.Errorf("there is a %q in\n%s", part, picture)
	}
}

// ascii is whether the picture has nothing but ASCII.
func ascii(picture string) bool { return len(picture) == utf8.RuneCountInString(picture) }

func TestPicturesAreTextsOfPositions(t *testing.T) {
	picture := drawn(t, tiledText, nil)
	has(t, picture, tiledText+"\n", "\n0 ┃ 0  2┃ 8 10┃\n", "\n2 ┃ 4  6┃12 14┃\n", "\n3 ┃·· ··┃·· ··┃\n")
	same(t, drawn(t, tiledText, &xlashape.DrawOptions{}), picture)
	hasNot(t, picture, "\x1b")
	same(t, ascii(picture), false)
	same(t, ascii(drawn(t, tiledText, &xlashape.DrawOptions{ASCII: true})), true)
	has(t, drawn(t, tiledText, &xlashape.DrawOptions{Color: true}), "\x1b[48;2;")
}

func TestWhatStandsInCells(t *testing.T) {
	// Row 2 is the second pair of rows of the tile: 256 positions of 2 bytes on, in the register's second sublane.
	for show, row := range map[xlashape.DrawShow]string{
		xlashape.DrawPosition: `\n *2 ┃ *256 `, xlashape.DrawIndex: `\n *2 ┃ *2,0 `, xlashape.DrawByte: `\n *2 ┃ *512 `,
		xlashape.DrawTile: `\n *2 ┃ *0 +0 `, xlashape.DrawLane: `\n *2 ┃ *1\.0 `,
	} {
		picture := drawn(t, largeText, &xlashape.DrawOptions{Show: show, MaxCells: 60})
		if !regexp.MustCompile(row).MatchString(picture) {
			t.Errorf("%d: there is no %s in\n%s", show, row, picture)
		}
	}
	has(t, drawn(t, tiledText, &xlashape.DrawOptions{Show: xlashape.DrawNothing}), "0 ┃## ##┃## ##┃")
}

func TestPartsOfPictures(t *testing.T) {
	has(t, drawn(t, largeText, &xlashape.DrawOptions{Zoom: 1}), "each cell is a tile of 2 positions")
	has(t, drawn(t, largeText, &xlashape.DrawOptions{Zoom: 2}), "each cell is a tile of 1,024 positions")
	blocks := drawn(t, largeText, &xlashape.DrawOptions{OverlayBytes: 2048, Columns: 200})
	has(t, blocks, "blocks of 2,048 bytes: the first row touches 2 blocks")
	for _, columns := range []int{40, 80} {
		for _, line := range strings.Split(drawn(t, largeText, &xlashape.DrawOptions{Columns: columns}), "\n") {
			if utf8.RuneCountInString(line) > columns {
				t.Errorf("%d columns: %s", columns, line)
			}
		}
	}
	all := drawn(t, "f32[5,2,2]", nil)
	has(t, all, "[3,:,:]", "[4,:,:]")
	same(t, drawn(t, "f32[5,2,2]", &xlashape.DrawOptions{At: []int64{-1, -1, -1}}), all)
	alone := drawn(t, "f32[5,2,2]", &xlashape.DrawOptions{At: []int64{3, -1, -1}})
	has(t, alone, "[3,:,:]")
	hasNot(t, alone, "[4,:,:]")
	few := drawn(t, largeText, &xlashape.DrawOptions{MaxCells: 9})
	same(t, strings.Count(few, "\n") < strings.Count(drawn(t, largeText, nil), "\n"), true)
}

func TestPicturesOfTwoLayouts(t *testing.T) {
	tiled, plain := bare(t, tiledText), xlashape.ArrayShape(xlashape.U8, 3, 4)
	both, err := tiled.Draw(&plain, nil)
	same(t, err, nil)
	has(t, both, tiledText, "u8[3,4]{1,0}", "a relayout reads 16 bytes and writes 12")
	other := xlashape.ArrayShape(xlashape.U8, 3, 5)
	_, err = tiled.Draw(&other, nil)
	wants(t, err, xlashape.ErrInvalidArgument, "the sizes of dimension 1 differ, 4 and 5")
	_, err = tiled.Draw(&plain, &xlashape.DrawOptions{Zoom: 1})
	wants(t, err, xlashape.ErrInvalidArgument, "zoom is 1")
	_, err = tiled.Draw(&xlashape.Shape{ElementType: xlashape.Token}, nil)
	wants(t, err, xlashape.ErrUnsupported, "other is a token")
}

func TestPicturesAsMarkup(t *testing.T) {
	svg := drawn(t, tiledText, &xlashape.DrawOptions{Format: xlashape.DrawSVG})
	has(t, svg, "<svg ", "<title>[2,3]: position 14,", "</svg>")
	hasNot(t, svg, "data-position")
	data := drawn(t, tiledText, &xlashape.DrawOptions{Format: xlashape.DrawSVG, Data: true})
	has(t, data, `data-index="2,3" data-position="14"`)
	hasNot(t, data, "<title>")
	has(t, drawn(t, tiledText, &xlashape.DrawOptions{Format: xlashape.DrawHTML}), "<!doctype html>")
	cell := regexp.MustCompile(`fill="(#[0-9a-f]{6})" data-index`)
	for options, count := range map[struct {
		by        xlashape.DrawColorBy
		dimension int
	}]int{
		{xlashape.DrawByPosition, 0}: 12, {xlashape.DrawByTile, 0}: 4,
		{xlashape.DrawByDimension, 0}: 3, {xlashape.DrawByDimension, 1}: 4,
	} {
		picture := drawn(t, tiledText, &xlashape.DrawOptions{
			Format: xlashape.DrawSVG, Data: true, ColorBy: options.by, ColorDimension: options.dimension})
		colors := map[string]bool{}
		for _, found := range cell.FindAllStringSubmatch(picture, -1) {
			colors[found[1]] = true
		}
		same(t, []any{options, len(colors)}, []any{options, count})
	}
}

func TestPicturesThatAreRefused(t *testing.T) {
	tiled := bare(t, tiledText)
	for _, c := range []struct {
		options xlashape.DrawOptions
		code    xlashape.Code
		part    string
	}{
		{xlashape.DrawOptions{Format: 3}, xlashape.ErrOutOfRange, "format is 3"},
		{xlashape.DrawOptions{Show: 6}, xlashape.ErrOutOfRange, "show is 6"},
		{xlashape.DrawOptions{ColorBy: -1}, xlashape.ErrOutOfRange, "color_by is -1"},
		{xlashape.DrawOptions{ColorBy: xlashape.DrawByDimension, ColorDimension: 2}, xlashape.ErrOutOfRange, "color_dimension is 2"},
		{xlashape.DrawOptions{Zoom: 2}, xlashape.ErrOutOfRange, "zoom is 2"},
		{xlashape.DrawOptions{Zoom: -1}, xlashape.ErrOutOfRange, "zoom is -1"},
		{xlashape.DrawOptions{Columns: 19}, xlashape.ErrOutOfRange, "columns is 19"},
		{xlashape.DrawOptions{MaxCells: 8}, xlashape.ErrOutOfRange, "max_cells is 8"},
		{xlashape.DrawOptions{OverlayBytes: -1}, xlashape.ErrOutOfRange, "overlay_bytes is -1"},
		{xlashape.DrawOptions{At: []int64{0}}, xlashape.ErrInvalidArgument, "at_count is 1, the rank is 2"},
		{xlashape.DrawOptions{At: []int64{-1, 4}}, xlashape.ErrOutOfRange, "at[1] is 4"},
	} {
		_, err := tiled.Draw(nil, &c.options)
		wants(t, err, c.code, c.part)
	}
	if far := math.MaxInt32; far < math.MaxInt {
		far++
		for name, options := range map[string]xlashape.DrawOptions{
			"ColorDimension": {ColorDimension: far}, "Zoom": {Zoom: far}, "Columns": {Columns: far}, "MaxCells": {MaxCells: far},
		} {
			_, err := tiled.Draw(nil, &options)
			wants(t, err, xlashape.ErrOutOfRange, name+" is 2147483648, more than an int32 holds")
		}
	}
	for _, text := range []string{"token[]", "opaque[]", "(f32[2])", "f32[?,2]"} {
		_, err := bare(t, text).Draw(nil, nil)
		wants(t, err, xlashape.ErrUnsupported, "")
	}
}
