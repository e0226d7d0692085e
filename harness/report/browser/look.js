// Opens every page at every width and tells the server what is wrong with each.
const frame = document.createElement('iframe');
frame.style.cssText = 'border: 0; height: 900px';
document.body.append(frame);

// open shows a page at a width, until it is laid out.
const open = (page, width) => new Promise(done => {
  frame.style.width = width + 'px';
  frame.onload = () => frame.contentWindow.requestAnimationFrame(() => setTimeout(done, 0));
  frame.src = '/' + page;
});

// scrolls reports whether an element is inside a box that scrolls by itself.
const scrolls = (element, view) => {
  for (let e = element.parentElement; e && e !== view.document.body; e = e.parentElement)
    if (view.getComputedStyle(e).overflowX !== 'visible') return true;
  return false;
};

const look = async () => {
  const seen = [];
  for (const page of pages) {
    for (const width of widths) {
      await open(page, width);
      const view = frame.contentWindow, doc = view.document, faults = [...view.faults];
      const room = doc.documentElement.clientWidth;
      if (doc.documentElement.scrollWidth > room) {
        const wide = [...doc.body.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > room + 1 && !scrolls(e, view));
        faults.push(`is ${doc.documentElement.scrollWidth} pixels wide: ` + wide.slice(0, 3).map(e => `<${e.localName}> ${e.textContent.trim().slice(0, 40)}`).join('; '));
      }
      for (const image of doc.images)
        if (!image.complete || !image.naturalWidth) faults.push('has no picture ' + image.getAttribute('src'));
      for (const entry of view.performance.getEntriesByType('resource'))
        if (!entry.name.startsWith(location.origin) && !entry.name.startsWith('data:')) faults.push('asks for ' + entry.name);
      if (![...doc.styleSheets].length) faults.push('has no style');
      seen.push({
        Page: page, Width: width, Faults: faults,
        Links: [...doc.querySelectorAll('a[href]')].filter(a => a.origin === location.origin).map(a => [decodeURI(a.pathname).slice(1), decodeURIComponent(a.hash.slice(1))]),
        Anchors: [...doc.querySelectorAll('[id]')].map(e => e.id),
      });
    }
  }
  await fetch('/seen', { method: 'POST', body: JSON.stringify(seen) });
};
look().catch(e => fetch('/seen', { method: 'POST', body: JSON.stringify([{ Page: 'look', Faults: [String(e)] }]) }));
