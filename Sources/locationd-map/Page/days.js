// Days of the tracker as a story: trips, stays and gaps, and a slider that plays them back.

import { button, element, openCard, row, say, status, swatch } from './dom.js';
import { ask, on, once, wish } from './parent.js';
import { nameOf } from './place.js';
import { ink } from './style.js';
import { fit, icon, inked, map, reveal, spot } from './view.js';
import { clock, coordinates, duration, length, list, nameOfKind, sentence, t, today } from './words.js';

let round = 0, note;
const visits = L.layerGroup().addTo(map), drawn = L.layerGroup().addTo(map);
// Kilometres an hour at which the next colour begins.
const limits = [6, 25, 60, 110];
const kindOf = speed => limits.filter(limit => speed * 3.6 >= limit).length;
// Points of one line: longer ones are slow to draw.
const most = 1000;
const mostNames = 60;

on('visits', ([all]) => {
  visits.clearLayers();
  for (const { latitude, longitude, arrivalDate, departureDate } of all) {
    mark([latitude, longitude], departureDate ? t('Stayed from {1} to {2}', arrivalDate ? clock(arrivalDate) : '…', clock(departureDate))
      : t('Arrived {1}', clock(arrivalDate)), visits);
  }
});
on('visitsNote', ([text]) => { note = text; });
once('day', ([day]) => open(day));

function mark(at, text, group) {
  L.circleMarker(at, { ...inked('speed0'), interactive: true, radius: 8, fillColor: '#fff', fillOpacity: 1 })
    .bindTooltip(element('span', {}, text)).addTo(group);
}

function clear() {
  round++;
  drawn.clearLayers();
}

export function open(wanted) {
  const value = wanted ?? today();
  const answer = status(), story = element('div');
  const last = element('input', { type: 'date', required: true, value });
  const first = element('input', { type: 'date', required: true, value, onchange: () => { last.value = first.value; } });
  const show = () => read([first.value, last.value].sort(), answer, story);
  openCard(t('Day'), [element('form', { onsubmit: event => { event.preventDefault(); show(); } },
    row(element('label', {}, t('Day'), first), element('label', {}, t('until'), last)),
    row(element('button', { type: 'submit' }, t('Show the track'))), answer), story,
  element('small', {}, note && t('Visits are not shown. {1}', note))], clear);
  first.focus();
  if (wanted) show();
}

