//! Instruments that the machine does not offer, grouped by reason.

use raywalk_judge::format::list;
use raywalk_results::schema::Absent;

/// Absent instruments with the same reason and the same remedy.
pub(crate) struct Group {
    names: Vec<&'static str>,
    /// One sentence.
    pub(crate) reason: String,
    /// One sentence; empty if there is no remedy.
    pub(crate) remedy: String,
}

impl Group {
    pub(crate) fn names(&self) -> String {
        list(&self.names)
    }

    pub(crate) fn sentence(&self) -> String {
        let Group { reason, remedy, .. } = self;
        let text = format!("Not available here: {}. {reason} {remedy}", self.names());
        text.trim_end().to_owned()
    }
}

/// The groups, in the order of their first instruments.
pub(crate) fn groups<'a>(absent: impl IntoIterator<Item = &'a Absent>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for Absent { instrument, reason } in absent {
        let (name, remedy) = (instrument.name(), reason.remedy(*instrument));
        let reason = reason.to_string();
        match groups.iter_mut().find(|group| group.reason == reason && group.remedy == remedy) {
            Some(group) => group.names.push(name),
            None => groups.push(Group { names: vec![name], reason, remedy }),
        }
    }
    groups
}
