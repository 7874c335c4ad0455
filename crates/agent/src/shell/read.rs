//! From the tree of a line to its simple commands.

use brush_parser::ast::{
    self, AndOr, AssignmentName, AssignmentValue, Command, CommandPrefixOrSuffixItem, CompoundCommand,
    CompoundList, ExtendedTestExpr, IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, RedirectList,
};
use brush_parser::{Parser, ParserOptions};

use super::wrapper::{self, Inner};
use super::{Reading, SimpleCommand, Unread, Word};

/// Lines within lines (`bash -c`, `eval`, `$(…)`) that are followed.
const DEEPEST: usize = 8;
/// Longer lines are not parsed: nobody can read them on a card either.
const LONGEST: usize = 32 * 1024;
/// Open brackets within each other; the parser's time and stack grow with them.
const MOST_OPEN: usize = 24;
/// Words that begin a construct with an end of its own, all in all.
const MOST_CONSTRUCTS: usize = 64;

#[derive(Default)]
pub(super) struct Reader {
    found: Reading,
    depth: usize,
}

/// As Bash reads a line that nobody types: patterns of the extended kind are off.
pub(super) fn options() -> ParserOptions {
    ParserOptions { enable_extended_globbing: false, ..ParserOptions::default() }
}

impl Reader {
    pub(super) fn whole(mut self, line: &str) -> Reading {
        self.line(line);
        // The words as written too: what is no word of its own may still name a file.
        self.found.texts.push(line.to_owned());
        self.found
    }

    /// There may be commands that this reading does not show. The first reason is the one to tell.
    pub(super) fn unread(&mut self, reason: Unread) {
        self.found.unread.get_or_insert(reason);
    }

    pub(super) fn text(&mut self, text: String) {
        if !text.is_empty() {
            self.found.texts.push(text);
        }
    }

    pub(super) fn line(&mut self, line: &str) {
        if self.depth == DEEPEST || !is_plain(line) {
            return self.unread(Unread::Syntax);
        }
        self.depth += 1;
        match Parser::new(line.as_bytes(), &options()).parse_program() {
            Ok(program) => program.complete_commands.iter().for_each(|list| self.list(list)),
            Err(_) => self.unread(Unread::Syntax),
        }
        self.depth -= 1;
    }

    fn list(&mut self, list: &CompoundList) {
        for ast::CompoundListItem(item, _) in &list.0 {
            self.pipeline(&item.first);
            for next in &item.additional {
                match next {
                    AndOr::And(pipeline) | AndOr::Or(pipeline) => self.pipeline(pipeline),
                }
            }
        }
    }

