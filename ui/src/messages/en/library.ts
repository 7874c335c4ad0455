import { plural } from '../plural';

export const library = {
  'library.offline': 'Offline',
  'library.loading': 'Listing…',
  'library.empty': 'Empty',
  'library.open': 'Open',
  'library.rescan': 'Scan again',
  'library.manage': 'Manage knowledge bases…',
  'library.copyPath': 'Copy path',
  'library.newNoteName': 'Name of the note',
  'library.newFolderName': 'Name of the folder',
  'library.notShown': (v: { name: string }) => `${v.name} is listed, but only Markdown and text open here so far.`,
  'library.reading': (v: { name: string }) => `Reading ${v.name}`,
  'library.indexing': (v: { name: string }) => `Indexing ${v.name}`,
  'library.pause': 'Pause',
  'library.resume': 'Go on',
  'library.paused': (v: { name: string }) => `Paused: ${v.name}`,
  'library.found': (v: { found: number }) => `${plural(v.found, 'file')} so far`,
  'library.counted': (v: { done: number; total: number }) =>
    `${v.done.toLocaleString('en')} of ${plural(v.total, 'file')}`,
};
