package mathml

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
)

// inner is the output of Convert between <math display="block"><mrow> and </mrow></math>.
func inner(t *testing.T, source string) string {
	t.Helper()
	f, err := Convert(source, true)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	_, content, _ := strings.Cut(f.MathML, "<mrow>")
	return strings.TrimSuffix(content, "</mrow></math>")
}

// The expected elements are those that MathML Core describes for each construct.
func TestConvertsToTheElementsOfMathML(t *testing.T) {
	for source, want := range map[string]string{
		`x`:      `<mi>x</mi>`,
		`12.5 m`: `<mn>12.5</mn><mi>m</mi>`,
		`a - b`:  `<mi>a</mi><mo>−</mo><mi>b</mi>`,
		`a = -b/c`: `<mi>a</mi><mo>=</mo><mo form="prefix">−</mo><mi>b</mi><mo lspace="0" rspace="0">/</mo>` +
			`<mi>c</mi>`,
		`(-b) + c`: `<mo stretchy="false">(</mo><mo form="prefix">−</mo><mi>b</mi><mo stretchy="false">)</mo>` +
			`<mo>+</mo><mi>c</mi>`,
		`\frac{1}{2}`:       `<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>`,
		`\frac12`:           ``, // 12 is one number: the second argument is missing
		`\sqrt{x}`:          `<msqrt><mrow><mi>x</mi></mrow></msqrt>`,
		`\sqrt[3]{x}`:       `<mroot><mrow><mi>x</mi></mrow><mrow><mn>3</mn></mrow></mroot>`,
		`x_i^2`:             `<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>`,
		`x^2_i`:             `<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>`,
		`f'`:                `<msup><mi>f</mi><mrow><mo>′</mo></mrow></msup>`,
		`F_{z0}`:            `<msub><mi>F</mi><mrow><mi>z</mi><mn>0</mn></mrow></msub>`,
		`\alpha\Omega`:      `<mi>α</mi><mi mathvariant="normal">Ω</mi>`,
		`\dot x`:            `<mover accent="true"><mi>x</mi><mo stretchy="false">˙</mo></mover>`,
		`\ddot{q}`:          `<mover accent="true"><mrow><mi>q</mi></mrow><mo stretchy="false">¨</mo></mover>`,
		`\mathbf{M}`:        `<mrow><mi mathvariant="normal" class="bold">M</mi></mrow>`,
		`\mathbf{\lambda}y`: `<mrow><mi mathvariant="normal" class="bold">λ</mi></mrow><mi>y</mi>`,
		`\mathrm{eff}`:      `<mi>eff</mi>`,
		`\mathrm{d}`:        `<mi mathvariant="normal">d</mi>`,
		`\text{if } x<0`:    "<mtext>if\u00a0</mtext><mi>x</mi><mo>&lt;</mo><mn>0</mn>",
		`\sin x`:            `<mi>sin</mi><mspace width="0.167em"/><mi>x</mi>`,
		`2\cos\arctan x`: `<mn>2</mn><mspace width="0.167em"/><mi>cos</mi><mspace width="0.167em"/><mi>arctan</mi>` +
			`<mspace width="0.167em"/><mi>x</mi>`,
		`-\sin(x)`: `<mo>−</mo><mi>sin</mi><mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo>`,
		`\sin(x)`:  `<mi>sin</mi><mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo>`,
		`\max_i x`: `<munder><mo movablelimits="true" lspace="0" rspace="0">max</mo><mi>i</mi></munder><mspace ` +
			`width="0.167em"/><mi>x</mi>`,
		`\sum_{i}^{n} i`: `<munderover><mo>∑</mo><mrow><mi>i</mi></mrow><mrow><mi>n</mi></mrow></munderover><mi>i</mi>`,
		`\int_0^t`:       `<msubsup><mo>∫</mo><mn>0</mn><mi>t</mi></msubsup>`,
		`\left( x \right]`: `<mrow><mo fence="true" stretchy="true" form="prefix">(</mo><mi>x</mi><mo fence="true" ` +
			`stretchy="true" form="postfix">]</mo></mrow>`,
		`\left. x \right|`:   `<mrow><mi>x</mi><mo fence="true" stretchy="true" form="postfix">|</mo></mrow>`,
		`a \le b \to \infty`: `<mi>a</mi><mo>≤</mo><mi>b</mi><mo>→</mo><mi mathvariant="normal">∞</mi>`,
		`\begin{matrix}a&b\\c&d\end{matrix}`: `<mrow><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr>` +
			`<mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable></mrow>`,
		`\begin{aligned}a&=b\\\end{aligned}`: `<mrow><mtable class="aligned" displaystyle="true"><mtr><mtd><mi>a</mi>` +
			`</mtd><mtd><mo>=</mo><mi>b</mi></mtd></mtr></mtable></mrow>`,
	} {
		if want == "" {
			if _, err := Convert(source, false); err == nil {
				t.Errorf("%s is no error", source)
			}
			continue
		}
		if got := inner(t, source); got != want {
			t.Errorf("%s becomes\n%s, not\n%s", source, got, want)
		}
	}
}

