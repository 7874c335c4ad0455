//! Input types as JSON schemas that models understand, and back.

use orangery_model::ToolSpec;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Part;

/// The tool as a model is told of it.
pub(super) fn spec<T: JsonSchema>(name: &str) -> ToolSpec {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema: Value = Schema::to_value(settings.into_generator().into_root_schema_for::<T>());
    let description = match schema.as_object_mut().and_then(|root| root.remove("description")) {
        Some(Value::String(text)) => unwrapped(&text),
        _ => String::new(),
    };
    simplify(&mut schema);
    ToolSpec { name: name.into(), description, parameters: schema }
}

/// Leaves out what a part is for.
pub(super) fn without(spec: &mut ToolSpec, part: &Part) {
    let properties = spec.parameters.get_mut("properties").and_then(Value::as_object_mut);
    let Some(properties) = properties else { return };
    for field in part.fields {
        properties.remove(*field);
    }
    for (field, value) in part.values {
        let values =
            properties.get_mut(*field).and_then(|field| field.get_mut("enum")).and_then(Value::as_array_mut);
        if let Some(values) = values {
            values.retain(|it| it != value);
        }
    }
}

/// Doc comments break lines where the source does; a model needs only paragraphs.
fn unwrapped(text: &str) -> String {
    text.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect::<Vec<_>>().join("\n")
}

/// Drops what providers stumble over and models do not need: titles, number formats, and `null` as the
/// other type of an optional field.
fn simplify(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if map.get("title").is_some_and(Value::is_string) {
                map.remove("title");
            }
            map.remove("format");
            // `default: null` says nothing.
            if map.get("default").is_some_and(Value::is_null) {
                map.remove("default");
            }
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|kind| kind != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    map.insert("type".into(), only);
                }
            }
            if let Some(Value::Array(values)) = map.get_mut("enum") {
                values.retain(|value| !value.is_null());
            }
            if let Some(Value::Array(options)) = map.get_mut("anyOf") {
                options.retain(|option| option.get("type").is_none_or(|kind| kind != "null"));
                if options.len() == 1
                    && let Some(Value::Object(only)) = options.pop()
                {
                    map.remove("anyOf");
                    for (key, value) in only {
                        map.entry(key).or_insert(value);
                    }
                }
            }
            if let Some(Value::String(text)) = map.get_mut("description") {
                *text = unwrapped(text);
            }
            map.values_mut().for_each(simplify);
        }
        Value::Array(items) => items.iter_mut().for_each(simplify),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Reads what a model wrote. The message names the field.
pub(super) fn parse<T: DeserializeOwned>(arguments: &str) -> Result<T, String> {
    let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
    // An array would be read as the fields in their order, whose names no one checks.
    if !arguments.trim_start().starts_with('{') {
        return Err("the arguments must be one JSON object".into());
    }
    let mut deserializer = serde_json::Deserializer::from_str(arguments);
    let input = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let field = error.path().to_string();
        let message = error.into_inner().to_string();
        // Where in the line it stands helps nobody who did not write lines.
        let message = message.split(" at line ").next().unwrap_or_default();
        if field == "." || message.starts_with("unknown field") {
            message.to_owned()
        } else {
            format!("{field}: {message}")
        }
    })?;
    deserializer.end().map_err(|_| "the arguments are more than one JSON object".to_owned())?;
    Ok(input)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Does a thing
    /// in one go.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Input {
        /// Which file.
        path: String,
        file_id: Option<i64>,
        mode: Option<Mode>,
        edits: Option<Vec<Part>>,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    enum Mode {
        Fast,
        Slow,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Part {
        line_number: u32,
    }

    #[test]
    fn schemas_are_plain() {
        let spec = spec::<Input>("thing");
        assert_eq!(spec.description, "Does a thing in one go.");
        assert_eq!(
            spec.parameters,
            serde_json::json!({
                "type": "object",
                "properties": {
                    "path": {"description": "Which file.", "type": "string"},
                    "fileId": {"type": "integer"},
                    "mode": {"type": "string", "enum": ["fast", "slow"]},
                    "edits": {"type": "array", "items": {
                        "type": "object",
                        "properties": {"lineNumber": {"type": "integer", "minimum": 0}},
                        "additionalProperties": false,
                        "required": ["lineNumber"],
                    }},
                },
                "additionalProperties": false,
                "required": ["path"],
            })
        );
    }

    #[test]
    fn refusals_name_the_field() {
        let message = |arguments| parse::<Input>(arguments).unwrap_err();
        assert!(message(r#"{"path":"a","colour":1}"#).contains("unknown field `colour`"));
        assert!(message(r#"{"path":3}"#).starts_with("path: invalid type"));
        assert!(message("").contains("missing field `path`"));
        let part = parse::<Input>(r#"{"path":"a","edits":[{"lineNumber":4}]}"#).unwrap().edits.unwrap();
        assert_eq!(part[0].line_number, 4);
        assert!(message(r#"{"path":"a","edits":[{"lineNumber":"x"}]}"#).starts_with("edits[0].lineNumber: "));
        assert!(message(r#"{"path":"a","mode":"odd"}"#).starts_with("mode: unknown variant `odd`"));
        assert!(message(r#"{"path":"a"} {}"#).contains("more than one"));
        assert!(message(r#"["a", 3]"#).contains("one JSON object"));
        let input = parse::<Input>(r#"{"path":"a","fileId":null,"mode":"slow"}"#).unwrap();
        assert_eq!((input.path.as_str(), input.file_id), ("a", None));
        assert!(matches!(input.mode, Some(Mode::Slow)) && input.edits.is_none());
    }
}
