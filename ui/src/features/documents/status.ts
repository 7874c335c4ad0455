import type { DocumentView } from '../../api/generated/commands';
import { bytes, t } from '../../messages/index.svelte';
import type { ViewStatus } from '../../state/workspace.svelte';

/** How long a document is, for the status bar. */
export function documentStatus({ kind, pages, file }: DocumentView): ViewStatus {
  const facts: string[] = [];
  const count = pages.length;
  if (count > 0 && kind === 'pdf') facts.push(t('document.pageTotal', { count }));
  else if (count > 0 && kind === 'pptx') facts.push(t('document.slideTotal', { count }));
  else if (count > 0 && kind === 'epub') facts.push(t('document.chapterTotal', { count }));
  if (file !== null) facts.push(bytes(file.size));
  return { facts, save: t('note.readOnly') };
}
