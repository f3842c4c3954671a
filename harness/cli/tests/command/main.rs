//! Tests of the command, one module for each subject. They are one program because most of them wait for the command:
//! beside each other they keep all processors busy, and the program is linked once.
//!
//! What `.ci/run` starts by name is a program of its own.

#[path = "../folder/mod.rs"]
mod folder;

mod calls;
mod chains;
mod claims;
mod command_line;
mod comparisons;
mod contributed;
mod crafted;
mod facts;
mod guide;
mod layers;
mod new_design;
mod packages;
mod peers;
mod plans;
mod position_files;
mod ranking;
mod repeated_lines;
mod results;
mod robust;
mod run;
mod selftest;
mod shards;
mod shell;
mod sources;
mod trace;
mod walks;
