//! Plan files, read by `run --dry-run --plan -`: every key, every regime, and the file itself.

use super::case::{Case, accepted, refused};

const DRY: [&str; 4] = ["run", "--dry-run", "--plan", "-"];

/// A panel, for the rows about keys of the plan.
const PANEL: &str = "[[panels]]\nworkload = \"cycle-16\"\n";

/// Name, lines before [`PANEL`], reason: keys of the plan.
#[rustfmt::skip] // one row per case
const KEYS: &[(&str, &str, &str)] = &[
    ("negative seed", "seed = -1", "line 1: `seed` is -1; it must be a whole number from 0 to 2^63 - 1"),
    ("seed of 2^63", "seed = 9223372036854775808", "line 1: a whole number is larger than 2^63 - 1"),
    ("fraction as seed", "seed = 1.5", "line 1: `seed` is 1.5; it must be a whole number"),
    ("text as seed", "seed = \"1\"", "line 1: `seed` is a text; it must be a whole number"),
    ("date as seed", "seed = 2026-01-01", "line 1: `seed` is a date; it must be a whole number"),
    ("no seconds", "seconds = 0", "line 1: `seconds` is 0; it must be a number from 1 to 1000000"),
    ("negative seconds", "seconds = -60", "line 1: `seconds` is -60; it must be a number from 1"),
    ("less than a second", "seconds = 0.99", "line 1: `seconds` is 0.99; it must be a number from 1"),
    ("more than a million seconds", "seconds = 1000001", "line 1: `seconds` is 1000001; it must be"),
    ("seconds without end", "seconds = inf", "line 1: `seconds` is inf; it must be a number from 1"),
    ("seconds not a number", "seconds = nan", "line 1: `seconds` is NaN; it must be a number from 1"),
    ("seconds with a unit", "seconds = \"60 s\"", "line 1: `seconds` is a text; it must be a number"),
    ("no rounds at least", "least-rounds = 0", "line 1: `least-rounds` is 0; it must be a whole number from 1"),
    ("fraction of a round", "least-rounds = 12.0", "line 1: `least-rounds` is 12; it must be a whole number"),
    ("more rounds at least than at most", "least-rounds = 20\nmost-rounds = 10", "`least-rounds` is 20, more than `most-rounds`, which is 10"),
    ("more rounds at least than the default", "least-rounds = 20000", "which is 10000"),
    ("no rounds at most", "most-rounds = 0", "line 1: `most-rounds` is 0; it must be a whole number from 1"),
    ("two million rounds", "most-rounds = 2000000", "line 1: `most-rounds` is 2000000; it must be"),
    ("no rounds", "rounds = 0", "line 1: `rounds` is 0; it must be a whole number from 1 to 1000000"),
    ("negative rounds", "rounds = -6", "line 1: `rounds` is -6; it must be a whole number"),
    ("list as rounds", "rounds = [6]", "line 1: `rounds` is a list; it must be a whole number"),
    ("rounds and seconds", "rounds = 6\nseconds = 10", "line 2: `seconds` conflicts with `rounds`"),
    ("rounds and least rounds", "least-rounds = 6\nrounds = 6", "line 1: `least-rounds` conflicts with `rounds`"),
    ("rounds and most rounds", "rounds = 6\nmost-rounds = 6", "line 2: `most-rounds` conflicts with `rounds`"),
    ("no batch", "batch-ms = 0", "line 1: `batch-ms` is 0; it must be a number from 0.01 to 2"),
    ("batch of 9 microseconds", "batch-ms = 0.009", "line 1: `batch-ms` is 0.009; it must be"),
    ("batch of 3 ms", "batch-ms = 3", "line 1: `batch-ms` is 3; it must be a number from 0.01 to 2"),
    ("truth as batch", "batch-ms = true", "line 1: `batch-ms` is true or false; it must be a number"),
    ("no processes", "processes = 0", "line 1: `processes` is 0; it must be a whole number from 1 to 1000"),
    ("too many processes", "processes = 1001", "line 1: `processes` is 1001; it must be"),
    ("fraction of a process", "processes = 0.5", "line 1: `processes` is 0.5; it must be a whole number"),
    ("negative margin", "margin-percent = -0.5", "line 1: `margin-percent` is -0.5; it must be a number from 0 to 5"),
    ("margin of 6 per cent", "margin-percent = 6", "line 1: `margin-percent` is 6; it must be"),
    ("margin with its sign", "margin-percent = \"1%\"", "line 1: `margin-percent` is a text; it must be a number"),
    ("one design without list", "designs = \"bell\"", "line 1: `designs` is a text; it must be a list of texts"),
    ("numbers as designs", "designs = [1, 2]", "line 1: `designs` is a list; it must be a list of texts"),
    ("lists as designs", "designs = [[\"bell\"]]", "line 1: `designs` is a list; it must be a list of texts"),
    ("unknown design", "designs = [\"bel\"]", "no design is called `bel`"),
    ("pattern without match", "designs = [\"zebra/*\"]", "no design is called `zebra/*`"),
    ("empty design", "designs = [\"\"]", "no design is called ``"),
    ("markup as design", "designs = [\"</td><script>\"]", "no design is called `</td><script>`"),
    ("escape sequence as design", "designs = [\"\\u001b[2J\"]", "no design is called `\\u{1b}[2J`"),
    ("unknown baseline", "baseline = \"bel\"", "the baseline `bel` is not one of the designs that take part"),
    ("a peer as baseline", "baseline = \"peer/owlchess\"", "the baseline must be a built-in design"),
    ("empty baseline", "baseline = \"\"", "the baseline `` is not one of the designs"),
    ("pattern as baseline", "baseline = \"bitboard/*\"", "the baseline `bitboard/*` is not one of the designs"),
    ("baseline that takes no part", "designs = [\"bell\"]\nbaseline = \"bitboard/pext\"", "the baseline `bitboard/pext` is not"),
    ("list as baseline", "baseline = [\"bell\"]", "line 1: `baseline` is a list; it must be a text"),
    ("key misspelt", "sead = 1", "line 1: `sead` is unknown; the keys are seed, seconds"),
    ("key in capitals", "Seed = 1", "line 1: `Seed` is unknown; the keys are seed"),
    ("key with an underscore", "batch_ms = 1", "line 1: `batch_ms` is unknown"),
    ("key of a panel at the top", "stages = [\"all\"]", "line 1: `stages` is unknown"),
    ("empty key", "\"\" = 1", "line 1: `` is unknown"),
    ("key with a line end", "\"a\\nb\" = 1", "`a\\nb` is unknown"),
    ("key with an escape sequence", "\"\\u001b[2J\" = 1", "`\\u{1b}[2J` is unknown"),
    ("unknown table", "[options]\nfast = true", "line 1: `options` is unknown"),
    ("layouts in a plan", "layouts = 2", "line 1: `layouts` is unknown"),
    ("key twice", "seed = 1\nseed = 2", "plan file -: line 2: duplicate key"),
    ("no equals sign", "seed 1", "line 1: key with no value, expected `=`"),
    ("no value", "seed =", "plan file -: line 1: string values must be quoted"),
    ("open text", "baseline = \"bell", "plan file -: line 1: invalid basic string"),
    ("open list", "designs = [\"bell\"", "plan file -: line 2: missing comma between array elements"),
    ("value without quotes", "baseline = bell", "plan file -: line 1: string values must be quoted"),
    ("comment of another kind", "// plan\nseed = 1", "plan file -: line 1: key with no value"),
    ("JSON", "{\"seed\": 1}", "plan file -: line 1: invalid key-value pair"),
    ("YAML", "seed: 1", "plan file -: line 1: key with no value"),
    ("NUL", "seed = 1\0", "plan file -: line 1: string values must be quoted"),
    ("bell in a text", "baseline = \"\u{7}\"", "plan file -: line 1: invalid basic string"),
    ("number with a leading zero", "seed = 01", "plan file -: line 1: unexpected leading zero"),
];

