import type { Message } from '../../api/generated/commands';
import { t } from '../../messages/index.svelte';
import { stepEnd, stepWords } from './words';

/** A conversation as a note: questions as headings, answers as they were written, calls as one line each. */
export function markdown(title: string, messages: readonly Message[]): string {
  const parts = [`# ${oneLine(title)}`];
  for (const { content } of messages) {
    if (content.role === 'user') parts.push(`## ${t('assistant.you')}`, content.text.trim());
    else if (content.role === 'assistant') {
      if (content.text.trim() === '') continue;
      parts.push(`## ${content.model ?? t('assistant.answer')}`, content.text.trim());
      const sources = content.citations.map(({ title: of }, at) => `${at + 1}. ${oneLine(of)}`);
      if (sources.length > 0) parts.push(`**${t('assistant.sources')}**`, sources.join('\n'));
    } else if (content.role === 'tool') parts.push(`> ${oneLine(`${stepWords(content)} ${stepEnd(content)}`)}`);
    else if (content.role === 'checkpoint') parts.push(`> ${t('assistant.checkpoint')}`);
  }
  return `${parts.join('\n\n')}\n`;
}

/** A name that every system takes for a file. */
export function fileName(title: string): string {
  const plain = oneLine(title).replace(/[\\/:*?"<>|#^[\]]/g, ' ').replace(/\s+/g, ' ').replace(/^[.\s]+|[.\s]+$/g, '');
  return plain.slice(0, 60).trim() || t('assistant.untitled');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
