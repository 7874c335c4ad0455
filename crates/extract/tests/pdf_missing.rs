//! Without its library, PDF is refused with a reason; a process of its own, since the library stays loaded.

use std::path::Path;

use orangery_extract::document::Limits;
use orangery_extract::pdf::{self, Options};

#[test]
fn without_its_library_pdf_is_refused() {
    assert!(pdf::bind(Path::new("there-is-no-such-library")).is_err());
    let document = pdf::read(b"%PDF-1.7", &Options::default(), &Limits::default());
    assert_eq!(document.trouble.map(|trouble| trouble.code).as_deref(), Some("pdfiumMissing"));
}