    fn pipeline(&mut self, pipeline: &ast::Pipeline) {
        pipeline.seq.iter().for_each(|command| self.command(command));
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                self.compound(compound);
                self.redirects(redirects.as_ref());
            }
            Command::Function(function) => {
                self.compound(&function.body.0);
                self.redirects(function.body.1.as_ref());
            }
            Command::ExtendedTest(test, redirects) => {
                self.test(&test.expr);
                self.redirects(redirects.as_ref());
            }
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            // What two brackets begin is arithmetic or a subshell in a subshell, and shells and parsers tell
            // them apart in their own ways.
            CompoundCommand::Arithmetic(_) => self.unread(Unread::Syntax),
            CompoundCommand::ArithmeticForClause(clause) => {
                let parts = [&clause.initializer, &clause.condition, &clause.updater];
                parts.into_iter().flatten().for_each(|part| self.arithmetic(&part.value));
                self.list(&clause.body.list);
            }
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(subshell) => self.list(&subshell.list),
            CompoundCommand::ForClause(clause) => {
                self.words(clause.values.iter().flatten());
                self.list(&clause.body.list);
            }
            CompoundCommand::CaseClause(clause) => {
                self.word(&clause.value.value);
                for case in &clause.cases {
                    self.words(&case.patterns);
                    case.cmd.iter().for_each(|list| self.list(list));
                }
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition);
                self.list(&clause.then);
                for other in clause.elses.iter().flatten() {
                    other.condition.iter().for_each(|list| self.list(list));
                    self.list(&other.body);
                }
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.list(&clause.0);
                self.list(&clause.1.list);
            }
            CompoundCommand::Coprocess(process) => self.command(&process.body),
        }
    }

    fn test(&mut self, test: &ExtendedTestExpr) {
        match test {
            ExtendedTestExpr::And(left, right) | ExtendedTestExpr::Or(left, right) => {
                self.test(left);
                self.test(right);
            }
            ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => self.test(inner),
            ExtendedTestExpr::UnaryTest(_, word) => drop(self.word(&word.value)),
            ExtendedTestExpr::BinaryTest(_, left, right) => self.words([left, right]),
        }
    }

    fn words<'a>(&mut self, words: impl IntoIterator<Item = &'a ast::Word>) {
        for word in words {
            self.word(&word.value);
        }
    }

    fn simple(&mut self, simple: &ast::SimpleCommand) {
        let mut words = Vec::new();
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            self.item(item, &mut words, false);
        }
        if let Some(name) = &simple.word_or_name {
            let name = self.word(&name.value);
            words.push(name);
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, &mut words, true);
        }
        self.run(words);
    }

    fn item(&mut self, item: &CommandPrefixOrSuffixItem, words: &mut Vec<Word>, is_argument: bool) {
        match item {
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect),
            CommandPrefixOrSuffixItem::Word(word) => {
                let word = self.word(&word.value);
                words.push(word);
            }
            CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                let assigned = self.assignment(assignment, &word.value);
                if is_argument {
                    words.push(assigned);
                } else {
                    self.add(vec![assigned], false);
                }
            }
            CommandPrefixOrSuffixItem::ProcessSubstitution(_, subshell) => {
                self.list(&subshell.list);
                // The pipe that the command is handed; its name does not matter.
                words.push(Some("/dev/fd/63".into()));
            }
        }
    }

    /// `NAME=value`, where all of it is known.
    fn assignment(&mut self, assignment: &ast::Assignment, raw: &str) -> Word {
        if let AssignmentName::ArrayElementName(_, index) = &assignment.name {
            self.arithmetic(index);
        }
        match &assignment.value {
            AssignmentValue::Scalar(_) => self.word(raw),
            AssignmentValue::Array(elements) => {
                for (key, value) in elements {
                    self.words(key);
                    self.words([value]);
                }
                None
            }
        }
    }

    fn redirects(&mut self, list: Option<&RedirectList>) {
        list.iter().flat_map(|list| &list.0).for_each(|redirect| self.redirect(redirect));
    }

    fn redirect(&mut self, redirect: &IoRedirect) {
        match redirect {
            IoRedirect::File(_, kind, target) => {
                let writes = !matches!(kind, IoFileRedirectKind::Read | IoFileRedirectKind::DuplicateInput);
                match target {
                    IoFileRedirectTarget::Fd(_) => {}
                    IoFileRedirectTarget::Filename(word) => self.file(&word.value, writes),
                    // `>&2`, or a file where it is no number.
                    IoFileRedirectTarget::Duplicate(word) => {
                        let is_number = word.value.trim_end_matches('-').chars().all(|c| c.is_ascii_digit());
                        if !is_number {
                            self.file(&word.value, writes);
                        }
                    }
                    IoFileRedirectTarget::ProcessSubstitution(_, subshell) => self.list(&subshell.list),
                }
            }
            IoRedirect::HereDocument(_, document) if document.requires_expansion => {
                self.here_document(&document.doc.value);
            }
            IoRedirect::HereDocument(_, document) => self.text(document.doc.value.clone()),
            IoRedirect::HereString(_, word) => drop(self.word(&word.value)),
            IoRedirect::OutputAndError(word, _) => self.file(&word.value, true),
        }
    }

    /// A file that is read from or written to without a program that says so.
    fn file(&mut self, raw: &str, writes: bool) {
        let name = self.word(raw);
        let holds_nothing =
            matches!(name.as_deref(), Some("/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty"));
        if writes && !holds_nothing {
            self.add(vec![Some(">".into()), name], false);
        }
    }

    /// Arithmetic runs something only where a substitution stands in it, or an index, which the shell
    /// expands once more; and where the brackets do not fit, it is none but a subshell.
    pub(super) fn arithmetic(&mut self, expression: &str) {
        if !is_sum(expression) {
            self.unread(Unread::RunTime);
        }
    }

    pub(super) fn add(&mut self, words: Vec<Word>, wraps: bool) {
        self.found.commands.push(SimpleCommand { words, wraps });
    }

    /// A command with its arguments, and what it runs in turn.
    pub(super) fn run(&mut self, words: Vec<Word>) {
        let Some(name) = words.first() else { return };
        if name.is_none() {
            self.unread(Unread::RunTime);
            return self.add(words, false);
        }
        let inner = wrapper::inner(&words);
        // A shell that is given its line only runs what is read of that.
        let wraps = matches!(inner, Inner::Command { transparent: true, .. } | Inner::Line(Some(_)));
        self.add(words, wraps);
        match inner {
            Inner::None => {}
            Inner::Command { words, settings, .. } => {
                settings.into_iter().for_each(|setting| self.add(vec![setting], false));
                self.run_within(words);
            }
            Inner::Commands(commands) => {
                commands.into_iter().for_each(|words| self.run_within(words));
            }
            Inner::Line(Some(line)) => self.line(&line),
            Inner::Line(None) => self.unread(Unread::RunTime),
            Inner::Unknown => self.unread(Unread::Wrapper),
        }
    }

    fn run_within(&mut self, words: Vec<Word>) {
        if self.depth == DEEPEST {
            return self.unread(Unread::Wrapper);
        }
        self.depth += 1;
        self.run(words);
        self.depth -= 1;
    }
}

