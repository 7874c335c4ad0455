//! A page of the web as its main part: what a reader came for, without what stands around it.

use dom_smoothie::{Config, Readability, TextMode};
use orangery_domain::text::Encoding;

use super::charset;
use super::tree::Page;
use crate::document::Limits;

/// Elements of one page; the search for the main part weighs each of them against the others.
const ELEMENTS: usize = 30_000;
/// Elements within each other: what is written by people stays far below it, and the search for the main
/// part uses the stack.
const DEPTH: usize = 200;

/// How the main part is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Form {
    #[default]
    Markdown,
    Text,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Article {
    pub title: Option<String>,
    pub author: Option<String>,
    /// As the page writes it.
    pub published: Option<String>,
    pub text: String,
    /// No main part was found: this is all the text of the page.
    pub whole: bool,
}

/// The main part of the page in `bytes`, by Mozilla's Readability. `charset` is what the server called its
/// encoding; `address` makes links whole.
pub fn article(bytes: &[u8], charset: Option<&str>, address: &str, form: Form) -> Article {
    let named = charset.and_then(Encoding::from_label);
    let (text, _) = charset::decode(bytes, named);
    main_part(&text, address, form).unwrap_or_else(|| {
        let document = super::read(bytes, named, &Limits::default());
        Article { title: document.title, text: document.text, whole: true, ..Article::default() }
    })
}

fn main_part(text: &str, address: &str, form: Form) -> Option<Article> {
    if Page::parse(text, DEPTH).depth > DEPTH {
        return None;
    }
    let config = Config {
        max_elements_to_parse: ELEMENTS,
        text_mode: match form {
            Form::Markdown => TextMode::Markdown,
            Form::Text => TextMode::Formatted,
        },
        ..Config::default()
    };
    let article = Readability::new(text, Some(address), Some(config)).ok()?.parse().ok()?;
    let said =
        |value: Option<String>| value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    let main = article.text_content.trim();
    (!main.is_empty()).then(|| Article {
        title: said(Some(article.title)),
        author: said(article.byline),
        published: said(article.published_time),
        text: main.to_owned(),
        whole: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "https://a.example/deep/page";

    fn page(main: &str) -> String {
        let around = "<li><a href='/x'>Elsewhere</a></li>".repeat(8);
        format!(
            "<html><head><title>Oranges - A site</title></head><body><nav><ul>{around}</ul></nav>\
             <article><h1>Oranges</h1>{main}</article><script>alert(1)</script>\
             <footer><ul>{around}</ul></footer></body></html>"
        )
    }

    /// Enough of a text to be taken for one.
    fn prose() -> String {
        "<p>Oranges are grown in groves, and carried to the towns in crates, where people eat them, \
         or press them, or keep them in the cellar through the winter.</p>"
            .repeat(8)
    }

    fn read(text: &str) -> Article {
        article(text.as_bytes(), None, ADDRESS, Form::Markdown)
    }

    #[test]
    fn the_main_part_comes_as_markdown_with_whole_links() {
        let text = page(&format!(
            "{}<h2>Kinds</h2><ul><li>Blood</li><li><a href='../navel'>Navel</a></li></ul>\
             <pre><code>let orange = 1;</code></pre><table><tr><th>Kind</th><th>Month</th></tr>\
             <tr><td>Navel</td><td>May</td></tr></table><p>The <b>best</b> is eaten fresh.</p>",
            prose()
        ));
        let article = read(&text);
        assert_eq!((article.title.as_deref(), article.whole), (Some("Oranges - A site"), false));
        for part in [
            "## Kinds",
            "- Blood",
            "[Navel](https://a.example/navel)",
            "let orange = 1;",
            "| Navel",
            "**best**",
        ] {
            assert!(article.text.contains(part), "{part} in {}", article.text);
        }
        for part in ["alert", "Elsewhere"] {
            assert!(!article.text.contains(part), "{part} in {}", article.text);
        }
        let plain = super::article(text.as_bytes(), None, ADDRESS, Form::Text);
        assert!(plain.text.contains("Navel") && !plain.text.contains("]("), "{}", plain.text);
    }

    #[test]
    fn a_page_without_a_main_part_comes_whole() {
        let article = read("<title>Menu</title><ul><li><a href=/a>One</a></li></ul>");
        assert_eq!(article.title.as_deref(), Some("Menu"));
        assert!(article.text.contains("One"), "{}", article.text);
        assert_eq!(read("").text, "");
    }

    #[test]
    fn what_the_server_says_of_the_encoding_counts() {
        let encoded = [b"<p>".as_slice(), b"\xc4\xe3\xba\xc3", b"</p>"].concat();
        assert!(article(&encoded, Some("gb2312"), ADDRESS, Form::Markdown).text.contains("你好"));
        assert!(read("<p>你好</p>").text.contains("你好"));
    }

    #[test]
    fn a_page_made_to_exhaust_its_reader_is_read_all_the_same() {
        let deep = "<div>".repeat(180_000) + "end";
        let wide = "<p>".repeat(200_000) + "end";
        let nested = "<table><tr><td>".repeat(20_000) + "end";
        let quotes = "<blockquote><ul><li>".repeat(60) + &prose() + "end";
        for text in [deep, wide, nested, quotes] {
            let article = read(&text);
            assert!(article.text.len() <= text.len() * 4, "{}", article.text.len());
        }
    }
}
