//! The flat table, written and read back.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use raywalk_page::export::{Table, Values, parquet as writer, table, write_csv};
use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;
use raywalk_results::schema::Mark;

fn sessions() -> Vec<Results> {
    let few = |recipe| Recipe { rounds: 2, designs: 3, ..recipe }.results();
    let mut sessions = vec![few(Recipe::FULL), few(Recipe::SMALL)];
    let sample = &mut sessions[0].panels[1].rounds[1].samples[2];
    sample.marks = vec![Mark::ContextSwitch, Mark::ClockStep];
    sample.cycles_per_tick = None;
    sample.ticks = u64::MAX;
    sessions[0].session.machine.cpu = "A \"quoted\", long\nname".to_owned();
    sessions
}

/// Every cell as text, a missing one as `None`.
fn cells(table: &Table<'_>) -> Vec<Vec<Option<String>>> {
    let cell = |values: &Values<'_>, row: usize| match values {
        Values::Text(values) => values[row].as_deref().map(str::to_owned),
        Values::Whole(values) => values[row].map(|value| value.to_string()),
        Values::Real(values) => values[row].map(|value| value.to_string()),
    };
    (0..table.rows)
        .map(|row| table.columns.iter().map(|column| cell(&column.values, row)).collect())
        .collect()
}

/// A reader of RFC 4180, by its grammar: records of fields.
fn read_csv(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut letters = text.chars().peekable();
    let mut quoted = false;
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            _ => field.push(letter),
        }
    }
    assert!(record.is_empty() && field.is_empty() && !quoted, "the last line is not ended");
    records
}

fn open(bytes: &[u8]) -> SerializedFileReader<File> {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("written");
    SerializedFileReader::new(file).expect("a Parquet file")
}

#[test]
fn csv_holds_every_cell_of_the_table() {
    let sessions = sessions();
    let table = table(&sessions);
    let mut bytes = Vec::new();
    write_csv(&table, &mut bytes).expect("memory accepts everything");
    let records = read_csv(&String::from_utf8(bytes).expect("text"));
    let names: Vec<&str> = table.columns.iter().map(|column| &*column.name).collect();
    assert_eq!(records[0], names);
    assert_eq!(records.len(), table.rows + 1);
    for (record, row) in records[1..].iter().zip(cells(&table)) {
        let row: Vec<String> = row.into_iter().map(Option::unwrap_or_default).collect();
        assert_eq!(record, &row);
    }
}

#[test]
fn parquet_holds_every_cell_of_the_table_and_marks_absent_ones() {
    let sessions = sessions();
    let table = table(&sessions);
    let bytes = writer::to_bytes(&table).expect("written");
    let file = open(&bytes);
    let found: Vec<Vec<Option<String>>> = file
        .get_row_iter(None)
        .expect("rows")
        .map(|row| {
            let row = row.expect("a row");
            row.get_column_iter()
                .map(|(_, field)| match field {
                    Field::Null => None,
                    Field::Str(text) => Some(text.clone()),
                    Field::ULong(value) => Some(value.to_string()),
                    Field::Double(value) => Some(value.to_string()),
                    other => panic!("a column of another type: {other:?}"),
                })
                .collect()
        })
        .collect();
    assert_eq!(found, cells(&table));
    let schema = file.metadata().file_metadata().schema_descr();
    let names: Vec<&str> = schema.columns().iter().map(|column| column.name()).collect();
    assert_eq!(names, table.columns.iter().map(|column| &*column.name).collect::<Vec<_>>());
}

#[test]
fn a_row_names_everything_its_sample_belongs_to() {
    let sessions = sessions();
    let table = table(&sessions);
    let samples: usize = sessions
        .iter()
        .flat_map(|session| &session.panels)
        .flat_map(|panel| &panel.rounds)
        .map(|round| round.samples.len())
        .sum();
    assert_eq!(table.rows, samples);
    let rows: Vec<BTreeMap<&str, String>> = cells(&table)
        .into_iter()
        .map(|row| {
            let named = table.columns.iter().map(|column| &*column.name).zip(row);
            named.filter_map(|(name, cell)| Some((name, cell?))).collect()
        })
        .collect();
    let marked = rows.iter().find(|row| row["marks"].contains(' ')).expect("the marked sample");
    assert_eq!(marked["marks"], "context-switch clock-step");
    assert_eq!((&*marked["round"], &*marked["place"], &*marked["workload"]), ("1", "2", "ab4"));
    assert_eq!((&*marked["regime"], &*marked["stream_order"]), ("stream", "tree"));
    assert!(!marked.contains_key("k") && !marked.contains_key("cycles_per_tick"));
    assert!(marked.contains_key("event_branch-misses"));
    // The second session has no events.
    let other = rows.last().expect("a row");
    assert!(!other.keys().any(|name| name.starts_with("event_")));
    // The second session is a single process of the program as linked.
    let first = &rows[0];
    assert_eq!((&*first["process"], &*first["share"], &*first["layout"]), ("0", "3", "3"));
    assert_eq!(
        (&*first["delayed_ms"], &*first["steal_ms"], &*first["round_marks"]),
        ("0", "0", "")
    );
    assert_eq!((&*marked["process"], &*marked["share"]), ("1", "7"));
    assert!(["layout", "steal_ms"].iter().all(|name| !other.contains_key(name)));
    assert_eq!((&*other["process"], &*other["delayed_ms"]), ("0", "0"));
    // In each round one baseline and one A/A control, with the same control flow. The rest are the
    // other designs; their number varies, because the panel of sliders has one design less.
    let control = rows.iter().find(|row| row["role"] == "aa-control").expect("an A/A control");
    assert_eq!((&*control["design"], &*control["control"]), ("A/A control", "branchy"));
    let of = |role: &str| rows.iter().filter(|row| row["role"] == role).count();
    let rounds: usize =
        sessions.iter().flat_map(|session| &session.panels).map(|panel| panel.rounds.len()).sum();
    assert_eq!(
        (of("baseline"), of("aa-control"), of("design")),
        (rounds, rounds, samples - 2 * rounds)
    );
    // 2.6 GHz: ns = ticks ÷ 2.6.
    let number = |name: &str| first[name].parse::<f64>().expect("a number");
    assert!((number("ns") * 2.6 / number("ticks") - 1.0).abs() < 1e-12);
}

#[test]
fn a_delayed_and_disturbed_round_is_marked_in_each_of_its_rows() {
    let results = [Recipe { designs: 3, rounds: 34, ..Recipe::FULL }.results()];
    let table = table(&results);
    let place = |name: &str| table.columns.iter().position(|column| column.name == name);
    let [marks, delayed, steal, round] = ["round_marks", "delayed_ms", "steal_ms", "round"]
        .map(|name| place(name).expect("a column"));
    for row in cells(&table) {
        let busy = row[round].as_deref() == Some("33");
        let expected = if busy { ["busy-neighbour", "250", "12"] } else { ["", "0", "0"] };
        assert_eq!([marks, delayed, steal].map(|at| row[at].as_deref()), expected.map(Some));
    }
}

#[test]
fn a_table_without_rows_is_a_line_of_names_and_a_file_without_rows() {
    let sessions = [Recipe { rounds: 0, ..Recipe::SMALL }.results()];
    let table = table(&sessions);
    let mut bytes = Vec::new();
    write_csv(&table, &mut bytes).expect("memory accepts everything");
    assert_eq!(bytes.iter().filter(|&&byte| byte == b'\n').count(), 1);
    let bytes = writer::to_bytes(&table).expect("written");
    let file = open(&bytes);
    assert_eq!(file.metadata().file_metadata().num_rows(), 0);
}
