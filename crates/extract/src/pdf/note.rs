//! What is written on top of a page: comments, text put on it, filled-in fields. A reader sees it, so it
//! is content like any other.

use orangery_domain::Area;
use pdfium_render::prelude::*;

use super::engine::Shown;

/// Annotations of one page looked at.
pub const MOST: usize = 2_000;

#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub kind: NoteKind,
    pub area: Area,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// Opens when a reader asks for it.
    Comment,
    /// Stands on the page as if it were part of it.
    OnPage,
}

pub fn read(annotations: &PdfPageAnnotations<'_>, shown: Shown) -> Vec<Note> {
    let mut notes = Vec::new();
    for index in 0..annotations.len().min(MOST) {
        let Ok(annotation) = annotations.get(index) else { continue };
        let (kind, text) = match &annotation {
            // A popup shows what its parent says.
            PdfPageAnnotation::Link(_) | PdfPageAnnotation::Popup(_) => continue,
            PdfPageAnnotation::Widget(widget) => {
                (NoteKind::OnPage, widget.form_field().and_then(|field| value(field)))
            }
            PdfPageAnnotation::FreeText(free) => (NoteKind::OnPage, free.contents()),
            other => (NoteKind::Comment, other.contents()),
        };
        let Some(text) = text.map(|text| text.replace("\r\n", "\n").replace('\r', "\n")) else { continue };
        if text.trim().is_empty() {
            continue;
        }
        let area = annotation.bounds().map(|bounds| shown.area(&bounds)).unwrap_or(Area {
            left: 0.0,
            top: 0.0,
            right: 0.0,
            bottom: 0.0,
        });
        notes.push(Note { kind, area, text: text.trim().to_owned() });
    }
    notes
}

fn value(field: &PdfFormField<'_>) -> Option<String> {
    if let Some(field) = field.as_text_field() {
        // What stands there as dots is not for reading.
        return if field.is_password() { None } else { field.value() };
    }
    if let Some(field) = field.as_combo_box_field() {
        return field.value();
    }
    field.as_list_box_field().and_then(|field| field.value())
}
