//! Symbol fonts: their letters are pictures of other characters.
//! Symbol follows Adobe's Symbol encoding; of Wingdings only what texts really use.

/// From 0x20; a blank where the font has nothing or only a piece of a large bracket.
const SYMBOL_LOW: &str =
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";
/// From 0xA0.
const SYMBOL_HIGH: &str =
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭ ";

/// The character that `code` of `font` looks like. Codes come plain or moved to U+F000.
pub(crate) fn character(font: &str, code: u32) -> Option<char> {
    let low = if (0xf000..=0xf0ff).contains(&code) { code - 0xf000 } else { code };
    let font = font.to_ascii_lowercase();
    let known = if font == "symbol" {
        match low {
            0x20..=0x7e => SYMBOL_LOW.chars().nth(low as usize - 0x20),
            0xa0..=0xff => SYMBOL_HIGH.chars().nth(low as usize - 0xa0),
            _ => None,
        }
    } else if font.starts_with("wingdings 2") {
        match low {
            0x4f | 0x53 => Some('☒'),
            0x50 | 0x52 => Some('☑'),
            0xa3 => Some('☐'),
            _ => None,
        }
    } else if font.starts_with("wingdings") {
        wingdings(low)
    } else if (0xe000..=0xf8ff).contains(&code) {
        None
    } else {
        char::from_u32(code)
    };
    known.filter(|c| !c.is_control())
}

fn wingdings(code: u32) -> Option<char> {
    Some(match code {
        0x21 => '✏',
        0x28 => '☎',
        0x2a => '✉',
        0x36 => '⌛',
        0x4a => '☺',
        0x4c => '☹',
        0x6c | 0x9f => '●',
        0x6e | 0xa7 => '■',
        0x6f | 0xa8 => '☐',
        0x71 => '❑',
        0x75 | 0x77 => '◆',
        0x76 => '❖',
        0x80 => '⓪',
        0x81..=0x8a => char::from_u32('①' as u32 + code - 0x81)?,
        0x8c..=0x95 => char::from_u32('❶' as u32 + code - 0x8c)?,
        0xa1 => '○',
        0xab => '★',
        0xd8 => '➢',
        0xdf | 0xe7 => '←',
        0xe0 | 0xe8 => '→',
        0xe1 | 0xe9 => '↑',
        0xe2 | 0xea => '↓',
        0xf0 => '⇨',
        0xfb | 0xfd => '☒',
        0xfc => '✓',
        0xfe => '☑',
        _ => return None,
    })
}

/// Text in a symbol font, or with characters of one, in the characters that it shows.
pub(crate) fn translate(font: Option<&str>, text: &str) -> Option<String> {
    let font = font.unwrap_or_default();
    let lower = font.to_ascii_lowercase();
    let symbolic = lower == "symbol" || lower.starts_with("wingdings");
    let moved = |c: char| (0xf020..=0xf0ff).contains(&(c as u32));
    if !symbolic && !text.contains(moved) {
        return None;
    }
    let each = |c: char| match (symbolic, moved(c)) {
        (true, _) if !c.is_whitespace() && (c as u32) < 0x100 || moved(c) => {
            character(if symbolic { font } else { "Symbol" }, c as u32)
        }
        _ => Some(c),
    };
    Some(text.chars().filter_map(each).collect())
}
