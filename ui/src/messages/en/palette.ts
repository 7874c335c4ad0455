import { plural } from '../plural';

export const palette = {
  'palette.name': 'Go to a file or run a command',
  'palette.placeholder': 'File name or command',
  'palette.results': 'Matches',
  'palette.opened': 'Recently opened',
  'palette.recent': 'Recently changed',
  'palette.files': 'Files',
  'palette.commands': 'Commands',
  'palette.commandsHint': 'commands',
  'palette.open': 'open',
  'palette.openHint': 'open',
  'palette.besideHint': 'open beside',
  'palette.closeHint': 'close',
  'palette.create': (v: { name: string }) => `Create note “${v.name}”`,
  'palette.nothing': (v: { text: string }) => `Nothing is called “${v.text}”.`,
  'palette.nothingYet': 'No files yet.',
  'palette.count': (v: { count: number }) => plural(v.count, 'match', 'matches'),
};
