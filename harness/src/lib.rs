//! What measures: the library and the raywalk command.
