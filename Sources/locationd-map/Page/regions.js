// The regions of this program: their true shapes, where they are crossed, and new ones that a person draws.

import { button, byID, element, openCard, row, say, status } from './dom.js';
import { on, wish } from './parent.js';
import { fit, inked, map, middle, whole } from './view.js';
import { length, sentence, t } from './words.js';

let regions = [], note, list;
const layers = L.layerGroup().addTo(map), draft = L.layerGroup().addTo(map);
// A click while a region is drawn.
let draw = null;

export const isDrawing = () => draw !== null;
export const click = place => draw?.(place);

function shape(region, style) {
  const rings = region.type === 'circle' ? [circle(region)] : [region.points, ...(region.holes ?? [])];
  return L.polygon(whole(rings), { smoothFactor: 0, ...style });
}

// A circle of metres on the Earth, which Mercator's map makes no circle.
function circle({ latitude, longitude, radius }) {
  const angle = radius / 6_371_008.8, y = latitude * Math.PI / 180;
  return Array.from({ length: 72 }, (_, i) => {
    const towards = i * Math.PI / 36;
    const sine = Math.sin(y) * Math.cos(angle) + Math.cos(y) * Math.sin(angle) * Math.cos(towards);
    const turn = Math.atan2(Math.sin(towards) * Math.sin(angle) * Math.cos(y), Math.cos(angle) - Math.sin(y) * sine);
    return [Math.asin(sine) * 180 / Math.PI, longitude + turn * 180 / Math.PI];
  });
}

on('regions', ([all]) => {
  regions = all;
  note = null;
  layers.clearLayers();
  for (const region of regions) {
    const style = { ...inked(region.state), weight: 2, fillOpacity: 0.12 };
    const name = element('span', {}, region.identifier);
    shape(region, style).bindTooltip(name, { permanent: true, direction: 'center', className: 'name' }).addTo(layers);
  }
  if (list?.isConnected) list.replaceWith(list = makeList());
});
on('regionsNote', ([text]) => { note = text; });
on('crossings', crossings => {
  const { identifier, state } = crossings.at(-1);
  say(t(state === 'inside' ? 'Entered {1}' : 'Left {1}', identifier));
});

export function open() {
  list = makeList();
  const made = element('div', {});
  const begin = button(t('New region'), () => form(made));
  openCard(t('Regions'), [list, row(begin), made], stop);
}

function makeList() {
  if (!regions.length) return element('p', {}, note || t('No region is registered for this program.'));
  return element('ul', { className: 'regions' }, ...regions.map(region => {
    const answer = status('small');
    return element('li', {},
      element('b', {}, region.identifier), ' ', element('small', {}, t(region.state)),
      region.type === 'circle' ? element('small', {}, ` · ${length(region.radius)}`) : null,
      row(
        button(t('Show'), () => fit(L.latLngBounds(shape(region).getLatLngs()[0][0]), { maxZoom: 19 })),
        button(t('Remove'), () => wish({ remove: region.identifier }).catch(error => { answer.textContent = sentence(error); }))), answer);
  }));
}

function stop() {
  draw = null;
  draft.clearLayers();
  byID('map').classList.remove('drawing');
}

// `at`: the middle of a circle that is begun with.
function form(place, at) {
  const name = element('input', { type: 'text', maxLength: 80, required: true });
  const radius = element('input', { type: 'number', min: 1, max: 1_000_000, step: 'any', value: 200 });
  const kind = element('select', {}, element('option', { value: 'circle' }, t('Circle')),
    element('option', { value: 'polygon' }, t('Polygon')));
  const hint = element('p', {});
  const answer = status();
  const radiusLabel = element('label', {}, t('Radius in metres'), radius);
  let points = at ? [at] : [];

  const region = () => kind.value === 'circle'
    ? { type: 'circle', latitude: points[0]?.[0], longitude: points[0]?.[1], radius: Number(radius.value) }
    : { type: 'polygon', points };
  const isWhole = () => kind.value === 'circle' ? points.length && radius.value > 0 : points.length > 2;

  function redraw() {
    draft.clearLayers();
    const style = { ...inked('outside'), weight: 2, dashArray: '6 4' };
    for (const point of points) L.circleMarker(point, { ...style, radius: 4 }).addTo(draft);
    if (isWhole()) shape(region(), style).addTo(draft);
    else if (points.length > 1) L.polyline(whole([points]), style).addTo(draft);
    radiusLabel.hidden = kind.value !== 'circle';
    hint.textContent = t(kind.value === 'circle' ? 'Click the map where the middle is.' : 'Click each corner on the map, three or more.');
  }

  function take(place) {
    if (kind.value === 'circle') points = [];
    points.push(place);
    redraw();
  }

  async function register(event) {
    event.preventDefault();
    if (!isWhole()) return;
    try {
      await wish({ register: { identifier: name.value.trim(), ...region() } });
      say(t('{1} is registered.', name.value.trim()));
      stop();
      open();
    } catch (error) {
      answer.textContent = sentence(error);
    }
  }

  kind.onchange = () => {
    points.splice(1);
    redraw();
  };
  radius.oninput = redraw;
  place.replaceChildren(element('form', { className: 'region', onsubmit: register },
    element('label', {}, t('Name'), name), kind, radiusLabel, hint,
    row(
      button(t('Use the middle of the map'), () => take(middle())),
      button(t('Undo'), () => { points.pop(); redraw(); }),
      element('button', { type: 'submit' }, t('Register'))), answer));
  draw = take;
  byID('map').classList.add('drawing');
  redraw();
  name.focus();
}

export function openAt(latitude, longitude) {
  const made = element('div', {});
  openCard(t('New region'), [made], stop);
  form(made, [latitude, longitude]);
}
