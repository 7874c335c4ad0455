//! Without its library, PDF is refused with a reason; a process of its own, since the library stays loaded.

use std::path::Path;

use orangery_extract::document::Limits;
use orangery_extract::pdf::{self, Options};

#[test]
fn without_its_library_pdf_is_refused() {
    assert!(pdf::bind(Path::new("there-is-no-such-library")).is_err());
    let document = pdf::read(b"%PDF-1.7", &Options::default(), &Limits::default());
    let trouble = document.trouble.unwrap();
    assert_eq!((trouble.code.as_str(), trouble.detail.as_str()), ("pdfiumMissing", ""));

    // One that is there and is none is named, with what is wrong with it.
    let broken = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    assert!(pdf::bind_named(&broken).is_err());
    let document = pdf::read(b"%PDF-1.7", &Options::default(), &Limits::default());
    let trouble = document.trouble.unwrap();
    assert_eq!(trouble.code, "pdfiumMissing");
    assert!(trouble.detail.starts_with(broken.to_str().unwrap()), "{}", trouble.detail);
}
