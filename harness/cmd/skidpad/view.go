package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"skidpad/harness"
	"skidpad/harness/library"
	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/files/view"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/replay"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// viewFlags are the flags of view.
type viewFlags struct {
	car, record, driver, pace, listen *string
	method, tree, library, param      *string
	road, video                       *string
	step                              *float64
	hosts, ghosts, plots              *[]string
	open, feed                        *bool
	plugins                           *bool
	set                               settings
	begin                             *startFlags
}

// viewCommand drives a vehicle live in the browser.
func viewCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "view MODEL|X.fmu [flags]",
		Short: "drive a vehicle live in the browser",
		Long: "Runs a model file or an FMU in real time and serves a page that shows it, on this machine only. An FMU of\n" +
			"another tool needs a car file. Open the printed address, and drive with the arrow keys or a gamepad; ? in the\n" +
			"page lists the keys. Programs drive through the same WebSocket. --record keeps drives, which\n" +
			"'skidpad simulate --replay' repeats bit by bit. With --feed nothing is stepped: a program sends values of\n" +
			"variables, and the page draws them.",
		Example: "  skidpad view passenger_car_manual --open\n" +
			"  skidpad view my_car/vehicle.toml --speed '50 km/h' --record drives\n" +
			"  skidpad view road_car --track double_lane_change --ghost run.parquet\n" +
			"  skidpad view bicycle --manoeuvre bicycle_weave\n" +
			"  skidpad view other.fmu --car other_car.toml\n" +
			"  skidpad view generic4w --driver socket --pace lockstep",
		Args: arguments(1, 1, "one MODEL or X.fmu"), ValidArgsFunction: names(resources.Models),
	}
	f, flags := &viewFlags{}, c.Flags()
	f.car = carFlag(flags)
	f.record = flags.String("record", "", "`FOLDER` for recorded drives, drive-DATE-TIME.zip")
	f.driver = flags.String("driver", "page", "`WHO` drives: page, or socket for a program")
	f.pace = flags.String("pace", "1", "vehicle `TIME` by real time, 0.1 to 4, or lockstep: the program orders slices")
	f.listen = flags.String("listen", "127.0.0.1:0", "`ADDRESS` and port to serve; port 0 is a free one")
	f.hosts = flags.StringArray("host", nil, "`NAME` of this machine in addresses of pages, such as behind a tunnel; may "+
		"be repeated")
	f.open = flags.Bool("open", false, "open the page in the browser")
	f.begin = startFlagsOf(c)
	f.feed = flags.Bool("feed", false, "step nothing; draw the values that a program sends from a loop of its own")
	f.param = flags.String("param", "", "`PATTERNS` of numbers that the page changes with sliders, separated by commas; "+
		"default: the parameters of the model file, the friction of the road and the wind")
	f.ghosts = flags.StringArray("ghost", nil, "`RUN` of the same vehicle, .csv, .csv.gz or .parquet, that drives along "+
		"as a transparent vehicle; may be repeated")
	f.plots = flags.StringArray("plot", nil, "`PATTERNS` of signals, separated by commas, for a plot on the page; may be "+
		"repeated, one below the other")
	f.video = flags.String("record-video", "", "")
	flags.MarkHidden("record-video") // people look for it; the refusal tells the ways out
	f.plugins = allowPlugins(flags)
	f.method = methodFlag(flags)
	f.tree = flags.String("tree", "", "tree selection of the model file, by `NAME`; default: its first")
	f.road = flags.String("road", "", "shipped road, by `NAME`, or a file of one, in place of that of the vehicle")
	c.RegisterFlagCompletionFunc("road", names(resources.Roads))
	f.step = secondsFlag(flags, "step", 1e-3, "slice in `SECONDS`, 0.001 or 1ms: inputs stay for a slice")
	f.library = libraryFlag(flags)
	flags.Var(&f.set, "set", "parameter or text `NAME=VALUE` to set before the start, such as 'body.mass=1.1 t'; may be "+
		"repeated")
	c.RunE = f.run
	return c
}

// speedOption is the speed at the start, or NaN for the start of the model file.
type speedOption struct{ value float64 }

func (s *speedOption) String() string {
	if math.IsNaN(s.value) {
		return "model"
	}
	return strconv.FormatFloat(s.value, 'g', -1, 64)
}

