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