/// Name, file, reason: panels.
#[rustfmt::skip] // one row per case
const PANELS: &[(&str, &str, &str)] = &[
    ("empty file", "", "plan file -: `panels` is missing"),
    ("comments only", "# a plan\n", "plan file -: `panels` is missing"),
    ("no panels", "seed = 1\n", "plan file -: `panels` is missing"),
    ("empty list of panels", "panels = []\n", "line 1: `panels` is empty; there would be nothing to measure"),
    ("one table for the list", "[panels]\nworkload = \"ab4\"\n", "line 1: `panels` is a table; it must be a list of tables"),
    ("names as panels", "panels = [\"ab4\"]\n", "line 1: `panels` is a list; it must be a list of tables"),
    ("number as panels", "panels = 3\n", "line 1: `panels` is 3; it must be a list of tables"),
    ("panel without workload", "[[panels]]\n", "`panels[0].workload` is missing"),
    ("second panel without workload", "[[panels]]\nworkload = \"ab4\"\n[[panels]]\nstages = [\"all\"]\n", "`panels[1].workload` is missing"),
    ("unknown workload", "[[panels]]\nworkload = \"ab44\"\n", "line 2: `panels[0].workload` is wrong: unknown workload `ab44`"),
    ("empty workload", "[[panels]]\nworkload = \"\"\n", "line 2: `panels[0].workload` is wrong: unknown workload ``"),
    ("list of workloads", "[[panels]]\nworkload = [\"ab4\"]\n", "line 2: `panels[0].workload` is a list; it must be a text"),
    ("workload with a number", "[[panels]]\nworkload = \"ab4:100\"\n", "unknown workload `ab4:100`"),
    ("markup as workload", "[[panels]]\nworkload = \"<img src=x>\"\n", "unknown workload `<img src=x>`"),
    ("escape sequence as workload", "[[panels]]\nworkload = \"\\u001b]0;x\\u0007\"\n", "unknown workload `\\u{1b}]0;x\\u{7}`"),
    ("unknown stage", "[[panels]]\nworkload = \"ab4\"\nstages = [\"checks\"]\n", "line 3: `panels[0].stages` is `checks`, which is not one of all, captures, quiets"),
    ("stage in capitals", "[[panels]]\nworkload = \"ab4\"\nstages = [\"All\"]\n", "`panels[0].stages` is `All`, which is not one of"),
    ("no stages", "[[panels]]\nworkload = \"ab4\"\nstages = []\n", "`panels[0].stages` is an empty list; it must be a list of all"),
    ("stage without list", "[[panels]]\nworkload = \"ab4\"\nstages = \"all\"\n", "`panels[0].stages` is a text; it must be a list"),
    ("number as stage", "[[panels]]\nworkload = \"ab4\"\nstages = [1]\n", "`panels[0].stages` contains a number; names are all, captures"),
    ("stage twice", "[[panels]]\nworkload = \"ab4\"\nstages = [\"all\", \"all\"]\n", "`panels[0]` duplicates panel ab4/stream-tree/all"),
    ("panel twice", "[[panels]]\nworkload = \"ab4\"\n[[panels]]\nworkload = \"ab4\"\n", "line 3: `panels[1]` duplicates panel"),
    ("unknown scope", "[[panels]]\nworkload = \"ab4\"\nscope = \"pawns\"\n", "`panels[0].scope` is `pawns`, which is not one of whole, sliders"),
    ("list as scope", "[[panels]]\nworkload = \"ab4\"\nscope = [\"whole\"]\n", "`panels[0].scope` is a list; it must be one of whole, sliders"),
    ("captures of sliders", "[[panels]]\nworkload = \"ab4\"\nscope = \"sliders\"\nstages = [\"captures\"]\n", "`panels[0].scope` is `sliders`, which has no stage other"),
    ("all and captures of sliders", "[[panels]]\nworkload = \"ab4\"\nscope = \"sliders\"\nstages = [\"all\", \"captures\"]\n", "which has no stage other than `all`"),
    ("sliders that no design offers", "designs = [\"setwise\"]\n[[panels]]\nworkload = \"ab4\"\nscope = \"sliders\"\n", "no design that takes part offers this call"),
    ("text as headline", "[[panels]]\nworkload = \"ab4\"\nheadline = \"yes\"\n", "`panels[0].headline` is a text; it must be true or false"),
    ("number as headline", "[[panels]]\nworkload = \"ab4\"\nheadline = 1\n", "`panels[0].headline` is 1; it must be true or false"),
    ("unknown key of a panel", "[[panels]]\nworkload = \"ab4\"\norder = \"tree\"\n", "line 3: `panels[0].order` is unknown; the keys are workload"),
    ("key of a plan in a panel", "[[panels]]\nworkload = \"ab4\"\nseed = 1\n", "line 3: `panels[0].seed` is unknown"),
    ("key of a panel twice", "[[panels]]\nworkload = \"ab4\"\nworkload = \"game\"\n", "line 3: duplicate key"),
    ("unknown regime", "[[panels]]\nworkload = \"ab4\"\nregime = \"warm\"\n", "`panels[0].regime` is wrong: `warm` is not one of replay"),
    ("empty regime", "[[panels]]\nworkload = \"ab4\"\nregime = \"\"\n", "`panels[0].regime` is wrong: `` is not one of replay"),
    ("number as regime", "[[panels]]\nworkload = \"ab4\"\nregime = 256\n", "`panels[0].regime` is 256; it must be a name"),
    ("list as regime", "[[panels]]\nworkload = \"ab4\"\nregime = [\"cold\"]\n", "`panels[0].regime` is a list; it must be a name"),
    ("empty table as regime", "[[panels]]\nworkload = \"ab4\"\nregime = {}\n", "`panels[0].regime` is a table; it must be a name, or one name"),
    ("two regimes", "[[panels]]\nworkload = \"ab4\"\nregime = { replay = 16, cold = 16384 }\n", "`panels[0].regime` is a table; it must be"),
    ("unknown regime with a parameter", "[[panels]]\nworkload = \"ab4\"\nregime = { warm = 1 }\n", "`panels[0].regime` is wrong: `warm` is not one of"),
    ("replay without number", "[[panels]]\nworkload = \"ab4\"\nregime = \"replay\"\n", "`replay` needs the number of positions, at least 1"),
    ("replay of none", "[[panels]]\nworkload = \"ab4\"\nregime = { replay = 0 }\n", "`replay` needs the number of positions, at least 1"),
    ("replay of less than none", "[[panels]]\nworkload = \"ab4\"\nregime = { replay = -16 }\n", "`replay` needs the number of positions"),
    ("replay of a text", "[[panels]]\nworkload = \"ab4\"\nregime = { replay = \"16\" }\n", "`replay` needs the number of positions"),
    ("replay of a fraction", "[[panels]]\nworkload = \"ab4\"\nregime = { replay = 16.0 }\n", "`replay` needs the number of positions"),
    ("replay of a list", "[[panels]]\nworkload = \"ab4\"\nregime = { replay = [16, 32] }\n", "`replay` needs the number of positions"),
    ("replay of more than there are", "[[panels]]\nworkload = \"ab4\"\nregime = { replay = 228201 }\n", "does not fit: `ab4` has 228200 positions, too few"),
    ("replay of 2^63 - 1", "[[panels]]\nworkload = \"ab4\"\nregime = { replay = 9223372036854775807 }\n", "too few for a replay of 9223372036854775807"),
    ("stream with a parameter", "[[panels]]\nworkload = \"ab4\"\nregime = { stream = 16 }\n", "`panels[0].regime` `stream` takes no parameter"),
    ("cold with 0 branches", "[[panels]]\nworkload = \"ab4\"\nregime = { cold = 0 }\n", "`panels[0].regime` `cold` needs a number of branches that is a multiple of 16384, at most 16777216"),
    ("cold with an odd number", "[[panels]]\nworkload = \"ab4\"\nregime = { cold = 16385 }\n", "`panels[0].regime` `cold` needs a number of branches that is a multiple of 16384, at most 16777216"),
    ("cold with a negative number", "[[panels]]\nworkload = \"ab4\"\nregime = { cold = -16384 }\n", "`panels[0].regime` `cold` needs a number of branches that is a multiple of 16384, at most 16777216"),
    ("cold with 2^62 branches", "[[panels]]\nworkload = \"ab4\"\nregime = { cold = 4611686018427387904 }\n", "`panels[0].regime` `cold` needs a number of branches that is a multiple of 16384, at most 16777216"),
    ("cold with a text", "[[panels]]\nworkload = \"ab4\"\nregime = { cold = \"16384\" }\n", "`panels[0].regime` `cold` needs a number of branches that is a multiple of 16384, at most 16777216"),
    ("pressure without size", "[[panels]]\nworkload = \"ab4\"\nregime = \"pressure\"\n", "`pressure` needs a size up to 2 GiB or a list"),
    ("pressure of a number", "[[panels]]\nworkload = \"ab4\"\nregime = { pressure = 32768 }\n", "`pressure` needs a size up to 2 GiB"),
    ("pressure of no sizes", "[[panels]]\nworkload = \"ab4\"\nregime = { pressure = [] }\n", "`pressure` needs a size up to 2 GiB"),
    ("pressure above the limit", "[[panels]]\nworkload = \"ab4\"\nregime = { pressure = \"3 GiB\" }\n", "`pressure` is `3 GiB`; it needs a size up to 2 GiB"),
    ("pressure in decimal units", "[[panels]]\nworkload = \"ab4\"\nregime = { pressure = \"32 kB\" }\n", "`pressure` is `32 kB`; it needs a size"),
    ("pressure of a fraction", "[[panels]]\nworkload = \"ab4\"\nregime = { pressure = \"1.5 MiB\" }\n", "`pressure` is `1.5 MiB`; it needs a size"),
    ("negative pressure", "[[panels]]\nworkload = \"ab4\"\nregime = { pressure = \"-1 MiB\" }\n", "`pressure` is `-1 MiB`; it needs a size"),
    ("pressure of 2^80 bytes", "[[panels]]\nworkload = \"ab4\"\nregime = { pressure = \"1208925819614629174706176\" }\n", "it needs a size up to 2 GiB"),
    ("sizes with a wrong one", "[[panels]]\nworkload = \"ab4\"\nregime = { pressure = [\"0\", \"big\"] }\n", "`pressure` is `big`; it needs a size"),
    ("same size in two units", "[[panels]]\nworkload = \"ab4\"\nregime = { pressure = [\"1 MiB\", \"1024 KiB\"] }\n", "duplicates panel ab4/pressure-1048576"),
];

