//! A reader for the corpus: JSON as RFC 8259 has it, save that numbers must be 64-bit integers.

use std::collections::BTreeMap;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Json {
    Null,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

const MAX_DEPTH: usize = 2000;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl Json {
    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { bytes: text.as_bytes(), at: 0, depth: 0 };
        let value = reader.value()?;
        reader.space();
        match reader.bytes.get(reader.at) {
            None => Ok(value),
            Some(_) => Err(reader.wrong("the end")),
        }
    }

    /// A member of an object, None where there is none.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.get(name),
            _ => None,
        }
    }

    pub fn field(&self, name: &str) -> Result<&Json, String> {
        self.get(name).ok_or_else(|| format!("the case has no field '{name}'"))
    }

    pub fn int(&self) -> Result<i64, String> {
        match self {
            Json::Int(value) => Ok(*value),
            other => Err(format!("{other} is no 64-bit integer")),
        }
    }

    pub fn text(&self) -> Result<&str, String> {
        match self {
            Json::Text(text) => Ok(text),
            other => Err(format!("{other} is no text")),
        }
    }

    pub fn list(&self) -> Result<&[Json], String> {
        match self {
            Json::List(items) => Ok(items),
            other => Err(format!("{other} is no list")),
        }
    }

    pub fn ints(&self) -> Result<Vec<i64>, String> {
        self.list()?.iter().map(Json::int).collect()
    }

    pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
        Json::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Self {
        Json::Int(value)
    }
}

impl From<usize> for Json {
    fn from(value: usize) -> Self {
        Json::Int(value as i64)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Json::Bool(value)
    }
}

impl From<String> for Json {
    fn from(value: String) -> Self {
        Json::Text(value)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        Json::List(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Json::Null, Into::into)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => value.fmt(f),
            Json::Int(value) => value.fmt(f),
            Json::Text(text) => write!(f, "{text:?}"),
            Json::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i > 0 { "," } else { "" })?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (i, (name, value)) in members.iter().enumerate() {
                    write!(f, "{}{name:?}:{value}", if i > 0 { "," } else { "" })?;
                }
                f.write_str("}")
            }
        }
    }
}

impl Reader<'_> {
    fn wrong(&self, wanted: &str) -> String {
        format!("byte {} of the line is not {wanted}", self.at)
    }

    fn space(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn take(&mut self, token: &str) -> bool {
        let is_there = self.bytes[self.at..].starts_with(token.as_bytes());
        if is_there {
            self.at += token.len();
        }
        is_there
    }

    fn value(&mut self) -> Result<Json, String> {
        self.space();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.wrong("so deep"));
        }
        let value = match self.bytes.get(self.at) {
            Some(b'{') => self.object(),
            Some(b'[') => self.list(),
            Some(b'"') => self.text().map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.take("null") => Ok(Json::Null),
            _ if self.take("true") => Ok(Json::Bool(true)),
            _ if self.take("false") => Ok(Json::Bool(false)),
            _ => Err(self.wrong("a value")),
        };
        self.depth -= 1;
        value
    }

    fn list(&mut self) -> Result<Json, String> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.take("]") {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value()?);
            self.space();
            if self.take("]") {
                return Ok(Json::List(items));
            }
            if !self.take(",") {
                return Err(self.wrong("',' or ']'"));
            }
        }
    }

    fn object(&mut self) -> Result<Json, String> {
        self.at += 1;
        let mut members = BTreeMap::new();
        self.space();
        if self.take("}") {
            return Ok(Json::Object(members));
        }
        loop {
            self.space();
            let name = self.text()?;
            self.space();
            if !self.take(":") {
                return Err(self.wrong("':'"));
            }
            members.insert(name, self.value()?);
            self.space();
            if self.take("}") {
                return Ok(Json::Object(members));
            }
            if !self.take(",") {
                return Err(self.wrong("',' or '}'"));
            }
        }
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        while matches!(self.bytes.get(self.at), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        let text = String::from_utf8_lossy(&self.bytes[start..self.at]);
        text.parse().map(Json::Int).map_err(|_| format!("{text} is no 64-bit integer"))
    }

    fn text(&mut self) -> Result<String, String> {
        if !self.take("\"") {
            return Err(self.wrong("'\"'"));
        }
        let mut out = Vec::new();
        loop {
            let byte = *self.bytes.get(self.at).ok_or_else(|| self.wrong("the text's end"))?;
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(out).map_err(|_| self.wrong("UTF-8")),
                b'\\' => out.extend(self.escape()?.to_string().bytes()),
                0..=0x1F => return Err(self.wrong("a control character")),
                byte => out.push(byte),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let byte = *self.bytes.get(self.at).ok_or_else(|| self.wrong("an escape"))?;
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => byte.into(),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let mut unit = self.hex4()?;
                if (0xD800..0xDC00).contains(&unit) && self.take("\\u") {
                    let low = self.hex4()?;
                    unit = 0x10000 + ((unit - 0xD800) << 10) + low.wrapping_sub(0xDC00);
                }
                char::from_u32(unit).ok_or_else(|| self.wrong("a character"))?
            }
            _ => return Err(self.wrong("an escape")),
        })
    }

    fn hex4(&mut self) -> Result<u32, String> {
        let digits = self.bytes.get(self.at..self.at + 4).and_then(|digits| std::str::from_utf8(digits).ok());
        self.at += 4;
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).ok_or_else(|| self.wrong("four hex digits"))
    }
}
