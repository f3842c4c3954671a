//! The journal's schema for programs: JSON Schema, draft 2020-12, made from the types.
//!
//! It describes one line. Fields that it does not name are allowed, because a later version of the same schema may
//! add some; what it requires is required by [`journal::read`](crate::journal::read) too, which checks more (known
//! panels, complete rounds) than a schema of one line can express.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::Value;

use crate::schema::{Record, SchemaVersion};

/// The schema of one line of a journal.
pub fn json_schema() -> Value {
    let mut schema =
        SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Record>();
    RecursiveTransform(|schema: &mut schemars::Schema| {
        if let Some(Value::String(text)) = schema.get_mut("description") {
            *text = plain(text);
        }
    })
    .transform(&mut schema);
    schema.insert("title".to_owned(), SchemaVersion::CURRENT.to_string().into());
    schema.insert("description".to_owned(), "One line of a Raywalk journal.".into());
    schema.to_value()
}

/// A doc comment without the brackets and targets of its links and the breaks of its lines.
fn plain(text: &str) -> String {
    let mut text = text.replace("[`", "`").replace("`]", "`").replace('\n', " ");
    while let Some(end) = text.find("](")
        && let Some(length) = text[end..].find(')')
        && let Some(start) = text[..end].rfind('[')
    {
        // The later part first, so that `start` stays valid.
        text.replace_range(end..=end + length, "");
        text.remove(start);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_its_text() {
        assert_eq!(
            plain("Of its [process](super::Process::number), see\n[`Round`]."),
            "Of its process, see `Round`."
        );
    }

    #[test]
    fn it_names_its_draft_and_its_version() {
        let schema = json_schema();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(schema["title"], SchemaVersion::CURRENT.to_string());
        assert!(!schema.to_string().contains("[`"), "a link of the source is left");
        assert!(!schema.to_string().contains("]("), "the target of a link is left");
        assert!(!schema.to_string().contains("\"fake\""), "a clock of tests is published");
    }
}
