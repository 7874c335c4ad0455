import { assistant } from './en/assistant';
import { changes } from './en/changes';
import { error } from './en/error';
import { exec } from './en/exec';
import { keys } from './en/keys';
import { library } from './en/library';
import { notes } from './en/notes';
import { palette } from './en/palette';
import { search } from './en/search';
import { shell } from './en/shell';
import { warning } from './en/warning';
import { welcome } from './en/welcome';

/**
 * Sentences of the interface in English: with those that come later, the list that the other languages must match.
 */
export const en = {
  ...shell,
  ...keys,
  ...library,
  ...search,
  ...palette,
  ...welcome,
  ...notes,
  ...changes,
  ...assistant,
  ...exec,
  ...error,
  ...warning,
};
