// The part of the map that nothing covers: beside the card, below the search field and the tools.

import { byID } from './dom.js';
import { t } from './words.js';

const phone = matchMedia('(max-width: 640px)');
let map;
// The height at which the sheet rests: 0, 1 or 2.
let level = 1;

const credit = () => document.querySelector('.leaflet-control-attribution');

// Pixels at the sides of the map that something covers.
function room() {
  const box = id => byID(id).getBoundingClientRect();
  const size = map.getSize(), card = byID('card').hidden ? null : box('card');
  if (!phone.matches) return { left: card ? card.right + 16 : 24, top: 24, right: size.x - box('tools').left + 16, bottom: 40 };
  const top = box('tools').bottom + 24, foot = credit().offsetHeight + 24;
  return { left: 48, top, right: 56, bottom: Math.min(card ? size.y - card.top + foot : foot + 40, size.y - top - 80) };
}

// The map then follows the position no more.
export function fit(bounds, options) {
  if (!bounds.isValid()) return;
  map.fire('away');
  const { left, top, right, bottom } = room();
  map.fitBounds(bounds, { paddingTopLeft: [left, top], paddingBottomRight: [right, bottom], maxZoom: 16, ...options });
}

export function middle() {
  const { lat, lng } = map.getCenter().wrap();
  return [lat, lng];
}

// A dot above all else.
const dots = L.svg({ pane: 'self' });
export const spot = className => L.circleMarker([0, 0], { pane: 'self', renderer: dots, radius: 8, className, interactive: false });

// Moves the map where a place is covered or out of sight, and no further than it must.
export function reveal(place) {
  const { left, top, right, bottom } = room();
  const at = map.latLngToContainerPoint(place), size = map.getSize();
  const isIn = box => at.x > box.left - 12 && at.x < box.right + 12 && at.y > box.top - 12 && at.y < box.bottom + 12;
  const covers = ['card', 'query', 'tools'].map(id => byID(id).getBoundingClientRect());
  if (isIn({ left: 24, top: 24, right: size.x - 24, bottom: size.y - (phone.matches ? bottom : 24) }) && !covers.some(isIn)) return;
  const x = Math.max(left, Math.min(size.x - right, at.x)), y = Math.max(top, Math.min(size.y - bottom, at.y));
  if (x !== at.x || y !== at.y) map.panBy([at.x - x, at.y - y], { animate: false });
}

export const label = () => byID('grip').setAttribute('aria-label', t(level < 2 ? 'drawUp' : 'drawDown'));

// On a phone the card is a sheet, which is drawn up and down by its grip, or by a press of it.
export function begin(theMap) {
  map = theMap;
  const card = byID('card'), grip = byID('grip');
  const heights = () => [0.22, 0.5, 1].map(part => part * (map.getSize().y - byID('tools').getBoundingClientRect().bottom - 8));
  let from = null, moved = false;
  const draw = height => card.style.setProperty('--sheet', `${height}px`);
  const rest = wanted => {
    level = Math.max(0, Math.min(2, wanted));
    draw(heights()[level]);
    label();
  };
  rest(1);
  grip.addEventListener('pointerdown', event => {
    grip.setPointerCapture(event.pointerId);
    from = { y: event.clientY, height: card.offsetHeight };
    moved = false;
  });
  grip.addEventListener('pointermove', event => {
    if (!from || (!moved && Math.abs(event.clientY - from.y) < 6)) return;
    moved = true;
    draw(Math.max(60, from.height + from.y - event.clientY));
  });
  const end = event => {
    if (from && moved) {
      const height = from.height + from.y - event.clientY, away = heights().map(each => Math.abs(each - height));
      rest(away.indexOf(Math.min(...away)));
    }
    from = null;
  };
  grip.addEventListener('pointerup', end);
  // The browser may take the finger for itself; no click follows then.
  grip.addEventListener('pointercancel', event => {
    end(event);
    moved = false;
  });
  grip.addEventListener('click', () => {
    if (!moved) rest(level < 2 ? level + 1 : 0);
    moved = false;
  });
  grip.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowUp') rest(level + 1);
    else if (key === 'ArrowDown') rest(level - 1);
  });
  map.on('resize', () => rest(level));
  // Things at the foot of the map stand above the credit, and above the sheet.
  const measure = new ResizeObserver(() => {
    const style = document.documentElement.style;
    style.setProperty('--credit', `${credit().offsetHeight}px`);
    style.setProperty('--covered', `${phone.matches ? card.offsetHeight : 0}px`);
  });
  measure.observe(credit());
  measure.observe(card);
}