func (s *speedOption) Type() string { return "SPEED" }

func (s *speedOption) Set(text string) error {
	if text == "model" {
		s.value = math.NaN()
		return nil
	}
	var list constantValues
	if err := list.Set("speed=" + text); err != nil {
		return err
	}
	if err := list[0].Written.Fits("m/s"); err != nil {
		return err
	}
	s.value = list[0].Value
	return nil
}

func speedValue(c *cobra.Command) *speedOption {
	s := &speedOption{}
	c.Flags().Var(s, "speed", "`SPEED` at the start, 15 or '50 km/h', or model for the start values of the model file")
	return s
}

func (f *viewFlags) run(c *cobra.Command, args []string) (failure error) {
	stderr, model := c.ErrOrStderr(), args[0]
	if c.Flags().Changed("record-video") {
		return usageError{errors.New("the command has no encoder for videos; the button 'video' of the page records one, " +
			"and 'skidpad animate' writes a recorded run as a page that plays it")}
	}
	pace, err := f.paceOf()
	if err != nil {
		return usageError{err}
	}
	if *f.driver != "page" && *f.driver != "socket" {
		return usageError{fmt.Errorf("--driver %q; it is page or socket", *f.driver)}
	}
	if err := f.begin.check(c); err != nil {
		return err
	}
	if strings.EqualFold(filepath.Ext(model), ".fmu") {
		if *f.tree != "" {
			return usageError{errors.New("--tree is for model files; an FMU has its own")}
		}
		folder, err := os.MkdirTemp("", "skidpad-view-*")
		if err != nil {
			return err
		}
		defer func() { failure = errors.Join(failure, os.RemoveAll(folder)) }()
		model, *f.tree, err = modelfile.Unpack(model, folder)
		if errors.Is(err, modelfile.ErrNoModel) {
			return f.runForeign(c, args[0], pace)
		} else if err != nil {
			return err
		}
	} else if err := found(c, resources.Models, &model); err != nil {
		return err
	}
	m, err := readModel(model, stderr)
	if err != nil {
		return err
	}
	target, err := modelfile.Target(model, *f.car)
	if err != nil {
		return err
	}
	if *f.feed {
		return f.runFeed(c, m, model, target)
	}
	target.Find = finder(model, *f.tree, *f.library)
	e := evaluate.Evaluator{Target: target, Method: *f.method, Settings: f.set, Replaced: f.begin.let, Held: true,
		AllowPlugins: *f.plugins, Interrupt: interruptOf(c), Open: func() (drive.Subject, func(), error) {
			return openSubject(model, *f.tree, *f.library)
		}}
	s, err := f.begin.read(&e, *f.step, stderr)
	if err != nil {
		return err
	}
	if s.start.Pilot == nil && *f.driver == "page" {
		if err := rideable(s.roles); err != nil {
			return err
		}
	}
	v, closeAll, err := openSubject(model, *f.tree, *f.library)
	if err != nil {
		return err
	}
	defer closeAll()
	vehicle, is := v.(*library.Vehicle)
	if !is {
		return errors.New("the vehicle is no model file")
	}
	s.vehicle, s.start.Vehicle = vehicle, vehicle
	onRoad, err := roadSettings(c, *f.road, s.roles)
	if err != nil {
		return err
	}
	s.start.Plan.Settings = slices.Concat(onRoad, s.start.Plan.Settings)
	warnOfSet(model, f.set, stderr)
	changing, states, spare, err := changes(s, m, vehicle, *f.param)
	if err != nil {
		return err
	}
	if spare != nil {
		defer spare.Close()
	}
	if err := f.prepare(s, vehicle, target.Model, stderr); err != nil {
		return err
	}
	options, err := f.scene(m, vehicle, s.roles)
	if err != nil {
		return err
	}
	if err := f.along(&options, m, s); err != nil {
		return err
	}
	if err := f.offer(&options, vehicle, s.roles, pace == 0); err != nil {
		return err
	}
	options.Changes = changing
	if err := f.loop(&options, s, vehicle, pace, states); err != nil {
		return err
	}
	if *f.record != "" {
		if options.Recorder, err = f.recorder(vehicle, options.Loop, target.Model); err != nil {
			return err
		}
	}
	return f.serve(c, options)
}

