//! The reference of the plan file, `docs/plan-file.md`, from the declarations of keys and regimes.

use std::fmt::Write;

use raywalk_results::schema::RegimeKind;

use super::Plan;
use super::keys::{Fallback, Key, PANEL, TOP};
use crate::regime::rules;

/// A plan file with every key but `rounds`. Its designs are placeholders for [`Examples`].
pub(super) const EXAMPLE: &str = r#"seed = 1
seconds = 60                # or: rounds = 64
total-seconds = 90
least-rounds = 12
most-rounds = 10000
batch-ms = 1.0
processes = 16
margin-percent = 1.0
trace = 512                 # for the page's mispredictions by source line
designs = ["FAMILY", "DESIGN", "PATTERN"]
plugins = []                # files, such as "./mine.so"
baseline = "BASELINE"

[[panels]]
workload = "ab4"
calls = ["tree", "node", "bare-tree"]
headline = true             # the first of them stands for the session in summaries

[[panels]]
workload = "ab4"
stages = ["all", "captures"]

[[panels]]
workload = "cycle-4096"
regime = { replay = 1024 }  # the first 1,024 positions of the cycle

[[panels]]
workload = "cycle-256"
regime = { matched = 256 }  # the same 256 positions in the memory of a cycle of 65,536

[[panels]]
workload = "ab4"
regime = "cold"             # the branch predictor is overwritten before each call
scope = "sliders"

[[panels]]
workload = "ab4"
regime = "cold-placebo"     # the same code, without its effect on the predictor
scope = "sliders"

[[panels]]
workload = "ab4"
regime = { pressure = ["0", "256 KiB", "8 MiB"] }  # three panels

[[panels]]
workload = "ab4"
regime = { lists = ["0", "256 KiB"] }  # one list, and lists in the second-level cache

[[panels]]
workload = "game"
calls = ["in-check", "make-unmake", "piece-attacks"]  # no stage

[[panels]]
workload = "cycle-4096"
regime = "stream"           # in the order of the workload, not repeated before its end
"#;

/// The designs that the example of the reference names, because this crate contains none.
#[derive(Clone, Copy, Debug)]
pub struct Examples {
    /// A family with more than one design.
    pub family: &'static str,
    /// The id of a design of another family.
    pub design: &'static str,
    /// A pattern with a wildcard.
    pub pattern: &'static str,
    /// The id of a design of `family`.
    pub baseline: &'static str,
}

impl Examples {
    /// The example with these designs.
    fn plan_file(self) -> String {
        EXAMPLE
            .replace("FAMILY", self.family)
            .replace("DESIGN", self.design)
            .replace("PATTERN", self.pattern)
            .replace("BASELINE", self.baseline)
    }
}

impl Plan {
    /// The reference of the plan file in Markdown.
    pub fn reference(examples: Examples) -> String {
        let mut text = String::from(
            "# The plan file\n\n<!-- Made by `raywalk plan-reference`; a test compares them. -->\n\n\
             `raywalk run --plan FILE.toml` runs a plan of your own; `--plan -` reads it from standard \
             input.\nThe file is TOML, in UTF-8, at most 1 MiB long. Its name without the extension is \
             the name of\nthe plan. An unknown key, a value of another type or a value out of range is \
             an error that names\nthe file, the line and the key. `--dry-run` checks a plan without \
             running it, and prints its\npanels and how long they will take.\n",
        );
        section(&mut text, "Keys of the plan", TOP);
        section(&mut text, "Keys of a panel", PANEL);
        text.push_str(
            "\n## Regimes\n\nA regime is written as its name, `regime = \"cold\"`, or as its name with a \
             parameter,\n`regime = { replay = 1024 }`.\n\n| regime | parameter | positions and \
             perturbation |\n| --- | --- | --- |\n",
        );
        for kind in RegimeKind::ALL {
            let (parameter, about) = rules(kind).reference();
            row(&mut text, &[&format!("`{kind}`"), parameter, about]);
        }
        text.push_str("\n## Example\n\nIt contains every key but `rounds`.\n\n```toml\n");
        text.push_str(&examples.plan_file());
        text.push_str("```\n");
        text
    }
}

fn section(text: &mut String, title: &str, keys: &[Key]) {
    let _ = write!(
        text,
        "\n## {title}\n\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n"
    );
    for key in keys {
        let default = match key.default {
            Fallback::Required => "required".to_owned(),
            Fallback::Value(value) => format!("`{value}`"),
            Fallback::Otherwise(otherwise) => otherwise.to_owned(),
        };
        row(text, &[&format!("`{}`", key.name), &key.kind.to_string(), &default, key.about]);
    }
}

fn row(text: &mut String, cells: &[&str]) {
    text.push_str("| ");
    text.push_str(&cells.join(" | "));
    text.push_str(" |\n");
}