/// Name, file, part of the answer: unusual forms that are right.
#[rustfmt::skip] // one row per case
const RIGHT: &[(&str, &str, &str)] = &[
    ("one panel", "[[panels]]\nworkload = \"cycle-16\"\n", "cycle-16/replay-16/all"),
    ("byte order mark", "\u{feff}[[panels]]\nworkload = \"cycle-16\"\n", "cycle-16/replay-16/all"),
    ("line ends of Windows", "seed = 1\r\n[[panels]]\r\nworkload = \"cycle-16\"\r\n", "cycle-16/replay-16/all"),
    ("no line end", "[[panels]]\nworkload = \"cycle-16\"", "cycle-16/replay-16/all"),
    ("panels within one line", "panels = [{ workload = \"cycle-16\", stages = [\"quiets\"] }]", "cycle-16/replay-16/quiets"),
    ("largest seed", "seed = 9223372036854775807\n[[panels]]\nworkload = \"cycle-16\"\n", "cycle-16/replay-16/all"),
    ("one round", "rounds = 1\ndesigns = [\"bell\"]\n[[panels]]\nworkload = \"cycle-16\"\n", " 1   1 s"),
    ("a million rounds", "rounds = 1000000\n[[panels]]\nworkload = \"cycle-16\"\n", " 1000000 "),
    ("one second", "seconds = 1\n[[panels]]\nworkload = \"cycle-16\"\n", "cycle-16/replay-16/all"),
    ("a million seconds", "seconds = 1e6\n[[panels]]\nworkload = \"cycle-16\"\n", "cycle-16/replay-16/all"),
    ("as many rounds at least as at most", "processes = 7\nleast-rounds = 7\nmost-rounds = 7\n[[panels]]\nworkload = \"cycle-16\"\n", " 7 "),
    ("whole number as batch", "batch-ms = 2\n[[panels]]\nworkload = \"cycle-16\"\n", "cycle-16/replay-16/all"),
    ("no margin", "margin-percent = 0\n[[panels]]\nworkload = \"cycle-16\"\n", "cycle-16/replay-16/all"),
    ("empty list of designs", "designs = []\n[[panels]]\nworkload = \"cycle-16\"\n", "bitboard/pext"),
    ("family as baseline", "baseline = \"ferret\"\n[[panels]]\nworkload = \"cycle-16\"\n", "ferret/pointer"),
    ("replay of all positions", "[[panels]]\nworkload = \"ab4\"\nregime = { replay = 228200 }\n", "ab4/replay-228200/all"),
    ("replay of one position", "[[panels]]\nworkload = \"ab4\"\nregime = { replay = 1 }\n", "ab4/replay-1/all"),
    ("pressure of nothing", "[[panels]]\nworkload = \"ab4\"\nregime = { pressure = \"0\" }\n", "ab4/pressure-0-tree/all"),
    ("pressure of bytes", "[[panels]]\nworkload = \"ab4\"\nregime = { pressure = \"512 B\" }\n", "ab4/pressure-512-tree/all"),
    ("several sizes", "[[panels]]\nworkload = \"ab4\"\nregime = { pressure = [\"0\", \"1 KiB\"] }\n", "ab4/pressure-1024-tree/all"),
    ("two headlines", "[[panels]]\nworkload = \"ab4\"\nheadline = true\n[[panels]]\nworkload = \"cycle-16\"\nheadline = true\n", "cycle-16/replay-16"),
    ("sliders", "[[panels]]\nworkload = \"ab4\"\nscope = \"sliders\"\n", "ab4/stream-tree/"),
];

