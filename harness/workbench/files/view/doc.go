// Package view shows a live vehicle to pages and programs, which drive it.
//
//	live.Loop -> events, rows -> View.publish -> recording, poses -> viewers (WebSocket) -> page
//	page -> input, orders -> View -> live.Loop
//
// A View has a loop, a scene and a server. The loop never waits for a viewer: each has a mailbox for one state, and the
// newest state wins.
package view
