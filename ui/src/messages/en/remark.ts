type Detail = { detail: string };

/** “word” after a blank, where the warning names one. */
const named = (detail: string) => (detail === '' ? '' : ` “${detail}”`);

/** “page 1” or “pages 2–3”. */
const pages = (detail: string) => `${/^\d+$/.test(detail) ? 'page' : 'pages'} ${detail.replaceAll('-', '–')}`;

/** What to know about what a seldom opened view shows, by `Warning.code`. */
export const remark = {
  // Of documents: something was left out, or is odd.
  'warning.noText': 'Nothing in it is text, so search does not find it by what it holds.',
  'warning.imageOnly': (v: Detail) => `Pictures only, without text to search: ${pages(v.detail)}.`,
  'warning.garbledText': (v: Detail) => `The text of some pages makes no sense, because their fonts do not say what their signs mean: ${pages(v.detail)}.`,
  'warning.pagesDamaged': (v: Detail) => `Damaged pages that cannot be read: ${v.detail}.`,
  'warning.contentOrder': 'It is too large for its reading order to be found. Its text comes in the order of the file.',
  'warning.poorCoverage': (v: Detail) => `The text of some pages comes in the order of the file: ${pages(v.detail)}.`,
  'warning.textCut': (v: Detail) => `Its text ends here after ${v.detail} MB.`,
  'warning.partsLeftOut': 'Parts of it are too large or nest too deep and were left out.',
  'warning.partsDamaged': 'Parts of it are damaged. What could be read of them is here.',
  'warning.hiddenLeftOut': 'Text that it hides from its readers was left out.',
  'warning.hiddenParts': (v: Detail) => `Hidden where it is shown: ${v.detail}.`,
  'warning.encodingGuessed': (v: Detail) => `Its encoding was guessed: ${v.detail}. Choose another if it reads wrong.`,
  'warning.malformedText': 'Some of its bytes are not of this encoding.',

  // Of queries.
  'warning.danglingOr': 'OR stands alone, so it was left out.',
  'warning.unclosedQuote': (v: Detail) => `The quotation mark before${named(v.detail)} is not closed, so its words were searched one by one.`,
  'warning.emptyOperator': (v: Detail) => `Nothing follows ${v.detail}, so it was left out.`,
  'warning.unknownOperator': (v: Detail) => `“${v.detail}” is no operator, so it was searched as words.`,
  'warning.unreadableDate': (v: Detail) => `“${v.detail}” is no date such as 2026-06 or 2026-06-30, so it was searched as a word.`,
  'warning.unreadablePattern': (v: Detail) => `“/${v.detail}/” is not a pattern that can be read, so it was searched as words.`,
  'warning.unknownType': (v: Detail) => `“${v.detail}” is no type of file, so it was searched as a word.`,
  'warning.unknownKnowledgeBase': (v: Detail) => `No knowledge base is called “${v.detail}”.`,

  // Of changes.
  'warning.anchorLoose': (v: Detail) => `The passage was found although it differs in ${v.detail}.`,
  'warning.reviewAlways': 'Files that steer the assistant are always reviewed.',
  'warning.onlyTrash': (v: Detail) =>
    `With ${v.detail} MB it is too large for history to keep: only the system’s trash will have a copy.`,
  'warning.notAllKept': (v: Detail) =>
    `History cannot keep ${v.detail}: once the system’s trash is emptied, that does not come back.`,
  'warning.linksNotUpdated': (v: Detail) =>
    `Some links in ${v.detail} cannot be updated: they will not lead any more where they lead now.`,
  'warning.leftBehind': (v: Detail) => `All came back but ${v.detail}: only the system’s trash had that.`,
  'warning.encodingKept': (v: Detail) => `The file stays ${v.detail}.`,
  'warning.caughtUp': 'The file changed after this was proposed. The change is shown on the text as it is now.',
  'warning.saidAlready': 'The file says so already: applying this changes nothing.',
  'warning.editedByUser': 'You changed the proposed text.',
  'warning.builtOnRejected': 'It changes text that a rejected change would have put in.',
};
