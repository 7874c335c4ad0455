import path from 'node:path';
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

const source = path.resolve(import.meta.dirname, 'src');

/** What each room of src/ may import; files directly in src/ (App, main, router) may import all. */
const floors = {
  host: ['api'],
  messages: ['api'],
  api: ['host'],
  kit: [],
  state: ['api', 'kit', 'messages'],
  editor: ['api', 'kit', 'messages'],
  features: ['api', 'kit', 'messages', 'state', 'editor'],
  shell: ['api', 'kit', 'messages', 'state', 'features'],
};

/** A room is a folder of src/; each feature is a room of its own. */
function roomOf(file) {
  const [first, second] = path.relative(source, file).split(path.sep);
  if (first === undefined || first === '..' || second === undefined) return undefined;
  return first === 'features' ? { floor: first, room: `${first}/${second}` } : { floor: first, room: first };
}

const floorsRule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      room: '{{from}} may not import {{to}}: features talk through state/, and lower rooms know nothing of upper ones.',
      host: 'Only src/host may import {{name}}.',
    },
  },
  create(context) {
    const from = roomOf(context.filename);
    function check(node) {
      const name = node.source?.value;
      if (typeof name !== 'string' || from === undefined) return;
      if (name.startsWith('@tauri-apps/') && from.floor !== 'host') {
        context.report({ node, messageId: 'host', data: { name } });
      }
      if (!name.startsWith('.')) return;
      const to = roomOf(path.resolve(path.dirname(context.filename), name));
      if (to === undefined || to.room === from.room) return;
      if (!floors[from.floor]?.includes(to.floor)) {
        context.report({ node, messageId: 'room', data: { from: from.room, to: to.room } });
      }
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

export default ts.config(
  { ignores: ['dist', 'node_modules', 'src/api/generated'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    plugins: { orangery: { rules: { floors: floorsRule } } },
    rules: {
      'orangery/floors': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-undef': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'svelte/no-at-html-tags': 'error',
      'svelte/button-has-type': 'error',
      'svelte/no-target-blank': 'error',
      // Plain maps, sets and dates are used where nothing is to follow them.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'] } },
  },
);
