/* The tire functions in plain C, row by row from their equations, to measure against. */
#include <math.h>

/* Keeps compilers from optimising the timing loop away. */
#define MEASURED __attribute__((noinline))

/* Pacejka 2002, combined slip (PAC2002, Magic Formula 5.2). */
typedef struct {
	double Fz0, R0, V0, LFz0, LCx, Lmux, LEx, LKx, LHx, LVx, Lgammax, LCy, Lmuy, LEy, LKy, LHy, LVy,
		Lgammay, Ltrail, Lres, Lgammaz, LXalpha, LYkappa, LVykappa, LS, LMx, LVMx, LMy, PCx1,
		PDx1, PDx2, PDx3, PEx1, PEx2, PEx3, PEx4, PKx1, PKx2, PKx3, PHx1, PHx2, PVx1, PVx2, RBx1,
		RBx2, RCx1, REx1, REx2, RHx1, QSx1, QSx2, QSx3, PCy1, PDy1, PDy2, PDy3, PEy1, PEy2, PEy3,
		PEy4, PKy1, PKy2, PKy3, PHy1, PHy2, PHy3, PVy1, PVy2, PVy3, PVy4, RBy1, RBy2, RBy3, RCy1,
		REy1, REy2, RHy1, RHy2, RVy1, RVy2, RVy3, RVy4, RVy5, RVy6, QSy1, QSy2, QSy3, QSy4, QBz1,
		QBz2, QBz3, QBz4, QBz5, QBz9, QBz10, QCz1, QDz1, QDz2, QDz3, QDz4, QDz6, QDz7, QDz8, QDz9,
		QEz1, QEz2, QEz3, QEz4, QEz5, QHz1, QHz2, QHz3, QHz4, SSz1, SSz2, SSz3, SSz4;
} pacejka2002;

static double sgn(double x) { return x < 0 ? -1 : 1; }
static double smaller(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }
static double magic(double x, double e, double c) { return c*atan(x - e*(x - atan(x))); }

/* in: Fz, S, alpha, Omega, gamma, Reff, VCx, mu; out: Fx, Fy, Mx, My, Mz */
MEASURED void pacejka2002_forces(const pacejka2002 *p, const double *in, double *out)
{
	double Fz = in[0], S = in[1], alpha = in[2], Omega = in[3], gamma = in[4], VCx = in[6], mu = in[7];
	double Fn = p->LFz0*p->Fz0, df = (Fz - Fn)/Fn, lmux = p->Lmux*mu, lmuy = p->Lmuy*mu;
	/* 10.1 */
	double sx = S + (p->PHx1 + p->PHx2*df)*p->LHx;
	double gx = gamma*p->Lgammax;
	double Cx = p->PCx1*p->LCx;
	double mux = (p->PDx1 + p->PDx2*df)*(1 - p->PDx3*gx*gx)*lmux;
	double Dx = mux*Fz;
	double Ex = smaller(1, (p->PEx1 + p->PEx2*df + p->PEx3*df*df)*(1 - p->PEx4*sgn(sx))*p->LEx);
	double Kx = Fz*(p->PKx1 + p->PKx2*df)*exp(p->PKx3*df)*p->LKx;
	double Bx = Kx/(Cx*Dx);
	double SVx = Fz*(p->PVx1 + p->PVx2*df)*p->LVx*lmux;
	double Fx0 = Dx*sin(magic(Bx*sx, Ex, Cx)) + SVx;
	/* 10.2 */
	double gy = gamma*p->Lgammay;
	double SHy = (p->PHy1 + p->PHy2*df)*p->LHy + p->PHy3*gy;
	double ay = alpha + SHy;
	double Cy = p->PCy1*p->LCy;
	double muy = (p->PDy1 + p->PDy2*df)*(1 - p->PDy3*gy*gy)*lmuy;
	double Dy = muy*Fz;
	double Ey = smaller(1, (p->PEy1 + p->PEy2*df)*(1 - (p->PEy3 + p->PEy4*gy)*sgn(ay))*p->LEy);
	double load = Fz/(p->PKy2*Fn);
	double Ky = p->PKy1*p->Fz0*2*load/(1 + load*load)*(1 - p->PKy3*fabs(gy))*p->LFz0*p->LKy;
	double By = Ky/(Cy*Dy);
	double SVy = Fz*((p->PVy1 + p->PVy2*df)*p->LVy + (p->PVy3 + p->PVy4*df)*gy)*lmuy;
	double Fy0 = Dy*sin(magic(By*ay, Ey, Cy)) + SVy;
	/* 10.3 */
	double rx = p->RBx2*S;
	double Bxa = p->RBx1/sqrt(1 + rx*rx)*p->LXalpha;
	double Exa = smaller(1, p->REx1 + p->REx2*df);
	double Gxa = cos(magic(Bxa*(alpha + p->RHx1), Exa, p->RCx1))/cos(magic(Bxa*p->RHx1, Exa, p->RCx1));
	double Fx = Gxa*Fx0;
	/* 10.4 */
	double ry = p->RBy2*(alpha - p->RBy3);
	double Byk = p->RBy1/sqrt(1 + ry*ry)*p->LYkappa;
	double Eyk = smaller(1, p->REy1 + p->REy2*df);
	double SHyk = p->RHy1 + p->RHy2*df;
	double Gyk = cos(magic(Byk*(S + SHyk), Eyk, p->RCy1))/cos(magic(Byk*SHyk, Eyk, p->RCy1));
	double rv = p->RVy4*alpha;
	double DVyk = muy*Fz*(p->RVy1 + p->RVy2*df + p->RVy3*gamma)/sqrt(1 + rv*rv);
	double SVyk = DVyk*sin(p->RVy5*atan(p->RVy6*S))*p->LVykappa;
	double Fy = Gyk*Fy0 + SVyk;
	/* 10.5, 10.6 */
	double v = VCx/p->V0;
	out[2] = p->R0*Fz*(p->QSx1*p->LVMx - p->QSx2*gamma + p->QSx3*Fy/Fn)*p->LMx;
	out[3] = -sgn(Omega)*p->R0*Fz*(p->QSy1 + p->QSy2*Fx/Fn + p->QSy3*fabs(v) + p->QSy4*v*v*v*v)*p->LMy;
	/* 10.7 */
	double gz = gamma*p->Lgammaz;
	double at = alpha + p->QHz1 + p->QHz2*df + (p->QHz3 + p->QHz4*df)*gz;
	double ar = alpha + SHy + SVy/Ky;
	double Bt = (p->QBz1 + p->QBz2*df + p->QBz3*df*df)*(1 + p->QBz4*gz + p->QBz5*fabs(gz))*p->LKy/lmuy;
	double Ct = p->QCz1;
	double Dt = Fz*(p->QDz1 + p->QDz2*df)*(1 + p->QDz3*gz + p->QDz4*gz*gz)*(p->R0/Fn)*p->Ltrail;
        double Et = smaller(1, (p->QEz1 + p->QEz2 * df + p->QEz3 * df * df) *
                                (1 + (p->QEz4 + p->QEz5 * gz) * 0.63661977236758134308 * atan(Bt * Ct * at)));
        double Br = p->QBz9*p->LKy/lmuy + p->QBz10*By*Cy;
	double Dr = Fz*((p->QDz6 + p->QDz7*df)*p->Lres + (p->QDz8 + p->QDz9*df)*gz)*p->R0*lmuy;
	double slip = Kx/Ky*S, tt = tan(at), tr = tan(ar);
	double ateq = sgn(at)*atan(sqrt(tt*tt + slip*slip));
	double areq = sgn(ar)*atan(sqrt(tr*tr + slip*slip));
	double ca = cos(alpha), r = Br*areq;
	double trail = Dt*cos(magic(Bt*ateq, Et, Ct))*ca;
	double Mzr = Dr/sqrt(1 + r*r)*ca;
	double s = p->R0*(p->SSz1 + p->SSz2*Fy/Fn + (p->SSz3 + p->SSz4*df)*gamma)*p->LS;
	out[0] = Fx;
	out[1] = Fy;
	out[4] = -trail*(Fy - SVyk) + Mzr + s*Fx;
}

