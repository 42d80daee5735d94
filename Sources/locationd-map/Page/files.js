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

// MARK: GPX

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

// MARK: GeoJSON

const geometries = ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon', 'GeometryCollection'];
const isGeoJSON = json => ['FeatureCollection', 'Feature', ...geometries].includes(json?.type);
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

// The longitude comes first.
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

// MARK: Rows

const latitudes = ['latitude', 'lat', 'y'];
const longitudes = ['longitude', 'lon', 'lng', 'long', 'x'];
const lowered = name => String(name).toLowerCase().replace(/[^a-z]/g, '');

function readRows(json, found) {
  let rows = Array.isArray(json) ? json : Object.values(json ?? {}).find(Array.isArray);
  if (!rows) throw new Error('rows');
  // An open-data portal names its columns beside the rows.
  const names = json?.meta?.view?.columns?.map(column => column?.name);
  if (rows.every(row => Array.isArray(row))) {
    const columns = named(names) ?? named(rows[0]) ?? (rows[0]?.length === 5 ? five : guess(rows));
    for (const row of rows) {
      add(found, number(row[columns.latitude]), number(row[columns.longitude]), row[columns.title], row[columns.place], row[columns.kind]);
    }
    return;
  }
  for (const row of rows) {
    const of = Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [lowered(name), value]));
    add(found, number(first(of, latitudes)), number(first(of, longitudes)), first(of, titles), first(of, places.map(lowered)), first(of, kinds));
  }
}

const five = { title: 0, place: 1, kind: 2, latitude: 3, longitude: 4 };

// Columns by their names; null where these are no names.
function named(names) {
  const all = names?.map(lowered) ?? [];
  const find = wanted => all.findIndex(name => wanted.map(lowered).includes(name));
  const [latitude, longitude] = [find(latitudes), find(longitudes)];
  if (latitude < 0 || longitude < 0) return null;
  return { latitude, longitude, title: find(titles), place: find(places), kind: find(kinds) };
}

// Columns by what is in them: two neighbours are always a place; few words that come again are a kind; the words
// that tell the most rows apart are the title.
function guess(rows) {
  const sample = rows.slice(0, 500);
  const width = Math.max(...sample.map(row => row.length));
  const column = i => sample.map(row => row[i]);
  let latitude = -1;
  for (let i = 0; i + 1 < width; i++) {
    const fits = sample.filter(row => isPlace(number(row[i]), number(row[i + 1])) && number(row[i]) % 1 && number(row[i + 1]) % 1);
    if (fits.length > sample.length * 0.8) latitude = i;
  }
  if (latitude < 0) throw new Error('places');
  const columns = [];
  for (let i = 0; i < width; i++) {
    const words = column(i).filter(value => typeof value === 'string' && /\p{L}{2}/u.test(value) && !/^[\w-]{30,}$|^https?:/.test(value));
    if (words.length < sample.length * 0.6) continue;
    const length = words.reduce((sum, word) => sum + word.length, 0) / words.length;
    columns.push({ i, length, variety: new Set(words).size / words.length });
  }
  const short = columns.filter(({ length }) => length < 80);
  const kind = short.filter(({ variety, length }) => variety < 0.5 && length < 30).sort((a, b) => b.i - a.i)[0];
  const rest = short.filter(column => column !== kind);
  const title = rest.slice().sort((a, b) => b.variety - a.variety || a.length - b.length)[0];
  const place = rest.filter(column => column !== title).sort((a, b) => b.length - a.length)[0];
  return { latitude, longitude: latitude + 1, title: title?.i, place: place?.i, kind: kind?.i };
}
