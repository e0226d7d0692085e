classdef SkidpadVehicle < handle
  % SKIDPADVEHICLE  A vehicle of the Skidpad library, in MATLAB and Octave.
  %
  %   car = SkidpadVehicle('resources/models/generic4w.toml');
  %   car.set('body.mass', 1900);
  %   car.initialise();
  %   [time, values] = car.simulate(2, 0.001, {'drive_RL.torque', 100}, {'body.vx', 'body.wz'});
  %   car.close();
  %
  % Names are those of the model; values are in the units that VARIABLES tells. The usual life is
  % that of skidpad.h: set parameters, start values and texts, initialise, then step or simulate.

  properties (SetAccess = private)
    variables   % struct array: name, unit, text, causality ('parameter', 'input', 'output', 'tunable', 'local'), start,
                % minimum, maximum and nominal (NaN for none), kind ('state', 'coefficient', 'contact', ...)
  end

  properties (Access = private)
    vehicle
  end

  methods
    function self = SkidpadVehicle(file, tree)
      % Loads a model file, with the model's first tree if none is named.
      if nargin < 2
        tree = '';
      end
      self.vehicle = skidpad_mex('load', file, tree);
      self.variables = skidpad_mex('describe', self.vehicle);
    end

    function close(self)
      % Gives the vehicle back to the library.
      if ~isempty(self.vehicle)
        skidpad_mex('free', self.vehicle);
        self.vehicle = [];
      end
    end

    function delete(self)
      self.close();
    end

    function references = find(self, names)
      % References of names, a name or a cell array of some: faster than names in loops.
      if ~isa(names, 'uint32')
        names = skidpad_mex('find', self.vehicle, names);
      end
      references = names;
    end

    function set(self, names, values)
      % Sets variables, given by names or references, to values.
      skidpad_mex('set', self.vehicle, self.find(names), values);
    end

    function values = get(self, names)
      % A column with the values of variables, given by names or references.
      values = skidpad_mex('get', self.vehicle, self.find(names));
    end

    function value = text(self, name, value)
      % Reads a text such as solver.method, or sets it.
      if nargin == 3
        skidpad_mex('set_text', self.vehicle, name, value);
      end
      value = skidpad_mex('get_text', self.vehicle, name);
    end

    function trim(self)
      % Replaces the start values by a steady motion.
      skidpad_mex('trim', self.vehicle);
    end

    function initialise(self)
      % Computes the initial state; time is 0.
      skidpad_mex('initialise', self.vehicle);
    end

    function reset(self)
      % Back to the moment after loading.
      skidpad_mex('reset', self.vehicle);
    end

    function step(self, seconds)
      % Goes on with the inputs that were set last.
      skidpad_mex('step', self.vehicle, seconds);
    end

    function seconds = time(self)
      seconds = skidpad_mex('time', self.vehicle);
    end

    function [time, values] = simulate(self, duration, step, inputs, record)
      % Drives an initialised vehicle on for duration seconds in steps of step seconds.
      %
      % At every communication point, first and last included, the variables of record are read,
      % the inputs are set, and the vehicle steps. inputs is a cell array with a row for each
      % input: its name, and a number or a vector with one value for each point. The columns of
      % values are those of record, the rows those of time.
      steps = round(duration/step);
      if steps < 1 || abs(steps*step - duration) > 1e-9*duration
        error('skidpad:arguments', 'a duration of %g s is not a whole number of steps of %g s', duration, step);
      end
      table = zeros(size(inputs, 1), steps + 1);
      for i = 1:size(inputs, 1)
        signal = inputs{i, 2};
        if numel(signal) ~= 1 && numel(signal) ~= steps + 1
          error('skidpad:arguments', ...
                '%s has %d values; it must have one, or %d, one for each communication point', ...
                inputs{i, 1}, numel(signal), steps + 1);
        end
        table(i, :) = signal;
      end
      names = cell(0, 1);
      if ~isempty(inputs)
        names = inputs(:, 1);
      end
      time = self.time() + step*(0:steps)';
      values = skidpad_mex('run', self.vehicle, step, self.find(names), table, self.find(record))';
    end
  end
end
