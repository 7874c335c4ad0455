//! Warnings in words, for people at a terminal: what the UI says of each, with what can be done here.

use std::fmt::{Display, Formatter, Result};

use orangery_api::domain::Warning;

/// Says a warning.
pub struct Said<'a>(pub &'a Warning);

impl Display for Said<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let detail = reason(&self.0.detail).unwrap_or(&self.0.detail);
        let Some(sentence) = sentence(&self.0.code) else {
            return f.write_str(format!("{} {detail}", self.0.code).trim_end());
        };
        match sentence.split_once("{}") {
            Some((before, after)) if detail.is_empty() => {
                write!(f, "{}{after}", before.trim_end_matches([' ', ':']))
            }
            Some((before, after)) => write!(f, "{before}{detail}{after}"),
            None => f.write_str(sentence),
        }
    }
}

/// What a detail means that is the code of an error.
fn reason(code: &str) -> Option<&'static str> {
    Some(match code {
        "accessDenied" => "your rights do not allow it",
        "readOnly" => "it is read-only",
        "notFound" => "nothing is there",
        "diskFull" => "the disk is full",
        "io" => "the disk did not give it",
        "escapes" => "it leads out of the knowledge base",
        "danglingLink" => "it leads to nothing",
        "database" => "the app's own database could not be used",
        "internal" => "something in the app went wrong; its log says more",
        "noKeyring" => "there is no keyring that can be used",
        "keyringSilent" => "the keyring did not answer; it may be locked",
        "secretFileClosed" => "the encrypted file is closed",
        "secretFileDamaged" => "the encrypted file is damaged",
        _ => return None,
    })
}