pub(crate) fn cases() -> Vec<Case> {
    let key = |&(name, lines, why): &(&str, &str, &str)| {
        refused(name, &DRY, why).stdin(format!("{lines}\n{PANEL}"))
    };
    let mut cases: Vec<Case> = KEYS.iter().map(key).collect();
    cases.extend(PANELS.iter().map(|&(name, text, why)| refused(name, &DRY, why).stdin(text)));
    cases.extend(RIGHT.iter().map(|&(name, text, part)| accepted(name, &DRY, part).stdin(text)));
    cases.extend(others());
    cases
}

/// Sizes, encodings, and plans in files.
fn others() -> Vec<Case> {
    let dry = |plan| ["run", "--dry-run", "--plan", plan];
    vec![
        accepted("exactly 1 MiB", &DRY, "cycle-16/replay-16/all")
            .stdin(format!("{PANEL}{}", "#".repeat((1 << 20) - PANEL.len()))),
        refused("1 MiB and a byte", &DRY, "it is longer than 1 MiB")
            .stdin(format!("{PANEL}{}", "#".repeat((1 << 20) + 1 - PANEL.len()))),
        refused("Latin-1", &DRY, "plan file - cannot be read: stream did not contain valid UTF-8")
            .stdin(b"# caf\xe9\n".as_slice()),
        refused("UTF-16", &DRY, "plan file - cannot be read: ").stdin(b"\xff\xfe[\0".as_slice()),
        refused("deep nesting", &DRY, "plan file -: line 1: ")
            .stdin(format!("designs = {}", "[".repeat(100_000))),
        refused("key of a megabyte", &DRY, "is unknown")
            .stdin(format!("{} = 1\n", "x".repeat(1_000_000))),
        refused("text of a megabyte", &DRY, "unknown workload `xxxx")
            .stdin(format!("[[panels]]\nworkload = \"{}\"\n", "x".repeat(1_000_000))),
        accepted("a hundred thousand panels", &DRY, "ab4/pressure-100063-tree/all").stdin(format!(
            "[[panels]]\nworkload = \"ab4\"\nregime = {{ pressure = [{}] }}\n",
            (64..100_064).map(|size| format!("\"{size}\"")).collect::<Vec<_>>().join(",")
        )),
        accepted("file with another ending", &dry("plan.txt"), "plan plan, ")
            .file("plan.txt", PANEL),
        accepted("file without ending", &dry("plan"), "plan plan, ").file("plan", PANEL),
        accepted("name with an escape sequence", &dry("\u{1b}[2J.toml"), "plan \\u{1b}[2J, ")
            .file("\u{1b}[2J.toml", PANEL),
        accepted("file called like a plan", &dry("quick"), "plan quick, 15 designs")
            .file("quick", PANEL),
    ]
}
