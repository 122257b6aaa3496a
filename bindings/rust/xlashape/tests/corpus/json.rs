// SPDX-License-Identifier: Apache-2.0
//! JSON as the corpus has it: texts without escapes, and numbers that are 64-bit integers. A value stays the text that
//! it is.

use std::collections::BTreeMap;

/// What is between the brackets of a list or an object, cut at its commas.
fn cut(json: &str, brackets: [char; 2]) -> Result<Vec<&str>, String> {
    let inside = json.trim().strip_prefix(brackets[0]).and_then(|rest| rest.strip_suffix(brackets[1]));
    let inside = inside.ok_or_else(|| format!("{json} does not stand in {brackets:?}"))?;
    let (mut depth, mut in_text, mut start, mut parts) = (0, false, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            '\\' => return Err(format!("{json} has an escape")),
            '"' => in_text = !in_text,
            _ if in_text => {}
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(inside[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if in_text || depth != 0 {
        return Err(format!("{json} has no end"));
    }
    let last = inside[start..].trim();
    parts.extend((!last.is_empty() || start > 0).then_some(last));
    Ok(parts)
}

pub fn list(json: &str) -> Result<Vec<&str>, String> {
    cut(json, ['[', ']'])
}

pub fn object(json: &str) -> Result<BTreeMap<&str, &str>, String> {
    let mut members = BTreeMap::new();
    for part in cut(json, ['{', '}'])? {
        let (name, value) = part.split_once(':').ok_or_else(|| format!("{part} is no member of an object"))?;
        members.insert(text(name.trim())?, value.trim());
    }
    Ok(members)
}

pub fn text(json: &str) -> Result<&str, String> {
    let inside = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inside.ok_or_else(|| format!("{json} is no text"))
}

pub fn int(json: &str) -> Result<i64, String> {
    json.parse().map_err(|_| format!("{json} is no 64-bit integer"))
}

pub fn ints(json: &str) -> Result<Vec<i64>, String> {
    list(json)?.into_iter().map(int).collect()
}

/// The same text for the same value: no spaces, an object's members by their names.
pub fn canonical(json: &str) -> Result<String, String> {
    Ok(if let Ok(parts) = list(json) {
        let parts = parts.into_iter().map(canonical).collect::<Result<Vec<_>, _>>()?;
        format!("[{}]", parts.join(","))
    } else if json.starts_with('{') {
        let member = |(name, value)| canonical(value).map(|value| format!("{name:?}:{value}"));
        format!("{{{}}}", object(json)?.into_iter().map(member).collect::<Result<Vec<_>, _>>()?.join(","))
    } else {
        json.to_owned()
    })
}
