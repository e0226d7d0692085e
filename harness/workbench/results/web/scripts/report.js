'use strict';
// Replaces the SVG of each figure of a report by plots on screen, when the figure is laid out for the first time. Print,
// and pages without scripts, show the SVG.
{
const { line, path } = Skidpad.plots;

// height of a panel by its width, about as in the SVG.
const height = (square, share, least) => width =>
  Math.max(least, Math.round(width * (square ? 0.75 : share)));

async function draw(figure) {
  const chart = JSON.parse(figure.querySelector('script.chart').textContent);
  const reader = new Skidpad.Reader(await Skidpad.unpack(chart.data)), zoom = [];
  const read = l => ({ ...l, x: reader.column(l.x, l.count), y: reader.column(l.y, l.count) });
  const panels = chart.panels.map(panel => panel.curves.map(read)), lines = (chart.lines || []).map(read);
  const box = document.createElement('div');
  box.className = 'plots';
  figure.classList.add('live');
  figure.insertBefore(box, figure.querySelector('figcaption'));
  let first = null;
  chart.panels.forEach((panel, n) => {
    const host = box.appendChild(document.createElement('div'));
    const isLast = n + 1 === chart.panels.length;
    const plot = (panel.path ? path : line)(host, {
      title: n === 0 ? chart.title : chart.title + ', ' + panel.y.label,
      curves: panels[n].map(c => ({ ...c, values: c.y, unit: panel.y.unit })),
      xLabel: chart.x.label, xUnit: chart.x.unit, xLog: chart.x.log, xSpan: chart.x.span,
      yLabel: panel.y.label, yUnit: panel.y.unit, yLog: panel.y.log, ySpan: panel.y.span,
      lines: n === 0 ? lines : [], dots: n === 0 ? chart.dots || [] : [],
      square: chart.square && n === 0, zoom, home: first?.home(),
      height: n === 0 ? height(chart.square, isLast ? 0.42 : 0.36, 210) : height(false, 0.26, 150),
      // all plots over the same time have linked cursors
      sync: chart.x.label.startsWith('time') ? chart.x.label : null,
    });
    first = first || plot;
  });
}

const watcher = new ResizeObserver(entries => {
  for (const { target, contentRect } of entries) {
    if (contentRect.width === 0) continue; // within a folded part
    watcher.unobserve(target);
    draw(target);
  }
});
for (const data of document.querySelectorAll('figure > script.chart')) watcher.observe(data.parentElement);
}
