//! The raywalk command.
fn main() {}
