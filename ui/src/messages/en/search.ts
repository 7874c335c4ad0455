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
      ? `${plural(v.files, 'file')}${v.more ? ' or more' : ''}, found by name`
      : `${plural(v.passages, 'passage')} in ${v.more ? 'the first of ' : ''}${plural(v.files, 'file')}${v.more ? ' or more' : ''}`,
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
};
