/** 16 px strokes of 1.4 px. A name is what the picture shows or stands for, never the feature that uses it. */

const circle = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

const box = (x: number, y: number, w: number, h: number, r: number) =>
  `M${x + r} ${y}h${w - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${h - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - w}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - h}a${r} ${r} 0 0 1 ${r} ${-r}z`;

const sheet = 'M4 2h5.2L13 5.6V13a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1z';

export const icons = {
  folder: 'M2 4.6a1 1 0 0 1 1-1h3l1.6 1.7H13a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z',
  search: `${circle(7, 7, 4.3)}M10.3 10.3l3.2 3.2`,
  diff: 'M8 2.5v6M5 5.5h6M5 12.5h6',
  tag: 'M6.2 2.5 5 13.5M11 2.5 9.8 13.5M2.8 6h11M2.2 10h11',
  note: `${sheet}M5.6 7.5h4.8M5.6 10.3h3.4`,
  file: `${sheet}M9 2.2v3.6h3.7`,
  image: `${box(2, 3, 12, 10, 1.2)}${circle(5.4, 6.3, 1)}M2.4 11.6l3.4-3 2.4 2 2.4-2.4 3.2 3`,
  table: `${box(2, 3, 12, 10, 1.2)}M2 6.4h12M2 9.7h12M6.4 3v10`,
  slides: `${box(2, 3, 12, 8, 1.2)}M8 11v2.5M5.5 13.5h5`,
  chevronRight: 'm6 4 4 4-4 4',
  chevronDown: 'm4 6 4 4 4-4',
  chevronUp: 'm4 10 4-4 4 4',
  chevronLeft: 'm10 4-4 4 4 4',
  close: 'm4.2 4.2 7.6 7.6M11.8 4.2l-7.6 7.6',
  plus: 'M8 3v10M3 8h10',
  check: 'm3.2 8.4 3.2 3.2 6.4-7',
  more: 'M3.4 8h.2M7.9 8h.2M12.4 8h.2',
  paneLeft: `${box(2, 3, 12, 10, 1.5)}M6.2 3v10`,
  paneRight: `${box(2, 3, 12, 10, 1.5)}M9.8 3v10`,
  send: 'M8 13V3.6M4 7.5l4-4 4 4',
  stop: box(5, 5, 6, 6, 0.8),
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 0 0 9 3.3l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.8-.8',
  globe: `${circle(8, 8, 6)}M2 8h12M8 2c2 1.8 2.6 3.8 2.6 6S10 12.2 8 14C6 12.2 5.4 10.2 5.4 8S6 3.8 8 2z`,
  terminal: `${box(2, 3, 12, 10, 1.5)}M4.6 6.2 6.7 8 4.6 9.8M8.2 10.2h3`,
  list: 'M6 4.2h8M6 8h8M6 11.8h8M2.7 4.2h.2M2.7 8h.2M2.7 11.8h.2',
  chat: 'M3.2 3h9.6A1.2 1.2 0 0 1 14 4.2v5.6a1.2 1.2 0 0 1-1.2 1.2H8l-3 2.6V11H3.2A1.2 1.2 0 0 1 2 9.8V4.2A1.2 1.2 0 0 1 3.2 3z',
  clock: `${circle(8, 8, 6)}M8 4.7V8l2.3 1.5`,
  undo: 'M5.2 3 2.6 5.6l2.6 2.6M2.8 5.6h6.7a3.9 3.9 0 0 1 0 7.8H6.5',
  trash: 'M2.8 4.5h10.4M6 4.3V2.8h4v1.5M4.1 4.5l.7 9h6.4l.7-9',
  arrowRight: 'M3 8h10M9.3 4.3 13 8l-3.7 3.7',
  arrowLeft: 'M13 8H3M6.7 4.3 3 8l3.7 3.7',
  arrowDown: 'M8 3v9.4M4 8.5l4 4 4-4',
  pen: 'm3 13 .6-2.9 7.1-7.1a1.3 1.3 0 0 1 1.8 0l.5.5a1.3 1.3 0 0 1 0 1.8l-7.1 7.1z',
  eye: `M1.8 8S4.1 3.8 8 3.8 14.2 8 14.2 8 11.9 12.2 8 12.2 1.8 8 1.8 8z${circle(8, 8, 1.9)}`,
  shield: 'm8 1.9 5 1.9v4c0 3-2 5.2-5 6.3-3-1.1-5-3.3-5-6.3v-4z',
  alert: 'M8 2.6 14 13H2zM8 6.6v3M8 11.1v.2',
  alertRound: `${circle(8, 8, 6)}M8 5v3.8M8 10.9v.2`,
  info: `${circle(8, 8, 6)}M8 7.3v3.5M8 5v.2`,
  question: `${circle(8, 8, 6)}M6.3 6.3a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.8.7-.8 1.3M8 11.1v.2`,
  lock: `${box(3.3, 7, 9.4, 6.5, 1.2)}M5.4 7V5a2.6 2.6 0 0 1 5.2 0v2`,
  key: `${circle(5.2, 10.8, 2.7)}M7.2 8.8l6-6M10.5 5.5l1.8 1.8`,
  settings: `M2.5 5h4M10.5 5h3M2.5 11h3M9.5 11h4${circle(8.5, 5, 1.9)}${circle(7.5, 11, 1.9)}`,
  reload: 'M13 8a5 5 0 1 1-1.5-3.6L13 5.8M13 2.8v3h-3',
  pause: 'M6 4v8M10 4v8',
  play: 'M5 3.5 12.5 8 5 12.5z',
  at: `${circle(8, 8, 2.3)}M10.3 6v2.6a1.6 1.6 0 0 0 3.2 0V8a5.5 5.5 0 1 0-2.2 4.4`,
  split: `${box(2, 3, 12, 10, 1.5)}M8 3v10`,
  rows: `${box(2, 3, 12, 10, 1.5)}M2 8h12`,
  filter: 'M2.5 4.5h11M4.5 8h7M6.5 11.5h3',
  calendar: `${box(2.5, 3.5, 11, 10, 1.2)}M2.5 6.6h11M5.5 2v2.5M10.5 2v2.5`,
  book: 'M3 3.2A1.2 1.2 0 0 1 4.2 2H13v9.5H4.2A1.2 1.2 0 0 0 3 12.7zM3 12.7A1.3 1.3 0 0 0 4.3 14H13v-2.5',
  chip: `${box(4, 4, 8, 8, 1.2)}M6.5 4V2M9.5 4V2M6.5 14v-2M9.5 14v-2M4 6.5H2M4 9.5H2M14 6.5h-2M14 9.5h-2`,
  sun: `${circle(8, 8, 2.8)}M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M3.6 12.4l1-1M11.4 4.6l1-1`,
  moon: 'M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z',
  window: `${box(2, 3, 12, 10, 1.5)}M2 6h12`,
  orangery: 'M3 14V7.2a5 5 0 0 1 10 0V14zM8 2.2V14M3 8.6h10',
} as const;

export type IconName = keyof typeof icons;
