% Compares exported equations with the values of the tape: octave-cli compare.m FOLDER CASES
1;

% stand_in is the function of tape_test.go in place of a tire function.
function out = stand_in(results, varargin)
  total = 0;
  for i = 1:numel(varargin)
    total = total + varargin{i} / (1 + abs(varargin{i})) / i;
  end
  out = 100 * sin((1:results)' + total);
end

function list = cells(value)
  if iscell(value)
    list = value;
  else
    list = num2cell(value(:));
  end
end

[folder, file] = argv(){:};
addpath(folder);
cases = cells(jsondecode(fileread(file), 'makeValidName', false));
faults = 0;
worst = 0;
states = 0;
parts = {'M', 'CT', 'b', 'e', 'Phi', 'Phi_dot', 'h'};
for k = 1:numel(cases)
  c = cases{k};
  eq = feval(c.File);
  calls = eq.calls;
  listed = cells(c.Calls);
  for i = 1:numel(listed)
    results = listed{i}.Results;
    calls.(strrep(listed{i}.Name, '.', '_')) = @(varargin) stand_in(results, varargin{:});
  end
  list = cells(c.States);
  for i = 1:numel(list)
    s = list{i};
    states = states + 1;
    u = zeros(size(eq.u));
    for n = 1:rows(eq.inputs)
      u(n) = s.U.(eq.inputs{n, 1});
    end
    x = s.X(:);
    for n = 1:numel(parts)
      want = s.Parts.(parts{n});
      got = eq.(parts{n})(x, u, eq.p, calls);
      if isempty(got)
        continue
      end
      want = reshape(want, size(got));
      most = max(abs(want(:)));
      for row = 1:rows(want)
        scale = max(abs(want(row, :)));
        if n > 2 || scale < 1e-13 * most
          scale = most;
        end
        error_ = max(abs(got(row, :) - want(row, :))) / max(scale, realmin);
        worst = max(worst, error_);
        if ~(error_ <= 1e-12)
          faults = faults + 1;
          printf('%s %s(%d): %g of the largest of its row\n', c.File, parts{n}, row, error_);
        end
      end
    end
    want = s.Rates(:);
    got = eq.rates(x, u, eq.p, calls);
    if max(abs(got - want)) > 1e-9 * max(abs(want))
      faults = faults + 1;
      printf('%s: rates are off by %g\n', c.File, max(abs(got - want)));
    end
  end
end
printf('%d files, %d states; worst %.2g\n', numel(cases), states, worst);
exit(double(faults > 0));
