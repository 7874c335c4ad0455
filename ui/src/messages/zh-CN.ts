import type { Messages } from './index.svelte';
import { assistant } from './zh-CN/assistant';
import { changes } from './zh-CN/changes';
import { documents } from './zh-CN/documents';
import { error } from './zh-CN/error';
import { exec } from './zh-CN/exec';
import { history } from './zh-CN/history';
import { keys } from './zh-CN/keys';
import { library } from './zh-CN/library';
import { notes } from './zh-CN/notes';
import { palette } from './zh-CN/palette';
import { remark } from './zh-CN/remark';
import { review } from './zh-CN/review';
import { search } from './zh-CN/search';
import { settings } from './zh-CN/settings';
import { shell } from './zh-CN/shell';
import { warning } from './zh-CN/warning';
import { welcome } from './zh-CN/welcome';

/** 界面的全部中文文字。 */
export const zhCN: Messages = {
  ...shell,
  ...keys,
  ...library,
  ...search,
  ...palette,
  ...settings,
  ...welcome,
  ...notes,
  ...documents,
  ...review,
  ...changes,
  ...history,
  ...assistant,
  ...exec,
  ...error,
  ...warning,
  ...remark,
};
