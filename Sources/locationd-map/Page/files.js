// What a file holds: `{points, lines, areas}`. Files are foreign: what has no place on the Earth is left out.

const isPlace = (latitude, longitude) =>
  Number.isFinite(latitude) && Number.isFinite(longitude) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
const number = value => typeof value === 'number' ? value
  : typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
const text = value => typeof value === 'string' ? value.trim().slice(0, 500) : typeof value === 'number' ? String(value) : '';

export function parse(source) {
  const found = { points: [], lines: [], areas: [] };
  if (source.trimStart().startsWith('<')) {
    readGPX(source, found);
  } else {
    const json = JSON.parse(source);
    if (isGeoJSON(json)) readGeoJSON(json, found);
    else readRows(json, found);
  }
  if (!found.points.length && !found.lines.length && !found.areas.length) throw new Error('nothing');
  return found;
}

function add(found, latitude, longitude, title, subtitle, kind) {
  if (isPlace(latitude, longitude)) {
    found.points.push({ latitude, longitude, title: text(title), subtitle: text(subtitle), kind: text(kind) });
  }
}

function readGPX(source, found) {
  const document = new DOMParser().parseFromString(source, 'application/xml');
  if (document.querySelector('parsererror')) throw new Error('XML');
  const all = (parent, name) => [...parent.getElementsByTagNameNS('*', name)];
  const word = (parent, name) => all(parent, name)[0]?.textContent;
  const place = point => [number(point.getAttribute('lat')), number(point.getAttribute('lon'))];
  for (const point of all(document, 'wpt')) {
    add(found, ...place(point), word(point, 'name'), word(point, 'desc') ?? word(point, 'cmt'), word(point, 'type') ?? word(point, 'sym'));
  }
  for (const [line, point] of [['trkseg', 'trkpt'], ['rte', 'rtept']]) {
    for (const part of all(document, line)) addLine(found, all(part, point).map(place));
  }
}

function addLine(found, places) {
  const line = places.filter(place => isPlace(...place));
  if (line.length > 1) found.lines.push(line);
}

const isGeoJSON = json => json?.type && ['features', 'geometry', 'coordinates', 'geometries'].some(name => name in json);
const first = (object, names) => names.map(name => object?.[name]).find(value => text(value) !== '');
const titles = ['title', 'name', 'Name', 'identifier', 'label'];
const places = ['subtitle', 'place', 'address', 'locationName', 'location', 'description', 'desc'];
const kinds = ['category', 'kind', 'discipline', 'type', 'class'];

function readGeoJSON(json, found) {
  if (json.type === 'FeatureCollection') return (json.features ?? []).forEach(feature => readGeoJSON(feature, found));
  if (json.type === 'Feature') {
    const of = json.properties;
    return readGeometry(json.geometry, found, [first(of, titles) ?? json.id, first(of, places), first(of, kinds)]);
  }
  readGeometry(json, found, []);
}

const turned = position => [number(position?.[1]), number(position?.[0])];

function readGeometry(geometry, found, words) {
  const at = geometry?.coordinates ?? [];
  const ring = ring => (ring ?? []).map(turned).filter(place => isPlace(...place));
  const area = rings => { if (ring(rings?.[0]).length > 2) found.areas.push(rings.map(ring)); };
  switch (geometry?.type) {
    case 'Point': return add(found, ...turned(at), ...words);
    case 'MultiPoint': return at.forEach(position => add(found, ...turned(position), ...words));
    case 'LineString': return addLine(found, at.map(turned));
    case 'MultiLineString': return at.forEach(line => addLine(found, line.map(turned)));
    case 'Polygon': return area(at);
    case 'MultiPolygon': return at.forEach(area);
    case 'GeometryCollection': return (geometry.geometries ?? []).forEach(part => readGeometry(part, found, words));
  }
}

const latitudes = ['latitude', 'lat', 'y'];
const longitudes = ['longitude', 'lon', 'lng', 'long', 'x'];
const lowered = name => String(name).toLowerCase().replace(/[^a-z]/g, '');

function readRows(json, found) {
  const rows = Array.isArray(json) ? json : Object.values(json ?? {}).find(Array.isArray);
  if (!rows) throw new Error('rows');
  const isHeader = names => [latitudes, longitudes].every(wanted => names?.some(name => wanted.includes(lowered(name))));
  // An open-data portal names its columns beside the rows.
  const named = [json?.meta?.view?.columns?.map(column => column?.name), rows[0]];
  const header = rows.every(Array.isArray) && (named.find(isHeader) ?? (rows[0]?.length === 5 ? ['title', 'place', 'category', 'latitude', 'longitude'] : guess(rows)));
  for (const row of rows) {
    const cells = header ? Array.from(header, (name, i) => [name, row[i]]) : Object.entries(row ?? {});
    const of = Object.fromEntries(cells.map(([name, value]) => [lowered(name), value]));
    add(found, number(first(of, latitudes)), number(first(of, longitudes)), first(of, titles), first(of, places.map(lowered)), first(of, kinds));
  }
}

// Names for columns by what is in them: two neighbours are always a place; few words that come again are a kind; the
// words that tell the most rows apart are the title.
function guess(rows) {
  const sample = rows.slice(0, 500), width = Math.max(...sample.map(row => row.length)), header = [];
  const isAt = (row, i) => isPlace(number(row[i]), number(row[i + 1])) && number(row[i]) % 1 && number(row[i + 1]) % 1;
  const columns = Array.from({ length: width }, (_, i) => {
    const words = sample.map(row => row[i]).filter(value => typeof value === 'string' && /\p{L}{2}/u.test(value) && !/^[\w-]{30,}$|^https?:/.test(value));
    if (sample.filter(row => isAt(row, i)).length > sample.length * 0.8) header.splice(0, i + 2, ...Array(i), 'latitude', 'longitude');
    return { i, many: words.length, length: words.join('').length / words.length, variety: new Set(words).size / words.length };
  }).filter(({ many, length }) => many >= sample.length * 0.6 && length < 80);
  if (!header.length) throw new Error('places');
  const take = (name, fits, order) => {
    const [found] = columns.filter(({ i, ...column }) => !header[i] && fits(column)).sort(order);
    if (found) header[found.i] = name;
  };
  take('category', ({ variety, length }) => variety < 0.5 && length < 30, (a, b) => b.i - a.i);
  take('title', () => true, (a, b) => b.variety - a.variety || a.length - b.length);
  take('place', () => true, (a, b) => b.length - a.length);
  return header;
}
