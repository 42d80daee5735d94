// The map, and the part of it that nothing covers: beside the card, below the search field and the tools.

import { byID } from './dom.js';
import { dark, ink } from './style.js';
import { t } from './words.js';

const phone = matchMedia('(max-width: 640px)');
const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
export const map = L.map('map', {
  preferCanvas: true, zoomControl: false, minZoom: 2, maxZoom: 19, worldCopyJump: true, attributionControl: false,
  zoomAnimation: !isStill, fadeAnimation: false, inertia: !isStill,
}).setView([25, 10], 2);
// The credit lies below all else.
export const credit = L.control.attribution({ position: 'bottomright', prefix: 'Leaflet' }).addTo(map);
L.control.zoom({ position: 'bottomright' }).addTo(map);
L.control.scale({ position: 'bottomright', imperial: false }).addTo(map);
// Another pane than the tracks': what moves draws nothing else anew.
map.createPane('self').style.zIndex = 620;
// The height at which the sheet rests: 0, 1 or 2.
let level = 1;

// Pixels at the sides of the map that something covers.
function room() {
  const box = id => byID(id).getBoundingClientRect();
  const size = map.getSize(), card = byID('card').hidden ? null : box('card');
  if (!phone.matches) return { left: card ? card.right + 16 : 24, top: 24, right: size.x - box('tools').left + 16, bottom: 40 };
  const top = box('tools').bottom + 24, foot = credit.getContainer().offsetHeight + 24;
  return { left: 48, top, right: 56, bottom: Math.min(card ? size.y - card.top + foot : foot + 40, size.y - top - 80) };
}

// The map then follows the position no more.
export function fit(bounds, options) {
  if (!bounds.isValid()) return;
  map.fire('away');
  const { left, top, right, bottom } = room();
  map.fitBounds(bounds, { paddingTopLeft: [left, top], paddingBottomRight: [right, bottom], maxZoom: 16, ...options });
}

export const pair = latlng => {
  const { lat, lng } = latlng.wrap();
  return [+lat.toFixed(6), +lng.toFixed(6)];
};
export const middle = () => pair(map.getCenter());

// A longitude beside another, and lines on over the date line: Leaflet has the world again and again.
export const beside = (lng, other) => lng + 360 * Math.round((other - lng) / 360);
export const whole = lines => [0, 360, -360].map(last => lines.map(line => line.map(([lat, lng]) => [lat, last = beside(lng, last)])));

const dots = L.svg({ pane: 'self' });
// A line whose colour follows the screen's.
export const inked = name => ({ ink: name, color: ink(name), interactive: false });
dark.addEventListener('change', () => map.eachLayer(layer => layer.options.ink && layer.setStyle({ color: ink(layer.options.ink) })));
export const icon = className => L.divIcon({ className, iconSize: [18, 18] });
export const spot = className => L.circleMarker([0, 0], { pane: 'self', renderer: dots, radius: 8, className, interactive: false });

// Moves the map where a place is covered or out of sight, and no further than it must.
export function reveal(place) {
  const { left, top, right, bottom } = room();
  const at = map.latLngToContainerPoint(place), size = map.getSize();
  const isIn = box => at.x > box.left - 12 && at.x < box.right + 12 && at.y > box.top - 12 && at.y < box.bottom + 12;
  const covers = ['card', 'query', 'tools'].map(id => byID(id).getBoundingClientRect());
  if (isIn({ left: 24, top: 24, right: size.x - 24, bottom: size.y - (phone.matches ? bottom : 24) }) && !covers.some(isIn)) return;
  map.panInside(place, { paddingTopLeft: [left, top], paddingBottomRight: [right, bottom], animate: false });
}

export const label = () => { byID('grip').ariaLabel = t(level < 2 ? 'Draw the card up' : 'Draw the card down'); };

// On a phone the card is a sheet, which is drawn up and down by its grip, or by a press of it.
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
grip.onpointerdown = event => {
  grip.setPointerCapture(event.pointerId);
  from = { y: event.clientY, height: card.offsetHeight };
  moved = false;
};
grip.onpointermove = event => {
  if (!from || (!moved && Math.abs(event.clientY - from.y) < 6)) return;
  moved = true;
  draw(Math.max(60, from.height + from.y - event.clientY));
};
const end = event => {
  if (from && moved) {
    const height = from.height + from.y - event.clientY, away = heights().map(each => Math.abs(each - height));
    rest(away.indexOf(Math.min(...away)));
  }
  from = null;
};
grip.onpointerup = end;
// The browser may take the finger for itself; no click follows then.
grip.onpointercancel = event => {
  end(event);
  moved = false;
};
grip.onclick = () => {
  if (!moved) rest(level < 2 ? level + 1 : 0);
  moved = false;
};
grip.onkeydown = ({ key }) => {
  if (key === 'ArrowUp') rest(level + 1);
  else if (key === 'ArrowDown') rest(level - 1);
};
map.on('resize', () => rest(level));
// Things at the foot of the map stand above the credit, and above the sheet.
const measure = new ResizeObserver(() => {
  const style = document.documentElement.style;
  style.setProperty('--credit', `${credit.getContainer().offsetHeight}px`);
  style.setProperty('--covered', `${phone.matches ? card.offsetHeight : 0}px`);
});
measure.observe(credit.getContainer());
measure.observe(card);
