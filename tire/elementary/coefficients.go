package elementary

// Constants of sine, cosine and tangent.
const (
	TwoOverPi = 6.36619772367581382433e-01
	// HalfPi1, HalfPi2 and HalfPi3 sum to pi/2, in parts of 33 bits: their products with integers below 2^20 are exact.
	HalfPi1 = 1.57079632673412561417e+00
	HalfPi2 = 6.07710050630396597660e-11
	HalfPi3 = 2.02226624879595063154e-21
	// ToInteger rounds a number to an integer: add it and subtract it again. The last bits of the sum are the integer.
	ToInteger = 6755399441055744.0 // 1.5 2^52
	// Unreduced is below pi/4: the reduction does not change arguments below it.
	Unreduced = 0.78
	// Widest is the largest argument that this package reduces; package math takes larger ones.
	Widest = 1 << 20
)

// Coefficients of the polynomials that approximate the functions in the comments, by rising powers. "by r^2" names the
// variable of a polynomial.
const (
	// (sin r - r)/r^3 by r^2
	Sin0, Sin1, Sin2 = -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04
	Sin3, Sin4, Sin5 = 2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10
	// (cos r - 1 + r^2/2)/r^4 by r^2
	Cos0, Cos1, Cos2 = 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05
	Cos3, Cos4, Cos5 = -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11
	// r (exp r + 1)/(exp r - 1), without its first term, by r^2
	Exp0, Exp1, Exp2 = 1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05
	Exp3, Exp4       = -1.65339022054652515390e-06, 4.13813679705723846039e-08
	// (2 artanh s)/s - 2 by s^2, without its constant term
	Log0, Log1, Log2 = 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01
	Log3, Log4, Log5 = 2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01
	Log6             = 1.479819860511658591e-01
	// (w - arctan w)/w^3 by w^2
	Atan0, Atan1, Atan2 = 3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01
	Atan3, Atan4, Atan5 = -1.11111104054623557880e-01, 9.09088713343650656196e-02, -7.69187620504482999495e-02
	Atan6, Atan7, Atan8 = 6.66107313738753120669e-02, -5.83357013379057348645e-02, 4.97687799461593236017e-02
	Atan9, Atan10       = -3.65315727442169155270e-02, 1.62858201153657823623e-02
	// (arcsin a - a)/a^3 = A/B by a^2
	AsinA0, AsinA1, AsinA2 = 1.66666666666666657415e-01, -3.25565818622400915405e-01, 2.01212532134862925881e-01
	AsinA3, AsinA4, AsinA5 = -4.00555345006794114027e-02, 7.91534994289814532176e-04, 3.47933107596021167570e-05
	AsinB0, AsinB1, AsinB2 = 1.0, -2.40339491173441421878e+00, 2.02094576023350569471e+00
	AsinB3, AsinB4         = -6.88283971605453293030e-01, 7.70381505559019352791e-02
)

// Constants of the exponential and of the logarithm.
const (
	// Ln2High and Ln2Low sum to ln 2: products of the first with integers below 2^20 are exact.
	Ln2High = 6.93147180369123816490e-01
	Ln2Low  = 1.90821492927058770002e-10
	// Highest is the largest exponent, of either sign, that this package reduces; package math takes larger
	// ones.
	Highest = 700
	// ToExponent is ToInteger plus the bias of the exponents of floating-point numbers.
	ToExponent = ToInteger + 1023
	// Mantissa has the bits of a mantissa.
	Mantissa uint64 = 1<<52 - 1
	// Integers has an integer in its mantissa: 2^52 plus the integer.
	Integers = 1 << 52
	// BelowNormal is the largest number whose exponent is not in its bits.
	BelowNormal = 0x1p-1022 - 0x1p-1074
)

// The arc tangent of |x| is the sum of arctan((|x| - c)/(1 + c|x|)) and arctan(c); c is 0, 1/2, 1, 3/2 or infinite.
const (
	ToHalf, ToOne, ToThreeHalves, ToInfinity = 7. / 16, 11. / 16, 19. / 16, 39. / 16 // |x| from which c has this value on

	AtanHalf, AtanHalfLow               = 4.63647609000806093515e-01, 2.26987774529616870924e-17
	AtanOne, AtanOneLow                 = 7.85398163397448278999e-01, 3.06161699786838301793e-17
	AtanThreeHalves, AtanThreeHalvesLow = 9.82793723247329054082e-01, 1.39033110312309984516e-17
	AtanInfinity, AtanInfinityLow       = 1.57079632679489655800e+00, 6.12323399573676603587e-17
)

// Steepest is the argument from which the hyperbolic tangent is 1 to the last bit.
const Steepest = 20
