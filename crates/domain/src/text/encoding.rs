//! The encodings that a file can have.

/// Declares the closed list once: variant, label for people and records, decoder.
macro_rules! encodings {
    ($($variant:ident $label:literal $rs:ident,)*) => {
        /// A text encoding, as the WHATWG Encoding Standard defines it. Stateful encodings are not
        /// among them: a byte range of such a file means nothing by itself.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Encoding { $($variant,)* }

        impl Encoding {
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name shown to people and kept in the database.
            pub fn label(self) -> &'static str {
                match self { $(Self::$variant => $label,)* }
            }

            pub(super) fn table(self) -> &'static encoding_rs::Encoding {
                match self { $(Self::$variant => encoding_rs::$rs,)* }
            }
        }
    };
}

encodings! {
    Utf8 "UTF-8" UTF_8,
    Utf16Le "UTF-16LE" UTF_16LE,
    Utf16Be "UTF-16BE" UTF_16BE,
    Gb18030 "GB18030" GB18030,
    Big5 "Big5" BIG5,
    ShiftJis "Shift_JIS" SHIFT_JIS,
    EucJp "EUC-JP" EUC_JP,
    EucKr "EUC-KR" EUC_KR,
    Windows1252 "Windows-1252" WINDOWS_1252,
    Windows1250 "Windows-1250" WINDOWS_1250,
    Windows1251 "Windows-1251" WINDOWS_1251,
    Windows1253 "Windows-1253" WINDOWS_1253,
    Windows1254 "Windows-1254" WINDOWS_1254,
    Windows1255 "Windows-1255" WINDOWS_1255,
    Windows1256 "Windows-1256" WINDOWS_1256,
    Windows1257 "Windows-1257" WINDOWS_1257,
    Windows1258 "Windows-1258" WINDOWS_1258,
    Windows874 "Windows-874" WINDOWS_874,
    Iso8859_2 "ISO-8859-2" ISO_8859_2,
    Iso8859_15 "ISO-8859-15" ISO_8859_15,
    Koi8R "KOI8-R" KOI8_R,
    Koi8U "KOI8-U" KOI8_U,
    Ibm866 "IBM866" IBM866,
    Macintosh "Macintosh" MACINTOSH,
}

impl Encoding {
    /// The encoding called `label`: ours, or one of the names that the web knows (`gbk`, `latin1`).
    pub fn from_label(label: &str) -> Option<Self> {
        let known = Self::ALL.iter().find(|encoding| encoding.label().eq_ignore_ascii_case(label));
        match known {
            Some(encoding) => Some(*encoding),
            None => Self::from_table(encoding_rs::Encoding::for_label(label.as_bytes())?),
        }
    }

    pub(super) fn from_table(table: &'static encoding_rs::Encoding) -> Option<Self> {
        // The standard decodes GBK as GB18030.
        if table == encoding_rs::GBK {
            return Some(Self::Gb18030);
        }
        Self::ALL.iter().copied().find(|encoding| encoding.table() == table)
    }

    /// The byte order mark in this encoding; empty where it has none.
    pub(super) fn bom(self) -> &'static [u8] {
        match self {
            Self::Utf8 => b"\xEF\xBB\xBF",
            Self::Utf16Le => b"\xFF\xFE",
            Self::Utf16Be => b"\xFE\xFF",
            Self::Gb18030 => b"\x84\x31\x95\x33",
            _ => b"",
        }
    }
}

impl std::fmt::Display for Encoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.label())
    }
}

/// The encoding that the first bytes declare, and how many bytes declare it.
pub(super) fn sniff_bom(bytes: &[u8]) -> Option<(Encoding, usize)> {
    [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Gb18030]
        .into_iter()
        .find(|encoding| bytes.starts_with(encoding.bom()))
        .map(|encoding| (encoding, encoding.bom().len()))
}
