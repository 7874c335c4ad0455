//! Random text, encodings, endings and edits.

use proptest::prelude::*;

use super::*;

/// Text that `encoding` can hold, with endings of every kind.
fn texts(characters: &'static str) -> impl Strategy<Value = String> {
    let character = prop::sample::select(characters.chars().collect::<Vec<_>>());
    let piece = prop_oneof![
        6 => character.prop_map(String::from),
        1 => Just("\n".to_owned()),
        1 => Just("\r\n".to_owned()),
        1 => Just("\r".to_owned()),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Cuts of `text` into edits: each pair of bounds is one, in order and apart.
fn edits(text: &str, bounds: &[prop::sample::Index], inserts: &[String]) -> Vec<TextEdit> {
    let places: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut bounds: Vec<_> = bounds.iter().map(|index| places[index.index(places.len())]).collect();
    bounds.sort_unstable();
    bounds
        .chunks_exact(2)
        .zip(inserts)
        .map(|(pair, insert)| TextEdit { range: pair[0]..pair[1], insert: insert.clone() })
        .collect()
}

fn edited(text: &str, edits: &[TextEdit]) -> String {
    let mut out = text.to_owned();
    for edit in edits.iter().rev() {
        out.replace_range(edit.range.clone(), &edit.insert);
    }
    out
}

fn case() -> impl Strategy<Value = (Encoding, bool, String, Vec<TextEdit>)> {
    prop::sample::select(SAMPLES).prop_flat_map(|(encoding, characters)| {
        (
            Just(encoding),
            any::<bool>(),
            texts(characters),
            prop::collection::vec(any::<prop::sample::Index>(), 0..8),
            prop::collection::vec(texts(characters), 4),
        )
            .prop_map(|(encoding, bom, text, bounds, inserts)| {
                let edits = edits(&text, &bounds, &inserts);
                (encoding, bom, text, edits)
            })
    })
}

proptest! {
    #[test]
    fn splice_makes_the_edits_and_nothing_else((encoding, bom, text, edits) in case()) {
        let raw = encode(&text, encoding, bom).unwrap();
        let base = decode(&raw, Some(encoding), &[]).unwrap();
        prop_assert_eq!(&base.text, &text);
        let out = splice(&raw, &base, &edits).unwrap();
        // The encodings in question write every character in one way, so this compares all bytes.
        prop_assert_eq!(&out, &encode(&edited(&text, &edits), encoding, base.bom).unwrap());
        prop_assert_eq!(decode(&out, Some(encoding), &[]).unwrap().text, edited(&text, &edits));
    }

    #[test]
    fn arbitrary_bytes_survive_outside_an_edit(
        raw in prop::collection::vec(prop_oneof![any::<u8>(), 0x80_u8..=0xFF, 0x30_u8..=0x39], 0..60),
        encoding in prop::sample::select(Encoding::ALL),
        bounds in prop::collection::vec(any::<prop::sample::Index>(), 2),
    ) {
        let base = decode(&raw, Some(encoding), &[]).unwrap();
        let edits = edits(&base.text, &bounds, &["x".into()]);
        match splice(&raw, &base, &edits) {
            Ok(out) => {
                let again = decode(&out, Some(encoding), &[]).unwrap();
                prop_assert_eq!(again.text, edited(&base.text, &edits));
                if base.encoding != Encoding::Big5 {
                    // One inserted byte or two; what is before and after is as it was.
                    let prefix = raw.iter().zip(&out).take_while(|(a, b)| a == b).count();
                    let suffix = raw.iter().rev().zip(out.iter().rev()).take_while(|(a, b)| a == b).count();
                    let inserted = encode("x", encoding, false).unwrap().len();
                    prop_assert!(prefix + suffix + inserted >= out.len());
                }
            }
            Err(SpliceError::Ambiguous | SpliceError::Unencodable { .. }) => {}
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn units_mean_what_the_whole_means(
        raw in prop::collection::vec(prop_oneof![any::<u8>(), 0x80_u8..=0xFF, 0x30_u8..=0x39], 0..40),
        encoding in prop::sample::select(Encoding::ALL),
    ) {
        let malformed = units::Units::new(encoding, &raw).any(|unit| unit.malformed);
        let strict = units::decode_strict(encoding, &raw);
        prop_assert_eq!(strict.is_none(), malformed);
        if let Some(text) = strict {
            prop_assert_eq!(units::decode_lossy(encoding, &raw), text);
        }
    }
}
