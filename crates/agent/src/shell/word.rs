//! Words: what is known of them before the shell expands them.

use brush_parser::ast;
use brush_parser::word::{
    self, ParameterExpr, ParameterTransformOp, TildeExpr, WordPiece, WordPieceWithSource,
};

use super::read::{Reader, options};
use super::{Unread, Word};

/// A word while it is put together.
struct Building {
    text: String,
    known: bool,
}

impl Reader {
    /// The word that `raw` stands for.
    pub(super) fn word(&mut self, raw: &str) -> Word {
        match word::parse(raw, &options()) {
            Ok(pieces) => self.put_together(raw, &pieces),
            Err(_) => {
                self.unread(Unread::Syntax);
                self.text(raw.to_owned());
                None
            }
        }
    }

    /// A here-document whose substitutions the shell carries out.
    pub(super) fn here_document(&mut self, raw: &str) {
        match word::parse_heredoc(raw, &options()) {
            Ok(pieces) => drop(self.put_together(raw, &pieces)),
            Err(_) => self.unread(Unread::Syntax),
        }
    }

    fn put_together(&mut self, raw: &str, pieces: &[WordPieceWithSource]) -> Word {
        let mut building = Building { text: String::new(), known: true };
        for piece in pieces {
            let source = raw.get(piece.start_index..piece.end_index).unwrap_or(raw);
            self.piece(&piece.piece, source, raw, false, &mut building);
        }
        let Building { text, known } = building;
        self.text(text.clone());
        known.then_some(text)
    }

    fn piece(&mut self, piece: &WordPiece, source: &str, raw: &str, quoted: bool, word: &mut Building) {
        match piece {
            WordPiece::Text(text) => {
                // Patterns and braces become other words, or several. `{}` alone stays.
                let becomes_others =
                    !quoted && (text.contains(['*', '?', '[']) || (text.contains('{') && raw != "{}"));
                word.known &= !becomes_others;
                word.text.push_str(text);
            }
            WordPiece::SingleQuotedText(text) => word.text.push_str(text),
            WordPiece::AnsiCQuotedText(text) => {
                // Its escapes are not worked out here.
                word.known &= !text.contains('\\');
                word.text.push_str(text);
            }
            WordPiece::DoubleQuotedSequence(pieces) | WordPiece::GettextDoubleQuotedSequence(pieces) => {
                for piece in pieces {
                    let source = raw.get(piece.start_index..piece.end_index).unwrap_or(raw);
                    self.piece(&piece.piece, source, raw, true, word);
                }
            }
            WordPiece::TildeExpansion(TildeExpr::Home) => word.text.push('~'),
            WordPiece::TildeExpansion(_) => {
                word.known = false;
                word.text.push('~');
            }
            WordPiece::ParameterExpansion(expression) => {
                word.known = false;
                let evaluates = matches!(
                    expression,
                    ParameterExpr::Transform {
                        op: ParameterTransformOp::PromptExpand | ParameterTransformOp::ExpandEscapeSequences,
                        ..
                    }
                );
                // The second dollar of `$$` begins nothing.
                let rest = source.strip_prefix('$').filter(|rest| *rest != "$").unwrap_or_default();
                let holds_more = rest.contains(['$', '`', '[']);
                if evaluates || holds_more {
                    self.unread(Unread::RunTime);
                }
            }
            WordPiece::CommandSubstitution(line) => {
                word.known = false;
                self.line(line);
            }
            WordPiece::BackquotedCommandSubstitution(line) => {
                word.known = false;
                if line.contains('\\') {
                    self.unread(Unread::RunTime);
                } else {
                    self.line(line);
                }
            }
            WordPiece::EscapeSequence(escaped) => {
                let sign = escaped.strip_prefix('\\').unwrap_or(escaped);
                if sign != "\n" {
                    word.text.push_str(sign);
                }
            }
            WordPiece::ArithmeticExpression(ast::UnexpandedArithmeticExpr { value }) => {
                word.known = false;
                self.arithmetic(value);
            }
        }
    }
}
