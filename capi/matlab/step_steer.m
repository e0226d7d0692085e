function [time, values] = step_steer(model)
% STEP_STEER  The generic vehicle turns its front wheels at 20 m/s, and goes round.
%
%   step_steer(MODEL)                    plots yaw rate and side acceleration
%   [time, values] = step_steer(MODEL)   columns of values: yaw rate [rad/s], side acceleration [m/s2]
%
% MODEL is resources/models/generic4w.toml.
car = SkidpadVehicle(model);
car.initialise();
step = 0.001;                                 % s
time = step*(0:4000)';
rate = 0.2*(time >= 1 & time < 1.1);          % rad/s, of both front wheels
angle = 0.02*min(max((time - 1)/0.1, 0), 1);  % rad
inputs = {};
for wheel = {'FL', 'FR'}
  inputs = [inputs; {['steer_' wheel{1} '.angle'], angle; ['steer_' wheel{1} '.rate'], rate}]; %#ok<AGROW>
end
[time, values] = car.simulate(4, step, inputs, {'body.wz', 'body.ay'});
car.close();
if nargout == 0
  subplot(2, 1, 1), plot(time, values(:, 1)), ylabel('yaw rate [rad/s]'), grid on
  subplot(2, 1, 2), plot(time, values(:, 2)), ylabel('side acceleration [m/s^2]'), xlabel('time [s]'), grid on
end
end
