// Elements of the page. Text from elsewhere only ever becomes text.

import { t } from './words.js';

export const byID = id => document.getElementById(id);

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter(child => child != null));
  return made;
}

export const button = (words, onclick, properties = {}) => element('button', { type: 'button', onclick, ...properties }, words);

export const swatch = colour => element('i', { className: 'swatch', style: `background: ${colour}` });
export const row = (...children) => element('div', { className: 'row' }, ...children);
export const group = (label, ...children) => element('div', { className: 'row', role: 'group', ariaLabel: label }, ...children);
export const status = (name = 'p') => element(name, { role: 'status' });

// Where the browser copies nothing, the text can be selected.
export function copying(words, text) {
  const answer = status('small');
  return [button(words, async () => {
    const isCopied = await navigator.clipboard?.writeText(text()).then(() => true, () => false);
    answer.textContent = isCopied ? t('Copied: {1}', text()) : text();
  }), answer];
}

// Text for Leaflet, which takes strings for HTML.
export const escaped = text => element('span', {}, text).innerHTML;

// To people who do not see the page.
export function say(text) {
  const log = byID('say');
  log.append(element('span', {}, text));
  while (log.childNodes.length > 5) log.firstChild.remove();
}

// The card holds one thing at a time; `tidy` tells its opener that another takes its place.
let tidy, opener;

export function openCard(title, children, closed) {
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
  tidy?.();
  if (returnsFocus) (opener?.isConnected ? opener : byID('map')).focus({ preventScroll: true });
}

// At the top of the page, where the first of the kinds is shown.
const notices = new Map();
const order = ['parent', 'daemon', 'reduced', 'land', 'places', 'streets'];

export function notice(kind, text) {
  notices.set(kind, text);
  const shown = order.map(kind => notices.get(kind)).find(text => text) ?? '';
  if (byID('notice').textContent !== shown) byID('notice').textContent = shown;
  byID('notice').hidden = !shown;
}
