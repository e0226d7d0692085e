'use strict';

// Shows where in the menu the page is.
const present = document.querySelector('nav [aria-current]'), menu = document.querySelector('nav.chapters');
if (present) menu.scrollTop = present.offsetTop - menu.clientHeight / 2;

// Full-text search. The library and the text of all pages come with the first use of the box.
const box = document.querySelector('#search'), found = document.querySelector('#found');
const list = found.querySelector('ol'), status = found.querySelector('[role=status]');
const root = document.documentElement.dataset.root;
let search = null;
const loaded = () => search ??= new Promise((done, failed) => {
  const script = document.createElement('script');
  script.src = root + 'search.js';
  script.onerror = failed;
  script.onload = () => {
    const index = new MiniSearch({
      fields: ['heading', 'page', 'text'],
      storeFields: ['heading', 'page', 'text', 'address'],
      searchOptions: { combineWith: 'AND', prefix: true, fuzzy: word => word.length > 4 ? 0.2 : false, boost: { heading: 4, page: 2 },
        boostDocument: (id, word, section) => /-reference\.html|CHANGELOG/.test(section.address) ? 0.3 : /recipes/.test(section.address) ? 1.5 : 1 }, // what to do first, lists last
    });
    index.addAll(sections);
    done(index);
  };
  document.head.append(script);
});

// place is where a text has a word that begins with one of those found, and which one; undefined if it has none.
function place(text, words, from) {
  const begins = (at, w) => text.startsWith(w, at) && !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ');
  for (let at = from; at < text.length; at++) {
    const word = words.find(w => begins(at, w));
    if (word) return [at, word];
  }
}

// part appends the text around the first of the words that were found, which are marked.
function part(element, text, words) {
  const length = 180, before = 60;
  words.sort((a, b) => b.length - a.length);
  const first = place(text.toLowerCase(), words, 0)?.[0] ?? 0;
  const begin = first > before ? text.indexOf(' ', first - before) + 1 : 0;
  const shown = text.slice(begin, begin + length), lower = shown.toLowerCase();
  if (begin) element.append('… ');
  let at = 0;
  for (let next; (next = place(lower, words, at)); at = next[0] + next[1].length) {
    const mark = document.createElement('mark');
    mark.textContent = shown.substr(next[0], next[1].length);
    element.append(shown.slice(at, next[0]), mark);
  }
  element.append(shown.slice(at), begin + length < text.length ? ' …' : '');
}

async function look() {
  const asked = box.value.trim();
  found.hidden = !asked;
  if (!asked) return;
  const hits = (await loaded()).search(asked);
  if (box.value.trim() !== asked) return; // of a word that is being written still
  status.textContent = hits.length ? `${hits.length} ${hits.length === 1 ? 'place' : 'places'}` : 'no page has these words';
  list.replaceChildren(...hits.slice(0, 20).map(hit => {
    const item = document.createElement('li'), link = document.createElement('a'), page = document.createElement('small'), text = document.createElement('span');
    link.href = root + hit.address;
    link.textContent = hit.heading || hit.page;
    page.textContent = hit.heading ? hit.page : '';
    part(text, hit.text, hit.terms);
    link.append(page, text);
    item.append(link);
    return item;
  }));
}
const close = () => { found.hidden = true; };
box.hidden = false;
box.addEventListener('focus', loaded, { once: true });
box.addEventListener('input', look);
box.addEventListener('focus', look);
document.querySelector('.search').addEventListener('keydown', e => {
  const links = [...list.querySelectorAll('a')], at = links.indexOf(document.activeElement);
  const to = { ArrowDown: links[at + 1], ArrowUp: at > 0 ? links[at - 1] : box }[e.key];
  if (to && !found.hidden) { e.preventDefault(); to.focus(); }
  if (e.key === 'Enter' && at < 0 && links[0]) links[0].click();
});
list.addEventListener('click', e => { if (e.target.closest('a')) close(); });
document.addEventListener('pointerdown', e => { if (!e.target.closest('.search')) close(); });
document.addEventListener('keydown', e => {
  if (e.key === 'Escape' && !found.hidden) { box.value = ''; close(); box.focus(); }
  if (e.key === '/' && !e.target.closest('input, textarea, select')) { e.preventDefault(); box.focus(); }
});

// Code is copied by a button, where the browser allows that.
if (navigator.clipboard)
  for (const code of document.querySelectorAll('article:not(.code) div.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.querySelector('pre').textContent.replace(/\n$/, ''));
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Not allowed';
      }
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
    code.append(button);
  }

// On paper nothing can be opened.
addEventListener('beforeprint', () => document.querySelectorAll('article details').forEach(d => { d.open = true; }));
