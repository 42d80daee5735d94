// How the ground is drawn, in light and in dark.

export const dark = matchMedia('(prefers-color-scheme: dark)');

// Rows by their first words.
const table = text => Object.fromEntries(text.trim().split('\n').map(row => {
  const [kind, ...cells] = row.trim().split(' ');
  return [kind, cells.map(cell => (isNaN(cell) ? cell : +cell))];
}));

// Kind, first zoom, colour in light and in dark.
export const areas = table(`
  cover 0 #aad3e0 #0e1d2b
  land 0 #f5f2eb #2d3238
  farmland 11 #eff0da #34392f
  residential 9 #ebe7e0 #33383f
  industrial 11 #e9e4ec #37353f
  school 13 #f3e9d9 #3d3832
  parking 14 #e9e6e1 #383c43
  scrub 11 #dde8cb #33402f
  rock 11 #e4dfd7 #3a3c3e
  wood 8 #c9e0b8 #2a4434
  grass 11 #d5ebc2 #30503a
  sand 11 #f6ebc6 #4a4534
  cemetery 12 #d0e0c6 #2f4637
  pitch 13 #b9e0b0 #35593f
  plaza 13 #efebf3 #3a3a48
  glacier 8 #edf6f9 #33414a
  water 0 #aad3e0 #0e1d2b
  pier 12 #f5f2eb #2d3238
  building 14 #ddd5c9 #434a54`);

// Kind, first zoom, widths in pixels at 12, 14, 16 and 18, colour in light and dark; then a road's casing in both, or dashes.
export const lines = table(`
  shore 0 1 1 1 1 #6aa3b6 #4a7690
  stream 14 0.5 0.8 1.8 4 #aad3e0 #0e1d2b
  river 8 2 3.5 7 14 #aad3e0 #0e1d2b
  province 7 0.7 0.7 0.7 0.7 #c9b8a6 #5b5650 4 3
  border 2 1 1.4 1.6 1.6 #b09a86 #7a726a 6 3
  path 15 0.4 0.7 1.2 2.2 #a9825c #7d6a52 4 3
  steps 15 0.5 1 2.4 5 #a9825c #7d6a52 1.5 1.5
  cycleway 15 0.4 0.7 1.2 2.2 #5570b8 #6076b0 4 3
  track 14 0.4 0.7 1.2 2.2 #a68f63 #6f6549 6 2
  pedestrian 14 0.8 1.6 4.5 10 #f2eef7 #5a5870 #c9c1d2 #1c2025
  service 14 0.4 0.8 3 7 #ffffff #555b64 #dbd5ca #1c2025
  minor 12 0.5 2 6 14 #ffffff #626973 #cfc8bc #1c2025
  rail 9 1.2 1.7 2.6 4 #86827c #7d828a
  tertiary 11 1.4 3.2 8 16 #ffffff #737a84 #c9c1b4 #15181c
  secondary 11 1.8 4 8.5 18 #fdeeb0 #6d6143 #c9b878 #15181c
  primary 9 2.2 4.4 9 20 #fbd582 #85693a #cfa443 #15181c
  trunk 8 2.8 5.5 10.5 21 #f6b96c #9a7138 #cf8b3a #15181c
  motorway 8 3.2 6 11 22 #f09a4a #b87a34 #c46f20 #15181c
  runway 11 3 8 24 80 #d9d6de #4a4d55 #bdb8c4 #15181c`);

// Names, the most important ones first. Kind, the first zoom, the zoom from which it may be tapped, colour, font.
export const names = table(`
  country 2 99 quiet 600 13px
  city 8 99 place bold 15px
  town 8 99 place bold 13px
  suburb 12 99 place bold 12px
  station 13 15 transit 11px
  airport 10 13 transit 11px
  village 11 99 quiet 12px
  quarter 14 99 quiet 12px
  hospital 14 15 health 11px
  main 13 99 street 12px
  road 11 99 street bold 10px
  gardens 14 14 park 11px
  lake 9 99 water italic 11px
  peak 12 14 quiet 11px
  museum 15 15 culture 11px
  side 15 99 street 11px
  college 16 16 quiet 11px
  hotel 17 16 shop 11px
  shop 17 16 shop 11px
  food 17 16 food 11px
  health 17 16 health 11px
  other 17 16 quiet 11px
  stop 17 16 transit 11px`);

// Texts, speeds (the slowest first), and the rest.
const colours = table(`
  place #26241f #f0f0ee
  street #4a453e #d0d2d6
  quiet #5b564d #aeb2b8
  water #1d5570 #7fb8d6
  park #2a6326 #8ecb8a
  transit #1a569b #8ab8f2
  culture #743990 #cda2e6
  food #8f4508 #eab077
  shop #85366a #e39cc7
  health #a8201a #f28b82
  halo #f5f2ebe6 #2d3238e6
  outline #c4baab #565e6a
  trail #c2410c #ff9a5c
  way #1d4ed8 #7aa8ff
  inside #15803d #4ade80
  outside #7c3aed #b79bff
  unknown #6b7280 #a3aab5
  speed0 #7e22ce #d0b0ff
  speed1 #1d4ed8 #8ab8f2
  speed2 #0f766e #5fd0b8
  speed3 #b45309 #ffb45c
  speed4 #be123c #ff8d9d`);

// The features' kinds by their numbers, in the order in which they are drawn.
export const kinds = [...Object.keys(areas), ...Object.keys(lines), ...('city town suburb village quarter station airport '
  + 'hospital gardens lake peak museum college hotel shop food health stop other').split(' ')];
export const isRoad = kind => typeof lines[kind]?.[7] === 'string';

export const fill = kind => areas[kind][1 + dark.matches];
export const line = kind => lines[kind][5 + dark.matches];
export const casing = kind => lines[kind][7 + dark.matches];
export const ink = name => colours[name][+dark.matches];

// The width at a zoom: it grows by the same factor between two of the table's.
export function width(kind, zoom) {
  const widths = lines[kind].slice(1, 5);
  if (zoom <= 12) return widths[0] * 1.3 ** (zoom - 12);
  const at = Math.min((zoom - 12) / 2, 3), low = Math.min(Math.floor(at), 2);
  return widths[low] * (widths[low + 1] / widths[low]) ** (at - low) * 1.4 ** Math.max(0, zoom - 18);
}
