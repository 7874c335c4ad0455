/** What happened, by `WireError.code`, else by its kind. Values are those of `detail`; any may be missing. */
type Detail = { [name: string]: string };

export const error = {
  'errorKind.notFound': 'It is no longer there.',
  'errorKind.invalid': 'That cannot be used here.',
  'errorKind.conflict': 'It changed meanwhile.',
  'errorKind.denied': 'That is not allowed here.',
  'errorKind.cancelled': 'Stopped.',
  'errorKind.unavailable': 'That cannot be reached now.',
  'errorKind.corrupt': 'The data is damaged.',
  'errorKind.internal': 'Something in the app went wrong. Your files are unharmed.',

  'error.hostGone': 'The app behind this page does not answer. Unsaved text is kept here.',
  'error.notEntered': 'Open this page with the link that the app printed: it holds the key for one visit.',
  'error.internal': 'Something in the app went wrong. Your files are unharmed.',
  'error.detail': (v: Detail) => `Detail: ${v['message'] ?? ''}`,
};