/// `$i + (n - 1)`: names and numbers with a sign between them, and brackets that fit.
fn is_sum(expression: &str) -> bool {
    let (mut open, mut operand, mut blank) = (0_u32, false, false);
    for c in expression.chars() {
        match c {
            ' ' | '\t' | '\n' => {
                blank = true;
                continue;
            }
            '(' => open += 1,
            ')' if open == 0 => return false,
            ')' => open -= 1,
            '$' | '_' => {}
            _ if c.is_ascii_alphanumeric() => {}
            _ if "+-*/%<>=!&|^~?:,".contains(c) => {}
            _ => return false,
        }
        let is_operand = c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
        // Two words side by side are a command with its argument.
        if is_operand && operand && blank {
            return false;
        }
        // `$(` begins another line.
        if c == '(' && operand {
            return false;
        }
        (operand, blank) = (is_operand, false);
    }
    open == 0
}

/// Whether the parser may see the line: no signs that shells and people take for different things, and
/// not so deep that reading it takes long.
fn is_plain(line: &str) -> bool {
    let odd = |c: char| (c.is_control() || c.is_whitespace()) && !matches!(c, ' ' | '\t' | '\n');
    if line.len() > LONGEST || line.contains(odd) {
        return false;
    }
    let (mut open, mut deepest) = (0_usize, 0);
    for c in line.chars() {
        match c {
            '(' | '{' | '[' => open += 1,
            ')' | '}' | ']' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    let constructs = line
        .split(|c: char| c.is_whitespace() || ";|&()".contains(c))
        .filter(|word| {
            matches!(*word, "if" | "while" | "until" | "for" | "case" | "select" | "function" | "!")
        })
        .count();
    deepest <= MOST_OPEN && constructs <= MOST_CONSTRUCTS
}