// prepare brings a vehicle to its start, and prints its messages.
func (f *viewFlags) prepare(s *started, v warning, name string, stderr io.Writer) error {
	if err := s.start.Prepare(); err != nil {
		return err
	}
	if notes, err := v.Notes(); err == nil {
		for _, note := range notes {
			fmt.Fprintf(stderr, "%s: %s\n", name, marked(note))
		}
	}
	return f.begin.way(s)
}

// warning is a vehicle with messages.
type warning interface{ Notes() ([]string, error) }

// loop makes the loop of a vehicle that is at its start.
func (f *viewFlags) loop(options *view.Options, s *started, v live.Vehicle, pace float64, states []string) (err error) {
	options.Piloted, options.Lockstep, options.Sockets = s.start.Pilot != nil, pace == 0, *f.driver == "socket"
	options.Loop, err = live.New(v, s.car, live.Options{Step: *f.step, Pace: pace, Outputs: options.Outputs,
		Seldom: options.Seldom, Recorded: *f.record != "", Restart: s.start.Again, Pilot: s.start.Pilot,
		Settings: s.start.Settings, States: states})
	if err == nil && s.course != nil && s.course.Passage != nil {
		s.course.Passage.SetInputs(options.Loop.Inputs())
	}
	return err
}

// offer adds the outputs that viewers can choose, and the plots of a new page.
func (f *viewFlags) offer(options *view.Options, v view.Outputs, o *roles.Roles, lockstep bool) error {
	if err := options.Offer(v, o, lockstep); err != nil {
		return err
	}
	for _, patterns := range *f.plots {
		if err := options.Plot(patterns, o); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
	}
	return nil
}