/* Fiala (Morency 2007, equations 3.31 to 3.37). in: Fz, S, alpha, Omega, mu */
typedef struct { double D2, CS, Calpha, Cr, mu0, mu1; } fiala;

MEASURED void fiala_forces(const fiala *p, const double *in, double *out)
{
	double Fz = in[0], S = in[1], alpha = in[2], Omega = in[3], t = tan(alpha);
	double N = in[4]*(p->mu0 - smaller(1, sqrt(S*S + t*t))*(p->mu0 - p->mu1))*Fz, s = alpha > 0 ? 1 : alpha < 0 ? -1 : 0;
	out[0] = 2*fabs(S)*p->CS <= N ? p->CS*S : copysign(N - N*N/(4*fabs(S)*p->CS), S);
	double H = p->Calpha*fabs(t) < 3*N ? 1 - p->Calpha*fabs(t)/(3*N) : 0;
	out[1] = -N*(1 - H*H*H)*s;
	out[2] = 0;
	out[3] = -p->Cr*Fz*sgn(Omega);
	out[4] = N*p->D2*(1 - H)*H*H*H*s;
}

/* Stretched string (3.22 to 3.28). in: Fz, gamma, VPy, VEx, V*Px, V*Ex, q1, q2 */
typedef struct { double Fz0, R0, LSkappa, LSalpha, PTx1, PTx2, PTx3, PTy1, PTy2, PKy3; } stretched_string;

MEASURED void stretched_string_rates(const stretched_string *p, const double *in, double *out)
{
	double Fz = in[0], d = (Fz - p->Fz0)/p->Fz0, x = Fz/(p->PTy2*p->Fz0);
	double Blong = larger(1e-3, p->LSkappa*p->R0*(Fz/p->Fz0)*(p->PTx1 + p->PTx2*d)*exp(p->PTx3*d));
	double Blat = larger(1e-3, p->LSalpha*p->PTy1*2*x/(1 + x*x)*(1 - p->PKy3*fabs(in[1]))*p->R0);
	out[0] = (-in[3] - in[6]*fabs(in[5]))/Blong;
	out[1] = (in[2] - in[7]*fabs(in[4]))/Blat;
}

/* Constant relaxation lengths (3.22, 3.23). in: VPy, VEx, V*Px, V*Ex, q1, q2 */
typedef struct { double Blong, Blat; } constant_length;

MEASURED void constant_length_rates(const constant_length *p, const double *in, double *out)
{
	out[0] = (-in[1] - in[4]*fabs(in[3]))/p->Blong;
	out[1] = (in[0] - in[5]*fabs(in[2]))/p->Blat;
}
