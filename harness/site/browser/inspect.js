// Lists what is wrong with the page as it is laid out, its links and its anchors.
(() => {
  const faults = [];
  // scrolls reports whether an element stands in a box that scrolls by itself.
  const scrolls = element => {
    for (let e = element.parentElement; e && e !== document.body; e = e.parentElement)
      if (getComputedStyle(e).overflowX !== 'visible') return true;
    return false;
  };
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > room) {
    const wide = [...document.body.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > room + 1 && !scrolls(e));
    faults.push(`is ${document.documentElement.scrollWidth} pixels wide: ` +
      wide.slice(0, 3).map(e => `<${e.localName}> ${e.textContent.trim().slice(0, 40)}`).join('; '));
  }
  for (const image of document.images)
    if (!image.complete || !image.naturalWidth) faults.push('has no picture ' + image.getAttribute('src'));
  for (const entry of performance.getEntriesByType('resource'))
    if (!entry.name.startsWith(location.origin) && !entry.name.startsWith('data:')) faults.push('asks for ' + entry.name);
  if (![...document.styleSheets].length) faults.push('has no style');
  return {
    Faults: faults,
    Links: [...document.querySelectorAll('a[href]')].filter(a => a.origin === location.origin)
      .map(a => [decodeURI(a.pathname).slice(1).replace(/(^|\/)$/, '$1index.html'), decodeURIComponent(a.hash.slice(1))]),
    Anchors: [...document.querySelectorAll('[id]')].map(e => e.id),
  };
})()
