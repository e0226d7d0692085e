package mathml

// letters are commands that stand for a letter.
var letters = map[string]string{
	`alpha`: "α", `beta`: "β", `gamma`: "γ", `delta`: "δ", `epsilon`: "ϵ", `varepsilon`: "ε", `zeta`: "ζ", `eta`: "η",
	`theta`: "θ", `vartheta`: "ϑ", `iota`: "ι", `kappa`: "κ", `lambda`: "λ", `mu`: "μ", `nu`: "ν", `xi`: "ξ", `pi`: "π",
	`rho`: "ρ", `varrho`: "ϱ", `sigma`: "σ", `tau`: "τ", `upsilon`: "υ", `phi`: "ϕ", `varphi`: "φ", `chi`: "χ",
	`psi`: "ψ", `omega`: "ω",
	`ell`: "ℓ",
}

// capitals are commands that stand for an upright letter.
var capitals = map[string]string{
	`Gamma`: "Γ", `Delta`: "Δ", `Theta`: "Θ", `Lambda`: "Λ", `Xi`: "Ξ", `Pi`: "Π", `Sigma`: "Σ", `Upsilon`: "Υ",
	`Phi`: "Φ", `Psi`: "Ψ",
	`Omega`: "Ω", `infty`: "∞", `partial`: "∂", `nabla`: "∇", `emptyset`: "∅",
}

// operators are commands that stand for a sign.
var operators = map[string]string{
	`cdot`: "⋅", `times`: "×", `le`: "≤", `leq`: "≤", `ge`: "≥", `geq`: "≥", `ne`: "≠", `neq`: "≠", `approx`: "≈",
	`equiv`: "≡", `sim`: "∼",
	`propto`: "∝", `ll`: "≪", `gg`: "≫", `pm`: "±", `mp`: "∓", `to`: "→", `rightarrow`: "→", `leftarrow`: "←",
	`Rightarrow`: "⇒", `mapsto`: "↦",
	`in`: "∈", `notin`: "∉", `subset`: "⊂", `cup`: "∪", `cap`: "∩", `circ`: "∘", `otimes`: "⊗", `oplus`: "⊕",
	`perp`: "⊥", `parallel`: "∥",
	`ldots`: "…", `dots`: "…", `cdots`: "⋯", `vdots`: "⋮", `ddots`: "⋱", `forall`: "∀", `exists`: "∃", `prime`: "′",
	`mid`: "∣",
}

// large are operators whose limits stand above and below where there is room.
var large = map[string]string{`sum`: "∑", `prod`: "∏"}

// integrals have their limits beside them.
var integrals = map[string]string{`int`: "∫", `oint`: "∮"}

// functions are written upright; those that are true have what stands below them there.
var functions = map[string]bool{
	`sin`: false, `cos`: false, `tan`: false, `arcsin`: false, `arccos`: false, `arctan`: false, `sinh`: false,
	`cosh`: false, `cot`: false, `tanh`: false,
	`exp`: false, `ln`: false, `log`: false, `det`: false, `rank`: false, `sgn`: false, `diag`: false, `max`: true,
	`min`: true, `lim`: true,
}

// accents stand over one letter or expression.
var accents = map[string]string{
	`dot`: "˙", `ddot`: "¨", `hat`: "^", `widehat`: "^", `bar`: "¯", `overline`: "¯", `tilde`: "~", `widetilde`: "~",
	`vec`: "→",
}

// spaces in em.
var spaces = map[string]string{
	`,`: "0.167", `:`: "0.222", `;`: "0.278", `!`: "-0.167", ` `: "0.25", `quad`: "1", `qquad`: "2",
}

// escaped are characters that a backslash makes plain, and delimiters with names.
var escaped = map[string]string{
	`{`: "{", `}`: "}", `%`: "%", `#`: "#", `&`: "&amp;", `$`: "$", `_`: "_", `|`: "‖", `lVert`: "‖", `rVert`: "‖",
	`lvert`: "|", `rvert`: "|",
	`langle`: "⟨", `rangle`: "⟩", `lfloor`: "⌊", `rfloor`: "⌋", `lceil`: "⌈", `rceil`: "⌉",
}

// fences are the arguments of \left and \right; a point means no fence.
var fences = map[string]string{
	`(`: "(", `)`: ")", `[`: "[", `]`: "]", `|`: "|", `.`: "", `/`: "/",
	`\{`: "{", `\}`: "}", `\|`: "‖", `\langle`: "⟨", `\rangle`: "⟩", `\lVert`: "‖", `\rVert`: "‖", `\lvert`: "|",
	`\rvert`:  "|",
	`\lfloor`: "⌊", `\rfloor`: "⌋", `\lceil`: "⌈", `\rceil`: "⌉",
}

// environments are tables with what stands before and behind them.
var environments = map[string][2]string{
	`aligned`: {"", ""}, `matrix`: {"", ""}, `pmatrix`: {"(", ")"}, `bmatrix`: {"[", "]"}, `vmatrix`: {"|", "|"},
	`cases`: {"{", ""},
}
