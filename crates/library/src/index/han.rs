//! Han characters: one spelling for those that are one to a reader.

use std::collections::HashMap;
use std::sync::LazyLock;

/// `c`, or the simplified character for it.
pub fn simplified(c: char) -> char {
    if !matches!(c, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}') {
        return c;
    }
    SIMPLIFIED.get(&c).copied().unwrap_or(c)
}

static SIMPLIFIED: LazyLock<HashMap<char, char, Direct>> = LazyLock::new(|| {
    let mut map = HashMap::default();
    for line in include_str!("simplified.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut characters = line.chars();
        if let Some(simple) = characters.next() {
            map.extend(characters.map(|other| (other, simple)));
        }
    }
    map
});

/// Code points lie well apart as they are, and every character of every text is looked up.
type Direct = std::hash::BuildHasherDefault<DirectHasher>;

#[derive(Default)]
struct DirectHasher(u64);

impl std::hash::Hasher for DirectHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }

    fn write_u32(&mut self, value: u32) {
        // The table takes some of its bits from the top.
        self.0 = u64::from(value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traditional_characters_and_variants_become_simplified_ones() {
        let simple = |text: &str| text.chars().map(simplified).collect::<String>();
        assert_eq!(simple("搜尋資料庫備份，瞭解頭髮與後臺"), "搜寻资料库备份，了解头发与后台");
        assert_eq!(simple("裏裡說説著"), "里里说说着");
        assert_eq!(simple("知识 かな Ab"), "知识 かな Ab");
        // What is written here is folded to itself.
        for (other, simple) in SIMPLIFIED.iter() {
            assert_eq!(simplified(*simple), *simple, "{other}");
        }
    }
}
