import { documents } from './documents';
import { history } from './history';
import { remark } from './remark';
import { review } from './review';
import { settings } from './settings';

/** Sentences of features that are opened seldom; they come with them. */
export const later = { ...documents, ...history, ...remark, ...review, ...settings };
