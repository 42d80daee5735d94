// Days of the tracker as a story: trips, stays and gaps, with times and places, and a slider that plays them back.

import { button, element, openCard, row, say } from './dom.js';
import { ask, on, wish } from './parent.js';
import { nameOf } from './place.js';
import { dark, speeds } from './style.js';
import { fit, reveal, spot } from './view.js';
import { clock, coordinates, duration, length, sentence, t, today } from './words.js';

let map, round = 0, note = '', isOpened = false;
const visits = L.layerGroup(), drawn = L.layerGroup();
let lines = [];
// Kilometres an hour at which the next colour begins.
const limits = [6, 25, 60, 110];
const kindOf = speed => limits.filter(limit => speed * 3.6 >= limit).length;
// So many points are one line of each colour; one line of all is slow to draw.
const most = 1000;
// More places are not asked for.
const mostNames = 60;

export function begin(theMap) {
  map = theMap;
  visits.addTo(map);
  drawn.addTo(map);
  on('visits', ([all]) => {
    visits.clearLayers();
    for (const { latitude, longitude, arrivalDate, departureDate } of all) {
      mark([latitude, longitude], departureDate ? t('stay', arrivalDate ? clock(arrivalDate) : '…', clock(departureDate))
        : t('arrived', clock(arrivalDate)), visits);
    }
  });
  on('visitsNote', ([text]) => { note = text; });
  // The day that the map was opened for, once.
  on('day', ([day]) => {
    if (!isOpened) open(day);
    isOpened = true;
  });
  dark.addEventListener('change', () => {
    for (const line of lines) line.setStyle({ color: speeds()[line.options.speed] });
  });
}

function mark(at, text, group) {
  L.circleMarker(at, { radius: 8, color: '#7e22ce', weight: 3, fillColor: '#fff', fillOpacity: 1 })
    .bindTooltip(element('span', {}, text)).addTo(group);
}

function clear() {
  round++;
  drawn.clearLayers();
  lines = [];
}

export function open(wanted) {
  const value = typeof wanted === 'string' ? wanted : today();
  const answer = element('p', { role: 'status' }), story = element('div');
  const last = element('input', { type: 'date', required: true, value });
  const first = element('input', { type: 'date', required: true, value, onchange: () => { last.value = first.value; } });
  const show = () => read([first.value, last.value].sort(), answer, story);
  openCard(t('day'), [element('form', { onsubmit: event => { event.preventDefault(); show(); } },
    row(element('label', {}, t('whichDay'), first), element('label', {}, t('until'), last)),
    row(element('button', { type: 'submit' }, t('showDay'))), answer), story,
  element('small', {}, note && t('visitsNote', note))], clear);
  first.focus();
  if (typeof wanted === 'string') show();
}

async function read([first, last], answer, story) {
  clear();
  const own = round;
  story.replaceChildren();
  answer.textContent = t('reading');
  try {
    const found = await wish({ days: { first, last } });
    if (own !== round) return;
    const count = found.lines.reduce((sum, line) => sum + line.length, 0);
    if (!count && !found.stretches.length) return void (answer.textContent = t('noTrack'));
    const trips = found.stretches.filter(({ kind }) => kind === 'trip');
    const sum = value => trips.reduce((all, trip) => all + (value(trip) ?? 0), 0);
    answer.textContent = [
      t('dayShown', first === last ? first : `${first} – ${last}`, length(sum(trip => trip.distance)),
        duration(sum(trip => trip.to - trip.from)), found.stretches.length - trips.length, count),
      trips.some(trip => 'climb' in trip) ? t('climb', length(sum(trip => trip.climb))) : '',
      found.cut ? t('dayCut', count) : '',
    ].filter(Boolean).join(' · ');
    say(answer.textContent);
    tell(found, first !== last, story);
  } catch (error) {
    if (own === round) answer.textContent = sentence(error);
  }
}