func TestLinesMayBreakBehindRelationsAndSums(t *testing.T) {
	for source, pieces := range map[string][]string{
		`a = -b + (c - d)`: {`<mi>a</mi><mo>=</mo>`, `<mo form="prefix">−</mo><mi>b</mi><mo>+</mo>`,
			`<mo stretchy="false">(</mo><mi>c</mi><mo>−</mo>`, `<mi>d</mi><mo stretchy="false">)</mo>`},
		`x_{a + b} \le`: {`<msub><mi>x</mi><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></msub><mo>≤</mo>`},
	} {
		want := "<math><mrow>" + strings.Join(pieces, "</mrow></math><wbr/><math><mrow>") + "</mrow></math>"
		if f, err := Convert(source, false); err != nil || f.MathML != want {
			t.Errorf("%s becomes\n%s, not\n%s (%v)", source, f.MathML, want, err)
		}
	}
}

func TestNumbersOfEquations(t *testing.T) {
	f, err := Convert(`E = m c^2 \tag{4a}`, true)
	if err != nil || f.Tag != "4a" || strings.Contains(f.MathML, "4a") ||
		!strings.Contains(f.MathML, `display="block"`) {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestFaultsHaveTheirPlace(t *testing.T) {
	for source, want := range map[string]struct {
		offset int
		reason string
	}{
		``:                             {0, "empty"},
		`x + \foo`:                     {4, `\foo is not known`},
		`{x`:                           {0, "not closed"},
		`x}`:                           {1, "closes nothing"},
		`\frac{1}`:                     {8, "needs what it applies to"},
		`x^`:                           {2, "needs what it applies to"},
		`^2`:                           {0, "nothing to stand at"},
		`x_1_2`:                        {3, "a second _"},
		`\left( x`:                     {0, "not closed by"},
		`\left< x \right)`:             {5, "takes one of"},
		`\begin{array}x\end{array}`:    {0, "is not known; known are aligned"},
		`\begin{matrix}x\end{pmatrix}`: {0, `closed by \end{pmatrix}`},
		`\begin{matrix}x`:              {0, "not closed"},
		`ä`:                            {0, "commands such as"},
		`x \tag{1}`:                    {2, "within a line"},
		`\text{a`:                      {5, "does not end"},
		`a & b`:                        {2, "closes nothing"},
		strings.Repeat("{", 100):       {40, "nested deeper"},
		"\\":                           {0, "backslash"},
	} {
		_, err := Convert(source, false)
		fault, is := errors.AsType[*Error](err)
		if !is || fault.Offset != want.offset || !strings.Contains(fault.Reason, want.reason) {
			t.Errorf("%s: %v; expected %q at %d", source, err, want.reason, want.offset)
		}
	}
	for source, want := range map[string]string{`x \tag{1} \tag{2}`: "a second", `x \tag{a b}`: "is made of"} {
		if _, err := Convert(source, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; expected %q", source, err, want)
		}
	}
}

// Whatever comes in: an error within the source, or a well-formed element.
func FuzzConvert(f *testing.F) {
	for _, source := range []string{`\frac{a}{b_1^2}`, `\begin{cases}x&y\\z\end{cases}`, `\left(\sqrt[3]{x}\right)`,
		`\mathbf{M}\dot{p} + \text{a b} \tag{1}`, "\\\xff", `\sum_i^n '`} {
		fuzzinputs.Add(f, source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		formula, err := Convert(source, len(source)%2 == 0)
		if err != nil {
			if fault, is := errors.AsType[*Error](err); !is || fault.Offset < 0 || fault.Offset > len(source) {
				t.Fatalf("%q: %#v", source, err)
			}
			return
		}
		decoder := xml.NewDecoder(strings.NewReader("<p>" + formula.MathML + "</p>"))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				return
			} else if err != nil {
				t.Fatalf("%q becomes %s: %v", source, formula.MathML, err)
			}
		}
	})
}
