//! Plug-ins in C, compiled by the tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folder::Folder;

/// The id of the compiled designs.
pub(crate) const ID: &str = "toy/mailbox";

fn harness(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Compiles a C source into a library of this name in the folder, and returns its path.
pub(crate) fn compile(folder: &Folder, source: &Path, name: &str, flags: &[&str]) -> String {
    let library = folder.path(name);
    let compiler = std::env::var_os("CC").unwrap_or("cc".into());
    let template = std::fs::read_to_string(harness("templates/generator.c")).expect("a template");
    folder.write("include/generator.c", &template.replace("{name}", ID));
    let status = Command::new(compiler)
        .args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I"])
        .arg(folder.path("include"))
        .arg("-I")
        .arg(harness("../../docs/plugin"))
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(&library)
        .status()
        .expect("a C compiler");
    assert!(status.success(), "{name}: {status}");
    library.to_str().expect("a path").to_owned()
}

/// The generator of the template.
pub(crate) fn right(folder: &Folder) -> String {
    folder.write("whole.c", "#include \"generator.c\"\n");
    compile(folder, &folder.path("whole.c"), "right.so", &[])
}

/// The same with a fault: `CRASH`, `HANG`, `CLOSE`, `WRONG`, `LONG`, `OVERRUN`, `STAIN`, `MISPLACED`, `DEAF`,
/// `BUILD` or `REFUSE`, and perhaps `LATE`.
pub(crate) fn broken(folder: &Folder, name: &str, faults: &[&str]) -> String {
    let flags: Vec<String> = faults.iter().map(|fault| format!("-D{fault}")).collect();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    compile(folder, &harness("tests/plugin/broken.c"), name, &flags)
}

/// The same after these statements about its table `d`.
pub(crate) fn changed(folder: &Folder, name: &str, statements: &str) -> String {
    let source = format!(
        "#define raywalk_design_at right_design_at\n#include \"generator.c\"\n#undef raywalk_design_at\n\
         static uint64_t one(const void *t, void *b, uint32_t d) {{ (void)t, (void)b, (void)d; return 1; }}\n\
         static int no(const void *t, const void *b, uint32_t s, int w) {{ (void)t, (void)b, (void)s, (void)w; \
         return 0; }}\n\
         RAYWALK_EXPORT const raywalk_design *raywalk_design_at(uint32_t n) {{\n\
         static raywalk_design d; d = design; (void)one, (void)no; {statements} return n ? 0 : &d; }}\n"
    );
    library(folder, name, &source)
}

/// A library with this source.
pub(crate) fn library(folder: &Folder, name: &str, source: &str) -> String {
    let file = format!("{name}.c");
    folder.write(&file, source);
    compile(folder, &folder.path(&file), name, &[])
}
