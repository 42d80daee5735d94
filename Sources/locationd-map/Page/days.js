// The tracker's track of any day, and the visits.

import { element, openCard, say } from './dom.js';
import { Track } from './live.js';
import { on, wish } from './parent.js';
import { clock, length, sentence, t } from './words.js';

let map, track;
const stays = L.layerGroup();
const visits = L.layerGroup();
let round = 0;

export function begin(theMap) {
  map = theMap;
  track = new Track(map, { color: '#7e22ce', weight: 4, opacity: 0.8 });
  stays.addTo(map);
  visits.addTo(map);
  on('visits', ([all]) => {
    visits.clearLayers();
    for (const visit of all) mark(visit, visits);
  });
  on('visitsNote', ([text]) => { note = text; });
}

let note = '';

function mark(visit, group) {
  const text = visit.departureDate
    ? t('stay', visit.arrivalDate ? clock(visit.arrivalDate) : '…', clock(visit.departureDate))
    : t('arrived', clock(visit.arrivalDate));
  L.circleMarker([visit.latitude, visit.longitude], { radius: 8, color: '#7e22ce', weight: 3, fillColor: '#fff', fillOpacity: 1 })
    .bindTooltip(element('span', {}, text)).addTo(group);
}

// Midnight to midnight, here.
function span(day) {
  const from = new Date(`${day}T00:00:00`);
  const to = new Date(from);
  to.setDate(to.getDate() + 1);
  return { from: from.toISOString(), to: new Date(to - 1).toISOString() };
}

function distance(points) {
  let sum = 0;
  for (let i = 1; i < points.length; i++) sum += map.distance(points[i - 1], points[i]);
  return sum;
}

export function open() {
  const today = new Date();
  today.setMinutes(today.getMinutes() - today.getTimezoneOffset());
  const day = element('input', { type: 'date', required: true, value: today.toISOString().slice(0, 10) });
  const answer = element('p', { role: 'status' });
  const form = element('form', { onsubmit: event => { event.preventDefault(); read(day.value, answer); } },
    element('label', {}, t('whichDay'), day),
    element('div', { className: 'row' }, element('button', { type: 'submit' }, t('showDay'))), answer);
  openCard(t('day'), [form, note ? element('small', {}, t('visitsNote', note)) : null].filter(Boolean), () => {
    round++;
    track.clear();
    stays.clearLayers();
  });
  day.focus();
}

async function read(day, answer) {
  const own = ++round;
  answer.textContent = t('reading');
  try {
    const found = await wish({ day: span(day) });
    if (own !== round) return;
    track.clear();
    stays.clearLayers();
    if (!found.points.length && !found.stays.length) {
      answer.textContent = t('noTrack');
      return;
    }
    track.add(found.points);
    for (const stay of found.stays) mark(stay, stays);
    const bounds = found.stays.reduce((all, stay) => all.extend([stay.latitude, stay.longitude]), track.bounds);
    map.fitBounds(bounds, { padding: [30, 30], maxZoom: 16 });
    const text = [
      t('dayShown', day, found.points.length, length(distance(found.points)), found.stays.length),
      found.cut ? t('dayCut', found.points.length) : '',
    ].join(' ');
    answer.textContent = text;
    say(text);
  } catch (error) {
    if (own === round) answer.textContent = sentence(error);
  }
}
