// Shows where in the menu the page is.
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' });

// Looks for all words of the box in titles and headings.
const box = document.querySelector('#search'), found = document.querySelector('#found');
const root = document.documentElement.dataset.root;
box.hidden = false;
box.addEventListener('input', () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(w => w);
  const hits = words.length ? index.filter(([page, heading]) => words.every(w => (page + ' ' + heading).toLowerCase().includes(w))).slice(0, 12) : [];
  found.replaceChildren(...hits.map(([page, heading, address]) => {
    const item = document.createElement('li'), link = document.createElement('a'), small = document.createElement('small');
    link.href = root + address;
    link.textContent = heading || page;
    small.textContent = heading ? page : '';
    link.append(small);
    item.append(link);
    return item;
  }));
  if (words.length && !hits.length) found.textContent = 'no title or heading has these words';
  found.hidden = !words.length;
});
document.addEventListener('keydown', e => {
  if (e.key === 'Escape') { box.value = ''; found.hidden = true; }
  if (e.key === '/' && document.activeElement !== box) { e.preventDefault(); box.focus(); }
});