async function read([first, last], answer, story) {
  clear();
  const own = round;
  story.replaceChildren();
  answer.textContent = t('Reading the track…');
  try {
    const found = await wish({ days: { first, last } });
    if (own !== round) return;
    const count = found.lines.reduce((sum, line) => sum + line.length, 0);
    if (!count && !found.stretches.length) return void (answer.textContent = t('Nothing was recorded on that day.'));
    const trips = found.stretches.filter(({ kind }) => kind === 'trip');
    const sum = value => trips.reduce((all, trip) => all + (value(trip) ?? 0), 0);
    answer.textContent = list(
      t('{1}: {2}, {3} on the way, stays: {4}, {5} points', first === last ? first : `${first} – ${last}`, length(sum(trip => trip.distance)),
        duration(sum(trip => trip.to - trip.from)), found.stretches.length - trips.length, count),
      trips.some(trip => 'climb' in trip) && t('{1} up', length(sum(trip => trip.climb))),
      found.cut && t('Only the first {1} points are drawn.', count));
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
  for (const stretch of stretches) if (stretch.kind === 'stay') mark(stretch.start, t('Stayed from {1} to {2}', time(stretch.from), time(stretch.to)), drawn);
  const moments = [...points.map(({ time }) => time), ...all.flatMap(({ from, to }) => [from, to])];
  const begun = moments.reduce((a, b) => Math.min(a, b)), ended = moments.reduce((a, b) => Math.max(a, b));
  const edge = (kind, words, at, direction, down) => L.marker(at, { interactive: false, keyboard: false, icon: icon(`edge ${kind}`) })
    .bindTooltip(element('span', {}, words), { permanent: true, direction, offset: [0, down] }).addTo(drawn);
  edge('start', t('Start, {1}', time(begun)), points[0]?.at ?? all[0].start, 'top', -8);
  edge('end', t('End, {1}', time(ended)), points.at(-1)?.at ?? all.at(-1).end, 'bottom', 8);

  const dot = spot('play');
  const slider = element('input', { type: 'range', min: begun, max: ended, value: begun, ariaLabel: t('Time'), oninput: () => seek(+slider.value) });
  const said = element('p', { className: 'figures' });
  const play = button('', () => (isPlaying ? turn(false) : start()));
  let now = begun, isPlaying;
  turn(false);
  const stretchAt = moment => all.findIndex(stretch => moment >= stretch.from && moment < stretch.to);

  function seek(moment) {
    now = Math.min(moment, ended);
    slider.value = now;
    const index = stretchAt(now), stretch = all[index], found = placeAt(points, now, stretch);
    rows.forEach(({ row }, i) => { row.ariaCurrent = i === index ? 'true' : null; });
    said.textContent = list(time(now), stretch && nameOfKind(stretch.kind), found?.speed >= 0 && t('{1} km/h', Math.round(found.speed * 3.6)));
    slider.ariaValueText = said.textContent;
    if (!found) return dot.remove();
    dot.setLatLng(found.at).addTo(drawn);
    if (isPlaying) reveal(found.at);
  }

  function turn(isOn) {
    isPlaying = isOn;
    play.textContent = isOn ? '❚❚' : '▶';
    play.ariaLabel = isOn ? t('Pause') : t('Play');
  }

  // All trips take 40 seconds together, a stay or a gap one.
  function start() {
    if (now >= ended) seek(begun);
    turn(true);
    const moving = Math.max(1, stretches.reduce((sum, { kind, from, to }) => sum + (kind === 'trip' ? to - from : 0), 0));
    let last = performance.now();
    const step = at => {
      if (!isPlaying || own !== round) return;
      const stretch = all[stretchAt(now)];
      const pace = !stretch ? (ended - begun) / 20 : stretch.kind === 'trip' ? moving / 40 : stretch.to - stretch.from;
      seek(now + Math.max(0, at - last) / 1000 * pace);
      last = at;
      if (now >= ended) turn(false);
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  story.replaceChildren(
    element('div', { className: 'row player' }, play, slider), said,
    element('p', { className: 'kind' }, ...[...limits, 0].flatMap((limit, i) => [swatch(ink(`speed${i}`)), limit ? `< ${limit} ` : `${limits.at(-1)}+ km/h`])),
    element('ol', { className: 'story' }, ...rows.map(({ row }) => element('li', {}, row))));
  fit(L.latLngBounds([...points.map(point => point.at), ...all.flatMap(({ start, end }) => [start, end])]));
  seek(begun);
  name(all, rows, own);
}

function words({ kind, from, to, distance, topSpeed, climb }) {
  return list(nameOfKind(kind), duration(to - from), kind === 'trip' && length(distance),
    topSpeed > 0 && t('up to {1} km/h', Math.round(topSpeed * 3.6)), climb !== undefined && t('{1} up', length(climb)));
}

// Lines by their speed, dashes over gaps.
function draw(tracks) {
  const points = [];
  for (const track of tracks) {
    const line = track.map(([latitude, longitude, time, speed]) => ({ at: L.latLng(latitude, longitude), time, speed, line: track }));
    if (points.length && line.length) {
      L.polyline([points.at(-1).at, line[0].at], { ...inked('speed0'), weight: 2, dashArray: '4 8' }).addTo(drawn);
    }
    for (let from = 0; from < line.length - 1; from += most) {
      const parts = [[], [], [], [], []];
      let last = -1;
      for (let i = from + 1; i < line.length && i <= from + most; i++) {
        const kind = kindOf(line[i].speed);
        if (kind !== last) parts[kind].push([line[i - 1].at]);
        parts[kind].at(-1).push(line[i].at);
        last = kind;
      }
      parts.forEach((all, speed) => {
        if (all.length) L.polyline(all, { ...inked(`speed${speed}`), weight: 5, opacity: 0.9, smoothFactor: 1.5 }).addTo(drawn);
      });
    }
    for (const point of line) points.push(point);
  }
  return points;
}

function placeAt(points, moment, stretch) {
  if (stretch?.kind === 'stay') return { at: stretch.start };
  if (stretch?.kind === 'gap') return null;
  const index = points.findLastIndex(point => point.time <= moment), [before, after] = [points[index], points[index + 1]];
  if (!before || !after) return before ?? after;
  if (before.line !== after.line) return null;
  const part = (moment - before.time) / (after.time - before.time);
  const between = key => before.at[key] + (after.at[key] - before.at[key]) * part;
  return { at: L.latLng(between('lat'), between('lng')), speed: after.speed };
}

// The names of the places, one after the other; degrees where there are none.
async function name(all, rows, own) {
  const names = new Map();
  const find = async ([latitude, longitude]) => {
    const key = `${latitude.toFixed(3)} ${longitude.toFixed(3)}`;
    if (!names.has(key) && names.size < mostNames) {
      names.set(key, await ask('reverseGeocode', { latitude, longitude }).then(({ placemarks: [place] }) =>
        [...new Set([nameOf(place), place.locality ?? nameOf(place)])].join(', '), () => ''));
    }
    return names.get(key) || coordinates(latitude, longitude);
  };
  for (const [i, { kind, start, end }] of all.entries()) {
    const from = await find(start), to = kind === 'stay' ? from : await find(end);
    if (own !== round) return;
    rows[i].where.textContent = from === to ? from : `${from} → ${to}`;
  }
}
