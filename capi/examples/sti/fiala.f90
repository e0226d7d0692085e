! fiala.f90 - the Fiala tire as a routine of the Standard Tyre Interface (STI, TYDEX, release 1.4).
!
!     gfortran -O2 -fPIC -shared -ffp-contract=off fiala.f90 -o fiala_sti.so
!
!     tire_FL.model = sti:fiala_sti.so#dtyre_
!     tire_FL.file  = fiala.txt
!
! Equations: Morency (2007), 3.22 to 3.25 and 3.31 to 3.37, corrected. The operations of the force are those
! of the built-in function Fiala in the same order, so that results are equal to the last bit where
! the parameter given is 1; see fiala.c, which is the same tire.

module fiala_tire
  implicit none
  integer, parameter :: dp = kind(1d0)

  ! places of the parameters in TYPARR, of the contact in ROPAR
  integer, parameter :: d2 = 1, cs = 2, calpha = 3, cr = 4, mu0 = 5, mu1 = 6, radius = 7, stiffness = 8, damping = 9, &
    blong = 11, blat = 12, given = 13, parameters = 13
  character(9), parameter :: names(parameters) = [character(9) :: 'D2', 'CS', 'Calpha', 'Cr', 'mu0', 'mu1', 'radius', &
    'stiffness', 'damping', 'width', 'Blong', 'Blat', 'given']
  integer, parameter :: fz = 1, s = 2, alpha = 3, omg = 4, mu = 5, vpy = 6, vex = 7, vpxs = 8, vexs = 9, contact = 9

