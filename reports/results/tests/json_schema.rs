//! The published schema accepts the journals that the reader accepts, and refuses changed ones.

use std::sync::LazyLock;

use raywalk_results::fixture::Recipe;
use raywalk_results::json_schema::json_schema;
use serde_json::{Map, Value, json};

/// Checks a value against the keywords that our schema uses. An unlisted keyword fails the test, so
/// that none is ignored silently.
fn check(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let Value::Object(keywords) = schema else { return Err(format!("not a schema: {schema}")) };
    for (keyword, limit) in keywords {
        let holds = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "default" | "format" => true,
            "$ref" => {
                let pointer = limit.as_str().and_then(|text| text.strip_prefix('#'));
                let target = pointer.and_then(|pointer| root.pointer(pointer));
                check(root, target.ok_or("a reference to nothing")?, value)?;
                true
            }
            "type" => match limit {
                Value::Array(names) => names.iter().any(|name| is(name, value)),
                name => is(name, value),
            },
            "const" => limit == value,
            "enum" => members(limit).contains(value),
            "minimum" => value.as_f64() >= limit.as_f64() || !value.is_number(),
            "maximum" => value.as_f64() <= limit.as_f64() || !value.is_number(),
            "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= number(limit)),
            "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= number(limit)),
            "anyOf" => members(limit).iter().any(|one| check(root, one, value).is_ok()),
            "oneOf" => {
                let outcomes = members(limit).iter().map(|one| check(root, one, value));
                let (right, wrong): (Vec<_>, Vec<_>) = outcomes.partition(Result::is_ok);
                if right.len() != 1 {
                    return Err(format!("{} of oneOf hold: {wrong:?}", right.len()));
                }
                true
            }
            "required" => members(limit)
                .iter()
                .all(|key| object(value).contains_key(key.as_str().unwrap_or(""))),
            "properties" => {
                for (key, inner) in object(limit) {
                    if let Some(found) = value.get(key) {
                        check(root, inner, found).map_err(|why| format!("{key}: {why}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                for found in object(value).values() {
                    check(root, limit, found)?;
                }
                true
            }
            "items" => {
                for found in value.as_array().into_iter().flatten() {
                    check(root, limit, found)?;
                }
                true
            }
            other => return Err(format!("the check does not know the keyword {other}")),
        };
        if !holds {
            return Err(format!("{keyword} {limit} does not hold for {value}"));
        }
    }
    Ok(())
}

fn is(name: &Value, value: &Value) -> bool {
    match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    }
}

fn members(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn object(value: &Value) -> &Map<String, Value> {
    static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    value.as_object().unwrap_or(&NONE)
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

fn lines(recipe: Recipe) -> Vec<Value> {
    let records = recipe.records();
    records.iter().map(|record| serde_json::to_value(record).expect("JSON")).collect()
}

fn holds(line: &Value) -> Result<(), String> {
    static SCHEMA: LazyLock<Value> = LazyLock::new(json_schema);
    check(&SCHEMA, &SCHEMA, line)
}

#[test]
fn every_line_of_a_journal_fits_the_schema() {
    for recipe in [Recipe { rounds: 3, ..Recipe::FULL }, Recipe { rounds: 3, ..Recipe::PLAIN }] {
        for line in lines(recipe) {
            holds(&line).unwrap_or_else(|why| panic!("{why}\n{line}"));
        }
    }
}

#[test]
fn optional_facts_of_a_machine_fit_the_schema() {
    let mut line = lines(Recipe::SMALL)[0].clone();
    line["load"] = json!([0.5, 0.25, 0.125]);
    line["machine"]["governor"] = json!("performance");
    line["machine"]["turbo"] = json!(true);
    line["machine"]["smt"] = json!(false);
    assert_eq!(holds(&line), Ok(()));
    line["load"] = json!([0.5]);
    assert!(holds(&line).is_err());
}

#[test]
fn a_missing_field_a_wrong_type_and_an_unknown_name_do_not_fit_the_schema() {
    let lines = lines(Recipe { rounds: 1, ..Recipe::FULL });
    // The schema requires the fields that the types require: remove one at a time.
    for line in &lines {
        for key in object(line).keys() {
            let mut less = line.clone();
            less.as_object_mut().expect("a record").remove(key);
            let text = less.to_string();
            let read = raywalk_results::schema::Record::parse(text.as_bytes());
            assert_eq!(holds(&less).is_ok(), read.is_ok(), "{text} without {key}");
        }
    }
    let mut session = lines[0].clone();
    session["schema"] = json!(2.0);
    assert!(holds(&session).is_err_and(|why| why.contains("schema")));
    let mut surprise = lines[0].clone();
    surprise["record"] = json!("surprise");
    assert!(holds(&surprise).is_err());
    let mut round = lines.iter().find(|line| line["record"] == "round").expect("a round").clone();
    round["samples"][0]["ticks"] = json!("many");
    assert!(holds(&round).is_err_and(|why| why.contains("ticks")));
    round["samples"][0]["ticks"] = json!(-1);
    assert!(holds(&round).is_err_and(|why| why.contains("minimum")));
    let mut panel = lines.iter().find(|line| line["record"] == "panel").expect("a panel").clone();
    panel["regime"]["kind"] = json!("everything");
    assert!(holds(&panel).is_err_and(|why| why.contains("everything")));
}
