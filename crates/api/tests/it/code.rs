//! Every code that a crate below can give is one that the UI is told of.

use std::path::Path;

use orangery_api::error::Code;

#[test]
fn codes_of_the_crates_below_are_known() {
    for room in ["store", "library", "change", "agent"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(room).join("src/error.rs");
        let source = std::fs::read_to_string(path).unwrap();
        let (_, codes) = source.split_once("fn code(").unwrap();
        for code in codes.split("=> \"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(Code::named(code).is_some(), "{room}: {code}");
        }
    }
}

/// Every warning has a sentence in the UI; the other languages are held to the English one by their types.
#[test]
fn warnings_have_sentences() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |name| std::fs::read_to_string(crates.join("../ui/src/messages/en").join(name)).unwrap();
    let sentences = read("warning.ts") + &read("remark.ts");
    let notes = read("review.ts");
    let known = |code: &str| sentences.contains(&format!("'warning.{code}'"));
    for code in orangery_library::WARNING_CODES.iter().chain(orangery_library::DOCUMENT_CODES) {
        assert!(known(code), "library: {code}");
    }
    // Where there is no list, what is written in the source is the list.
    let mut written = 0;
    for room in ["domain", "library", "change", "agent", "api"] {
        for source in sources(&crates.join(room).join("src")) {
            for rest in source.split("Warning::new(\"").skip(1) {
                let code = rest.split('"').next().unwrap();
                assert!(room != "library", "{code} is not in the list of the library");
                // Why an operation failed has sentences of its own, or that of the error it is elsewhere.
                let is_note = room == "change"
                    && (notes.contains(&format!("'review.note.{code}'")) || Code::named(code).is_some());
                assert!(known(code) || is_note, "{room}: {code}");
                written += 1;
            }
        }
    }
    assert!(written > 10, "{written}");
}

fn sources(folder: &Path) -> Vec<String> {
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources.extend(self::sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.file_name().is_none_or(|name| name != "tests.rs")
        {
            sources.push(std::fs::read_to_string(&path).unwrap());
        }
    }
    sources
}
