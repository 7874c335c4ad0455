//! What is wrong with a document, in words that a model can hand on to the user.

use orangery_domain::Warning;
use orangery_extract::document::code;

use crate::gate::Target;
use crate::tool::ToolError;

/// Why nothing of `target` can be read.
pub(super) fn told(target: &Target, trouble: &Warning) -> ToolError {
    ToolError::tell(format!("{} cannot be read: {}", target.named(), sentence(trouble)))
}

/// What is wrong, without a subject's name.
pub(super) fn sentence(trouble: &Warning) -> String {
    let why = match trouble.code.as_str() {
        code::ENCRYPTED | code::WRONG_PASSWORD => {
            "it is locked with a password; ask the user to open it in the app and enter the password there"
        }
        code::SEALED => {
            "it is locked in a way that is not opened here; ask the user for a copy saved without the lock"
        }
        code::DAMAGED => "it is damaged",
        code::NOT_THIS_KIND => {
            "its content is of another format than its name says, or of one that is not shown"
        }
        code::TOO_LARGE => "it is too large",
        code::PDFIUM_MISSING => "the library that reads PDF is missing in this installation",
        code::ENCODING_UNCLEAR => "its encoding is unclear; the user can choose one in the app",
        code => code,
    };
    if trouble.detail.is_empty() { why.to_owned() } else { format!("{why} ({})", trouble.detail) }
}
