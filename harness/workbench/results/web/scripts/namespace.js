'use strict';
globalThis.Skidpad = globalThis.Skidpad || {};
