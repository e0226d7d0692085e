% Skidpad in Octave, by capi/matlab:
%
%     octave-cli octave.m OUT MEX LINEAR
%
% OUT is what ./build.sh makes, MEX an empty folder, LINEAR what skidpad linearize wrote. Run it from
% the repository root. The first line that it prints has the bits of the example's last values, which are
% to be those of step_steer.py.
1;

function same(got, wanted, what)
  if ~isequaln(got, wanted)
    error('%s: %s, not %s', what, disp(got), disp(wanted));
  end
end

function refused(call, fragment)
  try
    call();
  catch fault
    if isempty(strfind(fault.message, fragment))
      error('"%s" was to say "%s"', fault.message, fragment);
    end
    return
  end
  error('what was to say "%s" was accepted', fragment);
end

[out, mex_folder, linear] = argv(){:};
addpath('capi/matlab', mex_folder);
model = fullfile(pwd, 'resources/models/generic4w.toml');
skidpad_build(out, mex_folder);

[time, values] = step_steer(model);
printf('%s\n', strjoin(cellstr(num2hex([time(end); sum(values, 1)'; values(end, :)'])), ' '));
assert(values(end, 1) > 0.1 && values(end, 1) < 0.02*20/2.84); % it turns left, less than without slip angles
assert(abs(values(end, 2) - 20*values(end, 1)) < 0.1);         % m/s2: on a circle

car = SkidpadVehicle(model);
same(car.get('body.mass'), 2077, 'mass');
car.set('body.mass', 1900);
car.set({'body.vx', 'spring_FL.stiffness'}, [15, 50000]);
same(car.get({'spring_FL.stiffness'; 'body.vx'; 'body.mass'}), [50000; 15; 1900], 'values');
same(car.text('solver.method', 'heun'), 'heun', 'method');
references = car.find({'body.vx', 'body.x'});
same(class(references), 'uint32', 'references');
car.trim();
car.initialise();
for n = 1:100
  car.step(0.01);
end
same(abs(car.time() - 1) < 1e-9, true, 'time');
motion = car.get(references);
assert(abs(motion(1) - 15) < 0.5 && abs(motion(2) - 15) < 0.5);
mass = car.variables(strcmp({car.variables.name}, 'body.mass'));
same({mass.unit, mass.causality, mass.start}, {'kg', 'parameter', 2077}, 'description');
same({mass.minimum, mass.maximum, mass.nominal, mass.kind}, {0, NaN, NaN, 'parameter'}, 'range');
[later, none] = car.simulate(0.1, 0.05, {}, {});
same(numel(later), 3, 'communication points');
same(size(none), [3 0], 'nothing recorded');

refused(@() car.set('body.mass', 1), 'body.mass');
refused(@() car.set('body.vx', [1 2]), 'there must be 1 real numbers');
refused(@() car.get('body.weight'), 'body.weight');
refused(@() car.simulate(0.1, 0.03, {}, {}), 'not a whole number of steps');
refused(@() car.simulate(0.1, 0.05, {'road.mu', [1 2]}, {}), 'road.mu has 2 values; it must have one, or 3');
refused(@() car.step('long'), 'the step must be a number');
refused(@() skidpad_mex('jump', uint64(1)), 'there is no call ''jump'' with 1 arguments');
refused(@() skidpad_mex('get', 5, references), 'the handle must be');
refused(@() skidpad_mex('time', uint64(12345)), 'not a living vehicle');
refused(@() SkidpadVehicle('nowhere.toml'), 'nowhere.toml');
refused(@() SkidpadVehicle(model, 'oak'), 'oak');
car.close();
car.close();
refused(@() car.time(), 'the handle must be');

% The MAT-file of skidpad linearize: eigenvalues of A are those that the command wrote; the others are
% those of coordinates without influence, 0.
m = load(fullfile(linear, 'linear.mat'));
wanted = dlmread(fullfile(linear, 'eigenvalues.csv'), ',', 1, 0);
worst = 0;
for k = 1:numel(m.values)
  got = eig(m.A(:, :, k));
  of_this = wanted(wanted(:, 1) == m.values(k), :);
  assert(rows(of_this) > 3);
  for w = (of_this(:, 2) + 1i*of_this(:, 3)).'
    [distance, nearest] = min(abs(got - w));
    worst = max(worst, distance);
    got(nearest) = [];
  end
  assert(all(abs(got) < 1e-6));
end
assert(worst < 1e-9);
assert(any(strcmp(m.inputs, 'steer.torque')));

% The MAT-file of a recording: structures of the components, with the bits of the CSV file.
r = load(fullfile(linear, 'run.mat'));
wanted = dlmread(fullfile(linear, 'run.csv'), ',', 1, 0);
assert(isequal(r.time, wanted(:, 1)));
for k = 1:numel(r.meta.names)
  place = strsplit(r.meta.variables{k}, '.');
  assert(isequal(getfield(r, place{:}), wanted(:, k + 1)));
end
assert(isequal(r.meta.units{strcmp(r.meta.names, 'tire_FL.Fz')}, 'N'));
assert(isequal(r.meta.roles{strcmp(r.meta.names, 'tire_FL.Fz')}, '@wheel[1L].Fz'));
assert(strcmp(r.meta.vehicle, 'GenericVehicle'));

printf('eigenvalues of %d speeds within %.1e of those of the command\n', numel(m.values), worst);