function tell({ lines: tracks, stretches, gaps }, isLong, story) {
  const own = round, points = draw(tracks);
  const all = [...stretches, ...gaps].sort((a, b) => a.from - b.from);
  const time = seconds => clock(seconds * 1000, isLong);
  const rows = all.map(stretch => {
    const where = element('small');
    const row = button('', () => {
      seek(stretch.from);
      const way = points.filter(point => point.time >= stretch.from && point.time <= stretch.to).map(point => point.at);
      fit(L.latLngBounds([stretch.start, stretch.end, ...way]));
    });
    row.append(element('b', {}, `${time(stretch.from)} – ${time(stretch.to)}`), ' ', words(stretch), where);
    return { row, where };
  });
  for (const stretch of stretches) if (stretch.kind === 'stay') mark(stretch.start, t('stay', time(stretch.from), time(stretch.to)), drawn);
  const ends = points.length ? [points[0], points.at(-1)] : [];
  const [begun, ended] = [Math.min(ends[0]?.time ?? Infinity, all[0]?.from ?? Infinity),
    Math.max(ends[1]?.time ?? 0, ...all.map(stretch => stretch.to))];
  edge('start', ends[0]?.at ?? all[0].start, begun);
  edge('end', ends[1]?.at ?? all.at(-1).end, ended);

  function edge(kind, at, moment) {
    L.marker(at, { interactive: false, keyboard: false, icon: L.divIcon({ className: `edge ${kind}`, iconSize: [18, 18] }) })
      .bindTooltip(element('span', {}, t(kind, time(moment))), { permanent: true,
        direction: kind === 'start' ? 'top' : 'bottom', offset: [0, kind === 'start' ? -8 : 8] }).addTo(drawn);
  }

  const dot = spot('play');
  const slider = element('input', { type: 'range', min: begun, max: ended, value: begun, 'aria-label': t('moment'), oninput: () => seek(+slider.value) });
  const said = element('p', { className: 'figures' });
  const play = button('▶', () => (isPlaying ? stop() : start()), { 'aria-label': t('play') });
  let now = begun, isPlaying = false;
  const stretchAt = moment => all.findIndex(stretch => moment >= stretch.from && moment < stretch.to);

  function seek(moment) {
    now = Math.min(moment, ended);
    slider.value = now;
    const index = stretchAt(now), stretch = all[index], found = placeAt(points, now, stretch);
    rows.forEach(({ row }, i) => (i === index ? row.setAttribute('aria-current', 'true') : row.removeAttribute('aria-current')));
    const kind = stretch ? t(`is-${stretch.kind}`) : '';
    said.textContent = [time(now), kind, found?.speed >= 0 && stretch?.kind !== 'stay' ? t('speed', Math.round(found.speed * 3.6)) : '']
      .filter(Boolean).join(' · ');
    slider.setAttribute('aria-valuetext', said.textContent);
    if (!found) return dot.remove();
    dot.setLatLng(found.at).addTo(drawn);
    if (isPlaying) reveal(found.at);
  }

  function stop() {
    isPlaying = false;
    play.textContent = '▶';
    play.setAttribute('aria-label', t('play'));
  }

  // All trips take 40 seconds together, a stay or a gap one.
  function start() {
    if (now >= ended) seek(begun);
    isPlaying = true;
    play.textContent = '❚❚';
    play.setAttribute('aria-label', t('pause'));
    const moving = Math.max(1, stretches.reduce((sum, { kind, from, to }) => sum + (kind === 'trip' ? to - from : 0), 0));
    let last = performance.now();
    const turn = at => {
      if (!isPlaying || own !== round) return;
      const stretch = all[stretchAt(now)];
      const pace = !stretch ? (ended - begun) / 20 : stretch.kind === 'trip' ? moving / 40 : stretch.to - stretch.from;
      seek(now + Math.max(0, at - last) / 1000 * pace);
      last = at;
      if (now >= ended) stop();
      else requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }

  story.replaceChildren(
    element('div', { className: 'row player' }, play, slider), said,
    element('p', { className: 'kind' }, ...speeds().flatMap((colour, i) => {
      const swatch = element('i', { className: 'swatch' });
      swatch.style.backgroundColor = colour;
      return [swatch, i < limits.length ? `< ${limits[i]} ` : `${limits.at(-1)}+ km/h`];
    })),
    element('ol', { className: 'story' }, ...rows.map(({ row }) => element('li', {}, row))));
  fit(L.latLngBounds([...points.map(point => point.at), ...all.flatMap(({ start, end }) => [start, end])]));
  seek(begun);
  name(all, rows, own);
}

function words({ kind, from, to, distance, topSpeed, climb }) {
  const parts = [t(`is-${kind}`), duration(to - from)];
  if (kind === 'trip') parts.push(length(distance), ...(topSpeed > 0 ? [t('upTo', Math.round(topSpeed * 3.6))] : []));
  if (climb !== undefined) parts.push(t('climb', length(climb)));
  return parts.join(' · ');
}

// The lines by their speed, and dashes where nothing was recorded. Returns the points.
function draw(tracks) {
  const points = [];
  for (const track of tracks) {
    const line = track.map(([latitude, longitude, time, speed]) => ({ at: L.latLng(latitude, longitude), time, speed, line: track }));
    if (points.length && line.length) {
      L.polyline([points.at(-1).at, line[0].at], { color: '#7e22ce', weight: 2, dashArray: '4 8', interactive: false }).addTo(drawn);
    }
    for (let from = 0; from < line.length - 1; from += most) {
      const parts = speeds().map(() => []);
      let last = -1;
      for (let i = from + 1; i < line.length && i <= from + most; i++) {
        const kind = kindOf(line[i].speed);
        if (kind !== last) parts[kind].push([line[i - 1].at]);
        parts[kind].at(-1).push(line[i].at);
        last = kind;
      }
      parts.forEach((all, speed) => {
        if (all.length) lines.push(L.polyline(all, { color: speeds()[speed], speed, weight: 5, opacity: 0.9, smoothFactor: 1.5, interactive: false }).addTo(drawn));
      });
    }
    for (const point of line) points.push(point);
  }
  return points;
}

// The place and speed at a moment: null in a gap.
function placeAt(points, moment, stretch) {
  if (stretch?.kind === 'stay') return { at: stretch.start };
  if (stretch?.kind === 'gap') return null;
  let low = 0, high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle].time <= moment) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [points[low - 1], points[low]];
  if (!before || !after) return before ?? after;
  if (before.line !== after.line) return null;
  const part = (moment - before.time) / (after.time - before.time);
  const between = key => before.at[key] + (after.at[key] - before.at[key]) * part;
  return { at: L.latLng(between('lat'), between('lng')), speed: after.speed };
}

// The names of the places, one after the other; degrees where the service of places does not answer.
async function name(all, rows, own) {
  const names = new Map();
  const find = async ([latitude, longitude]) => {
    const key = `${latitude.toFixed(3)} ${longitude.toFixed(3)}`;
    if (!names.has(key) && names.size < mostNames) {
      names.set(key, await ask('reverseGeocode', { latitude, longitude }).then(({ placemarks: [place] }) =>
        [...new Set([nameOf(place), place.locality])].filter(Boolean).join(', '), () => ''));
    }
    return names.get(key) || coordinates(latitude, longitude);
  };
  for (const [i, { kind, start, end }] of all.entries()) {
    const from = await find(start), to = kind === 'stay' ? from : await find(end);
    if (own !== round) return;
    rows[i].where.textContent = from === to ? from : `${from} → ${to}`;
  }
}
