package equations

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/formulate"
)

// PrintLatex prints the equations for amsmath.
func (x *Matrices) PrintLatex(w io.Writer) {
	n := x.latex()
	symbolOf := map[string]string{}
	for _, list := range [][]formulate.State{x.Formulation.Speeds, x.Formulation.Coordinates} {
		for _, s := range list {
			symbolOf[s.Name] = n.Name(s.Symbol)
		}
	}
	for _, name := range x.constraints() {
		symbolOf[name] = roman(name)
	}
	fmt.Fprintf(w, "%% %s: %s; tree %s; needs \\usepackage{amsmath}\n", x.Model.Name, x.Model.Title, x.Tree)
	form := x.form(`C^{\mathrm{T}}`, `\dot{p}`, `\dot{q}`, `\dot{\Phi}`)
	fmt.Fprintf(w, "%% %s\n", strings.ReplaceAll(form, "\n", "\n% "))
	inPlace := map[*expr.Expr]bool{} // definitions that stand where an entry has their symbol
	for _, p := range x.Parts {
		fmt.Fprintf(w, "%% %s\n", p.Text)
		var lines []string
		for _, e := range p.Entries {
			index := symbolOf[e.Row]
			if e.Column != "" {
				index += `,\,` + symbolOf[e.Column]
			}
			symbol, value := fmt.Sprintf("%s_{%s}", partSymbols[p.Symbol], index), n.Write(e.Value)
			if symbol == value {
				_, definition := x.Formulation.Pool.Content(e.Value)
				inPlace[definition], value = true, n.Subterm(definition)
			}
			lines = append(lines, symbol+" &= "+value)
		}
		align(w, lines)
	}
	var lines []string
	for _, d := range x.Definitions {
		if !inPlace[d] {
			lines = append(lines, n.Name(d)+" &= "+n.Subterm(d))
		}
	}
	if len(lines) > 0 {
		fmt.Fprintln(w, "% definitions, in order")
		align(w, lines)
	}
	lines = nil
	for i := range x.Calls {
		c := &x.Calls[i]
		var returned, arguments []string
		for _, r := range c.Returned {
			returned = append(returned, n.Name(r))
		}
		if c.Load != nil {
			returned = append(returned, n.Name(c.Load))
		}
		for _, a := range c.Arguments {
			arguments = append(arguments, n.Write(a))
		}
		lines = append(lines, fmt.Sprintf(`%s &= %s\left(%s\right)`, strings.Join(returned, ", "), roman(c.Function),
			strings.Join(arguments, ", ")))
	}
	if len(lines) > 0 {
		fmt.Fprintln(w, "% external calls")
		align(w, lines)
	}
}

func align(w io.Writer, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, "\\begin{align*}\n%s\n\\end{align*}\n", strings.Join(lines, " \\\\\n"))
}

// partSymbols holds the symbols of the parts; an index follows them.
var partSymbols = map[string]string{"M": "M", "CT": `C^{\mathrm{T}}`, "b": "b", "e": "e", "Phi": `\Phi`,
	"Phi_dot": `\dot{\Phi}`, "h": "h"}

// latex returns the notation of LaTeX.
func (x *Matrices) latex() *expr.Notation {
	group := func(inner string) string { return `\left(` + inner + `\right)` }
	return &expr.Notation{
		Name: func(e *expr.Expr) string {
			if e.Kind() == expr.Definition || e.Role() == expr.Returned {
				return definitionSymbol(x.names.Of(e))
			}
			return variableSymbol(e.Name())
		},
		Number: func(v float64) string {
			mantissa, exponent, is := strings.Cut(expr.ShortNumber(v), "e")
			if !is {
				return mantissa
			}
			power, _ := strconv.Atoi(exponent)
			return fmt.Sprintf(`%s\cdot 10^{%d}`, mantissa, power)
		},
		Function: func(e *expr.Expr, args []string) string {
			inner := strings.Join(args, ", ")
			switch e.Fn() {
			case expr.Sqrt:
				return `\sqrt{` + inner + "}"
			case expr.Abs:
				return `\left|` + inner + `\right|`
			case expr.Sin, expr.Cos, expr.Tan, expr.Exp, expr.Tanh, expr.Max, expr.Min, expr.Log:
				return `\` + e.Fn().String() + group(inner)
			case expr.Asin, expr.Atan:
				return `\arc` + e.Fn().String()[1:] + group(inner)
			case expr.Lookup:
				return roman(x.tables.name[e.Table()]) + group(inner)
			}
			return roman(e.Fn().String()) + group(inner)
		},
		Power: func(base string, n int) string {
			if strings.Contains(base, "^") || strings.HasPrefix(base, `\`) && strings.Contains(base, `\left`) {
				base = group(base)
			}
			return fmt.Sprintf("%s^{%d}", base, n)
		},
		Times:    " ",
		Fraction: func(above, below string) string { return `\frac{` + above + "}{" + below + "}" },
		Group:    group,
		Written:  x.isWritten,
	}
}

// roman sets a word in upright letters.
func roman(word string) string { return `\mathrm{` + strings.ReplaceAll(word, "_", `\_`) + "}" }

var greek = map[string]bool{"alpha": true, "beta": true, "gamma": true, "theta": true, "kappa": true, "lambda": true,
	"mu": true, "rho": true, "phi": true, "psi": true, "omega": true, "Phi": true, "Omega": true}

// letter returns the symbol of a quantity: a Latin or Greek letter, or a word in upright letters.
func letter(word string) string {
	switch {
	case greek[word]:
		return `\` + word
	case len(word) == 1:
		return word
	}
	return roman(word)
}

var (
	vectorKey     = regexp.MustCompile(`^([vwFMa])([xyz])$`)
	withAxis      = regexp.MustCompile(`^([^_]+)_(?:(.+)_)?([xyz]{1,2}|[123][123])((?:_[0-9]+)?)$`)
	withIndex     = regexp.MustCompile(`^([^_]+)_(.+)$`)
	dotDefinition = regexp.MustCompile(`^(.+)_dot_(.+)$`)
)

// variableSymbol returns the symbol of a variable: v_{x,\mathrm{body}} for body.vx.
func variableSymbol(name string) string {
	owner, key, has := strings.Cut(name, ".")
	if !has {
		return definitionSymbol(name)
	}
	index := roman(owner)
	if m := vectorKey.FindStringSubmatch(key); m != nil {
		key, index = m[1], m[2]+","+index
		if key == "w" {
			key = "omega"
		}
	} else if m := withIndex.FindStringSubmatch(key); m != nil {
		key, index = m[1], roman(m[2])+","+index
	}
	return letter(key) + "_{" + index + "}"
}

// definitionSymbol returns the symbol of a name like v_hub_x: quantity, frame or edge, and axis.
func definitionSymbol(name string) string {
	if m := dotDefinition.FindStringSubmatch(name); m != nil && greek[m[1]] {
		return `\dot{` + letter(m[1]) + "}_{" + roman(m[2]) + "}"
	}
	if m := withAxis.FindStringSubmatch(name); m != nil {
		index := m[3] + strings.ReplaceAll(m[4], "_", ",")
		if m[2] != "" {
			index = roman(m[2]) + "," + index
		}
		return letter(m[1]) + "_{" + index + "}"
	}
	if m := withIndex.FindStringSubmatch(name); m != nil {
		return letter(m[1]) + "_{" + roman(m[2]) + "}"
	}
	return letter(name)
}
