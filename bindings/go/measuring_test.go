package xlashape_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"xlashape"
)

func measuring(t *testing.T, options xlashape.RuntimeOptions) *xlashape.Runtime {
	t.Helper()
	options.NoEnvironment, options.Backend = true, "simd"
	r, err := xlashape.NewRuntime(&options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// transposes makes a plan, executes it, and returns it.
func transposes(t *testing.T, r *xlashape.Runtime, measure time.Duration) *xlashape.Plan {
	t.Helper()
	p := plan(t, "u16[64,96]{1,0}", "u16[64,96]{0,1}", &xlashape.PlanOptions{Runtime: r, Measure: measure})
	src, dst := make([]uint16, 64*96), make([]uint16, 64*96)
	for i := range src {
		src[i] = uint16(i)
	}
	if err := xlashape.Execute(p, src, dst); err != nil {
		t.Fatal(err)
	}
	for i := range src {
		if dst[i%96*64+i/96] != src[i] {
			t.Fatal("other elements")
		}
	}
	return p
}

func wisdomOf(t *testing.T, r *xlashape.Runtime) string {
	t.Helper()
	wisdom, err := r.Wisdom()
	if err != nil || !strings.HasPrefix(wisdom, "xlashape wisdom 1\nprocessor ") {
		t.Fatalf("%q, %v", wisdom, err)
	}
	return wisdom
}

func TestMeasuredPlansAndWisdom(t *testing.T) {
	r, other := measuring(t, xlashape.RuntimeOptions{NoProfile: true}), measuring(t, xlashape.RuntimeOptions{})
	transposes(t, r, 20*time.Millisecond)
	wisdom := wisdomOf(t, r)
	if taken, err := other.ImportWisdom(wisdom); taken != 1 || err != nil || wisdomOf(t, other) != wisdom {
		t.Error(taken, err, wisdomOf(t, other))
	}
	transposes(t, other, 0)
	if err := other.ForgetWisdom(); err != nil || strings.Count(wisdomOf(t, other), "\n") != 2 {
		t.Error(wisdomOf(t, other), err)
	}
	var ours *xlashape.Runtime // the default one
	if _, err := ours.ImportWisdom(wisdom); err != nil {
		t.Error(err)
	}
	if err := ours.ForgetWisdom(); err != nil {
		t.Error(err)
	}
}

func TestMeasuringThatIsRefused(t *testing.T) {
	r := measuring(t, xlashape.RuntimeOptions{})
	src, dst := xlashape.MustParseShape("u8[2,3]{1,0}"), xlashape.MustParseShape("u8[2,3]{0,1}")
	second := &xlashape.PlanOptions{Runtime: r, Measure: time.Second}
	key, err := xlashape.PlanKey(src, dst, second)
	if plain, _ := xlashape.PlanKey(src, dst, nil); key != plain || err != nil {
		t.Error(key, err)
	}
	_, once := xlashape.Relayout(src, make([]byte, 6), dst, second)
	into := xlashape.RelayoutInto(src, make([]byte, 6), dst, make([]byte, 6), second)
	_, negative := xlashape.NewPlan(src, dst, &xlashape.PlanOptions{Measure: -1})
	_, head := r.ImportWisdom("xlashape wisdom 1\nprocessor x\nhello\n")
	_, empty := r.ImportWisdom("")
	_, profile := xlashape.NewRuntime(&xlashape.RuntimeOptions{Profile: "hello\n"})
	_, nul := xlashape.NewRuntime(&xlashape.RuntimeOptions{Profile: "a\x00b"})
	_, both := xlashape.NewRuntime(&xlashape.RuntimeOptions{Profile: "a", NoProfile: true})
	_, budget := r.Calibrate(context.Background(), -1, nil)
	for _, c := range []struct {
		err  error
		code xlashape.Code
		text string
	}{
		{once, xlashape.ErrInvalidArgument, "only a plan that is kept is measured"},
		{into, xlashape.ErrInvalidArgument, "Measure is 1s: only a plan that is kept is measured"},
		{negative, xlashape.ErrInvalidArgument, "it must not be negative"},
		{head, xlashape.ErrParse, "line 3: "},
		{empty, xlashape.ErrParse, "line 1: "},
		{profile, xlashape.ErrInvalidArgument, "profile: line 1: "},
		{nul, xlashape.ErrInvalidArgument, "it must not have NUL"},
		{both, xlashape.ErrInvalidArgument, "NoProfile is set, and Profile has 1 bytes"},
		{budget, xlashape.ErrInvalidArgument, "budget_ns is -1"},
	} {
		if !errors.Is(c.err, c.code) || !strings.Contains(c.err.Error(), c.text) {
			t.Errorf("%v, want %v with %q", c.err, c.code, c.text)
		}
	}
	r.Close()
	if _, err := r.Wisdom(); !errors.Is(err, xlashape.ErrClosed) {
		t.Error(err)
	}
}

func TestMeasuringOnAnExecutorThatFails(t *testing.T) {
	mine := errors.New("mine")
	r := measuring(t, xlashape.RuntimeOptions{Workers: 4, ParallelFor: func(int, func(int)) error { return mine }})
	src, dst := xlashape.MustParseShape("u16[1024,1536]{1,0}"), xlashape.MustParseShape("u16[1024,1536]{0,1}")
	_, err := xlashape.NewPlan(src, dst, &xlashape.PlanOptions{Runtime: r, Measure: 20 * time.Millisecond})
	if !errors.Is(err, mine) || !errors.Is(err, xlashape.ErrCancelled) {
		t.Error(err)
	}
}

func TestCalibrate(t *testing.T) {
	r, last, all := measuring(t, xlashape.RuntimeOptions{}), 0, -1
	profile, err := r.Calibrate(context.Background(), 10*time.Millisecond, func(done, count int) {
		if done < last {
			t.Error(done, "after", last)
		}
		last, all = done, count
	})
	if err != nil || last != all || !strings.HasPrefix(profile, "xlashape profile 1\nprocessor ") {
		t.Fatal(profile, last, all, err)
	}
	with := measuring(t, xlashape.RuntimeOptions{Profile: profile})
	if took, err := transposes(t, with, 0).Predict(); took <= 0 || err != nil {
		t.Error(took, err)
	}
	if path, err := with.ProfilePath(); path != "" || err != nil { // no environment says where
		t.Error(path, err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	_, err = r.Calibrate(ctx, time.Minute, func(int, int) { cancel() })
	if !errors.Is(err, xlashape.ErrCancelled) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	_, err = r.Calibrate(context.Background(), time.Minute, func(int, int) { panic("mine") })
	var panicked *xlashape.PanicError
	if !errors.Is(err, xlashape.ErrCancelled) || !errors.As(err, &panicked) || fmt.Sprint(panicked.Value) != "mine" {
		t.Error(err)
	}
}

func TestPredictions(t *testing.T) {
	predicted := func(options xlashape.RuntimeOptions, from, to string) (*xlashape.Plan, time.Duration, error) {
		p := plan(t, from, to, &xlashape.PlanOptions{Runtime: measuring(t, options)})
		took, err := p.Predict()
		return p, took, err
	}
	const rows, columns = "u8[1024,1024]{1,0}", "u8[1024,1024]{0,1}"
	processor := strings.Split(wisdomOf(t, measuring(t, xlashape.RuntimeOptions{NoProfile: true})), "\n")[1]
	// Stores past the caches, which have no speed here, never pay.
	head := "xlashape profile 1\n" + processor + "\n[simd]\nstream_squares_bytes = 1152921504606846976\n"
	speeds := head + "ns.call = 1000\nns_per_mib.squares_1.ordinary.1024k = 2000000\n"
	p, took, err := predicted(xlashape.RuntimeOptions{Profile: speeds}, rows, columns)
	if took != 2001*time.Microsecond || err != nil {
		t.Error(took, err)
	}
	p.Close()
	if took, err := p.Predict(); took != 0 || !errors.Is(err, xlashape.ErrClosed) {
		t.Error(took, err)
	}
	for _, c := range []struct {
		options  xlashape.RuntimeOptions
		from, to string
	}{
		{xlashape.RuntimeOptions{NoProfile: true}, rows, columns},
		{xlashape.RuntimeOptions{Profile: head}, rows, columns},
		{xlashape.RuntimeOptions{Profile: speeds}, "u4[64,64]{1,0:E(4)}", "u4[64,64]{0,1:E(4)}"},
	} {
		_, took, err := predicted(c.options, c.from, c.to)
		if took != 0 || !errors.Is(err, xlashape.ErrUnsupported) || !strings.Contains(err.Error(), "not predicted: ") {
			t.Error(c, took, err)
		}
	}
}
