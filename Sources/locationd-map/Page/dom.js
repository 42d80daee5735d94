// Small helpers around the document. Text from elsewhere only ever becomes text.

import { t } from './words.js';

export const byID = id => document.getElementById(id);

// An element with properties and children; a child is an element or text.
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

export const button = (words, onclick, properties = {}) => element('button', { type: 'button', onclick, ...properties }, words);

export const row = (...children) => element('div', { className: 'row' }, ...children);

// A button that copies a text, and the words that it did. Where the browser copies nothing, the text can be selected.
export function copying(words, text) {
  const answer = element('small', { role: 'status' });
  return [button(words, async () => {
    const isCopied = await navigator.clipboard?.writeText(text()).then(() => true, () => false);
    answer.textContent = isCopied ? t('copied', text()) : text();
  }), answer];
}

// Text for Leaflet, which takes strings for HTML.
export const escaped = text => element('span', {}, text).innerHTML;

// Says something to people who do not see the page.
export function say(text) {
  const log = byID('say');
  log.append(element('span', {}, text));
  while (log.childNodes.length > 5) log.firstChild.remove();
}

// The card holds one thing at a time; what it was opened for is tidied up when another takes its place.
let tidy = null;
let opener = null;

export function openCard(title, children, closed = null) {
  closeCard(false);
  tidy = closed;
  opener = document.activeElement;
  byID('content').replaceChildren(element('h2', {}, title), ...children);
  byID('card').hidden = false;
  byID('card').scrollTop = 0;
  byID('card').focus({ preventScroll: true });
}

export function closeCard(returnsFocus = true) {
  if (byID('card').hidden) return;
  byID('card').hidden = true;
  byID('content').replaceChildren();
  const last = tidy;
  tidy = null;
  if (last) last();
  if (returnsFocus) (opener?.isConnected ? opener : byID('map')).focus({ preventScroll: true });
}

// What the page has to say at its top until it is no longer so. The first of the kinds is shown.
const notices = new Map();
const order = ['parent', 'daemon', 'reduced', 'land', 'places', 'streets'];

export function notice(kind, text) {
  if (text) notices.set(kind, text);
  else notices.delete(kind);
  const shown = order.map(kind => notices.get(kind)).find(text => text) ?? '';
  const place = byID('notice');
  if (place.textContent !== shown) place.textContent = shown;
  place.hidden = !shown;
}
