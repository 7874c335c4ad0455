//! Formulas (OMML) as a line that reads like one: `(a+b)/2`, `x^2`, `√(x)`, `∑_(i=1)^n x_i`.

use crate::xml::{Element, Ns};

/// A formula as text.
pub(crate) fn linear(element: Element<'_, '_>) -> String {
    let mut out = String::new();
    write(element, &mut out);
    out.trim().to_owned()
}

fn write(element: Element<'_, '_>, out: &mut String) {
    for child in element.children() {
        one(child, out);
    }
}

fn one(element: Element<'_, '_>, out: &mut String) {
    let (ns, name) = element.name();
    if ns != Ns::Math {
        // Tracked changes and controls stand between the parts of a formula.
        if !matches!(name, "del" | "moveFrom" | "rPr" | "delText") {
            if (ns, name) == (Ns::Word, "t") {
                out.push_str(&element.text());
            }
            write(element, out);
        }
        return;
    }
    let part = |name: &str| element.child(Ns::Math, name).map(linear).unwrap_or_default();
    match name {
        "t" => out.push_str(&element.text()),
        "f" => {
            let bar = element.child(Ns::Math, "fPr").and_then(|p| p.child(Ns::Math, "type"));
            let (above, below) = (grouped(&part("num")), grouped(&part("den")));
            match bar.and_then(|kind| kind.attribute("val")).as_deref() {
                Some("noBar") => out.push_str(&format!("{above}¦{below}")),
                _ => out.push_str(&format!("{above}/{below}")),
            }
        }
        "sSup" => out.push_str(&format!("{}^{}", grouped(&part("e")), grouped(&part("sup")))),
        "sSub" => out.push_str(&format!("{}_{}", grouped(&part("e")), grouped(&part("sub")))),
        "sSubSup" => {
            let (base, below, above) = (part("e"), part("sub"), part("sup"));
            out.push_str(&format!("{}_{}^{}", grouped(&base), grouped(&below), grouped(&above)));
        }
        "sPre" => {
            let (base, below, above) = (part("e"), part("sub"), part("sup"));
            out.push_str(&format!("_{}^{}{}", grouped(&below), grouped(&above), grouped(&base)));
        }
        "rad" => {
            let degree = part("deg");
            if !degree.is_empty() {
                out.push_str(&format!("{}√({})", degree, part("e")));
            } else {
                out.push_str(&format!("√({})", part("e")));
            }
        }
        "nary" => {
            let sign = property(element, "naryPr", "chr").unwrap_or_else(|| "∫".into());
            out.push_str(&sign);
            let (below, above) = (part("sub"), part("sup"));
            if !below.is_empty() {
                out.push_str(&format!("_{}", grouped(&below)));
            }
            if !above.is_empty() {
                out.push_str(&format!("^{}", grouped(&above)));
            }
            out.push(' ');
            out.push_str(&part("e"));
        }
        "d" => {
            let of = |name, usual: &str| property(element, "dPr", name).unwrap_or_else(|| usual.into());
            let parts: Vec<String> =
                element.children().filter(|child| child.is(Ns::Math, "e")).map(linear).collect();
            out.push_str(&of("begChr", "("));
            out.push_str(&parts.join(&of("sepChr", "|")));
            out.push_str(&of("endChr", ")"));
        }
        "m" => {
            let rows = element.children().filter(|child| child.is(Ns::Math, "mr"));
            let rows: Vec<String> = rows
                .map(|row| {
                    let cells = row.children().filter(|child| child.is(Ns::Math, "e")).map(linear);
                    cells.collect::<Vec<_>>().join(", ")
                })
                .collect();
            out.push_str(&format!("[{}]", rows.join("; ")));
        }
        "eqArr" => {
            let rows: Vec<String> =
                element.children().filter(|child| child.is(Ns::Math, "e")).map(linear).collect();
            out.push_str(&rows.join("; "));
        }
        "func" => {
            let (name, argument) = (part("fName"), part("e"));
            let gap = if argument.starts_with(['(', '[', '{']) { "" } else { " " };
            out.push_str(&format!("{name}{gap}{argument}"));
        }
        "limLow" => out.push_str(&format!("{}_{}", part("e"), grouped(&part("lim")))),
        "limUpp" => out.push_str(&format!("{}^{}", part("e"), grouped(&part("lim")))),
        "acc" => {
            let mark = property(element, "accPr", "chr").unwrap_or_else(|| "\u{302}".into());
            out.push_str(&format!("{}{mark}", part("e")));
        }
        "bar" => out.push_str(&format!("{}\u{304}", part("e"))),
        "phant" => {}
        _ if name.ends_with("Pr") => {}
        _ => write(element, out),
    }
}

/// In brackets unless it is one sign, one number or one name, or has brackets of its own.
fn grouped(text: &str) -> String {
    let single = text.chars().count() <= 1
        || text.chars().all(char::is_numeric)
        || text.chars().all(char::is_alphabetic)
        || enclosed(text);
    if single { text.to_owned() } else { format!("({text})") }
}

fn enclosed(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return false };
    let mut depth = 0_i32;
    inner.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    })
}

/// A sign that a formula's properties set; empty where they set none on purpose.
fn property(element: Element<'_, '_>, properties: &str, name: &str) -> Option<String> {
    let found = element.child(Ns::Math, properties)?.child(Ns::Math, name)?;
    Some(found.attribute("val").unwrap_or_default().into_owned())
}