// along adds what the vehicle drives along: a course, and ghosts.
func (f *viewFlags) along(options *view.Options, m *vehicle.Model, s *started) error {
	s.follow(options)
	const mostGhosts = 8
	if len(*f.ghosts) > mostGhosts {
		return usageError{fmt.Errorf("--ghost: %d runs; at most %d drive along", len(*f.ghosts), mostGhosts)}
	}
	for _, file := range *f.ghosts {
		run, err := animation.ReadRun(file)
		if err != nil {
			return err
		}
		scene, err := animation.New(m, run)
		if err != nil {
			return fmt.Errorf("--ghost %s: %w", file, err)
		}
		ghost, err := scene.Run(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
		if err != nil {
			return err
		}
		options.Ghosts = append(options.Ghosts, ghost)
	}
	return nil
}

// follow adds the course.
func (s *started) follow(options *view.Options) {
	if options.Course = s.course; s.course == nil {
		return
	}
	names := []string{s.roles.Chassis + ".x", s.roles.Chassis + ".y", s.roles.Chassis + ".yaw"}
	if s.course.Passage != nil {
		names = append(names, s.course.Passage.Outputs()...)
	}
	for _, name := range names {
		if !slices.Contains(options.Outputs, name) {
			options.Outputs = append(options.Outputs, name)
		}
	}
}

// paceOf reads the pace; 0 is lockstep.
func (f *viewFlags) paceOf() (float64, error) {
	if *f.pace == "lockstep" {
		if *f.driver != "socket" {
			return 0, errors.New("--pace lockstep needs --driver socket: a program that orders slices")
		}
		return 0, nil
	}
	pace, err := strconv.ParseFloat(*f.pace, 64)
	if err != nil || !(pace >= 0.1 && pace <= 4) {
		return 0, fmt.Errorf("--pace %q; give a number from 0.1 to 4, or lockstep", *f.pace)
	}
	return pace, nil
}

// rideable refuses vehicles that keys cannot balance or steer.
func rideable(o *roles.Roles) error {
	single := len(o.Axles) > 0 && !slices.ContainsFunc(o.Axles, func(a roles.Axle) bool { return len(a.Wheels()) > 1 })
	switch {
	case single:
		return errors.New("a vehicle with one track needs balance, which keys cannot give: let a program drive it, " +
			"--driver socket, or watch a recorded run, 'skidpad animate'")
	case o.Steering == nil && o.Throttle == nil && len(o.Brake) == 0:
		return errors.New("the roles of the vehicle name no steering, throttle and brake: name them in [roles], or in a " +
			"car file, --car")
	}
	return nil
}

// scene finds what the page shows.
func (f *viewFlags) scene(m *vehicle.Model, v *library.Vehicle, o *roles.Roles) (view.Options, error) {
	options := view.Shown(animation.Variables(m, v.Outputs()), v, o)
	if err := readTerrain(m, v); err != nil {
		return options, err
	}
	placing := options.Outputs[:options.Placing]
	values, err := valuesOf(v, placing)
	if err != nil {
		return options, err
	}
	options.Poser, err = animation.NewPoser(m, placing, values, reach)
	return options, err
}

// reach is how far the ground of a new page reaches about the vehicle [m]; tiles come when they are needed.
const reach = 20

// valuesOf reads variables of a vehicle.
func valuesOf(v live.Subject, names []string) ([]float64, error) {
	values := make([]float64, len(names))
	references, err := v.References(names...)
	if err == nil {
		err = v.Get(references, values)
	}
	return values, err
}

// recorder begins a recording.
func (f *viewFlags) recorder(v *library.Vehicle, l *live.Loop, name string) (*replay.Writer, error) {
	files, err := v.ModelFiles()
	if err != nil {
		return nil, err
	}
	facts := replay.Facts{Version: harness.Version, Vehicle: name, Tree: *f.tree, Step: *f.step, Inputs: l.Inputs()}
	for _, s := range f.set {
		if strings.HasPrefix(s.Value, "plugin:") || strings.HasPrefix(s.Value, "sti:") {
			facts.Plugins = append(facts.Plugins, replay.Text{Name: s.Name, Value: s.Value})
		}
	}
	return replay.NewWriter(filepath.Join(*f.record, time.Now().Format("drive-20060102-150405")+".zip"), facts, files)
}

// serve serves the page until the command is interrupted.
func (f *viewFlags) serve(c *cobra.Command, options view.Options) error {
	stderr := c.ErrOrStderr()
	listener, err := net.Listen("tcp", *f.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", *f.listen, err)
	}
	address := listener.Addr().(*net.TCPAddr)
	port := strconv.Itoa(address.Port)
	for _, host := range append([]string{"127.0.0.1", "localhost", "::1", address.IP.String()}, *f.hosts...) {
		options.Hosts = append(options.Hosts, net.JoinHostPort(host, port), host)
	}
	token := make([]byte, 16)
	if _, err := rand.Read(token); err != nil {
		return err
	}
	options.Token = hex.EncodeToString(token)
	options.Log = func(text string) { fmt.Fprintln(stderr, text) }
	shown := address.IP.String()
	if address.IP.IsUnspecified() {
		shown = "127.0.0.1"
	}
	if !address.IP.IsLoopback() {
		fmt.Fprintf(stderr, "warning: %s can be reached from other machines, and nothing is encrypted; "+
			"'ssh -L %s:127.0.0.1:%s' to this machine needs no --listen\n", address, port, port)
	}
	v, err := view.New(options)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	url := fmt.Sprintf("http://%s/#%s", net.JoinHostPort(shown, port), options.Token)
	fmt.Fprintf(c.OutOrStdout(), "open %s (Ctrl-C ends)\n", url)
	if *f.open {
		remove, err := openPage(url)
		if err != nil {
			fmt.Fprintf(stderr, "--open: %v; open the address yourself\n", err)
		}
		defer remove()
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	interrupt := interruptOf(c)
	go func() {
		select {
		case <-interrupt:
			cancel()
		case <-ctx.Done():
		}
	}()
	err = v.Run(ctx, func(s *http.Server) error { return s.Serve(listener) })
	if options.Recorder != nil && err == nil {
		fmt.Fprintln(stderr, options.Recorder.Done())
	}
	return err
}

// openPage opens an address in the browser, through a file of the user alone: other users see the arguments of
// commands.
func openPage(url string) (remove func(), err error) {
	file, err := os.CreateTemp("", "skidpad-*.html")
	if err != nil {
		return func() {}, err
	}
	remove = func() { os.Remove(file.Name()) }
	_, err = io.WriteString(file, `<!DOCTYPE html><meta http-equiv="refresh" content="0; url=`+url+`">`)
	if err = errors.Join(err, file.Close()); err != nil {
		return remove, err
	}
	command := []string{"xdg-open", file.Name()}
	switch runtime.GOOS {
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", file.Name()}
	case "darwin":
		command = []string{"open", file.Name()}
	}
	return remove, exec.Command(command[0], command[1:]...).Start()
}
