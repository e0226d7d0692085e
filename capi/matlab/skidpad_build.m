function skidpad_build(library, folder)
% SKIDPAD_BUILD  Compiles skidpad_mex for MATLAB or Octave.
%
%   skidpad_build(LIBRARY)          LIBRARY is the folder with libskidpad and skidpad.h
%   skidpad_build(LIBRARY, FOLDER)  writes into FOLDER; default: the folder of this function
%
% The function that is made looks for the library where it lies now.
here = fileparts(mfilename('fullpath'));
if nargin < 2
  folder = here;
end
source = fullfile(here, 'skidpad_mex.c');
target = fullfile(folder, ['skidpad_mex.' mexext]);
if exist('OCTAVE_VERSION', 'builtin')
  mkoctfile('--mex', '-Wall', ['-I' library], ['-L' library], '-lskidpad', ...
        ['-Wl,-rpath,' library], '-o', target, source);
elseif isunix
  mex(['-I' library], ['-L' library], '-lskidpad', ['LDFLAGS=$LDFLAGS -Wl,-rpath,' library], '-output', target, source);
else
  mex(['-I' library], fullfile(library, 'libskidpad.dll'), '-output', target, source);
end
end