/// With `{}` for the detail.
fn sentence(code: &str) -> Option<&'static str> {
    Some(match code {
        // Of knowledge bases.
        "noAnswer" => "a folder cannot be read now, and what was known of it is kept: {}",
        "noPermission" => "a folder may not be read with your rights, and what was known of it is kept: {}",
        "changesLost" => {
            "not all that changed lately is found, because it could not be stored; see `orangery doctor`: {}"
        }

        // Of files.
        "binary" => "it holds no text",
        "encodingUnclear" => "its encoding is unclear, so it is read-only until one is chosen in the app: {}",
        "undecodable" => "it cannot be read as text",
        "unreadable" => "it could not be read: {}",
        "tooLarge" => "it is too large to be searched or opened; the limit in MB: {}",
        "sensitive" => "it may hold secrets: listed, but not searched",
        "nameNotUnicode" => "its name is not valid text: it can be looked at, not changed",
        "link" => "the link is not followed: {}",
        "specialFile" => "it is not an ordinary file",
        "readOnlyFile" => "it is read-only on disk",

        // Of documents: nothing could be read.
        "damaged" => "it is damaged and cannot be read: {}",
        "encrypted" => "it is locked with a password; open it in the app and enter the password there",
        "sealed" => {
            "it is locked and opens only with the program it was made for; save a copy there without the lock"
        }
        "wrongPassword" => "the password does not open it",
        "notThisKind" => "it is not what its name says: {}",
        "crashed" => "reading it failed so badly that the reader ended",
        "tooSlow" => "reading it took too long",
        "noPage" => "it has no such page",
        "noPicture" => "it has no such picture",
        "pdfiumMissing" => {
            "PDF files cannot be read, because PDFium is missing or cannot be loaded; run `cargo xtask pdfium`, or set \
             ORANGERY_PDFIUM: {}"
        }

        // Of documents: something was left out, or is odd.
        "noText" => "nothing in it is text",
        "imageOnly" => "pictures only, without text: pages {}",
        "garbledText" => {
            "text that makes no sense, because its fonts do not say what their signs mean: pages {}"
        }
        "pagesDamaged" => "damaged pages that cannot be read: {}",
        "contentOrder" => {
            "it is too large for its reading order to be found: its text is in the order of the file"
        }
        "poorCoverage" => "text in the order of the file: pages {}",
        "textCut" => "its text ends at the limit, in MB: {}",
        "partsLeftOut" => "parts of it are too large or nest too deep and were left out",
        "partsDamaged" => "parts of it are damaged; what could be read of them is here",
        "hiddenLeftOut" => "text that it hides from its readers was left out",
        "hiddenParts" => "hidden where it is shown: {}",
        "encodingGuessed" => "its encoding was guessed: {}",
        "malformedText" => "some of its bytes are not of this encoding",

        // Of queries.
        "danglingOr" => "OR stands alone, so it was left out",
        "unclosedQuote" => "a quotation mark is not closed, so its words were searched one by one: {}",
        "emptyOperator" => "nothing follows an operator, so it was left out: {}",
        "unknownOperator" => "no operator is called so, so it was searched as words: {}",
        "unreadableDate" => "no date such as 2026-06 or 2026-06-30, so it was searched as a word: {}",
        "unreadablePattern" => "no pattern that can be read, so it was searched as words: {}",
        "unknownType" => "no type of file, so it was searched as a word: {}",
        "unknownKnowledgeBase" => "no knowledge base of this name: {}",

        // Of changes.
        "anchorLoose" => "the passage was found although it differs in {}",
        "reviewAlways" => "files that steer the assistant are always reviewed",
        "onlyTrash" => "too large for history to keep, so that only the system's trash has a copy; in MB: {}",
        "notAllKept" => "once the system's trash is emptied, this does not come back: {}",
        "linksNotUpdated" => "some links will not lead any more where they lead now, in {}",
        "leftBehind" => "all came back but what only the system's trash had: {}",
        "encodingKept" => "the file keeps its encoding: {}",
        "caughtUp" => "the file changed after this was proposed; it is shown on the text as it is now",
        "saidAlready" => "the file says so already, so applying it changes nothing",
        "editedByUser" => "you changed the proposed text",
        "builtOnRejected" => "it changes text that a rejected change would have put in",

        // Of operations: why one waits, or failed.
        "changedHere" => "changed on disk at the same place",
        "offeredAnew" => "changed on disk; the same change is proposed again on the text as it is now",
        "meetsApplied" => "meets what was applied",
        "meetsOther" => "another operation of this set changes the same place",
        "changedMeanwhile" => "the file changed while it was being applied",
        "replaced" => "something else took its place while it was being deleted; nothing was deleted",
        "fileChanged" => "the file changed after this was proposed",
        "folderChanged" => "what the folder holds changed after this was proposed",
        "gone" => "it is not there any more",
        "fileThere" => "a file is there now",
        "folderThere" => "a folder is there now",
        "notPlain" => "it is neither a file nor a folder now",
        "taken" => "something is at {} now; nothing is overwritten",
        "nameAlike" => "{} is there, whose name differs only in case",
        "noFolder" => "the folder {} is not there; apply the operation that makes it",
        "folderGone" => "the folder {} is not there any more",
        "changedAfterMade" => "the file was changed after it was made; it stays",
        "folderHolds" => "the folder holds something else by now; it stays",
        "notKept" => "the trash does not hold it any more, and history has no copy of all of it",
        "notWhatWent" => {
            "what the trash holds under its name is not what was deleted, and history has no copy of all of it; the trash is left as it is"
        }
        "volumeWithin" => {
            "something in it lies on another volume, and the trash takes nothing across volumes"
        }
        "moveFirst" => "it updates links to what is not moved; apply the move with it",
        "again" => "proposed again",
        "resolved" => "with its conflict resolved",
        "settled" => "its conflict is resolved; another proposal stands for it",
        "onCurrent" => "on the text as it is now",

        // Of turns.
        "modelUnknown" => "the model could not be looked up: {}",
        "modelRemoved" => "the model of this session is no longer in the list; choose another",
        "keyUnavailable" => "the key cannot be had now: {}",
        "keyMissing" => "the key is not there; enter it in the app's settings: {}",
        "modelRefusedKey" => "the model's server refused the key: {}",
        "modelNotServed" => "the server does not know this model: {}",
        "modelBusy" => "the model takes no more requests for now; what had arrived is kept",
        "modelOutOfOrder" => "the model's server is out of order; it said: {}",
        "modelTooLong" => "the conversation is longer than this model can read; begin a new one",
        "modelRefused" => "the model's server refused the request: {}",
        "modelHostUnknown" => "no server is known by this name; is this machine online? {}",
        "modelNotListening" => "nothing answers at the address of the model; does it run? {}",
        "modelUntrusted" => "the certificate of the model's server is not to be trusted: {}",
        "modelSilent" => "the model's server was silent for too long: {}",
        "modelElsewhere" => "the model's server sends on to another place, which is not followed: {}",
        "modelUnreachable" => "the model's server cannot be reached: {}",
        "modelMalformed" => "the server answered with something else than a chat completion: {}",
        "modelBrokeOff" => "the answer broke off; what had arrived is kept",
        "turnFailed" => "the turn ended: {}",
        "rulesBroken" => {
            "rules that cannot be understood; until they are corrected much is denied, and all else is asked: {}"
        }
        "answerWithheld" => "the model's provider held the answer back, or a part of it",
        "answerStopped" => "the model stopped before its answer was complete: {}",
        "answerEmpty" => "{} gave an empty answer; ask again",
        "answerCutShort" => "the answer was cut short at the model's limit",
        "contextFull" => {
            "the conversation is longer than the model can read, and no more of it can be shortened; ask in a new one, in tokens: {}"
        }
        "roundLimit" => "stopped at the limit of rounds of tools: {}",
        "offlineNoModel" => "no model is connected, so these are passages, not an answer",
        "offlineNothingFound" => "nothing in your notes fits the question",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_the_ui_has_words_for_has_words_here() {
        let messages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/messages/en");
        let mut known = 0;
        for (file, prefix) in
            [("warning.ts", "'warning."), ("remark.ts", "'warning."), ("review.ts", "'review.note.")]
        {
            let text = std::fs::read_to_string(messages.join(file)).unwrap();
            for code in text.split(prefix).skip(1).filter_map(|rest| rest.split('\'').next()) {
                assert!(sentence(code).is_some(), "{code}");
                known += 1;
            }
        }
        assert!(known > 60, "{known}");
    }

    #[test]
    fn details_stand_in_their_sentence_and_leave_no_gap() {
        let said = |code: &str, detail: &str| Said(&Warning::new(code, detail)).to_string();
        assert_eq!(said("imageOnly", "2-3"), "pictures only, without text: pages 2-3");
        assert_eq!(said("damaged", ""), "it is damaged and cannot be read");
        assert_eq!(said("unheardOf", "x"), "unheardOf x");
        assert_eq!(said("unreadable", "accessDenied"), "it could not be read: your rights do not allow it");
    }
}
