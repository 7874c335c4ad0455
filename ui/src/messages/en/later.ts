import { documents } from './documents';
import { history } from './history';
import { settings } from './settings';

/** Sentences of features that are opened seldom; they come with them. */
export const later = { ...documents, ...history, ...settings };