contains

  pure function cross(a, b) result(c)
    real(dp), intent(in) :: a(3), b(3)
    real(dp) :: c(3)
    c = [a(2)*b(3) - a(3)*b(2), a(3)*b(1) - a(1)*b(3), a(1)*b(2) - a(2)*b(1)]
  end function

  pure real(dp) function signum(x)
    real(dp), intent(in) :: x
    signum = merge(1d0, merge(-1d0, 0d0, x < 0), x > 0)
  end function

  ! The tangent of an angle of at most a right angle; see fiala.c.
  pure real(dp) function tangent(angle)
    real(dp), intent(in) :: angle
    real(dp), parameter :: c0 = 4.16666666666666019037d-02, c1 = -1.38888888888741095749d-03, c2 = 2.48015872894767294178d-05, &
      c3 = -2.75573143513906633035d-07, c4 = 2.08757232129817482790d-09, c5 = -1.13596475577881948265d-11
    real(dp), parameter :: s0 = -1.66666666666666324348d-01, s1 = 8.33333333332248946124d-03, s2 = -1.98412698298579493134d-04, &
      s3 = 2.75573137070700676789d-06, s4 = -2.50507602534068634195d-08, s5 = 1.58969099521155010221d-10
    real(dp) :: n, r, z, z2, w, sine, cosine
    n = 0
    if (angle > 0.785398163397448d0) n = 1
    if (angle < -0.785398163397448d0) n = -1
    r = ((angle - n*1.57079632673412561417d+00) - n*6.07710050630396597660d-11) - n*2.02226624879595063154d-21
    z = r*r
    z2 = z*z
    w = 1 - z*0.5d0
    sine = r + (z*r)*(s0 + z*((s1 + z*s2) + z2*((s3 + z*s4) + z2*s5)))
    cosine = w + (((1 - w) - z*0.5d0) + z2*(((c0 + z*c1) + z2*(c2 + z*c3)) + (z2*z2)*(c4 + z*c5)))
    tangent = merge(sine/cosine, cosine/(-sine), n == 0)
  end function

  ! The arc tangent, of small arguments in operations of its own; see fiala.c.
  pure real(dp) function arc_tangent(x)
    real(dp), intent(in) :: x
    real(dp), parameter :: t(0:10) = [3.33333333333329318027d-01, -1.99999999998764832476d-01, 1.42857142725034663711d-01, &
      -1.11111104054623557880d-01, 9.09088713343650656196d-02, -7.69187620504482999495d-02, 6.66107313738753120669d-02, &
      -5.83357013379057348645d-02, 4.97687799461593236017d-02, -3.65315727442169155270d-02, 1.62858201153657823623d-02]
    real(dp) :: w, z, z2, z4, p, q, r
    w = abs(x)
    z = w*w
    z2 = z*z
    z4 = z2*z2
    if (w >= 7d0/16) then
      arc_tangent = atan(x)
      return
    end if
    p = (t(0) + z*t(1)) + z2*(t(2) + z*t(3))
    q = (t(4) + z*t(5)) + z2*(t(6) + z*t(7))
    r = (t(8) + z*t(9)) + z2*t(10)
    p = p + z4*(q + z4*r)
    arc_tangent = sign(w - (w*z)*p, x)
  end function

  ! The sign of the spin, smooth between -1e-3 rad/s and 0.
  pure real(dp) function rolling_sign(w)
    real(dp), intent(in) :: w
    real(dp) :: x, square
    x = max(-1d0, min(1d0, 2*w/1d-3 + 1))
    square = x*x
    rolling_sign = x*(15 + square*(3*square - 10))/8
  end function

  ! (parameters, contact) => Fx, Fy, Mx, My, Mz at the contact point, axes W.
  pure function fiala(p, c) result(out)
    real(dp), intent(in) :: p(parameters), c(contact)
    real(dp) :: out(5), load, slip, angle, surface, tangens, n, lateral, h, cube
    out = 0
    load = min(c(fz), 1d9)
    slip = max(-1d6, min(1d6, c(s)))
    angle = max(-1.57079632679489661923d0, min(1.57079632679489661923d0, c(alpha)))
    surface = max(0d0, min(1d6, c(mu)))
    if (load <= 1d-99) return ! in the air
    tangens = tangent(angle)
    n = (surface*(p(mu0) - min(sqrt(slip*slip + tangens*tangens), 1d0)*(p(mu0) - p(mu1))))*load
    lateral = p(calpha)*abs(tangens)
    out(1) = p(cs)*slip
    if ((2*abs(slip))*p(cs) > n) out(1) = sign(n*(1 - n/((4*abs(slip))*p(cs))), slip)
    h = 0
    if (lateral < 3*n) h = 1 - lateral/(3*n)
    cube = (h*h)*h
    out(2) = ((-n)*(1 - cube))*signum(angle)
    out(4) = ((-p(cr))*load)*rolling_sign(c(omg))
    out(5) = (((n*p(d2))*(1 - h))*cube)*signum(angle)
  end function

  ! Reads the tire file, lines NAME = VALUE; message says what is wrong.
  subroutine read_file(path, p, message)
    character(*), intent(in) :: path
    real(dp), intent(inout) :: p(:)
    character(*), intent(inout) :: message
    character(256) :: line
    character(9) :: name
    logical :: known(parameters)
    integer :: unit, status, equals, k
    known = .false.
    open (newunit=unit, file=path, status='old', action='read', iostat=status)
    if (status /= 0) then
      message = 'the tire file '//trim(path)//' cannot be opened'
      return
    end if
    do
      read (unit, '(a)', iostat=status) line
      if (status /= 0) exit
      equals = index(line, '=')
      if (equals < 2) cycle
      name = adjustl(line(:equals - 1))
      do k = 1, parameters
        if (name == names(k)) then
          read (line(equals + 1:), *, iostat=status) p(k)
          known(k) = status == 0
        end if
      end do
    end do
    close (unit)
    do k = 1, parameters
      if (.not. known(k)) message = trim(path)//': the parameter '//trim(names(k))//' is missing'
    end do
  end subroutine

end module

