// Package web holds the scripts and styles that run in pages: three.js and uPlot, vendored, and Skidpad's own. A page
// is one file without references to other files. Its content policy allows the scripts in the page, and no network.
//
// Own scripts are plain files that add to one object, Skidpad: modules cannot be loaded from files.
package web
