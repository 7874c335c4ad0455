//! The codes of troubles and warnings of this crate. The UI has a sentence for each in every language.

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident $code:literal,)*) => {
        $($(#[$doc])* pub const $name: &str = $code;)*
        /// All of them.
        pub const ALL: &[&str] = &[$($name,)*];
    };
}

codes! {
    // Troubles: nothing could be read.
    /// Not what its format says, beyond reading; the detail may say where.
    DAMAGED "damaged",
    /// A password is needed.
    ENCRYPTED "encrypted",
    /// Locked in a way that is not opened here, password or not: an Office file, a book under rights
    /// management.
    SEALED "sealed",
    /// The password that was given does not open it.
    WRONG_PASSWORD "wrongPassword",
    /// Over a limit before anything was read.
    TOO_LARGE "tooLarge",
    /// Another format than its name says; the detail names the format where it is known.
    NOT_THIS_KIND "notThisKind",
    /// The library that reads PDF is not there.
    PDFIUM_MISSING "pdfiumMissing",
    /// No encoding is plausible enough; the detail lists the likeliest.
    ENCODING_UNCLEAR "encodingUnclear",
    /// There is no page of this number.
    NO_PAGE "noPage",

    // Warnings: something was left out, or is not there.
    /// Nothing in it is text; the detail is `pictures` where it holds some.
    NO_TEXT "noText",
    /// The text ends at the limit; the detail is that limit in mebibytes.
    TEXT_CUT "textCut",
    /// Parts were left out because they unfold to too much or nest too deep.
    PARTS_LEFT_OUT "partsLeftOut",
    /// Some parts are damaged or cut off; what could be read of them is there.
    PARTS_DAMAGED "partsDamaged",
    /// Text that the document hides from its readers was left out.
    HIDDEN_LEFT_OUT "hiddenLeftOut",
    /// Slides or sheets are hidden where the document is shown; the detail is how many.
    HIDDEN_PARTS "hiddenParts",
    /// The encoding was guessed; the detail names it.
    ENCODING_GUESSED "encodingGuessed",
    /// Some bytes are not of the chosen encoding.
    MALFORMED_TEXT "malformedText",
    /// Pages are pictures only; the detail says which.
    IMAGE_ONLY "imageOnly",
    /// The fonts of pages map to signs that make no sense; the detail says which pages.
    GARBLED_TEXT "garbledText",
    /// Pages are too damaged to be read; the detail says which.
    PAGES_DAMAGED "pagesDamaged",
    /// Too large for its reading order to be found: text comes in the order of the file.
    CONTENT_ORDER "contentOrder",
    /// Much of some pages has no usable place, so that their text comes in the order of the file; the
    /// detail says which.
    POOR_COVERAGE "poorCoverage",
}
