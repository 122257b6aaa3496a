package xlashape_test

import (
	"encoding/json"
	"fmt"

	"xlashape"
)

// Memory images of the corpus. A case writes tokens; each becomes a bit pattern of the element type, and where a type has
// fewer patterns than there are tokens, the relayout runs several times, once for each digit of a token's number.

type pattern [2]uint64 // 128 bits, the lowest first

func (p pattern) cut(bits int64) pattern {
	low := func(word uint64, n int64) uint64 {
		if n <= 0 {
			return 0
		} else if n >= 64 {
			return word
		}
		return word & (1<<n - 1)
	}
	return pattern{low(p[0], bits), low(p[1], bits-64)}
}

// cells are the positions of an image: of `container` bits each, holding a value of `value` bits.
type cells struct{ count, bytes, container, value int64 }

func cellsOf(s xlashape.Shape) cells {
	sizes := must(s.Sizes())
	value := int64(s.ElementType.StorageBits())
	if s.ElementType.Is(xlashape.ClassSubByte) {
		value = int64(s.ElementType.Bits())
	}
	return cells{sizes.StorageElements, sizes.Bytes, sizes.ElementBits, value}
}

func (c cells) write(image []byte, position int64, p pattern) {
	for i := int64(0); i < c.container; i++ {
		bit, one := position*c.container+i, byte(0)
		if i < 128 {
			one = byte(p[i/64]>>(i%64)) & 1
		}
		image[bit/8] = image[bit/8]&^(1<<(bit%8)) | one<<(bit%8)
	}
}

func (c cells) read(image []byte, position int64) (p pattern) {
	for i := int64(0); i < c.container && i < c.value && i < 128; i++ {
		bit := position*c.container + i
		p[i/64] |= uint64(image[bit/8]>>(bit%8)&1) << (i % 64)
	}
	return p
}

// tokens numbers what occurs in a case.
type tokens struct {
	bits    int64
	numbers map[string]uint64
}

func (t *tokens) add(values ...any) {
	for _, value := range values {
		text, _ := json.Marshal(value)
		if _, known := t.numbers[string(text)]; !known {
			t.numbers[string(text)] = uint64(len(t.numbers))
		}
	}
}

func (t *tokens) passes() int {
	n := 1
	for room := uint64(1) << t.bits; t.bits < 32 && room < uint64(len(t.numbers)); room <<= t.bits {
		n++
	}
	return n
}

func (t *tokens) pattern(value any, pass int) pattern {
	text, _ := json.Marshal(value)
	number := t.numbers[string(text)] >> (int64(pass) * t.bits)
	word := (number + 1) * 0x9E3779B97F4A7C15 // odd: it keeps the lowest bits apart and fills the higher ones
	return pattern{word, word * 0xD6E8FEB86659FD93}.cut(t.bits)
}

// image relays the case's data from src to dst and compares: the answer is what was wanted, or what differs.
func (g golden) image(src, dst xlashape.Shape) any {
	from, to := cellsOf(src), cellsOf(dst)
	data, want, fill := g.field("data").([]any), g.field("expect"), g["fill"]
	wanted, list := want.([]any)
	if !list { // an error is wanted: any image will do
		wanted = make([]any, to.count)
	}
	if int64(len(data)) != from.count || int64(len(wanted)) != to.count {
		return fmt.Sprintf("%d positions become %d, the case has %d and %d", from.count, to.count, len(data), len(wanted))
	}
	t := tokens{to.value, map[string]uint64{}}
	t.add(fill)
	t.add(data...)
	t.add(wanted...)
	m := must(xlashape.NewIndexMap(dst))
	defer m.Close()
	padding := xlashape.PadInvalid
	if dst.Layout != nil {
		padding = dst.Layout.PaddingValue
	}
	var filled pattern
	for i, b := range must(padding.Bytes(dst.ElementType)) {
		filled[i/8] |= uint64(b) << (8 * (i % 8))
	}
	for pass := 0; pass < t.passes(); pass++ {
		source, preset := make([]byte, from.bytes), make([]byte, to.bytes)
		for i, token := range data {
			from.write(source, int64(i), t.pattern(token, pass))
		}
		for i := int64(0); i < to.count; i++ {
			to.write(preset, i, t.pattern(fill, pass))
		}
		for _, policy := range []xlashape.FillPolicy{xlashape.FillPreserve, xlashape.FillPadding} {
			if policy == xlashape.FillPadding && padding == xlashape.PadInvalid {
				continue
			}
			image := append([]byte{}, preset...)
			if err := xlashape.RelayoutInto(src, source, dst, image, &xlashape.PlanOptions{FillPolicy: policy}); err != nil {
				panic(refused{err})
			}
			for i := int64(0); i < to.count; i++ {
				expected := t.pattern(wanted[i], pass)
				if policy == xlashape.FillPadding && must(m.MultidimensionalIndex(i, make([]int64, m.Rank()))) {
					expected = filled.cut(to.value)
				}
				if got := to.read(image, i); got != expected {
					return fmt.Sprintf("got bits %x want %x at position %d, fill policy %d", got, expected, i, policy)
				}
			}
		}
	}
	return want
}

// pack is the image of numbers in row-major order, with zeros for padding.
func (g golden) pack() []byte {
	s := g.shape("shape", "")
	flat := xlashape.ArrayShape(s.ElementType, s.Dimensions...)
	from, values := cellsOf(flat), integers(g.field("data"))
	source := make([]byte, from.bytes)
	for i, value := range values {
		from.write(source, int64(i), pattern{uint64(value), uint64(value >> 63)})
	}
	return must(xlashape.Relayout(flat, source, s, nil))
}
