import { describe, expect, it } from 'vitest';
import type { Message, MessageContent } from '../../api/generated/commands';
import { fileName, markdown } from './export';

const message = (id: number, content: MessageContent): Message => ({ id, turnId: 1, createdAt: 0, content });

describe('export of a conversation', () => {
  it('keeps questions and answers as they are, with their sources', () => {
    const text = markdown('Soup\n?', [
      message(1, { role: 'user', text: 'Is there *salt*?' }),
      message(2, { role: 'assistant', text: '', citations: [], model: 'M', interrupted: false }),
      message(3, { role: 'assistant', text: 'Yes.', citations: [], model: null, interrupted: false }),
    ]);
    expect(text).toBe('# Soup ?\n\n## You\n\nIs there *salt*?\n\n## Assistant\n\nYes.\n');
  });

  it('makes a name of any title', () => {
    expect(fileName('a/b: "c"?')).toBe('a b c');
    expect(fileName('..')).toBe('New conversation');
    expect(fileName('汤？'.repeat(60))).toHaveLength(60);
  });
});
