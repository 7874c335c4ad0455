//! What is wrong with a document, in words that a model can hand on to the user.

use orangery_domain::Warning;
use orangery_extract::document::code;

use crate::gate::Target;
use crate::tool::ToolError;

/// Why nothing of `target` can be read.
pub(super) fn told(target: &Target, trouble: &Warning) -> ToolError {
    let why = match trouble.code.as_str() {
        code::ENCRYPTED | code::WRONG_PASSWORD => {
            "it is locked with a password; ask the user to open it in the app and enter the password there"
                .into()
        }
        code::SEALED => {
            "it is locked in a way that is not opened here; ask the user for a copy saved without the lock"
                .into()
        }
        code::DAMAGED => "it is damaged".into(),
        code::NOT_THIS_KIND => "its content is of another format than its name says".into(),
        code::PDFIUM_MISSING => "the library that reads PDF is missing in this installation".into(),
        code::ENCODING_UNCLEAR => "its encoding is unclear; the user can choose one in the app".into(),
        code => code.to_owned(),
    };
    let detail = if trouble.detail.is_empty() { String::new() } else { format!(" ({})", trouble.detail) };
    ToolError::tell(format!("{} cannot be read: {why}{detail}", target.shown()))
}