subroutine dtyre(ndev, iswtch, jobflg, idtyre, time, dis, tramat, angtwc, vel, omega, omegar, ndeqvr, deqvar, ntypar, typarr, &
    nchtds, chtdst, road, idroad, nropar, ropar, nchrds, chrdst, forces, torque, deqini, deqder, tyrmod, nvars, varinf, &
    nwork, wrkarr, niwork, iwrkar, ierr)
  use fiala_tire
  implicit none
  integer :: ndev, iswtch, jobflg, idtyre, ndeqvr, ntypar, nchtds, idroad, nropar, nchrds, nvars, nwork, niwork, ierr
  real(dp) :: time, dis(3), tramat(3, 3), angtwc, vel(3), omega(3), omegar, deqvar(*), typarr(*), ropar(*), forces(3), torque(3), &
    deqini(*), deqder(*), varinf(*), wrkarr(*)
  integer :: iwrkar(*)
  character(*) :: chtdst, chrdst
  character(256) :: tyrmod
  external :: road

  real(dp) :: z, dz(2), ddz(3), surface(1), length, height, c(contact), out(5), sine, cosine, loaded, rim, &
    axle(3), ux(3), uy(3), uz(3), arm(3), v(3), w(3), force(3), moment(3)
  integer :: nroad, dflag
  logical :: relaxing

  ierr = 0
  select case (jobflg)
  case (1) ! of the file nothing is known yet
    ndeqvr = 2
    ntypar = parameters
    nropar = contact
    nvars = 6
    nwork = 0
    niwork = 0
  case (2, 3)
    tyrmod = ''
    call read_file(chtdst(:nchtds), typarr(:parameters), tyrmod)
    if (tyrmod /= '') then
      ierr = 3
      return
    end if
    tyrmod = 'FIALA'
    deqini(1:2) = 0
  case (0, 5)
    call road(time, dis, 1, 0, idtyre, idroad, nropar, ropar, nchrds, chrdst, 1, nroad, z, dz, ddz, dflag, surface, ierr)
    if (ierr > 1) return
    length = sqrt(1 + dz(1)**2 + dz(2)**2)
    uz = [-dz(1), -dz(2), 1d0]/length
    height = (dis(3) - z)/length

    ! axes W, the contact point from the wheel's centre, and the contact
    axle = tramat(:, 2)
    v = matmul(tramat, vel)
    w = matmul(tramat, omega) + omegar*axle
    ux = cross(axle, uz)
    cosine = norm2(ux)
    ux = ux/cosine
    uy = cross(uz, ux)
    sine = dot_product(axle, uz)
    loaded = height/cosine
    arm = loaded*sine*uy - height*uz
    rim = sine*dot_product(w, uz) + cosine*dot_product(w, uy)
    c(fz) = max(typarr(stiffness)*(typarr(radius)*cosine - height) - typarr(damping)*dot_product(v, uz), 0d0)
    if (nroad == 0) c(fz) = 0
    c(omg) = dot_product(w, uy)/cosine
    c(mu) = surface(1)
    c(vex) = dot_product(v, ux) - loaded*rim ! the effective radius is the loaded one
    c(vexs) = c(vex) + c(omg)*loaded
    c(vpxs) = c(vexs)
    c(vpy) = dot_product(v, uy) + height*dot_product(w, ux)
    c(s) = -c(vex)/max(abs(c(vexs)), 1d-3)
    c(alpha) = atan(c(vpy)/max(abs(c(vpxs)), 1d-3))
    if (typarr(given) == 1) c = ropar(:contact)
    relaxing = typarr(blong) > 0
    deqder(1:2) = 0
    if (relaxing) then ! (3.22) to (3.25)
      c(s) = deqvar(1)
      c(alpha) = arc_tangent(deqvar(2))
      deqder(1) = (-c(vex) - deqvar(1)*abs(c(vexs)))/typarr(blong)
      deqder(2) = (c(vpy) - deqvar(2)*abs(c(vpxs)))/typarr(blat)
    end if
    out = fiala(typarr(:parameters), c)
    varinf(1:6) = [out, c(fz)]

    ! from the contact point in W to the centre in C
    force = out(1)*ux + out(2)*uy + c(fz)*uz
    moment = out(3)*ux + out(4)*uy + out(5)*uz + cross(arm, force)
    forces = matmul(force, tramat)
    torque = matmul(moment, tramat)
  end select
end subroutine
