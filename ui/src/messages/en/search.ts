import { plural } from '../plural';

type Reach = { start: number; end: number };

const reach = ({ start, end }: Reach) => (start === end ? `${start}` : `${start}–${end}`);

export const search = {
  'search.field': 'Search in everything',
  'search.placeholder': 'Words, "a phrase", -not this',
  'search.clear': 'Clear',
  'search.results': 'Results',
  'search.loading': 'Searching…',
  'search.more': 'More files',
  'search.count': (v: { passages: number; files: number; more: boolean }) =>
    v.passages === 0
      ? `${plural(v.files, 'file')}, found by name`
      : v.more
        ? `${plural(v.files, 'file')}, ${plural(v.passages, 'passage')} shown so far`
        : `${plural(v.passages, 'passage')} in ${plural(v.files, 'file')}`,
  'search.passages': (v: { count: number }) => plural(v.count, 'passage'),
  'search.incomplete': (v: { done: number; total: number }) =>
    `Still indexing: ${v.done.toLocaleString('en')} of ${plural(v.total, 'file')} searched`,
  'search.line': (v: { line: number }) => `line ${v.line}`,
  'search.lines': (v: { start: number; end: number }) => `lines ${v.start}–${v.end}`,
  'search.page': (v: Reach) => `${v.start === v.end ? 'p.' : 'pp.'} ${reach(v)}`,
  'search.slide': (v: Reach) => `${v.start === v.end ? 'slide' : 'slides'} ${reach(v)}`,
  'search.chapter': (v: Reach) => `${v.start === v.end ? 'chapter' : 'chapters'} ${reach(v)}`,
  'search.row': (v: Reach) => `${v.start === v.end ? 'row' : 'rows'} ${reach(v)}`,
  'search.title': 'Search in everything',
  'search.intro': 'Results appear as you type.',
  'search.nothing': (v: { text: string }) => `Nothing found for “${v.text}”`,
  'search.searched': (v: { files: number; bases: number }) => `Searched ${plural(v.files, 'file')} in ${plural(v.bases, 'knowledge base')}.`,
  'search.withoutFilters': 'Search without filters',
  'search.withoutQuotes': 'Without quotes',
  'search.ways': 'Ways to narrow or widen',
  'search.wayPhraseExample': '"roof monitors"',
  'search.wayPhrase': 'these words together',
  'search.wayNotExample': 'glass -triple',
  'search.wayNot': 'leave a word out',
  'search.wayOrExample': 'blinds OR curtains',
  'search.wayOr': 'either word',
  'search.wayTagExample': 'tag:daylight',
  'search.wayTag': 'with this tag',
  'search.wayPathExample': 'path:Projects',
  'search.wayPath': 'below this folder',
  'search.where': 'Where',
  'search.offline': 'offline',
  'search.type': 'Type',
  'search.kindText': 'Text',
  'search.kindImage': 'Pictures',
  'search.kindOther': 'Other',
  'search.changed': 'Changed',
  'search.any': 'Any',
  'search.week': 'Week',
  'search.year': 'Year',
  'search.chips': 'Narrowed by',
  'search.chipRemove': (v: { name: string }) => `Remove ${v.name}`,
  'search.chipNone': 'none',
  'search.chipWithout': (v: { names: string }) => `without ${v.names}`,
  'search.offers': 'What can be written here',
  'search.key.tag': 'with this tag',
  'search.key.path': 'below this folder',
  'search.key.file': 'in the name of the file',
  'search.key.type': 'files of this type',
  'search.key.in': 'in this knowledge base',
  'search.key.after': 'changed since',
  'search.key.before': 'changed before',
  'search.key.heading': 'words in one heading',
  'search.key.line': 'words in one line',
};
